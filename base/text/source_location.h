/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source_location.h - function, file and line of an instruction
 */
#ifndef BASE_TEXT_SOURCE_LOCATION_H
#define BASE_TEXT_SOURCE_LOCATION_H

#include <stdint.h>

/* Names of an instruction. Strings live as long as the host; equal strings
   have equal addresses. Never NULL: what is not known is "???" and line 0. */
struct an_symbol {
	const char *function;
	const char *file;   /* as in the line table, without directory */
	const char *object; /* file name of the mapped object */
	uint32_t line;
	const char *path; /* of the file, as far as the line table tells it */
};

#endif

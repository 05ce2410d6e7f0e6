/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source_location.h - function, file and line of an instruction
 */
#ifndef BASE_TEXT_SOURCE_LOCATION_H
#define BASE_TEXT_SOURCE_LOCATION_H

#include <stdint.h>

/* Source location of an instruction. Strings live as long as the host that
   returned them; equal strings have equal addresses. Strings are never NULL: an
   unknown one is "???", an unknown line is 0. */
struct an_symbol {
	const char *function;
	const char *file;   /* as in the line table, without folder */
	const char *object; /* file name of the mapped object */
	uint32_t line;
	const char *path; /* of the file, as complete as in the line table */
};

#endif

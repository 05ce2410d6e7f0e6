/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source_location.h - function, file and line of an instruction
 */
#ifndef BASE_TEXT_SOURCE_LOCATION_H
#define BASE_TEXT_SOURCE_LOCATION_H

#include <stdbool.h>
#include <stdint.h>

/* Source location of an instruction. The strings live as long as the symbol
   table that returned them; equal strings have equal addresses. An
   unknown string is "???", not NULL, except that call_file and call_path are
   NULL if call_line is 0; an unknown line is 0. */
struct an_symbol {
	const char *function;
	const char *file;   /* name of the source file as in the line table,
			       without folder */
	const char *object; /* file name of the mapped object file */
	uint32_t line;
	uint64_t unnamed_address; /* of code in the call stack of an allocation
				     without known function and line: its
				     address as in the symbol table of the
				     object file; else 0 */
	const char *path; /* path of the source file, as complete as in the line
			     table */
	bool is_system;	  /* al_path_is_in_system_folder() is true of the
			     object's path */

	/* Line of the user's own code that the instruction was inlined into:
	   the innermost enclosing call in a file that is neither `path` nor a
	   file of the system. call_line 0: none is known. */
	uint32_t call_line;
	const char *call_file; /* without folder; NULL: call_line is 0 */
	const char *call_path;
	bool is_system_source; /* `path` is a file of the system; always false
				  if call_line is 0 */
};

#endif

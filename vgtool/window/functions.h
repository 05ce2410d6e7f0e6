/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * functions.h - finds the address ranges of the functions that windows name
 *
 * The symbols of an object file are searched for the names when it is mapped,
 * so that each translation only searches a few ranges. Several functions may
 * have the same name.
 */
#ifndef VGTOOL_WINDOW_FUNCTIONS_H
#define VGTOOL_WINDOW_FUNCTIONS_H

#include <pub_tool_debuginfo.h>

#include "proto/window.h"
#include "vgtool/core/prelude.h"

/* A function that the plan names. */
struct vt_named_function {
	UInt image_kind;    /* enum pt_image_kind */
	const HChar *image; /* path or name; "" where the kind has none */
	const HChar *name;
	Bool decorated; /* `name` is the linker's symbol, not a demangled
			   name */
};

struct vt_function_range {
	Addr start;
	Addr end;
	/* number returned by vt_functions_find_or_add_get_number() */
	UInt function;
};

/* Remove all functions and ranges. */
void vt_functions_remove_all_and_ranges(void);

/* Add a function to search for in objects that are passed to
   vt_functions_add_ranges_and_mark_mapped() later. Its strings must stay valid.
   Return: its number, the same for functions with equal members. */
UInt vt_functions_find_or_add_get_number(const struct vt_named_function *);

/* Return the function with number @function_number. Set @flags:
   PT_OUTCOME_MAPPED if an object of its image was searched since it was added,
   PT_OUTCOME_FOUND if the function was found there. */
const struct vt_named_function *
vt_functions_get_name_and_search_outcome(UInt function_number, UInt *flags);

/* Search an object that was mapped for the functions whose image it matches,
   and add their ranges. Set PT_OUTCOME_MAPPED for each of these functions, and
   PT_OUTCOME_FOUND for those that it has. */
void vt_functions_add_ranges_and_mark_mapped(const DebugInfo *);

/* Remove the ranges that begin in [@start, @end), addresses that were unmapped.
   */
void vt_functions_remove_ranges_beginning_in(Addr start, Addr end);

/* Whether the object file @file_path is one that @image_kind (enum
   pt_image_kind) and @image_name stand for. @image_name is used only for
   PT_IMAGE_PATH and PT_IMAGE_NAME. */
Bool vt_functions_does_path_match_image(const HChar *file_path, UInt image_kind,
					const HChar *image_name);

/* Whether the linker's symbol @symbol is @name, with or without a version, or
   demangles to it. @name may include parameters or not. */
Bool vt_functions_is_symbol_named(const HChar *symbol, const HChar *name);

/* Return the range number @match_index, from 0, of those that contain @pc; NULL
   if fewer contain it. */
const struct vt_function_range *
vt_functions_find_nth_range_at(Addr pc, UInt match_index);

#endif

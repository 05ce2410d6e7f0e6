/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * variables.h - records object files and their variables
 *
 * Variables are data symbols with a size. Their names go into the stream, so
 * that a replay needs no object file.
 */
#ifndef VGTOOL_HEAP_VARIABLES_H
#define VGTOOL_HEAP_VARIABLES_H

#include <pub_tool_debuginfo.h>

#include "vgtool/core/prelude.h"

/* Assign the next number to an object that was mapped, add it to the objects of
   thread_variables.h, and write its PT_MAPPED unit, its PT_ALLOCATORS unit if
   it has allocator functions or the user has omitted the standard ones, and,
   unless it is Valgrind's, a PT_VARIABLE unit for each of its variables that
   are not thread-local. Waits for room in the ring. */
void vt_variables_add_object(const DebugInfo *);

/* Remove the object whose code is exactly [@code_start, @code_start +
   @code_size), which was unmapped, and write its PT_UNMAPPED unit; no-op if
   there is none. Waits for room in the ring. */
void vt_variables_remove_object_write_unmap(Addr code_start, SizeT code_size);

/* Assign new numbers, from 1, to all objects that are mapped, and write their
   units and those of their variables. Call in a forked child, whose stream has
   none of these units. */
void vt_variables_renumber_files_write_units(void);

#endif

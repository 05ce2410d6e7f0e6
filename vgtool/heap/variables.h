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

/* Record an object that was mapped, with its variables. Waits for room in the
   ring. */
void vt_variables_add_object(const DebugInfo *);

/* Record that the object whose code has this range was unmapped. */
void vt_variables_remove_object(Addr start, SizeT size);

/* Record all objects that are mapped, with new numbers: in a forked child. */
void vt_variables_renumber_write_all(void);

#endif

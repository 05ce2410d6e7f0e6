/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * named_marks.h - writes marks with names into the stream
 *
 * A mark is a named event in the stream. The program sets marks by client
 * requests, and a user by `alleria control` or a monitor command of gdb. Each
 * combination of name, kind and region is logged once; each mark is a unit with
 * the number of its combination.
 */
#ifndef VGTOOL_TRANSPORT_NAMED_MARKS_H
#define VGTOOL_TRANSPORT_NAMED_MARKS_H

#include "vgtool/core/prelude.h"

/* Forget all names, in a forked child: its new stream has logged none yet. */
void vt_mark_reset_names(void);

/* Write a mark into the stream. Log @kind, @name and the region first, unless
   the same combination was logged before; do nothing without a ring. @name: at
   most PT_MAX_NAME bytes and a NUL. @start, @size [bytes]: the memory region
   that @name names, or 0 if @kind names none. If PT_MAX_NAMES combinations have
   been logged and this is none of them, the mark is not written but counted as
   skipped. Context: no translated code is running. */
void vt_mark_write_or_skip(enum pt_named kind, const HChar *name, Addr start,
			   SizeT size);

#endif

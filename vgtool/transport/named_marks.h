/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * named_marks.h - what the program, or somebody outside, tells of by a name
 *
 * A name is logged once; each time that it is told of costs a unit.
 */
#ifndef VGTOOL_TRANSPORT_NAMED_MARKS_H
#define VGTOOL_TRANSPORT_NAMED_MARKS_H

#include "vgtool/core/prelude.h"

/* In a forked child: its daemon knows none yet. */
void vt_names_forget(void);

/* Tells the daemon. @name: [PT_MAX_NAME + 1] at most. @start, @size: of a
   region, else 0. Context: no code is running. */
void vt_names_tell(enum pt_named kind, const HChar *name, Addr start,
		   SizeT size);

#endif

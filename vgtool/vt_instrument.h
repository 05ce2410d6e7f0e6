/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vt_instrument.h - the code that makes a block write its unit
 *
 * Room:    vgtool.
 * Used by: vt_main.c.
 */
#ifndef VT_INSTRUMENT_H
#define VT_INSTRUMENT_H

#include "vgtool/vt_room.h"

/* The tool's instrumentation function, as VG_(basic_tool_funcs) wants it. */
IRSB *vt_instrument(VgCallbackClosure *, IRSB *, const VexGuestLayout *,
		    const VexGuestExtents *, const VexArchInfo *, IRType,
		    IRType);

/* Lets a thread's generated code find the ring. */
void vt_instrument_aim(ThreadId tid, struct pt_tool_page *page);

/* Has a thread that is about to run at @ip, with no room for units, leave the
   generated code as soon as it may. */
void vt_instrument_end_slice(ThreadId tid, Addr ip);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * instrument.h - the code that makes a block write its unit
 */
#ifndef VGTOOL_INSTRUMENT_INSTRUMENT_H
#define VGTOOL_INSTRUMENT_INSTRUMENT_H

#include "vgtool/core/prelude.h"

/* The tool's instrumentation function, as VG_(basic_tool_funcs) wants it. */
IRSB *vt_instrument(VgCallbackClosure *, IRSB *, const VexGuestLayout *,
		    const VexGuestExtents *, const VexArchInfo *, IRType,
		    IRType);

/* Lets a thread's generated code find the ring. */
void vt_instrument_aim(ThreadId tid, struct pt_tool_page *page);

/* Whether a thread that is about to run goes from a wrapper to what it wraps;
   says so once. */
Bool vt_instrument_goes_behind(ThreadId tid);

/* Has a thread that is about to run leave the generated code as soon as it may.
   @behind: it goes from a wrapper to what it wraps. */
void vt_instrument_end_slice(ThreadId tid, Bool behind);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * instrument.h - instruments blocks so that they write units
 */
#ifndef VGTOOL_INSTRUMENT_INSTRUMENT_H
#define VGTOOL_INSTRUMENT_INSTRUMENT_H

#include "vgtool/core/prelude.h"

/* Instrument a block: the tool's function for VG_(basic_tool_funcs)(). */
IRSB *vt_instrument(VgCallbackClosure *, IRSB *, const VexGuestLayout *,
		    const VexGuestExtents *, const VexArchInfo *, IRType,
		    IRType);

/* Set the page, of the ring or of the sink, that a thread's generated code
   writes to. */
void vt_instrument_set_page(ThreadId tid, struct pt_tool_page *page);

/* Whether a thread that is about to run is going from a wrapper to the function
   that it wraps. True only once for each such call. */
Bool vt_instrument_is_in_wrapper(ThreadId tid);

/* Make a thread that is about to run return to the scheduler before its first
   block, or after it if @after_block. @after_block:
   vt_instrument_is_in_wrapper() was True. */
void vt_instrument_end_slice(ThreadId tid, Bool after_block);

#endif

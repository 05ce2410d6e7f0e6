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

/* Set the page that a thread's generated code writes to: the tool's page of the
   ring or that of the sink (memory that nobody reads). */
void vt_instrument_set_tool_page(ThreadId tid, struct pt_tool_page *page);

/* Whether thread @tid, which is about to run, is calling a wrapped function
   from its wrapper. Clear the thread's flag for this, so that the result is
   True only once for each such call. */
Bool vt_instrument_test_clear_in_wrapper(ThreadId tid);

/* Make a thread that runs or is about to run return to the scheduler before its
   next block; if @after_one_block, after that block. @after_one_block: what
   vt_instrument_test_clear_in_wrapper() returned; False for one that runs. */
void vt_instrument_end_time_slice(ThreadId tid, Bool after_one_block);

#endif

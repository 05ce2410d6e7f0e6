/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unwind.h - unwinds the call stack at an allocator function
 *
 * How a frame is unwound depends on the code address alone, until an object
 * file is mapped or unmapped. It is determined from Valgrind's debug
 * information, and stored in a cache by address.
 */
#ifndef VGTOOL_HEAP_UNWIND_H
#define VGTOOL_HEAP_UNWIND_H

#include "vgtool/core/prelude.h"

enum {
	VT_UNWIND_MAX = 64
}; /* greatest number of return addresses that
				vt_unwind_stack() can be asked for */

/* Fill in @return_addr with the return addresses of the call stack of thread
   @tid, innermost first, at most @max_addrs, which is at most VT_UNWIND_MAX.
   The thread is at @function_entry: the first instruction of a function, or an
   instruction inside one. Return: the number of addresses. They are those of
   VG_(get_StackTrace)() without --merge-recursive-frames, up to the outermost
   frame. */
UInt vt_unwind_stack(ThreadId tid, Addr function_entry, Addr *return_addr,
		     UInt max_addrs);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* threads.c - numbers the program's threads and distinguishes their stacks; see
   threads.h */

#include "vgtool/core/threads.h"

#include <pub_tool_aspacemgr.h>
#include <pub_tool_machine.h>
#include <pub_tool_threadstate.h>

/* [bytes] Two addresses closer than this are taken to be on one stack, also if
   they are in different mappings. */
enum { SAME_STACK = 1 << 16 };

static UInt *number_of; /* number of each thread, by Valgrind's ThreadId */
static UInt n_threads;	/* number of the last thread, alive or not */
static UInt n_alive;	/* number of threads that have started and not ended */

UInt vt_thread_number(ThreadId tid)
{
	return number_of[tid];
}

UInt vt_thread_n_alive(void)
{
	return n_alive;
}

UInt vt_thread_assign_number_and_count(ThreadId tid)
{
	if (number_of == NULL)
		number_of = VG_(calloc)("vt.threads", VG_N_THREADS,
					sizeof(*number_of));
	number_of[tid] = ++n_threads;
	n_alive++;
	return n_threads;
}

void vt_thread_decrement_alive_count(void)
{
	n_alive--;
}

void vt_thread_zero_numbering_and_alive_count(void)
{
	n_threads = n_alive = 0;
}

static Bool is_on_altstack(ThreadId tid, Addr sp)
{
	return sp - VG_(thread_get_altstack_min)(tid) <
	       VG_(thread_get_altstack_size)(tid);
}

Bool vt_thread_is_same_stack(ThreadId tid, Addr a, Addr b)
{
	if (is_on_altstack(tid, a) != is_on_altstack(tid, b))
		return False;
	return (a < b ? b - a : a - b) < (Addr)SAME_STACK ||
	       VG_(am_find_nsegment)(a) == VG_(am_find_nsegment)(b);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* threads.c - numbers the program's threads; see threads.h */

#include "vgtool/core/threads.h"

#include <pub_tool_threadstate.h>

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

void vt_thread_reset_counters(void)
{
	n_threads = n_alive = 0;
}

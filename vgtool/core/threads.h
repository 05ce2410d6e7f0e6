/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * threads.h - numbers the program's threads and distinguishes their stacks
 */
#ifndef VGTOOL_CORE_THREADS_H
#define VGTOOL_CORE_THREADS_H

#include "vgtool/core/prelude.h"

/* Return the number of thread @tid, which was added before. Numbers start at 1
   and follow the order of creation. */
UInt vt_thread_number(ThreadId tid);

/* Return the number of threads that have not ended. */
UInt vt_thread_n_alive(void);

/* Assign the next number to thread @tid, which starts, and count one more
   thread as alive. Return the number. */
UInt vt_thread_assign_number_and_count(ThreadId tid);

/* Count one thread fewer as alive. vt_thread_number() still returns the ended
   thread's number until another thread starts with the same ThreadId. */
void vt_thread_decrement_alive_count(void);

/* Set the number of threads alive to 0, and the number of the next thread to
   1. */
void vt_thread_zero_numbering_and_alive_count(void);

/* Whether addresses @a and @b are on one stack of thread @tid, which may have
   several, for signal handlers and coroutines: both or neither are on its
   alternate signal stack, and they are less than 64 KiB apart or in one
   mapping. */
Bool vt_thread_is_same_stack(ThreadId tid, Addr a, Addr b);

#endif

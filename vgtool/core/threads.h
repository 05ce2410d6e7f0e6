/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * threads.h - numbers of the program's threads
 */
#ifndef VGTOOL_CORE_THREADS_H
#define VGTOOL_CORE_THREADS_H

#include "vgtool/core/prelude.h"

/* A thread's number, from 1 in the order of their creation. */
UInt vt_events_number(ThreadId tid);

/* Threads alive. */
UInt vt_events_alive(void);

/* Give a thread that starts the next number. Return: it. */
UInt vt_events_add(ThreadId tid);

/* A thread has ended. It keeps its number until another gets its ThreadId. */
void vt_events_remove(void);

/* Forget all threads; the next one gets number 1. */
void vt_events_forget(void);

#endif

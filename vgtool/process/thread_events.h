/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * thread_events.h - records threads, signals, system calls and forks
 */
#ifndef VGTOOL_PROCESS_THREAD_EVENTS_H
#define VGTOOL_PROCESS_THREAD_EVENTS_H

#include "vgtool/core/prelude.h"

/* Register with Valgrind the callbacks for threads, signals, system calls,
   forks and the kernel's writes. Context: from pre_clo_init. */
void vt_process_register_callbacks(void);

/* Whether the program has called exit and was not ended by a signal. */
Bool vt_process_has_called_exit(void);

/* Store in the ring how the program has ended, and log which parts of the
   recording plan have taken effect. @ending_signal_or_0: the signal that ended
   it; 0: it has exited. */
void vt_process_record_end_and_plan_outcome(Int ending_signal_or_0);

#endif

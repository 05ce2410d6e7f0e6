/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * thread_events.h - threads, signals, system calls and forks of the program
 */
#ifndef VGTOOL_PROCESS_THREAD_EVENTS_H
#define VGTOOL_PROCESS_THREAD_EVENTS_H

#include "vgtool/core/prelude.h"

/* Registers the callbacks; from pre_clo_init. */
void vt_events_register(void);

/* Whether the program has asked to end, and no signal has ended it. */
Bool vt_events_has_exited(void);

/* Store how the program has ended, for the daemon. @signal: that ended it; 0:
   it has exited. */
void vt_events_finish(Int signal);

#endif

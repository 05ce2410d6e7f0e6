/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel_writes.h - records effects of the system on the program: writes to its
 * memory, and moves between processors
 */
#ifndef VGTOOL_PROCESS_KERNEL_WRITES_H
#define VGTOOL_PROCESS_KERNEL_WRITES_H

#include "vgtool/core/prelude.h"

/* Register the callbacks with Valgrind. Context: from pre_clo_init, before
   options are parsed. */
void vt_system_register(void);

/* Record that the futex word at @futex may have changed. Call after each
   futex(). */
void vt_system_record_futex(Addr futex);

/* Record the current processor if the daemon requested it and it has changed.
   Costs a system call. */
void vt_system_record_core(void);

/* Forget the recorded processor. Call in a forked child, whose daemon
   connection is new. */
void vt_system_reset_core(void);

#endif

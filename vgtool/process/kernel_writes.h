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
void vt_system_register_callbacks(void);

/* Record a write of the futex word at @futex_addr, which may have changed. Call
   after each futex(). */
void vt_system_record_futex_write(Addr futex_addr);

/* Record the number of the current processor if it has changed and the daemon
   has requested it. Costs a system call. */
void vt_system_record_cpu_if_changed(void);

/* Forget the recorded processor, so that the next call records it again. Call
   in a forked child, whose stream is new. */
void vt_system_forget_cpu(void);

#endif

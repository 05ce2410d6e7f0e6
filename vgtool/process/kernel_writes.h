/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel_writes.h - what the system does to the program: it writes its memory,
 * and moves it from processor to processor
 */
#ifndef VGTOOL_PROCESS_KERNEL_WRITES_H
#define VGTOOL_PROCESS_KERNEL_WRITES_H

#include "vgtool/core/prelude.h"

/* Tells Valgrind what to report. Context: before options are known. */
void vt_system_register(void);

/* The program has asked to wait for a word of memory. */
void vt_system_waited(Addr futex);

/* Tells the daemon on which processor this is, if it wants to know and it is
   another one. Costs a system call. */
void vt_system_look_at_core(void);

/* In a forked child: the daemon knows nothing yet. */
void vt_system_forget_core(void);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * thread_stack.h - sets the size of the stacks of threads
 */
#ifndef BASE_SYSTEM_THREAD_STACK_H
#define BASE_SYSTEM_THREAD_STACK_H

/* Set the least size of the stacks of all threads that start later to 2 MiB,
   which libdw needs. Without this call they have the soft limit of the stack
   (`ulimit -s`). Context: before other threads start. */
void al_thread_stack_set_minimum(void);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * proc_info.h - what the kernel says about a process that is not our child
 *
 * Threads: any.
 */
#ifndef DAEMON_CORE_PROC_INFO_H
#define DAEMON_CORE_PROC_INFO_H

#include <sys/types.h>

enum dm_life { DM_ALIVE, DM_DEAD, DM_GONE };

/**
 * dm_process_life() - Look at a process.
 * @born: as dm_process_born() said: another with its pid is another; 0: not
 *        known.
 * @status: receives its wait status when it is dead and not yet waited for.
 *
 * Return: DM_ALIVE; DM_DEAD with @status; DM_GONE when there is none, or it
 *         cannot be looked at.
 */
enum dm_life dm_process_life(pid_t pid, unsigned long long born, int *status);

/* When it started, in clock ticks since boot; the same before and after exec.
   0 when it cannot be looked at. */
unsigned long long dm_process_born(pid_t pid);

/* Return the signals that a process has handlers for, signal n as bit n - 1; 0
   when its /proc cannot be read. */
unsigned long long dm_process_handled_signals(pid_t pid);
/* Return the process's id in its innermost namespace; @pid when its /proc
   cannot be read. */
pid_t dm_process_own_pid(pid_t pid);

/* Return the parent's process id; 0 when its /proc cannot be read. */
pid_t dm_process_parent(pid_t pid);

/**
 * dm_process_fate() - The same, giving a dying process time to die.
 *
 * Context: sleeps, at most 200 ms.
 */
enum dm_life dm_process_fate(pid_t pid, unsigned long long born, int *status);

#endif

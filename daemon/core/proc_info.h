/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * proc_info.h - reads /proc about processes that need not be children of the
 * daemon
 *
 * Threads: any.
 */
#ifndef DAEMON_CORE_PROC_INFO_H
#define DAEMON_CORE_PROC_INFO_H

#include <sys/types.h>

enum dm_life {
	DM_ALIVE,
	DM_DEAD, /* dead and not yet waited for (a zombie) */
	DM_GONE, /* no such process, a process with another start time, or its
		    /proc cannot be read */
};

/**
 * dm_process_read_proc_life_state() - Find out whether a process is alive.
 * @start_ticks: start time of the process from dm_process_start_ticks_or_0(). A
 *        process with another start time is not this process. 0: not known, not
 *        compared.
 * @wait_status: receives the wait status if the result is DM_DEAD.
 */
enum dm_life dm_process_read_proc_life_state(pid_t pid,
					     unsigned long long start_ticks,
					     int *wait_status);

/* Return the start time of a process, in clock ticks since boot; exec does not
   change it. 0: its /proc cannot be read. */
unsigned long long dm_process_start_ticks_or_0(pid_t pid);

/* Return the signals for which process @pid has installed handlers, signal
   number n as bit n - 1; 0 if it has none or its /proc cannot be read. */
unsigned long long dm_process_handled_signal_mask_or_0(pid_t pid);

/* Return the process id that process @pid, an id in this process's PID
   namespace, has in its own innermost PID namespace; @pid if its /proc cannot
   be read. */
pid_t dm_process_innermost_namespace_pid(pid_t pid);

/* Return the process id of the parent of process @pid; 0 if the /proc of @pid
   cannot be read. */
pid_t dm_process_parent_pid_or_0(pid_t pid);

/**
 * dm_process_poll_end_200ms_at_most() - Wait until a process is dead or gone,
 * at most 200 ms.
 *
 * Parameters and result are those of dm_process_read_proc_life_state().
 *
 * Context: sleeps.
 */
enum dm_life dm_process_poll_end_200ms_at_most(pid_t pid,
					       unsigned long long start_ticks,
					       int *wait_status);

#endif

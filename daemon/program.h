/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * program.h - running one program under a daemon of our own
 *
 * Threads: main. Changes the process's signal mask.
 *
 * Signals: signals from the terminal reach the program too, and are left to
 * it; signals sent to this process alone are passed on to it:
 *
 *   HUP, INT, QUIT, TERM         at once; after the program has ended, the first
 *                                ends the wait for the processes that it left
 *                                behind, the second gives up what blocks
 *   USR1, USR2, ALRM, CONT,      by kill() or sigqueue() only, and not before
 *   WINCH, real-time ones        Valgrind handles signals; none once the program
 *                                has ended
 *
 * Either way there is a report. A program that asks to be traced by its parent
 * (PTRACE_TRACEME) runs on at each stop, as if nobody traced it.
 */
#ifndef DAEMON_PROGRAM_H
#define DAEMON_PROGRAM_H

#include <signal.h>
#include <stdbool.h>

#include "daemon/daemon.h"

struct dm_program {
	sigset_t before; /* the signal mask that the program gets */
	sigset_t ending; /* signals that ask for an end, and SIGCHLD */
	sigset_t all;	 /* signals in `ending`, and those that are only passed
			    on */
	pid_t pid;
	bool started; /* Valgrind handles the program's signals */
	bool ended;   /* other processes that it started may still run */
	int output;   /* descriptor of its standard output; -1: it inherits
			 ours */
};

/* Block the signals that would end us, and make outputs end when
   dm_interrupt_outputs() is called. Call it before the daemon starts. */
void dm_program_prepare(struct dm_program *);

/**
 * dm_program_run() - Start it, wait for it and for all that it recorded.
 * @argv: NULL-terminated; argv[0] is looked for in PATH.
 * @tick: called every @tick_ms.
 * @status: receives the wait status.
 *
 * Return: 0; -errno when it could not be started.
 */
int dm_program_run(struct dm_program *, struct dm_daemon *, char *const *argv,
		   unsigned tick_ms, void (*tick)(void *arg), void *arg,
		   int *status);

/* Have signals that ask for an end give up blocked outputs. Call it after
   dm_program_run(), when only the report is left to write. */
void dm_program_report(struct dm_program *);

#endif

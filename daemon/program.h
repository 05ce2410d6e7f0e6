/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * program.h - runs one program under a daemon in the same process
 *
 * Threads: main. Changes the process's signal mask.
 *
 * Signals: a signal from the terminal reaches the program directly, so it is
 * not passed on. A signal that was sent to this process alone is passed on to
 * the program:
 *
 *   HUP, INT, QUIT, TERM        at once. After the program has ended, the first
 *                               signal ends the wait for processes that it has
 *                               left, the second one abandons outputs that
 *                               block
 *   USR1, USR2, ALRM, CONT,     if sent by kill() or sigqueue(), as soon as
 *   WINCH, real-time signals    Valgrind handles signals; not after the program
 *                               has ended
 *
 * A report is written in each case. A program that asks to be traced by its
 * parent (PTRACE_TRACEME) is continued at each stop, as if it were not traced.
 */
#ifndef DAEMON_PROGRAM_H
#define DAEMON_PROGRAM_H

#include <signal.h>
#include <stdbool.h>

#include "daemon/daemon.h"

struct dm_program {
	sigset_t original_mask; /* signal mask with which the program starts */
	sigset_t
		ending_signals; /* signals that end a program by default and are
			    passed on at once, and SIGCHLD */
	sigset_t all_signals; /* ending_signals, and the signals that are passed
				on only when handles_signals is set */
	pid_t pid;
	bool handles_signals; /* Valgrind handles the program's signals */
	bool ended; /* the program has ended; processes that it started may
			  still run */
	char *const *environment; /* environment of the program; NULL: this
				     process's */
	int output_fd; /* descriptor of the program's standard output; -1: it
			  inherits this process's */
};

/* Initialise the program's signal sets, block all_signals in this thread, reset
   SIGCHLD to its default, and make outputs that block interruptible by
   dm_request_interruption_of_outputs(). Call this before the daemon starts. */
void dm_program_init_block_signals_to_pass_on(struct dm_program *);

/**
 * dm_program_run_and_wait_analysis() - Start a program, wait for it, and for
 * the daemon to analyse everything that was recorded.
 * @program_argv: NULL-terminated; argv[0] is searched for in PATH.
 * @tick: called with @arg about every @tick_ms, but about every 20 ms until
 *        Valgrind runs the program, and also after each signal.
 * @wait_status: receives the wait status.
 *
 * Return: 0; -errno if the program could not be started.
 */
int dm_program_run_and_wait_analysis(struct dm_program *, struct dm_daemon *,
				     char *const *program_argv,
				     unsigned tick_ms, void (*tick)(void *arg),
				     void *arg, int *wait_status);

/* Make a signal in ending_signals other than SIGCHLD abandon outputs that
   block. Call it after dm_program_run_and_wait_analysis(), when only the report
   is left to be written. */
void dm_program_set_outputs_interruptible(struct dm_program *);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dm_program.h - running one program under a daemon of our own
 *
 * Room:    daemon; public face.
 * Used by: cli (`alleria run`).
 * Threads: main. Changes the process's signal mask.
 *
 * Signals: what the terminal sends, the program gets too, so it is left to
 * the program; what somebody sends to us alone is passed on to it. Once the
 * program has ended, a signal ends the wait for the processes that it left
 * behind. Either way there is a report.
 */
#ifndef DM_PROGRAM_H
#define DM_PROGRAM_H

#include <signal.h>
#include <stdbool.h>

#include "daemon/dm_daemon.h"

struct dm_program {
	sigset_t before; /* the signal mask that the program gets */
	sigset_t ours;	 /* signals that are waited for */
	pid_t pid;
	bool ended; /* others of its processes may still run */
	int output; /* descriptor of its standard output; -1: it has ours */
};

/* Blocks the signals that would end us. Call it before the daemon starts. */
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

#endif

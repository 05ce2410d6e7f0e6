/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon.h - a daemon: listens, records what connects, reports
 *
 * Threads: the functions here are for one thread, the one that started it.
 *          Inside are one server thread and settings->workers workers, all
 *          with every signal blocked.
 *
 *   start ... [wait]  ... stop, wait ... report, free
 */
#ifndef DAEMON_DAEMON_H
#define DAEMON_DAEMON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "daemon/core/options.h"
#include "daemon/core/runtime_dir.h"
#include "lib/config/settings.h"
#include "lib/run/run.h"

struct dm_daemon;

/**
 * dm_daemon_start() - Listen and serve.
 * @settings: outlives the daemon.
 * @message: [DM_MESSAGE] receives one line on error.
 *
 * Return: the daemon, or NULL with @message and errno.
 */
struct dm_daemon *dm_daemon_start(const struct al_settings *settings,
				  const struct dm_options *, char *message);

/* Absolute path of the socket. */
const char *dm_daemon_socket(const struct dm_daemon *);

/**
 * dm_daemon_wait() - Wait until every connection has ended and all that it
 * sent is analysed.
 *
 * Return: whether that is so within @timeout_ms.
 */
bool dm_daemon_wait(struct dm_daemon *, unsigned timeout_ms);

/**
 * dm_daemon_stop() - Take what is in the rings now and leave the programs
 * alone, which go on unrecorded.
 * @grace_ms: after this long the rest is dropped. May be shortened by another
 *            call.
 *
 * Returns at once; dm_daemon_wait() tells when it is done.
 */
void dm_daemon_stop(struct dm_daemon *, unsigned grace_ms);

/**
 * dm_daemon_report() - Write the files that the settings ask for, the report
 * for a terminal, and what could not be written.
 * @who: the program, for messages.
 * @display: enum al_display.
 *
 * After dm_daemon_wait().
 *
 * Return: what was not.
 */
enum al_unwritten dm_daemon_report(struct dm_daemon *, const char *who, FILE *,
				   unsigned display);

/* Its figures. After dm_daemon_wait(). */
struct al_pipeline dm_daemon_pipeline(struct dm_daemon *);

/* Whether everything was recorded that there was. */
bool dm_daemon_is_complete(struct dm_daemon *);

/* The exit status that its failure asks for, or 0; see al_run_failure(). */
int dm_daemon_failure(struct dm_daemon *);

/* The caller is the parent of the program @pid, and has waited for it. */
void dm_daemon_waited(struct dm_daemon *, pid_t pid, int wait_status);

void dm_daemon_free(struct dm_daemon *);

/* Where a run stands. */
struct dm_figures {
	uint64_t elapsed_ns;
	uint64_t accesses; /* analysed so far */
	unsigned programs; /* connected, or not yet analysed */
	unsigned running;  /* of them, those that have not ended */
	unsigned recorded; /* images, ever */
	unsigned fill;	   /* [percent] of the rings' chunks not yet read */
};

struct dm_figures dm_daemon_figures(struct dm_daemon *);

#endif

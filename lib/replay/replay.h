/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay.h - a profile's run once more, for the same analyses
 *
 * Threads: the functions here are for one. al_replay_run() has threads of its
 *          own, settings->workers of them (as many as there are processors, and
 *          16 at most, when they would be adapted), that load, analyse and feed
 *          as there is work.
 *
 * The streams get the very words that the daemon got, so results are those of
 * the live run. Where a profile is damaged or ends early, each process goes as
 * far as it was kept without a gap, and is truncated.
 */
#ifndef LIB_REPLAY_REPLAY_H
#define LIB_REPLAY_REPLAY_H

#include "lib/run/run.h"

struct al_replay;

/**
 * al_replay_open() - Read what was run.
 * @settings: outlives it.
 * @message: [PF_MESSAGE] receives one line on error.
 *
 * Return: NULL with @message.
 */
struct al_replay *al_replay_open(const char *path, const struct al_settings *,
				 char *message);

/* How far it is. */
struct al_replay_progress {
	uint64_t done;	/* [bytes] of the profile */
	uint64_t bytes; /* of it */
};

/* Begins the replay; 0 or -errno. */
int al_replay_start(struct al_replay *);

/* Waits for its end, @timeout_ms at most. Return: whether it has ended. */
bool al_replay_wait(struct al_replay *, unsigned timeout_ms,
		    struct al_replay_progress *);

/* After the end: its record, for reports. */
struct al_run *al_replay_run(struct al_replay *);

/* Whether a part of the profile is damaged. After al_replay_run(). */
bool al_replay_is_damaged(const struct al_replay *);

void al_replay_free(struct al_replay *);

#endif

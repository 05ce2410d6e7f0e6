/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay.h - runs a profile through the analyses again
 *
 * Threads: one calls these functions. al_replay_start_workers() starts threads
 *          that load, analyse and feed: settings->workers of them or, if the
 *          number of workers is adaptive, one for each processor, 16 at most.
 *
 * The streams receive the same words as in the daemon, so results are those of
 * the live run. If a profile is damaged or ends early, a process that lacks a
 * block is truncated, and each of its streams is analysed up to its first gap.
 */
#ifndef LIB_REPLAY_REPLAY_H
#define LIB_REPLAY_REPLAY_H

#include "lib/run/run.h"

struct al_replay;

/**
 * al_replay_open() - Open a profile, read its names of code and its forks, and
 * check the output files of its windows.
 * @settings: must outlive the replay.
 * @message: [AL_MESSAGE] receives one line on error.
 *
 * Also makes malloc() use one heap for all threads of the process. Return: the
 * replay, for al_replay_free(); NULL with @message.
 */
struct al_replay *al_replay_open(const char *path,
				 const struct al_settings *settings,
				 char *message);

/* Progress of a replay. */
struct al_replay_progress {
	uint64_t fed_bytes; /* [bytes] of the profile that were passed to the
			       streams */
	uint64_t bytes;	    /* [bytes] length of the profile */
};

/* Start the workers. Return: 0 if at least one worker runs; else -errno. */
int al_replay_start_workers(struct al_replay *);

/* Wait until the replay ends, @timeout_ms at most, and store its progress.
   Return: whether it has ended. */
bool al_replay_wait_until_ended_or_timeout(struct al_replay *,
					   unsigned timeout_ms,
					   struct al_replay_progress *);

/* Join the workers, add streams without an end to the run as truncated, and
   return the run, for reports; owned by the replay. Call once, after
   al_replay_wait_until_ended_or_timeout() returned true. */
struct al_run *al_replay_finish_and_borrow_run(struct al_replay *);

/* Whether some of the profile is damaged. Call after
   al_replay_finish_and_borrow_run(). */
bool al_replay_has_damaged_bytes(const struct al_replay *);

void al_replay_free(struct al_replay *);

#endif

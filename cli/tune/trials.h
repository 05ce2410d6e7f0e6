/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trials.h - stores the settings that were tried and picks the best
 */
#ifndef CLI_TUNE_TRIALS_H
#define CLI_TUNE_TRIALS_H

#include <stdbool.h>
#include <stdio.h>

#include "lib/run/run.h"

enum {
	CL_WORKERS,
	CL_BUFFERS,
	CL_BUFFER_SIZE, /* [bytes] */
	CL_FACTORS,
};

enum { CL_MAX_TRIALS = 100, CL_MAX_RUNS = 99 };

/* A setting that was tried: one line of the table. */
struct cl_trial {
	bool adaptive;	 /* adaptive; @value is unused */
	unsigned varied; /* factor that was varied: CL_WORKERS to
			    CL_BUFFER_SIZE */
	uint64_t value[CL_FACTORS];
	struct al_pipeline run[CL_MAX_RUNS];
	unsigned n_runs;
	struct al_pipeline figures; /* median of each figure over the runs */
};

/* All trials of a tuning. */
struct cl_trials {
	struct cl_trial trial[CL_MAX_TRIALS];
	unsigned n;
	unsigned
		runs_per_trial; /* runs of each trial; 0: until differences are clear */
};

/* Format a setting as options: "--workers=2 --buffers=12 --buffer-size=512K".
   Return: @out. */
char *cl_trial_format_options(const struct cl_trial *, char out[80]);

/* Add a run to a trial, which has fewer than CL_MAX_RUNS. */
void cl_trial_add_run_update_medians(struct cl_trial *,
				     const struct al_pipeline *run);

/**
 * cl_trials_find_first_near_best() - Return the best of trials @first_trial on,
 * adaptive ones left out.
 *
 * The best is the first trial that does not differ from the one with the
 * shortest time, since it has the fewest workers or buffers. Two trials differ
 * if their times are more than 2 % apart and the confidence intervals of their
 * medians are disjoint; with few runs, the gap between the intervals must be
 * larger than either interval.
 */
const struct cl_trial *cl_trials_find_first_near_best(const struct cl_trials *,
						      unsigned first_trial);

/* Whether a trial of [@first_trial, @end_trial) differs from the best of them.
   Trials with a single run never differ, since they show no spread. */
bool cl_trials_differ(const struct cl_trials *, unsigned first_trial,
		      unsigned end_trial);

/**
 * cl_trials_find_next_to_repeat() - Return a trial to run once more.
 *
 * A trial from @from on is unclear if its time is more than 2 % above that of
 * the best one while their intervals do not show that they differ. Of the two,
 * the one with fewer runs is returned if it has fewer than @most. NULL: none.
 */
struct cl_trial *cl_trials_find_next_to_repeat(struct cl_trials *,
					       unsigned from, unsigned most);

void cl_trials_print_table_and_best(const struct cl_trials *, FILE *);
void cl_trials_write_json(const struct cl_trials *, char *const *command,
			  FILE *);

#endif

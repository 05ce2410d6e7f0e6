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
	bool adaptive;	 /* run with --workers=adaptive; `value` is unused */
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
	unsigned runs_per_trial; /* 0: until differences are clear */
};

/* Format a setting as options: "--workers=2 --buffers=12 --buffer-size=512K".
   Return: @out. */
char *cl_trial_format_options(const struct cl_trial *, char out[80]);

/* Add a run to a trial and recompute `figures`, the medians. The trial must
   have fewer than CL_MAX_RUNS runs. */
void cl_trial_add_run_update_medians(struct cl_trial *,
				     const struct al_pipeline *run);

/**
 * cl_trials_first_not_slower_than_best() - Return the first trial from index
 * @first_trial on that is not slower than the fastest of them.
 *
 * The first one is the best choice: unless the user lists other values, it has
 * the fewest workers, or the fewest or smallest buffers. Adaptive trials are
 * ignored. A trial is slower if its median time is more than 2 % above that of
 * the fastest one and, if both have more than one run, the confidence intervals
 * of the medians are disjoint. If either has fewer than 6 runs, the gap between
 * the intervals must also be larger than either interval.
 *
 * Return: NULL if all these trials are adaptive.
 */
const struct cl_trial *
cl_trials_first_not_slower_than_best(const struct cl_trials *,
				     unsigned first_trial);

/* Whether one of the trials with index [@first_trial, @end_trial) is
   significantly slower than the fastest of them. Adaptive trials are ignored,
   and so are trials with a single run, since they show no spread. */
bool cl_trials_has_slower_than_fastest(const struct cl_trials *,
				       unsigned first_trial,
				       unsigned end_trial);

/**
 * cl_trials_find_next_to_repeat() - Return a trial that another run may show to
 * be slower than the fastest one, or not.
 *
 * A trial from index @first_trial on is undecided if its median time is more
 * than 2 % above that of the fastest one, but their confidence intervals do not
 * show a difference. Of an undecided trial and the fastest one, that with fewer
 * runs is returned if it has fewer than @max_runs. NULL: there is none.
 */
struct cl_trial *cl_trials_find_next_to_repeat(struct cl_trials *,
					       unsigned first_trial,
					       unsigned max_runs);

/* Print a table with a line for each trial, and the options of the best one. */
void cl_trials_print_table_and_best(const struct cl_trials *, FILE *);

/* Write all trials and the best one as a JSON object. @command: the program
   that was run and its arguments, NULL-terminated. */
void cl_trials_write_json(const struct cl_trials *, char *const *command,
			  FILE *);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trials.h - the settings that were tried, and how they did
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

/* One line of the table. */
struct cl_trial {
	bool adaptive;	 /* then the factors mean nothing */
	unsigned varied; /* the factor that was varied */
	uint64_t value[CL_FACTORS];
	struct al_pipeline run[CL_MAX_RUNS];
	unsigned n_runs;
	struct al_pipeline figures; /* each the median over the runs */
};

struct cl_tuned {
	struct cl_trial trial[CL_MAX_TRIALS];
	unsigned n;
	unsigned runs; /* of each; 0: as many as show a difference */
};

/* "--workers=2 --buffers=12 --buffer-size=512K"; returns @out. */
char *cl_trial_options(const struct cl_trial *, char out[80]);

/* Add a run to a trial, which has fewer than CL_MAX_RUNS. */
void cl_trial_add(struct cl_trial *, const struct al_pipeline *run);

/**
 * cl_tuned_best() - Return the best of trials @from on, adaptive ones left out.
 *
 * The shortest time; of those that do not differ from it, the first, which has
 * the fewest workers or buffers. Two differ when their times are more than 2 %
 * apart, and the intervals that hold their medians lie apart, those of few runs
 * further than they are wide.
 */
const struct cl_trial *cl_tuned_best(const struct cl_tuned *, unsigned from);

/* Whether some trial from @from to before @end differs from the best of them;
   never where a trial was run once, which shows no spread. */
bool cl_tuned_differ(const struct cl_tuned *, unsigned from, unsigned end);

/**
 * cl_tuned_unclear() - Return a trial to run once more.
 *
 * One from @from on whose time is more than 2 % from the best one's while their
 * runs do not show that they differ, or the best one, whichever has fewer runs; fewer than
 * @most. NULL: none.
 */
struct cl_trial *cl_tuned_unclear(struct cl_tuned *, unsigned from,
				  unsigned most);

void cl_tuned_print(const struct cl_tuned *, FILE *);
void cl_tuned_write(const struct cl_tuned *, char *const *command, FILE *);

#endif

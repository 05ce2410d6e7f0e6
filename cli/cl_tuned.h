/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cl_tuned.h - the settings that were tried, and how they did
 *
 * Room:    cli.
 * Used by: cl_tune.c, cl_factor.c.
 */
#ifndef CL_TUNED_H
#define CL_TUNED_H

#include <stdbool.h>
#include <stdio.h>

#include "lib/al_run.h"

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
	struct al_pipeline figures; /* each the median over the runs */
};

struct cl_tuned {
	struct cl_trial trial[CL_MAX_TRIALS];
	unsigned n;
	unsigned runs; /* of each */
};

/* "--workers=2 --buffers=12 --buffer-size=512K"; returns @out. */
char *cl_trial_options(const struct cl_trial *, char out[80]);

/* Each figure on its own. */
struct al_pipeline cl_median(struct al_pipeline *, unsigned n);

/* Whether the setting of @next, the trial behind the last, was tried before;
   it is then added with the same figures. */
bool cl_tuned_again(struct cl_tuned *, struct cl_trial *next);

/**
 * cl_tuned_best() - The best of trials @from on, adaptive ones left out.
 *
 * The shortest time; of those within 2 % of it, which chance may have put in
 * any order, the first, which has the fewest workers or buffers.
 */
const struct cl_trial *cl_tuned_best(const struct cl_tuned *, unsigned from);

void cl_tuned_print(const struct cl_tuned *, FILE *);
void cl_tuned_write(const struct cl_tuned *, char *const *command, FILE *);

#endif

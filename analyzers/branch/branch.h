/* SPDX-License-Identifier: GPL-2.0-or-later */
/* branch.h - counts of branches and of wrong predictions */
#ifndef ANALYZERS_BRANCH_BRANCH_H
#define ANALYZERS_BRANCH_BRANCH_H

#include "analyzers/branch/model/model.h"
#include "analyzers/place_counts.h"

/* Cachegrind's events, and what it does not count. */
enum an_branch_count {
	AN_BC,	/* conditional branches */
	AN_BCM, /* mispredicted by the model `cachegrind` */
	AN_BI,	/* indirect branches */
	AN_BIM,
	AN_TAKEN, /* conditional branches that were taken */
	AN_N_BRANCH_COUNTS
};

/* Predictions of one model. */
struct an_model_counts {
	bool is_used;
	uint64_t conditional_missed;
	uint64_t indirect_missed;
	uint64_t returns_missed;
};

struct an_branch_result {
	uint64_t total[AN_N_BRANCH_COUNTS];
	uint64_t returns;
	struct an_model_counts model[AN_N_BRANCH_MODELS];
	struct an_place_counts places; /* AN_N_BRANCH_COUNTS of each */
};

/* Add the counts of the second result to the first. Return: 0 or -ENOMEM. */
int an_branch_result_merge(struct an_branch_result *,
			   const struct an_branch_result *);

/* Build the model of a result. */
void an_branch_add_to_model(const struct an_branch_result *, struct al_model *);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* branch.h - counts of branches and of wrong predictions */
#ifndef ANALYZERS_BRANCH_BRANCH_H
#define ANALYZERS_BRANCH_BRANCH_H

#include "analyzers/branch/model/model.h"
#include "analyzers/place_counts.h"

/* Counts of a line of source: four events of Cachegrind, and AN_TAKEN, which
   Cachegrind does not count. */
enum an_branch_count {
	AN_BC,	/* conditional branches */
	AN_BCM, /* conditional branches that the model `cachegrind` mispredicted
		   */
	AN_BI,	/* indirect branches */
	AN_BIM,
	AN_TAKEN, /* conditional branches that were taken */
	AN_N_BRANCH_COUNTS
};

/* Wrong predictions of one model, summed over all branches. */
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
	struct an_place_counts places; /* AN_N_BRANCH_COUNTS counts of each
					  line */
};

/* Add the counts of the second result to the first. Return: 0 or -ENOMEM. */
int an_branch_result_merge(struct an_branch_result *,
			   const struct an_branch_result *);

/* Add the totals of a result to a report model, and the tables of prediction
   models, of lines that are hard to predict, of functions and of lines. */
void an_branch_result_add_to_model(const struct an_branch_result *,
				   struct al_model *);

#endif

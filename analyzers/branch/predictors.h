/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * predictors.h - predicts the branches of executions by some of the models
 *
 * Predictors share nothing that they change, so several of them, each with
 * other models, can process the same executions on different threads.
 */
#ifndef ANALYZERS_BRANCH_PREDICTORS_H
#define ANALYZERS_BRANCH_PREDICTORS_H

#include "analyzers/block_chain.h"
#include "analyzers/branch/branch.h"
#include "analyzers/branch/exits.h"

enum {
	AN_LISTED_BRANCHES = 1024, /* when more conditional branches than these
				      are listed, they are predicted */
};

/* State of a thread of the traced program. */
struct an_branch_thread;

struct an_branch_predictors {
	struct an_model_counts counts[AN_N_BRANCH_MODELS];
	void *state[AN_N_BRANCH_MODELS]; /* NULL: the model is not used here */
	/* Indices of used models that predict directions, that see them, and
	   that predict targets, the first model first */
	uint8_t predictor[AN_N_BRANCH_MODELS], observer[AN_N_BRANCH_MODELS],
		target_predictor[AN_N_BRANCH_MODELS];
	unsigned n_predictors, n_observers, n_target_predictors;
	bool predicts_returns;
	struct an_chain_reader reader;
	const struct an_branch_block **block; /* [n_blocks] by id */
	const struct an_branch_exit **exits;  /* [n_blocks][] by id and exit
						 number */
	size_t n_blocks;
	size_t blocks_size, exits_size;
	uint64_t *ip; /* [n_branches] by an_branch_event.number: addresses */
	uint64_t *n_missed; /* [n_branches] executions that model 0,
			       `cachegrind`, mispredicted; NULL if that model is
			       not used here */
	size_t n_branches;
	size_t ip_size, missed_size;
	struct an_branch_thread *thread; /* [n_threads] by number */
	uint32_t n_threads;
	uint32_t running;
	uint32_t executed[AN_LISTED_BRANCHES +
			  AN_EXIT_ROOM]; /* conditional branches that are not
					    predicted yet */
};

/* Move model number @model_index with its state from @from to @to. */
void an_branch_predictors_move_model(struct an_branch_predictors *to,
				     struct an_branch_predictors *from,
				     unsigned model_index);

/* Add a model: allocate and initialise its state. Return: 0 or -ENOMEM. */
int an_branch_predictors_add_model(struct an_branch_predictors *,
				   unsigned model_index);

/* Read the blocks up to number @n_chain_blocks from the chain, and predict the
   branches of the executions of a batch. Return: 0 or -ENOMEM. */
int an_branch_predictors_run(struct an_branch_predictors *,
			     const struct an_batch *, size_t n_chain_blocks);

/* Count the indirect branches whose target was never reached as wrong
   predictions of each model. Call after the last batch. */
void an_branch_count_targetless_as_missed(struct an_branch_predictors *);

void an_branch_predictors_release(struct an_branch_predictors *);

#endif

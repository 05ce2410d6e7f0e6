/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_counter.h - counts the accesses of runs of executions by address */
#ifndef ANALYZERS_ENTROPY_RUN_COUNTER_H
#define ANALYZERS_ENTROPY_RUN_COUNTER_H

#include "analyzers/block_chain.h"
#include "analyzers/entropy/address_counts.h"
#include "analyzers/entropy/near_accesses.h"
#include "analyzers/entropy/value_runs.h"

/* Zeroed, with @reader initialised: valid and empty. */
struct an_run_counter {
	struct an_address_counts counts;
	struct an_chain_reader reader;	      /* of struct an_near_block */
	const struct an_near_accesses **near; /* [n_near] by number of the slot:
						 first near accesses of the
						 slot */
	size_t n_near, max_near;
};

/* Read the blocks up to number @n_blocks from the chain; count the accesses of
   the runs of a list, and empty it. Return: 0; as an_address_counts_add(). */
int an_run_counter_count_accesses_of_runs(struct an_run_counter *,
					  size_t n_blocks,
					  struct an_value_run_list *);

/* Free all but the counts. */
void an_run_counter_free_near_accesses(struct an_run_counter *);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * value_runs.h - lists runs of executions in which a slot (recorded base
 *                address) has the same value
 *
 * 30 % of the values of slots are those of the execution before in bzip2, 45 %
 * in cc1, 65 % in sqlite. The list of a chunk is at most twice as long as the
 * slots, 8 bytes each, that its executions read.
 */
#ifndef ANALYZERS_ENTROPY_VALUE_RUNS_H
#define ANALYZERS_ENTROPY_VALUE_RUNS_H

#include "analyzers/analyzer.h"
#include "analyzers/entropy/near_accesses.h"

/* Executions with one value of a slot, without others in between that read the
   slot. */
struct an_value_run {
	uint64_t slot_value;
	uint32_t n_execs;     /* 0: nothing is to be counted */
	uint32_t slot_number; /* as an_near_exit numbers them */
};

/* A list that is all zeros is valid and empty. */
struct an_value_run_list {
	struct an_value_run *run; /* [n] */
	size_t n, size;
};

/* The last run of a slot: the most recent executions that read the slot, as
   long as it had its present value. */
struct an_last_run {
	uint64_t slot_value;
	uint32_t n_execs;
	uint32_t slot; /* index in the slots of an execution */
};

/* Zeroed, it is valid and has no blocks. */
struct an_value_runs {
	const struct an_near_exit **exit; /* [n_blocks][] by id and number of
					     the exit */
	size_t n_blocks, max_blocks;
	struct an_last_run *last; /* [n_last] by number of the slot: its last
				     run of executions with one value */
	size_t n_last, max_last;
	uint32_t max_slots; /* greatest number of slots of a block */
	size_t list_size;   /* room [runs] that the longest list had */
};

/* Add a block, whose id is the number of blocks. Return: 0 or -ENOMEM. */
int an_value_runs_add_slots_of_block(struct an_value_runs *,
				     const struct an_near_block *);

/* Append the runs to @list that end in the executions of a batch. Return: 0 or
   -ENOMEM. */
int an_value_runs_list_ended(struct an_value_runs *, const struct an_batch *,
			     struct an_value_run_list *list);

/* Append the last run of each slot to @list. Call after the last batch. Return:
   0 or -ENOMEM. */
int an_value_runs_list_last(struct an_value_runs *,
			    struct an_value_run_list *list);

void an_value_runs_release(struct an_value_runs *);

/* Free the runs of a list, which is empty then. */
void an_value_run_list_free_runs(struct an_value_run_list *);

#endif

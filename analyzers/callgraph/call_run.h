/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * call_run.h - runs batches through call stacks and a cache simulation
 *
 * Simulates one access after the other. The cache counts equal those of
 * analyzers/cache/simulation.h.
 */
#ifndef ANALYZERS_CALLGRAPH_CALL_RUN_H
#define ANALYZERS_CALLGRAPH_CALL_RUN_H

#include "analyzers/cache/model/hierarchy.h"
#include "analyzers/callgraph/call_stack.h"

struct an_callrun {
	struct an_call_stacks stacks;  /* env, owner, on_push() and on_pop() are
					  set by the user */
	struct an_hierarchy hierarchy; /* initialised with the first block */
	bool counts_only;	       /* instructions and data accesses are
					  counted, but no cache is simulated,
					  so misses are not */

	/* Called for each instruction executed by the top frame of the running
	   thread, with its cost. Return: 0 or -errno. */
	int (*add_cost)(void *owner, const struct an_frame *,
			struct an_code_position,
			const uint64_t cost[AN_N_EVENTS]);
};

/* Add a block; before the first one, initialise the cache hierarchy. Return: 0
   or -errno. */
int an_callrun_lazy_init_add_block(struct an_callrun *,
				   const struct an_block *);

/* Simulate the caches for a batch. Unless it is a warm-up batch, also follow
   its calls, apply its marks, and call add_cost() for each instruction. Return:
   0 or -errno. */
int an_callrun_simulate_batch_and_add_costs(struct an_callrun *,
					    const struct an_batch *);

void an_callrun_release_caches_and_stacks(struct an_callrun *);

#endif

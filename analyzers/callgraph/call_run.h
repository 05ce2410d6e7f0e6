/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * call_run.h - runs batches for analyses of calls: frames and caches
 *
 * One access after the other, with the results of analyzers/cache/simulation.h,
 * which is told nothing of frames.
 */
#ifndef ANALYZERS_CALLGRAPH_CALL_RUN_H
#define ANALYZERS_CALLGRAPH_CALL_RUN_H

#include "analyzers/cache/model/hierarchy.h"
#include "analyzers/callgraph/call_stack.h"

struct an_callrun {
	struct an_calls calls;	       /* its env, owner, entered() and left()
					  are the user's to set */
	struct an_hierarchy hierarchy; /* from the first block on */
	bool counts_only;	       /* no misses are asked for */

	/* The running thread's top frame has executed an instruction. 0 or
	   -errno. */
	int (*spend)(void *owner, const struct an_frame *, struct an_place,
		     const uint64_t cost[AN_EVENTS]);
};

/* All: 0 or -errno. */
int an_callrun_add(struct an_callrun *, const struct an_block *);
int an_callrun_run(struct an_callrun *, const struct an_batch *);

void an_callrun_release(struct an_callrun *);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dependence_counts.h - counts the dependences of an access on those that are
   stored in its cells; see dependences.h */
#ifndef ANALYZERS_LOOPS_DEPENDENCE_COUNTS_H
#define ANALYZERS_LOOPS_DEPENDENCE_COUNTS_H

#include "analyzers/loops/dependences.h"

/* Data that the accesses of a group share while a run of a chosen loop is
   active. Times here are shifted left by AN_SHADOW_TIME_SHIFT bits. */
struct an_dependence_context {
	struct an_dependence_state *state;
	struct an_dependence_thread *thread;
	/* Runs carry dependences only on accesses from the time @begin of the
	   oldest run on, @span times at most: before the current iteration of
	   the newest. */
	uint64_t begin, span;
	uint64_t now;	     /* current time */
	uint64_t run_number; /* of the accesses; 0: they are in none */
	/* The run of the accesses that are in a loop, which carries their anti
	   and output dependences; NULL: it is not of a chosen loop */
	struct an_chosen_run *run;
	uint64_t run_begin, run_span; /* as above, of `run` */
};

/* Find or add a dependence between nodes @source_node, which may be in another
   function than the loop of @r, and @sink_node, and set *@recent to it. If
   memory is short, set the state's error and return false. */
bool an_dependences_try_find_or_add(struct an_dependence_state *,
				    struct an_chosen_run *r,
				    uint32_t source_node, uint32_t sink_node,
				    enum an_dependence_kind,
				    struct an_recent_dependence *recent);

/* Count the dependences of an access of any size and alignment, and store it in
   the shadow. @counts_anti_and_output: whether it counts these, too; false for
   a load. If memory is short, or the cells would exceed AN_MAX_SHADOW, set the
   state's error. */
void an_dependences_count_access_of_any_size(
	const struct an_dependence_context *, const struct an_loop_access *,
	uint64_t address, bool counts_anti_and_output);

/* Return an_recent_dependence.source_sink_and_kind. */
static inline uint64_t an_recent_dependence_key(uint32_t source_node,
						uint32_t sink_node,
						enum an_dependence_kind kind)
{
	return source_node | (uint64_t)sink_node << 24 | (uint64_t)kind << 48;
}

/* Count a dependence of an access of @sink_node on the one that a cell has as
   @earlier, which run @r carries. */
static inline void
an_dependences_count_of_run(const struct an_dependence_context *c,
			    struct an_chosen_run *r, uint64_t earlier,
			    uint32_t sink_node, enum an_dependence_kind kind)
{
	uint64_t distance = an_chosen_run_iterations_since(
		r, earlier >> AN_SHADOW_TIME_SHIFT);
	uint32_t source = an_shadow_node_of_access(earlier),
		 sink = r->call != AN_NO_NODE ? r->call : sink_node;
	uint64_t key = an_recent_dependence_key(source, sink, kind);
	struct an_recent_dependence *recent =
		&c->state->recent[(key + ((uint64_t)r->loop << 32)) *
					  UINT64_C(0x9e3779b97f4a7c15) >>
				  (64 - AN_RECENT_BITS)];
	struct an_dependence *d;

	if (distance == 0)
		return;
	if ((recent->source_sink_and_kind != key || recent->loop != r->loop ||
	     recent->dependence == 0) &&
	    !an_dependences_try_find_or_add(c->state, r, source, sink, kind,
					    recent))
		return;
	d = &c->state->dependence[recent->dependence - 1];
	if (distance - 1 < d->least - 1)
		d->least = distance;
	an_value_counts_count_value(&d->distances, distance);
}

/* Count the flow dependence of a load of @load_node on the store @last_store of
   a cell, if a run of a chosen loop carries it. */
static inline void
an_dependences_count_flow_if_carried(const struct an_dependence_context *c,
				     uint32_t load_node, uint64_t last_store)
{
	struct an_chosen_run *r;
	uint64_t time = last_store >> AN_SHADOW_TIME_SHIFT;

	if (last_store - c->begin >= c->span)
		return;
	for (r = &c->thread->run[c->thread->n_runs - 1]; time < r->begin_time;)
		r--;
	if (time < r->iteration_time)
		an_dependences_count_of_run(c, r, last_store, load_node,
					    AN_DEPENDENCE_FLOW);
}

/* Count the dependence of a store of @node on the access @earlier of a cell, if
   c->run carries it. */
static inline void
an_dependences_count_of_store(const struct an_dependence_context *c,
			      uint32_t node, uint64_t earlier,
			      enum an_dependence_kind kind)
{
	if (earlier - c->run_begin < c->run_span)
		an_dependences_count_of_run(c, c->run, earlier, node, kind);
}

#endif

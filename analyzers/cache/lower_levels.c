/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lower_levels.c - simulates the lower levels for all first-level misses
 *
 * Misses of code and of data arrive as two lists in program order, which are
 * merged here. The sets of the next level and the counters are seldom in the
 * host's caches, so the sets and the pointers to the counters are prefetched
 * one group of misses ahead, and the counters when their group begins.
 */

#include <errno.h>

#include "analyzers/cache/simulation.h"

enum { GROUP = 32 };

/* Misses that are prefetched together and then simulated. */
struct miss_group {
	const struct an_miss *miss[GROUP];
	uint64_t *count
		[GROUP]; /* an_cachesim_row_miss_counters() of each miss; NULL:
				   not allocated yet */
	unsigned n;
};

/* Return @b if @choose_b, else @a. This form keeps compilers from making it a
   branch, which would be mispredicted. */
static const struct an_miss *choose_miss_branch_free(bool choose_b,
						     const struct an_miss *a,
						     const struct an_miss *b)
{
	uintptr_t difference = (uintptr_t)a ^ (uintptr_t)b;

	return (const void *)((uintptr_t)a ^
			      (difference & -(uintptr_t)choose_b));
}

/* Fill @g with the next misses of a segment, at most GROUP, in program order.
   Within one execution, the code of an instruction comes before its data. */
static void
fill_miss_group_in_program_order(struct miss_group *g, struct an_misses *code,
				 struct an_misses *data,
				 const struct an_miss_segment *segment)
{
	const struct an_miss *c = code->miss + code->n_sent;
	const struct an_miss *d = data->miss + data->n_sent;
	const struct an_miss *c_end = code->miss + segment->code_end;
	const struct an_miss *d_end = data->miss + segment->data_end;
	unsigned n = 0;

	while (n < GROUP && c < c_end && d < d_end) {
		bool is_data = d->program_order < c->program_order;

		g->miss[n++] = choose_miss_branch_free(is_data, c, d);
		c += !is_data;
		d += is_data;
	}
	while (n < GROUP && c < c_end)
		g->miss[n++] = c++;
	while (n < GROUP && d < d_end)
		g->miss[n++] = d++;
	g->n = n;
	code->n_sent = (size_t)(c - code->miss);
	data->n_sent = (size_t)(d - data->miss);
}

/* Prefetch the sets of a group's misses, and the pointers to their counters.
   Always inlined, like the functions it calls: gcc drops calls of a function
   that only prefetches. */
static inline __attribute__((always_inline)) void
host_prefetch_sets_and_counters(const struct an_cachesim *s,
				const struct miss_group *g)
{
	for (unsigned i = 0; i < g->n; i++) {
		const struct an_miss *m = g->miss[i];

		an_hierarchy_host_prefetch_set(&s->hierarchy, m->path, m->addr);
		if (m->block < s->miss_counts_size)
			__builtin_prefetch(&s->miss_counts[m->block]);
	}
}

static void find_and_prefetch_miss_counters(const struct an_cachesim *s,
					    struct miss_group *g)
{
	for (unsigned i = 0; i < g->n; i++) {
		const struct an_miss *m = g->miss[i];

		g->count[i] = an_cachesim_row_miss_counters(s, m->block,
							    m->path, m->row);
		__builtin_prefetch(g->count[i]);
	}
}

/* Simulate a first-level miss in the lower levels, count it by the number of
   levels that missed, and pass it to s->lower_observer, and to s->observer
   unless it belongs to a warm-up, or to code while s->observer.has_code is
   false. @is_warmup_counted_not_reported: it belongs to a warm-up. */
static void simulate_miss_in_lower_levels(struct an_cachesim *s,
					  const struct an_plan *plan,
					  const struct an_miss *m,
					  uint64_t *depth_counters,
					  bool is_warmup_counted_not_reported)
{
	int levels = an_hierarchy_use_below_l1_missed_count(
		&s->hierarchy, m->path, m->addr, m->size, m->write);

	if (depth_counters != NULL)
		depth_counters[levels - 1]++;
	else
		an_cachesim_count_miss_by_depth(s, &plan[m->block], m->block,
						m->path, m->row, levels);
	if (s->observer.count_miss && !is_warmup_counted_not_reported &&
	    (m->path == AN_DATA || s->observer.has_code))
		s->observer.count_miss(s->observer.arg, m, levels);
	if (s->lower_observer.pass_miss)
		s->lower_observer.pass_miss(
			s->lower_observer.arg, plan[m->block].data->block, m,
			levels, is_warmup_counted_not_reported);
}

/* Pass to the observer the lines that all levels of data wrote back because of
   miss @m; unless @observed, drop them. */
static void report_write_backs_of_miss(struct an_cachesim *s,
				       struct an_inflight *l,
				       const struct an_miss *m, bool observed)
{
	struct an_write_back_log *first = &l->write_backs;

	if (s->lower_write_backs.n > 0 || s->lower_write_backs.failed)
		an_cachesim_report_and_clear_write_backs(s, m, observed);
	if (m->path != AN_DATA)
		return;
	for (; first->n_sent < first->n &&
	       l->data_misses.miss + first->item[first->n_sent].miss <= m;
	     first->n_sent++)
		if (observed)
			s->observer.count_write_back(
				s->observer.arg, m,
				&first->item[first->n_sent]);
}

static void simulate_and_count_miss_group(struct an_cachesim *s,
					  struct an_inflight *l,
					  struct miss_group *g,
					  bool is_warmup_counted_not_reported)
{
	bool has_log = s->observer.count_write_back != NULL;

	find_and_prefetch_miss_counters(s, g);
	for (unsigned i = 0; i < g->n; i++) {
		simulate_miss_in_lower_levels(s, l->plan, g->miss[i],
					      g->count[i],
					      is_warmup_counted_not_reported);
		if (has_log)
			report_write_backs_of_miss(
				s, l, g->miss[i],
				!is_warmup_counted_not_reported);
	}
}

/* Simulate all misses of a segment (one or more batches) in the lower levels.
   While one group of up to GROUP misses is simulated, the memory for the next
   is being prefetched. */
static void simulate_segment_misses(struct an_cachesim *s,
				    struct an_inflight *l,
				    const struct an_miss_segment *segment)
{
	struct miss_group miss_group[2];
	unsigned current = 0;

	fill_miss_group_in_program_order(&miss_group[current], &l->code_misses,
					 &l->data_misses, segment);
	host_prefetch_sets_and_counters(s, &miss_group[current]);
	while (miss_group[current].n > 0) {
		fill_miss_group_in_program_order(&miss_group[!current],
						 &l->code_misses,
						 &l->data_misses, segment);
		host_prefetch_sets_and_counters(s, &miss_group[!current]);
		simulate_and_count_miss_group(s, l, &miss_group[current],
					      segment->warm);
		current = !current;
	}
}

/* Simulate the misses of a segment (one batch) of a warm-up. Its write-backs in
   the lower levels are not counted; its misses are counted, but in blocks of
   their own that no other batch executes, which are not reported. */
static void simulate_warmup_misses(struct an_cachesim *s, struct an_inflight *l,
				   const struct an_miss_segment *segment)
{
	uint64_t writebacks[AN_MAX_LEVELS];

	an_hierarchy_save_lower_writebacks(&s->hierarchy, writebacks);
	simulate_segment_misses(s, l, segment);
	an_hierarchy_restore_lower_writebacks(&s->hierarchy, writebacks);
}

/* Allocate the lists of misses that are still NULL, so that pointers into them
   are valid even if nothing missed. Return: whether memory sufficed. */
static bool allocate_miss_lists_that_are_null(struct an_inflight *l)
{
	return (l->code_misses.miss || an_misses_grow(&l->code_misses) == 0) &&
	       (l->data_misses.miss || an_misses_grow(&l->data_misses) == 0);
}

int an_lower_levels_run_chunk_misses(struct an_cachesim *s,
				     const struct an_batch *chunk)
{
	struct an_inflight *l = &s->inflight[chunk->inflight_slot];
	int err = 0;

	/* No batch of the chunk passed the preparation stage: the simulated
	   levels may not exist yet, or are just being created for the next
	   chunk. */
	if (l->n_segments == 0)
		return 0;
	if (!allocate_miss_lists_that_are_null(l))
		return -ENOMEM;
	if (chunk->n_execs > 0)
		err = an_cachesim_observer_begin_batch(s, chunk);
	if (err)
		return err;
	for (size_t i = 0; i < l->n_segments; i++)
		if (l->segment[i].warm)
			simulate_warmup_misses(s, l, &l->segment[i]);
		else
			simulate_segment_misses(s, l, &l->segment[i]);
	l->n_segments = l->n_segments_begun = 0;
	l->code_misses.n = l->code_misses.n_sent = l->data_misses.n =
		l->data_misses.n_sent = 0;
	l->write_backs.n = l->write_backs.n_sent = 0;
	if (l->write_backs.failed)
		s->count_error = -ENOMEM;
	return s->count_error;
}

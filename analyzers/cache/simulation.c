/* SPDX-License-Identifier: GPL-2.0-or-later */
/* simulation.c - simulates a cache hierarchy; see simulation.h */

#include "analyzers/cache/simulation.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/array.h"

/* Initialise the members that are used only if code and data have separate
   first levels. */
static int init_partitions_i1_index_and_compiler(struct an_cachesim *s,
						 const struct an_env *env,
						 unsigned n_partitions)
{
	struct an_hierarchy *h = &s->hierarchy;
	int err = an_partitions_init(&s->partitions, &h->l1[AN_DATA],
				     n_partitions);

	if (!err)
		err = an_i1_index_init(&s->i1_index, &h->l1[AN_INSTRUCTION]);
	s->code_narrows = !an_path_has_shortest_line_first(h, AN_INSTRUCTION);
	an_compiler_init(&s->compiler, env->alloc_code(env->host, AN_MAX_CODE),
			 s->partitions.n > 1 ? AN_COMPILE_SCATTER
					     : AN_COMPILE_SIMULATE,
			 an_path_has_shortest_line_first(h, AN_DATA));
	return err;
}

/* Increments of s->batch_number before it wraps for the first time: its first
   value is so little below its maximum that every longer test wraps it. */
enum { FIRST_BATCHES = 300 };

int an_cachesim_init(struct an_cachesim *s, const struct an_env *env,
		     unsigned n_partitions)
{
	int err = an_hierarchy_init(&s->hierarchy, env->geometry);

	s->batch_number = (UINT32_MAX >> AN_EXIT_BITS) - FIRST_BATCHES;
	if (!err && s->hierarchy.separate_l1)
		err = init_partitions_i1_index_and_compiler(s, env,
							    n_partitions);
	return err;
}

static void free_miss_counts_and_lists(struct an_cachesim *s)
{
	for (size_t i = 0; i < s->miss_counts_size; i++) {
		free(s->miss_counts[i].rows[AN_INSTRUCTION]);
		free(s->miss_counts[i].rows[AN_DATA]);
	}
	free(s->miss_counts);
	for (int slot = 0; slot < AN_INFLIGHT_SLOTS; slot++) {
		free(s->inflight[slot].code_misses.miss);
		free(s->inflight[slot].data_misses.miss);
		an_write_back_log_release(&s->inflight[slot].write_backs);
		free(s->inflight[slot].segment);
	}
	an_write_back_log_release(&s->lower_write_backs);
}

void an_cachesim_release(struct an_cachesim *s)
{
	free_miss_counts_and_lists(s);
	an_planner_free_all_plans(&s->planner);
	an_compiler_release(&s->compiler);
	an_i1_index_release(&s->i1_index);
	an_partitions_free_inflight_lists(&s->partitions);
	for (size_t i = 0; i < s->n_old_plans; i++)
		free(s->old_plans[i]);
	free(s->old_plans);
	free(s->plan);
	free(s->last_listed);
	free(s->many_accesses);
	an_hierarchy_release(&s->hierarchy);
	*s = (struct an_cachesim){0};
}

static bool append_current_plans_to_old_plans(struct an_cachesim *s)
{
	void *p = realloc(s->old_plans,
			  (s->n_old_plans + 1) * sizeof(*s->old_plans));

	if (p == NULL)
		return false;
	s->old_plans = p;
	s->old_plans[s->n_old_plans++] = s->plan;
	return true;
}

/* Enlarge s->last_listed and s->many_accesses to @block_capacity elements, and
   zero the new ones. Return: false if memory is short. */
static bool grow_block_arrays_except_plans(struct an_cachesim *s,
					   size_t block_capacity)
{
	size_t more = block_capacity - s->plans_size;
	uint32_t *seen =
		realloc(s->last_listed, block_capacity * sizeof(*seen));
	uint16_t *many =
		realloc(s->many_accesses, block_capacity * sizeof(*many));

	if (seen != NULL)
		s->last_listed = seen;
	if (many != NULL)
		s->many_accesses = many;
	if (seen == NULL || many == NULL)
		return false;
	memset(seen + s->plans_size, 0, more * sizeof(*seen));
	memset(many + s->plans_size, 0, more * sizeof(*many));
	s->plans_size = block_capacity;
	return true;
}

static bool double_plans_and_block_arrays(struct an_cachesim *s)
{
	size_t size = s->plans_size ? 2 * s->plans_size : 1024;
	struct an_plan *p = malloc(size * sizeof(*p));

	if (p == NULL || !append_current_plans_to_old_plans(s)) {
		free(p);
		return false;
	}
	if (s->n_plans > 0)
		memcpy(p, s->plan, s->n_plans * sizeof(*p));
	s->plan = p;
	return grow_block_arrays_except_plans(s, size);
}

static void note_if_block_has_many_accesses(struct an_cachesim *s,
					    const struct an_block *b)
{
	for (unsigned e = 0; e < b->n_exits; e++)
		if (b->exit[e].n_accesses > b->exit[e].bytes)
			s->many_accesses[s->n_plans] = b->n_accesses;
	s->any_many_accesses |= s->many_accesses[s->n_plans] > 0;
}

int an_cachesim_add_block(struct an_cachesim *s, const struct an_block *block)
{
	int err;

	if (s->n_plans == s->plans_size && !double_plans_and_block_arrays(s))
		return -ENOMEM;
	note_if_block_has_many_accesses(s, block);
	err = an_planner_create_block_plan(&s->planner, block, &s->hierarchy,
					   &s->plan[s->n_plans]);
	if (!err && s->hierarchy.separate_l1)
		err = an_i1_index_add_block(&s->i1_index,
					    s->plan[s->n_plans].code,
					    &s->hierarchy.l1[AN_INSTRUCTION]);
	s->n_plans += err == 0;
	return err;
}

uint64_t *an_cachesim_alloc_miss_counters(struct an_cachesim *s,
					  const struct an_block *b,
					  int code_or_data)
{
	size_t rows = code_or_data == AN_DATA ? b->n_accesses : b->n_instrs;
	uint64_t *p = NULL;

	if (al_array_reserve_zeroed(s->miss_counts, s->miss_counts_size,
				    b->id + 1u) == 0)
		p = calloc(rows * s->hierarchy.max_depth, sizeof(*p));
	if (p != NULL)
		s->miss_counts[b->id].rows[code_or_data] = p;
	else
		s->count_error = -ENOMEM;
	return p;
}

int an_cachesim_store_plans_in_slot_run_i1(struct an_cachesim *s,
					   const struct an_batch *batch)
{
	s->inflight[batch->inflight_slot].plan = s->plan;
	s->inflight[batch->inflight_slot].n_plans = s->n_plans;
	return s->hierarchy.separate_l1 ? an_i1_simulate_batch(s, batch) : 0;
}

void an_cachesim_set_observer(struct an_cachesim *s,
			      const struct an_miss_observer *observer)
{
	struct an_hierarchy *h = &s->hierarchy;

	s->observer = *observer;
	for (int i = h->separate_l1; i < h->depth[AN_DATA]; i++) {
		h->ways[h->path[AN_DATA][i]].log = &s->lower_write_backs;
		h->ways[h->path[AN_DATA][i]].log_level = (uint32_t)i;
	}
}

void an_cachesim_report_and_clear_write_backs(struct an_cachesim *s,
					      const struct an_miss *miss,
					      bool observed)
{
	struct an_write_back_log *l = &s->lower_write_backs;

	for (size_t i = 0; i < l->n && observed; i++)
		s->observer.count_write_back(s->observer.arg, miss,
					     &l->item[i]);
	l->n = 0;
	if (l->failed)
		s->count_error = -ENOMEM;
}

static int dispatch_batch_to_simulator(struct an_cachesim *s,
				       const struct an_batch *batch)
{
	if (s->observer.simulate_d1 && an_cachesim_has_unpartitioned_l1d(s))
		return s->observer.simulate_d1(s->observer.arg, s, batch);
	if (s->hierarchy.separate_l1)
		return an_d1_simulate_batch(s, batch);
	return an_reference_simulate_batch_one_by_one(s, batch);
}

int an_cachesim_run_d1_or_all(struct an_cachesim *s,
			      const struct an_batch *batch)
{
	struct an_l1 *data = &s->hierarchy.l1[AN_DATA];
	uint64_t writebacks[AN_MAX_LEVELS], first = data->writebacks;
	int err;

	if (!batch->warm)
		return dispatch_batch_to_simulator(s, batch);
	if (!s->hierarchy.separate_l1)
		an_hierarchy_save_lower_writebacks(&s->hierarchy, writebacks);
	err = dispatch_batch_to_simulator(s, batch);
	data->writebacks = first;
	if (!s->hierarchy.separate_l1)
		an_hierarchy_restore_lower_writebacks(&s->hierarchy,
						      writebacks);
	return err;
}

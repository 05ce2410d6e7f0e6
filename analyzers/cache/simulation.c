/* SPDX-License-Identifier: GPL-2.0-or-later */
/* simulation.c - simulates a cache hierarchy; see simulation.h */

#include "analyzers/cache/simulation.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Initialise what only separate first levels of code and data need. */
static int init_separate(struct an_cachesim *s, const struct an_env *env,
			 unsigned parts)
{
	struct an_hierarchy *h = &s->hierarchy;
	int err = an_parts_init(&s->parts, &h->first[AN_DATA], parts);

	if (!err)
		err = an_codelines_init(&s->codelines,
					&h->first[AN_INSTRUCTION]);
	s->code_narrows = !an_hierarchy_widens(h, AN_INSTRUCTION);
	an_compile_init(&s->compiler, env->code(env->host, AN_CODE),
			s->parts.n > 1 ? AN_SPREADS : AN_LOOKS,
			an_hierarchy_widens(h, AN_DATA));
	return err;
}

/* Batches until batch numbers wrap: few, so that every longer test wraps
   them. */
enum { FIRST_BATCHES = 300 };

int an_cachesim_init(struct an_cachesim *s, const struct an_env *env,
		     unsigned parts)
{
	int err = an_hierarchy_init(&s->hierarchy, env->geometry);

	s->n_listed = (UINT32_MAX >> AN_EXIT_BITS) - FIRST_BATCHES;
	if (!err && s->hierarchy.apart)
		err = init_separate(s, env, parts);
	return err;
}

static void release_misses(struct an_cachesim *s)
{
	for (size_t i = 0; i < s->misses_size; i++) {
		free(s->misses[i].row[AN_INSTRUCTION]);
		free(s->misses[i].row[AN_DATA]);
	}
	free(s->misses);
	for (int lane = 0; lane < AN_LANES; lane++) {
		free(s->lane[lane].code.miss);
		free(s->lane[lane].data.miss);
		free(s->lane[lane].stretch);
	}
}

void an_cachesim_release(struct an_cachesim *s)
{
	release_misses(s);
	an_planner_release(&s->planner);
	an_compile_release(&s->compiler);
	an_codelines_release(&s->codelines);
	an_parts_release(&s->parts);
	for (size_t i = 0; i < s->n_old; i++)
		free(s->old[i]);
	free(s->old);
	free(s->plan);
	free(s->seen);
	free(s->heavy);
	an_hierarchy_release(&s->hierarchy);
	*s = (struct an_cachesim){0};
}

static bool store_old_plans(struct an_cachesim *s)
{
	void *p = realloc(s->old, (s->n_old + 1) * sizeof(*s->old));

	if (p == NULL)
		return false;
	s->old = p;
	s->old[s->n_old++] = s->plan;
	return true;
}

/* Grow the arrays indexed by block id, except the plans, to @size elements. */
static bool grow_block_arrays(struct an_cachesim *s, size_t size)
{
	size_t more = size - s->plans_size;
	uint32_t *seen = realloc(s->seen, size * sizeof(*seen));
	uint16_t *heavy = realloc(s->heavy, size * sizeof(*heavy));

	if (seen != NULL)
		s->seen = seen;
	if (heavy != NULL)
		s->heavy = heavy;
	if (seen == NULL || heavy == NULL)
		return false;
	memset(seen + s->plans_size, 0, more * sizeof(*seen));
	memset(heavy + s->plans_size, 0, more * sizeof(*heavy));
	s->plans_size = size;
	return true;
}

static bool grow_plans(struct an_cachesim *s)
{
	size_t size = s->plans_size ? 2 * s->plans_size : 1024;
	struct an_plan *p = malloc(size * sizeof(*p));

	if (p == NULL || !store_old_plans(s)) {
		free(p);
		return false;
	}
	if (s->n_plans > 0)
		memcpy(p, s->plan, s->n_plans * sizeof(*p));
	s->plan = p;
	return grow_block_arrays(s, size);
}

static void record_heavy(struct an_cachesim *s, const struct an_block *b)
{
	for (unsigned e = 0; e < b->n_exits; e++)
		if (b->exit[e].n_accesses > b->exit[e].bytes)
			s->heavy[s->n_plans] = b->n_accesses;
	s->any_heavy |= s->heavy[s->n_plans] > 0;
}

int an_cachesim_add(struct an_cachesim *s, const struct an_block *block)
{
	int err;

	if (s->n_plans == s->plans_size && !grow_plans(s))
		return -ENOMEM;
	record_heavy(s, block);
	err = an_planner_add(&s->planner, block, &s->hierarchy,
			     &s->plan[s->n_plans]);
	if (!err && s->hierarchy.apart)
		err = an_codelines_add(&s->codelines, s->plan[s->n_plans].code,
				       &s->hierarchy.first[AN_INSTRUCTION]);
	s->n_plans += err == 0;
	return err;
}

static bool grow_misses(struct an_cachesim *s, uint32_t block)
{
	size_t size = s->misses_size ? s->misses_size : 1024;
	struct an_counts *p;

	while (size <= block)
		size *= 2;
	p = realloc(s->misses, size * sizeof(*p));
	if (p == NULL)
		return false;
	memset(p + s->misses_size, 0, (size - s->misses_size) * sizeof(*p));
	s->misses = p;
	s->misses_size = size;
	return true;
}

uint64_t *an_cachesim_new_rows(struct an_cachesim *s, const struct an_block *b,
			       int path)
{
	size_t rows = path == AN_DATA ? b->n_accesses : b->n_instrs;
	uint64_t *p = NULL;

	if (b->id < s->misses_size || grow_misses(s, b->id))
		p = calloc(rows * s->hierarchy.deepest, sizeof(*p));
	if (p != NULL)
		s->misses[b->id].row[path] = p;
	else
		s->count_error = -ENOMEM;
	return p;
}

int an_cachesim_prepare(struct an_cachesim *s, const struct an_batch *batch)
{
	s->lane[batch->lane].plan = s->plan;
	s->lane[batch->lane].n_plans = s->n_plans;
	return s->hierarchy.apart ? an_cachecode_prepare(s, batch) : 0;
}

static int run_batch(struct an_cachesim *s, const struct an_batch *batch)
{
	if (s->hierarchy.apart)
		return an_cachequick_run(s, batch);
	return an_cacheorder_run(s, batch);
}

int an_cachesim_run(struct an_cachesim *s, const struct an_batch *batch)
{
	struct an_first *data = &s->hierarchy.first[AN_DATA];
	uint64_t writebacks[AN_MAX_LEVELS], first = data->writebacks;
	int err;

	if (!batch->warm)
		return run_batch(s, batch);
	if (!s->hierarchy.apart)
		an_hierarchy_note(&s->hierarchy, writebacks);
	err = run_batch(s, batch);
	data->writebacks = first;
	if (!s->hierarchy.apart)
		an_hierarchy_reset(&s->hierarchy, writebacks);
	return err;
}

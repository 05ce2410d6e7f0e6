/* SPDX-License-Identifier: GPL-2.0-or-later */
/* line_size.c - simulates the caches of a sweep of one line size; see
   line_size.h */

#include "analyzers/sweep/line_size.h"

#include <errno.h>
#include <stdlib.h>

#include "base/tables/array.h"

/* Whether the accesses that miss in @level go on, directly or through other
   levels, to the swept level. */
static bool is_level_above_swept_level(const struct an_geometry *g, int level)
{
	int i = g->level[level].next;

	while (i != AN_MEMORY && i != g->sweep->level)
		i = g->level[i].next;
	return i != AN_MEMORY;
}

/*
 * Derive l->geometry, in which only the levels above the swept one are
 * simulated, from @configured. A level directly above the swept one leads to
 * memory instead, because the forests simulate the swept caches. All levels but
 * those above the swept one are reduced to caches of two lines. The swept level
 * gets the line size of @l, because accesses are cut to the smallest line of
 * any level. Also set l->has_no_upper_level and l->on_path.
 */
static void
derive_upper_geometry_and_paths(struct an_line_size *l,
				const struct an_geometry *configured)
{
	l->geometry = *configured;
	for (int i = 0; i < configured->n_levels; i++) {
		struct an_level *level = &l->geometry.level[i];

		if (is_level_above_swept_level(configured, i)) {
			if (level->next == configured->sweep->level)
				level->next = AN_MEMORY;
			continue;
		}
		if (i == configured->sweep->level)
			level->line = l->size;
		level->assoc = 1;
		level->sets = 2;
		level->size = 2 * level->line;
	}
	l->has_no_upper_level = true;
	for (int path = 0; path < 2; path++) {
		int i = path == AN_DATA ? configured->first_data
					: configured->first_instruction;

		l->has_no_upper_level &=
			!is_level_above_swept_level(configured, i);
		l->on_path[path] = i == configured->sweep->level ||
				   is_level_above_swept_level(configured, i);
	}
}

/* Return the first forest to which a cache of @sets sets can be added, or a
   new, empty one if there is none. Return NULL if memory is short. */
static struct an_forest *
find_or_add_forest_accepting_sets(struct an_line_size *l, uint64_t sets)
{
	struct an_forest *p;

	for (unsigned i = 0; i < l->n_forests; i++)
		if (an_forest_can_add_multiple_of_last_sets(&l->forest[i],
							    sets))
			return &l->forest[i];
	p = realloc(l->forest, (l->n_forests + 1) * sizeof(*p));
	if (p == NULL)
		return NULL;
	l->forest = p;
	l->forest[l->n_forests] = (struct an_forest){0};
	return &l->forest[l->n_forests++];
}

static int
create_forests_with_caches_of_shapes(struct an_line_size *l,
				     const struct an_shape *const *shape,
				     unsigned n_shapes)
{
	int err = 0;

	for (unsigned i = 0; i < n_shapes && !err; i++) {
		struct an_forest *f =
			find_or_add_forest_accepting_sets(l, shape[i]->sets);

		err = f ? an_forest_add_cache(f, shape[i]->sets,
					      shape[i]->assoc)
			: -ENOMEM;
	}
	for (unsigned i = 0; i < l->n_forests && !err; i++)
		err = an_forest_allocate(&l->forest[i], l->size);
	return err;
}

int an_line_size_create_caches_of_shapes(struct an_line_size *l,
					 const struct an_geometry *g,
					 const struct an_shape *const *shape,
					 unsigned n_shapes)
{
	int err;

	*l = (struct an_line_size){.size = shape[0]->line};
	derive_upper_geometry_and_paths(l, g);
	err = an_hierarchy_init(&l->upper_levels, &l->geometry);
	return err ? err
		   : create_forests_with_caches_of_shapes(l, shape, n_shapes);
}

void an_line_size_release_caches(struct an_line_size *l)
{
	an_hierarchy_release(&l->upper_levels);
	for (unsigned i = 0; i < l->n_forests; i++)
		an_forest_release_lru_caches(&l->forest[i]);
	free(l->forest);
	an_planner_free_all_plans(&l->planner);
	free(l->plan);
	*l = (struct an_line_size){0};
}

int an_line_size_add_plan_of_block(struct an_line_size *l,
				   const struct an_block *block)
{
	int err;

	if (al_array_reserve(l->plan, l->plans_size, l->n_plans + 1) != 0)
		return -ENOMEM;
	err = an_planner_create_block_plan(&l->planner, block, &l->upper_levels,
					   &l->plan[l->n_plans]);
	l->n_plans += err == 0;
	return err;
}

/* Add to @read_write_sums, by enum an_sweep_kind, how many instructions and
   data accesses of a block were executed on the paths that reach the swept
   level. They are computed from how often each exit was taken and each guarded
   access was skipped. */
static void add_block_fetches_and_accesses_to_sums(const struct an_line_size *l,
						   const struct an_block *b,
						   uint64_t read_write_sums[2])
{
	for (unsigned e = 0; e < b->n_exits; e++) {
		if (l->on_path[AN_INSTRUCTION])
			read_write_sums[AN_READ] +=
				b->exit_count[e] * b->exit[e].n_instrs;
		if (!l->on_path[AN_DATA])
			continue;
		for (unsigned i = 0; i < b->exit[e].n_accesses; i++)
			read_write_sums[b->access[i].kind == PT_STORE] +=
				b->exit_count[e];
	}
	if (!l->on_path[AN_DATA] || b->skip_count == NULL)
		return;
	for (unsigned i = 0; i < b->n_accesses; i++)
		read_write_sums[b->access[i].kind == PT_STORE] -=
			b->skip_count[i];
}

struct an_sweepcount
an_line_size_count_accesses_and_misses(const struct an_line_size *l,
				       const struct an_shape *shape)
{
	struct an_sweepcount c = {{l->upper_misses[0], l->upper_misses[1]},
				  {0}};

	for (size_t i = 0; l->has_no_upper_level && i < l->n_plans; i++)
		add_block_fetches_and_accesses_to_sums(
			l, l->plan[i].data->block, c.accesses);
	for (unsigned i = 0; i < l->n_forests; i++)
		if (an_forest_find_cache_miss_counts(&l->forest[i], shape->sets,
						     shape->assoc, c.misses))
			break;
	return c;
}

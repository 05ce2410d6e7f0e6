/* SPDX-License-Identifier: GPL-2.0-or-later */
/* level_order.c - orders levels by the cost of their misses; see
   cache_result.h */

#include "analyzers/cache/cache_result.h"

#include <stdlib.h>

/* A level and its cost: number of misses times the weight of one miss. */
struct rated_level {
	unsigned level;
	bool is_extra; /* the level's misses are so few that views of them
			  are shown only on request */
	double cost;
};

/* Return the weight of a miss at a level: 100 if memory is below the level,
   else 10. These are not latencies; they are used only to order the report. */
static double get_miss_weight_for_level_order(const struct an_level *level)
{
	return level->next == AN_MEMORY ? 100 : 10;
}

static int compare_rated_levels_by_cost_desc(const void *x, const void *y)
{
	const struct rated_level *a = x, *b = y;

	if (a->cost != b->cost)
		return a->cost > b->cost ? -1 : 1;
	return (a->level > b->level) - (a->level < b->level);
}

/* Set @rated to the levels that have misses, those with the greatest cost
   (misses times weight) first. Return: number of these levels. */
static unsigned
list_levels_with_misses_by_cost_desc(const struct an_cacheresult *r,
				     const struct an_geometry *g,
				     struct rated_level rated[AN_MAX_LEVELS])
{
	uint64_t all = 0, per_10000 = r->total.event[AN_IR] / 10000;
	unsigned n = 0;

	for (int i = 0; i < g->n_levels; i++)
		all += r->total.misses[i];
	for (int i = 0; i < g->n_levels; i++) {
		uint64_t misses = r->total.misses[i];
		bool matters = misses > per_10000 || misses >= all / 10;

		if (misses == 0)
			continue;
		rated[n++] = (struct rated_level){
			(unsigned)i, !matters,
			(double)misses *
				get_miss_weight_for_level_order(&g->level[i])};
	}
	qsort(rated, n, sizeof(*rated), compare_rated_levels_by_cost_desc);
	return n;
}

static bool has_equal_misses_in_all_rows(const struct an_cost_table *t,
					 unsigned level_a, unsigned level_b)
{
	for (uint32_t i = 0; i < t->n; i++)
		if (t->row[i].cost.misses[level_a] !=
		    t->row[i].cost.misses[level_b])
			return false;
	return true;
}

/* Whether levels @level_a and @level_b miss equally often in each function,
   each line and each inlined line. */
static bool has_equal_misses_at_all_places(const struct an_cacheresult *r,
					   unsigned level_a, unsigned level_b)
{
	return has_equal_misses_in_all_rows(&r->functions, level_a, level_b) &&
	       has_equal_misses_in_all_rows(&r->lines, level_a, level_b) &&
	       has_equal_misses_in_all_rows(&r->inlined, level_a, level_b);
}

/* Insert a level into a group, whose levels are in ascending order of number.
   */
static void insert_level_by_ascending_index(struct an_level_group *group,
					    unsigned level_index)
{
	unsigned index = group->n++;

	for (; index > 0 && group->level[index - 1] > level_index; index--)
		group->level[index] = group->level[index - 1];
	group->level[index] = level_index;
}

unsigned an_cacheresult_group_equal_miss_levels(
	const struct an_cacheresult *r, const struct an_geometry *g,
	struct an_level_group group[AN_MAX_LEVELS])
{
	struct rated_level rated[AN_MAX_LEVELS];
	unsigned n_rated = list_levels_with_misses_by_cost_desc(r, g, rated),
		 n = 0;

	for (unsigned i = 0; i < n_rated; i++) {
		unsigned k = 0;

		while (k < n && !has_equal_misses_at_all_places(
					r, group[k].level[0], rated[i].level))
			k++;
		if (k == n)
			group[n++] = (struct an_level_group){
				.is_extra = rated[i].is_extra};
		insert_level_by_ascending_index(&group[k], rated[i].level);
	}
	return n;
}

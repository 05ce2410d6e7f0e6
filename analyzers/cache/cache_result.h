/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cache_result.h - collects the counts of a cache simulation by function and
 * line
 */
#ifndef ANALYZERS_CACHE_CACHE_RESULT_H
#define ANALYZERS_CACHE_CACHE_RESULT_H

#include "analyzers/cache/simulation.h"
#include "analyzers/cost_table.h"

/* Accesses of one level. A modify counts as a read. */
struct an_level_counts {
	uint64_t reads, read_misses;
	uint64_t writes, write_misses;
	uint64_t writebacks;
};

struct an_cacheresult {
	struct an_cost total;
	struct an_level_counts level[AN_MAX_LEVELS];
	struct an_partition_load partition_sums;
	bool by_source_path; /* each row of `lines` has function and full path
				of the source file, and no object file;
				`functions` stays empty */
	struct an_cost_table functions;
	struct an_cost_table lines;
	struct an_cost_table functions_of_lines; /* a row for each pair of a
				line and a function that has code of the line */
	struct an_cost_table inlined; /* a row for each function, line and call
				that the line was inlined into */
};

/* Add the counts of a simulation to a result, by function and line of the code
   that was executed; the numbers of line uses by partition are moved out of the
   simulation. Return: 0 or -ENOMEM. */
int an_cacheresult_collect(struct an_cacheresult *, struct an_cachesim *,
			   const struct an_env *);

/* Add the counts of the second result to the first. Return: 0 or -ENOMEM. */
int an_cacheresult_merge(struct an_cacheresult *,
			 const struct an_cacheresult *);

void an_cacheresult_release(struct an_cacheresult *);

void an_cacheresult_report_event_totals(const struct an_cacheresult *,
					struct an_sink *);
/* line_functions.c: return the name of a function for each row of r->lines. A
   line whose code was inlined belongs to several functions: the one that
   executed most instructions (AN_IR) of the line is named; of those that
   executed equally many, the first by name. The caller frees the array. NULL:
   memory is short, or there are no rows. */
const char **
an_cacheresult_alloc_line_functions(const struct an_cacheresult *r);

/* Report for each level whether it was simulated in partitions, and why not;
   then, if one was, how evenly the work was divided between its partitions. */
void an_cacheresult_report_partitions(const struct an_cacheresult *,
				      const struct an_geometry *,
				      struct an_sink *);

/* Add to a model the tables of levels, functions, lines and inlined lines, the
   total of each event, and the views of misses. */
void an_cacheresult_add_to_model(const struct an_cacheresult *,
				 const struct an_geometry *, struct al_model *);

/* Add the table of levels to a model, and the views of it. */
void an_cacheresult_add_level_table_and_views(struct al_model *,
					      const struct an_cacheresult *,
					      const struct an_geometry *);

/* Write a result, which was collected with an_cacheresult.by_source_path set,
   in the format of a cachegrind.out file to the output of the analysis. Return:
   0 or -errno. */
int an_cachegrind_write_to_env_output(const struct an_cacheresult *,
				      const struct an_env *);

/* ---- level_order.c ---- */

/* Levels that miss equally often in each function and line. */
struct an_level_group {
	unsigned level[AN_MAX_LEVELS]; /* [n] indices of the group's levels
					  in the geometry, ascending */
	unsigned n;		       /* number of levels in the group, at
					  least 1 */
	bool is_extra; /* the group's misses are so few that views of them
			  are shown only on request */
};

/* Divide the levels that have misses into groups of levels that miss equally
   often everywhere, and store these in @group, those with the most costly
   misses first. Return: number of groups. */
unsigned an_cacheresult_group_equal_miss_levels(
	const struct an_cacheresult *, const struct an_geometry *,
	struct an_level_group group[AN_MAX_LEVELS]);

#endif

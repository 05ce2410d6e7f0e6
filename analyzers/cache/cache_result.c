/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cache_result.c - collects the counts of a simulation; see cache_result.h */

#include "analyzers/cache/cache_result.h"

#include <errno.h>

#include "analyzers/block_list.h"

/* Executions of one instruction's fetch or of one access, and its misses at
   each level. */
struct tally {
	uint64_t exec_count;
	uint64_t missed[AN_MAX_LEVELS]; /* [n]: accesses that missed in exactly
					   the first n + 1 levels of the path */
};

static struct tally get_exec_and_miss_tally(const struct an_cachesim *s,
					    const struct an_block *b, int path,
					    unsigned instr_or_access)
{
	const uint64_t *missed =
		an_cachesim_block_miss_counters(s, b->id, path);
	unsigned depth = s->hierarchy.max_depth;
	struct tally t = {0};

	t.exec_count = path == AN_DATA
			       ? an_access_performed_count(b, instr_or_access)
			       : an_instr_exec_count(b, instr_or_access);
	for (unsigned n = 0; missed && n < depth; n++)
		t.missed[n] = missed[instr_or_access * depth + n];
	return t;
}

/* Add tally @t to @cost and to the counts of the path's levels: an access that
   misses a level reaches the next one. */
static void add_tally_to_cost_and_levels(struct an_cacheresult *r,
					 struct an_cost *cost,
					 const struct an_hierarchy *h, int path,
					 const struct tally *t, bool write)
{
	static const enum an_event first[3] = {AN_IR, AN_DR, AN_DW};
	enum an_event event = first[path == AN_INSTRUCTION ? 0 : 1 + write];
	uint64_t reaching = t->exec_count, missing = 0;
	int depth = h->depth[path];

	for (int n = 0; n < depth; n++)
		missing += t->missed[n];
	cost->event[event] += reaching;
	cost->event[event + 1] += missing;
	cost->event[event + 2] += t->missed[depth - 1];
	for (int n = 0; n < depth; n++) {
		int level = h->path[path][n];
		struct an_level_counts *c = &r->level[level];

		*(write ? &c->writes : &c->reads) += reaching;
		*(write ? &c->write_misses : &c->read_misses) += missing;
		cost->misses[level] += missing;
		reaching = missing;
		missing -= t->missed[n];
	}
}

/* Add the cost of an instruction to the total and, in each table, to the row of
   its function, line or inlined call; with r->by_source_path only in r->lines.
   Do nothing if it was never executed. Return: 0 or -errno. */
static int add_instr_cost_to_total_and_tables(struct an_cacheresult *r,
					      const struct an_env *env,
					      const struct an_block *b,
					      unsigned instr,
					      const struct an_cost *cost)
{
	struct an_symbol who, line;
	int err = 0;

	if (cost->event[AN_IR] == 0)
		return 0;
	an_cost_add(&r->total, cost);
	env->symbol(env->host, b, instr, &who);
	if (who.call_line != 0 && !r->by_source_path)
		err = an_cost_table_add(&r->inlined, &who, cost);
	who.call_line = 0;
	who.call_file = who.call_path = NULL;
	line = who;
	if (r->by_source_path) {
		line.file = who.path;
		line.object = NULL;
		return an_cost_table_add(&r->lines, &line, cost);
	}
	line.function = NULL;
	if (!err)
		err = an_cost_table_add(&r->functions_of_lines, &who, cost);
	who.line = 0;
	if (!err)
		err = an_cost_table_add(&r->functions, &who, cost);
	return err ? err : an_cost_table_add(&r->lines, &line, cost);
}

static int add_block_costs_to_result(struct an_cacheresult *r,
				     const struct an_cachesim *s,
				     const struct an_block *b,
				     const struct an_env *env)
{
	const struct an_hierarchy *h = &s->hierarchy;
	unsigned access = 0;

	for (unsigned i = 0; i < b->n_instrs; i++) {
		struct an_cost cost = {0};
		struct tally t =
			get_exec_and_miss_tally(s, b, AN_INSTRUCTION, i);
		int err;

		add_tally_to_cost_and_levels(r, &cost, h, AN_INSTRUCTION, &t,
					     false);
		for (; access < b->n_accesses && b->access[access].instr == i;
		     access++) {
			t = get_exec_and_miss_tally(s, b, AN_DATA, access);
			add_tally_to_cost_and_levels(r, &cost, h, AN_DATA, &t,
						     b->access[access].kind ==
							     PT_STORE);
		}
		err = add_instr_cost_to_total_and_tables(r, env, b, i, &cost);
		if (err)
			return err;
	}
	return 0;
}

int an_cacheresult_collect(struct an_cacheresult *r, struct an_cachesim *s,
			   const struct an_env *env)
{
	int err = 0;

	for (size_t i = 0; i < s->n_plans && !err; i++)
		if (!s->plan[i].data->block->warm)
			err = add_block_costs_to_result(
				r, s, s->plan[i].data->block, env);
	for (int i = 0; i < env->geometry->n_levels; i++)
		r->level[i].writebacks =
			an_hierarchy_level_writebacks(&s->hierarchy, i);
	for (unsigned i = 0; i < s->partitions.n; i++)
		r->level[env->geometry->first_data].writebacks +=
			s->partitions.part[i].writebacks;
	r->partition_sums =
		an_partitions_finish_sum_and_max_loads(&s->partitions);
	return err;
}

static int add_rows_of_cost_table(struct an_cost_table *to,
				  const struct an_cost_table *from)
{
	int err = 0;

	for (uint32_t i = 0; i < from->n && !err; i++)
		err = an_cost_table_add(to, &from->row[i].symbol,
					&from->row[i].cost);
	return err;
}

int an_cacheresult_merge(struct an_cacheresult *to,
			 const struct an_cacheresult *from)
{
	int err;

	an_cost_add(&to->total, &from->total);
	an_partition_load_add_of_all_partitions(&to->partition_sums,
						&from->partition_sums);
	for (int i = 0; i < AN_MAX_LEVELS; i++) {
		to->level[i].reads += from->level[i].reads;
		to->level[i].read_misses += from->level[i].read_misses;
		to->level[i].writes += from->level[i].writes;
		to->level[i].write_misses += from->level[i].write_misses;
		to->level[i].writebacks += from->level[i].writebacks;
	}
	err = add_rows_of_cost_table(&to->functions_of_lines,
				     &from->functions_of_lines);
	if (!err)
		err = add_rows_of_cost_table(&to->inlined, &from->inlined);
	if (!err)
		err = add_rows_of_cost_table(&to->functions, &from->functions);
	return err ? err : add_rows_of_cost_table(&to->lines, &from->lines);
}

void an_cacheresult_release(struct an_cacheresult *r)
{
	an_cost_table_release(&r->functions);
	an_cost_table_release(&r->lines);
	an_cost_table_release(&r->functions_of_lines);
	an_cost_table_release(&r->inlined);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cache.c - implements the analyses "cache" and "cachegrind"
 *
 * Counts equal those of `cachegrind --cache-sim=yes` for the same geometry.
 * Each process image starts with empty caches, which its threads share.
 */

#include <errno.h>
#include <string.h>

#include "analyzers/cache/cache_result.h"
#include "analyzers/cache/evidence/observer.h"

struct cache {
	const struct an_env *env;
	bool with_findings;	      /* findings=yes: evidence is collected */
	struct an_observer *observer; /* NULL until the first batch, and without
					 findings */
	struct an_lower_twins *twins; /* NULL until the first block, and without
					 findings */
	struct an_site_table sites;
	unsigned n_partitions;
	struct an_cachesim sim;
	struct an_cacheresult result;
};

static int cache_store_env_read_options(void *state, const struct an_env *env)
{
	struct cache *c = state;
	const char *findings = env->option(env->host, "findings");

	c->env = env;
	c->with_findings = findings != NULL && !strcmp(findings, "yes");
	return 0;
}

static int cachegrind_init_lines_keyed_by_path(void *state,
					       const struct an_env *env)
{
	struct cache *c = state;

	c->env = env;
	c->result.by_source_path = true;
	return 0;
}

static void pass_miss_to_fully_assoc_lower_twins(void *twins,
						 const struct an_block *block,
						 const struct an_miss *miss,
						 int missed_level_count,
						 bool is_from_warmup)
{
	const struct an_lower_access access = {.addr = miss->addr,
					       .size = miss->size,
					       .row = miss->row,
					       .path = miss->path,
					       .warm = is_from_warmup};

	an_lower_twins_simulate_access(twins, block, &access,
				       missed_level_count);
}

/* Initialise the simulated levels, with the observer that another analysis
   offered; and, with the option findings=yes, the fully associative twins of
   the lower levels. Return: 0 or -errno. */
static int cache_init_levels_observer_and_twins(struct cache *c)
{
	int err = an_cachesim_init(&c->sim, c->env, c->n_partitions);
	const struct an_miss_observer *observer =
		c->env->offered_observer
			? c->env->offered_observer(c->env->host)
			: NULL;

	if (!err && observer != NULL)
		an_cachesim_set_observer(&c->sim, observer);
	if (err || !c->with_findings)
		return err;
	c->twins = an_lower_twins_new_fully_associative(c->env->geometry);
	c->sim.lower_observer = (struct an_lower_observer){
		pass_miss_to_fully_assoc_lower_twins, c->twins};
	return c->twins ? 0 : -ENOMEM;
}

/* Add a block. The levels are created with the first block: a state into which
   only the results of others are merged needs no levels. */
static int cache_lazy_init_and_add_block(void *state,
					 const struct an_block *block)
{
	struct cache *c = state;
	int err = 0;

	if (c->sim.hierarchy.geometry == NULL)
		err = cache_init_levels_observer_and_twins(c);
	return err ? err : an_cachesim_add_block(&c->sim, block);
}

static int cache_store_plans_in_slot_simulate_i1(void *state,
						 const struct an_batch *batch)
{
	return an_cachesim_store_plans_in_slot_run_i1(
		&((struct cache *)state)->sim, batch);
}

/* Collect the evidence (counts that explain misses) of a batch; the observer is
   created with the first one. Called for batches without executions, too,
   because they may have marks, such as the switch to another thread. */
static int cache_collect_evidence_of_batch(struct cache *c,
					   const struct an_batch *batch)
{
	if (c->observer == NULL)
		c->observer = an_observer_new(c->env->geometry);
	return c->observer ? an_observer_simulate_and_buffer_batch(
				     c->observer,
				     c->sim.inflight[batch->inflight_slot].plan,
				     batch)
			   : -ENOMEM;
}

/* Simulate a batch; then, with the option findings=yes, collect its evidence
   (counts that explain misses). A batch without executions is not simulated: it
   may come before the levels exist. */
static int
cache_simulate_batch_collect_if_findings(void *state,
					 const struct an_batch *batch)
{
	struct cache *c = state;
	int err = batch->n_execs == 0
			  ? 0
			  : an_cachesim_run_d1_or_all(&c->sim, batch);

	return err || !c->with_findings
		       ? err
		       : cache_collect_evidence_of_batch(c, batch);
}

static unsigned cache_choose_partition_count(void *state,
					     unsigned max_partitions)
{
	struct cache *c = state;

	if (c->with_findings)
		max_partitions = 1;
	c->n_partitions =
		an_hierarchy_max_partitions(c->env->geometry, max_partitions);
	return c->n_partitions;
}

static enum an_chunk_mode
cache_begin_chunk_choose_mode(void *state, const struct an_batch *chunk)
{
	struct an_cachesim *s = &((struct cache *)state)->sim;

	return s->partitions.inflight ? an_scatter_begin_chunk(s, chunk)
				      : AN_CHUNK_CONTINUE;
}

static int cache_list_line_uses_by_partition(void *state,
					     const struct an_batch *batch)
{
	return an_scatter_list_batch_uses(&((struct cache *)state)->sim, batch);
}

static int cache_simulate_d1_partition(void *state,
				       const struct an_batch *chunk,
				       unsigned partition)
{
	struct an_cachesim *s = &((struct cache *)state)->sim;

	return chunk->n_execs ? an_partition_simulate_chunk(s, chunk, partition)
			      : 0;
}

static int cache_merge_partition_miss_lists(void *state,
					    const struct an_batch *chunk)
{
	return chunk->n_execs == 0
		       ? 0
		       : an_partitions_merge_miss_lists(
				 &((struct cache *)state)->sim, chunk);
}

static int cache_run_chunk_misses_in_lower_levels(void *state,
						  const struct an_batch *chunk)
{
	return an_lower_levels_run_chunk_misses(&((struct cache *)state)->sim,
						chunk);
}

static int cache_collect_result_free_sim(void *state)
{
	struct cache *c = state;
	int err;

	an_cachesim_call_observer_end_if_set(&c->sim);
	err = an_cacheresult_collect(&c->result, &c->sim, c->env);
	if (an_hierarchy_ran_out_of_memory(&c->sim.hierarchy))
		err = -ENOMEM;
	if (!err && c->twins && an_lower_twins_ran_out_of_memory(c->twins))
		err = -ENOMEM;
	if (!err && c->observer && c->twins)
		err = an_observer_finish_and_add_counts(c->observer, c->twins,
							&c->sites, c->env);
	an_observer_free(c->observer);
	an_lower_twins_free(c->twins);
	c->observer = NULL;
	c->twins = NULL;
	an_cachesim_release(&c->sim);
	return err;
}

static int cache_merge_results_and_sites(void *into, const void *from)
{
	struct cache *to = into;
	const struct cache *c = from;
	int err = an_cacheresult_merge(&to->result, &c->result);

	return err ? err : an_site_table_merge(&to->sites, &c->sites);
}

static void cache_report_event_totals(const void *state, struct an_sink *sink)
{
	an_cacheresult_report_event_totals(
		&((const struct cache *)state)->result, sink);
}

static void cache_report_level_partitioning(const void *state,
					    struct an_sink *sink)
{
	const struct cache *c = state;

	an_cacheresult_report_partitions(&c->result, c->env->geometry, sink);
}

static void cache_add_result_to_model(const void *state, struct al_model *m)
{
	const struct cache *c = state;

	an_cacheresult_add_to_model(&c->result, c->env->geometry, m);
	if (c->with_findings)
		an_site_table_add_to_model(&c->sites, c->env->geometry, m);
}

static int cachegrind_write_result(const void *state)
{
	const struct cache *c = state;

	return an_cachegrind_write_to_env_output(&c->result, c->env);
}

static void cache_free_members(void *state)
{
	struct cache *c = state;

	an_observer_free(c->observer);
	an_lower_twins_free(c->twins);
	an_site_table_release(&c->sites);
	an_cachesim_release(&c->sim);
	an_cacheresult_release(&c->result);
}

extern const struct an_class an_cache, an_cachegrind;

static const struct an_option cache_options[] = {
	{"findings", "no|yes",
	 "count what more of the report's findings need; slower"},
	{NULL, NULL, NULL},
};

/* Initialisers of members of struct an_class that an_cache and an_cachegrind
   have in common: both run the same simulation. */
#define SIMULATION                                                             \
	.needs = PT_FIELD_ACCESSES | PT_FIELD_ADDRESSES, .needs_names = true,  \
	.uses_caches = true, .accepts_warmup = true,                           \
	.state_size = sizeof(struct cache),                                    \
	.block = cache_lazy_init_and_add_block,                                \
	.prepare = cache_store_plans_in_slot_simulate_i1,                      \
	.batch = cache_simulate_batch_collect_if_findings,                     \
	.init_partitions = cache_choose_partition_count,                       \
	.begin_chunk = cache_begin_chunk_choose_mode,                          \
	.scatter = cache_list_line_uses_by_partition,                          \
	.run_partition = cache_simulate_d1_partition,                          \
	.gather = cache_merge_partition_miss_lists,                            \
	.tail = cache_run_chunk_misses_in_lower_levels,                        \
	.finish = cache_collect_result_free_sim,                               \
	.merge = cache_merge_results_and_sites, .close = cache_free_members

const struct an_class an_cache = {
	.name = "cache",
	.summary = "simulate a cache hierarchy; where it misses",
	.options = cache_options,
	.compares_caches = true,
	.observable_simulation = true,
	.open = cache_store_env_read_options,
	SIMULATION,
	.report_totals = cache_report_event_totals,
	.report_method = cache_report_level_partitioning,
	.result = cache_add_result_to_model,
};

static const struct an_option cachegrind_options[] = {
	{"file", "PATH", "where to [standard output]"},
	{NULL, NULL, NULL},
};

/* The analysis "cachegrind": runs the simulation of "cache", and writes its
   counts as a file in Cachegrind's format. */
const struct an_class an_cachegrind = {
	.name = "cachegrind",
	.summary = "write a file that cg_annotate reads",
	.options = cachegrind_options,
	.prints_output = true,
	.open = cachegrind_init_lines_keyed_by_path,
	SIMULATION,
	.save = cachegrind_write_result,
};

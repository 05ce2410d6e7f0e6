/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timeline.c - implements the analysis "timeline": counts over the run
 *
 * If the run has the analysis "cache" for the same caches, "cache" simulates
 * them and reports batches, misses and write-backs to the observer here; the
 * callbacks of the host then only count executions and store the marks of
 * batches without executions. Otherwise these callbacks simulate the caches as
 * "cache" does.
 */

#include <errno.h>
#include <string.h>

#include "analyzers/timeline/timeline.h"

struct timeline {
	const struct an_env *env;
	bool is_observer; /* another analysis simulates the caches */
	bool has_separate_l1;
	unsigned n_partitions;
	struct an_miss_observer observer;
	struct an_cachesim sim; /* unused if is_observer */
	struct an_time_counts counts;
	struct an_chunk_scan *scan; /* NULL until the first batch */
	struct an_miss_scan misses;
	/* Thread switches and window changes in batches without executions,
	   which the scan has not applied yet. Element 0 belongs to the callback
	   batch(), element 1 to tail(). */
	struct an_mark_changes changes[2];
	uint64_t n_execs; /* executions that batch() received, without those of
			     warm-up; only batch() and finish() access it */
};

/* The callback of the host in which the scan runs: batch(), which gets each
   batch, or tail(), which gets each whole chunk. */
enum { IN_BATCH, IN_TAIL };

/* Scan a batch (IN_BATCH) or a whole chunk (IN_TAIL), after applying the thread
   switches and window changes of earlier batches without executions. Return: 0
   or -errno. */
static int apply_window_changes_and_scan_batch(struct timeline *t,
					       struct an_cachesim *sim,
					       const struct an_batch *batch,
					       int stage)
{
	if (t->scan == NULL)
		t->scan = an_chunk_scan_new(&t->counts);
	if (t->scan == NULL)
		return -ENOMEM;
	an_chunk_scan_apply_and_clear_changes(t->scan, &t->changes[stage]);
	return an_chunk_scan_count_and_simulate_batch(t->scan, sim, batch);
}

/* ---- callbacks of the simulation ---- */

static int count_execs_and_simulate_d1(void *arg, struct an_cachesim *sim,
				       const struct an_batch *batch)
{
	return apply_window_changes_and_scan_batch(arg, sim, batch, IN_BATCH);
}

/* Scan the batch, unless count_execs_and_simulate_d1() scans it, and begin to
   count its misses. */
static int scan_batch_and_begin_its_miss_counts(void *arg,
						struct an_cachesim *sim,
						const struct an_batch *batch)
{
	struct timeline *t = arg;
	int err = an_cachesim_has_unpartitioned_l1d(sim)
			  ? 0
			  : apply_window_changes_and_scan_batch(
				    t, sim, batch,
				    t->has_separate_l1 ? IN_TAIL : IN_BATCH);

	if (!err)
		an_miss_scan_begin_batch(
			&t->misses, sim, batch,
			&t->scan->starts[batch->inflight_slot]);
	return err ? err : t->misses.error;
}

static void count_miss(void *arg, const struct an_miss *m,
		       int missed_level_count)
{
	an_miss_scan_count_miss_in_time_bin(&((struct timeline *)arg)->misses,
					    m, missed_level_count);
}

static void count_write_back(void *arg, const struct an_miss *m,
			     const struct an_write_back *w)
{
	an_miss_scan_count_write_back(&((struct timeline *)arg)->misses, m, w);
}

/* Finish the scan of chunks, if there is one, and the scan of misses, after the
   last chunk. */
static void finish_chunk_scan_and_miss_scan(void *arg)
{
	struct timeline *t = arg;

	if (t->scan != NULL)
		an_chunk_scan_finish_after_last_chunk(t->scan);
	an_miss_scan_add_last_misses_to_bin(&t->misses);
}

/* ---- callbacks of the host ---- */

static bool is_option_equal_to(const struct an_env *env, const char *key,
			       const char *expected_value)
{
	const char *value = env->option(env->host, key);

	return value != NULL && strcmp(value, expected_value) == 0;
}

static int timeline_init_and_offer_observer(void *state,
					    const struct an_env *env)
{
	struct timeline *t = state;

	t->env = env;
	t->has_separate_l1 =
		an_hierarchy_has_separate_simulable_l1s(env->geometry);
	an_time_counts_init(&t->counts, env->geometry,
			    is_option_equal_to(env, "heat", "yes"));
	an_time_counts_init(&t->misses.counts, env->geometry,
			    t->counts.has_heat);
	t->observer = (struct an_miss_observer){
		.begin_batch = scan_batch_and_begin_its_miss_counts,
		.simulate_d1 = count_execs_and_simulate_d1,
		.end = finish_chunk_scan_and_miss_scan,
		.has_code = true,
		.count_miss = count_miss,
		.count_write_back = count_write_back,
		.arg = t,
	};
	t->is_observer = env->offer_observer(env->host, &t->observer);
	return 0;
}

static int timeline_lazy_init_sim_add_block(void *state,
					    const struct an_block *block)
{
	struct timeline *t = state;
	int err = 0;

	if (t->is_observer)
		return 0;
	if (t->sim.hierarchy.geometry == NULL) {
		err = an_cachesim_init(&t->sim, t->env, t->n_partitions);
		an_cachesim_set_observer(&t->sim, &t->observer);
	}
	return err ? err : an_cachesim_add_block(&t->sim, block);
}

static int
timeline_store_plans_in_slot_simulate_i1(void *state,
					 const struct an_batch *batch)
{
	struct timeline *t = state;

	return t->is_observer
		       ? 0
		       : an_cachesim_store_plans_in_slot_run_i1(&t->sim, batch);
}

/* Store in t->changes[@stage] the thread switches and window changes of a batch
   or chunk without executions: the simulation does not pass it to the chunk
   scan. */
static void store_thread_and_window_changes_of_marks(
	struct timeline *t, const struct an_batch *batch, int stage)
{
	for (size_t i = 0; i < batch->n_marks; i++)
		an_mark_changes_add_thread_or_window(&t->changes[stage],
						     &batch->mark[i]);
}

static int timeline_simulate_batch_unless_observer(void *state,
						   const struct an_batch *batch)
{
	struct timeline *t = state;

	if (batch->n_execs == 0) {
		store_thread_and_window_changes_of_marks(t, batch, IN_BATCH);
		return 0;
	}
	if (!batch->warm)
		t->n_execs += batch->n_execs;
	return t->is_observer ? 0 : an_cachesim_run_d1_or_all(&t->sim, batch);
}

static unsigned timeline_choose_partition_count(void *state,
						unsigned max_partitions)
{
	struct timeline *t = state;

	t->n_partitions =
		t->is_observer ? 1
			       : an_hierarchy_max_partitions(t->env->geometry,
							     max_partitions);
	return t->n_partitions;
}

static enum an_chunk_mode
timeline_begin_chunk_if_partitioned(void *state, const struct an_batch *chunk)
{
	struct an_cachesim *s = &((struct timeline *)state)->sim;

	return s->partitions.inflight ? an_scatter_begin_chunk(s, chunk)
				      : AN_CHUNK_CONTINUE;
}

static int timeline_list_batch_line_uses(void *state,
					 const struct an_batch *batch)
{
	return an_scatter_list_batch_uses(&((struct timeline *)state)->sim,
					  batch);
}

static int timeline_simulate_d1_partition(void *state,
					  const struct an_batch *chunk,
					  unsigned partition)
{
	struct an_cachesim *s = &((struct timeline *)state)->sim;

	return chunk->n_execs ? an_partition_simulate_chunk(s, chunk, partition)
			      : 0;
}

static int timeline_merge_partition_miss_lists(void *state,
					       const struct an_batch *chunk)
{
	return chunk->n_execs == 0
		       ? 0
		       : an_partitions_merge_miss_lists(
				 &((struct timeline *)state)->sim, chunk);
}

static int timeline_run_lower_levels_store_marks(void *state,
						 const struct an_batch *chunk)
{
	struct timeline *t = state;

	if (!t->has_separate_l1)
		return 0;
	if (chunk->n_execs == 0)
		store_thread_and_window_changes_of_marks(t, chunk, IN_TAIL);
	return t->is_observer
		       ? 0
		       : an_lower_levels_run_chunk_misses(&t->sim, chunk);
}

static int timeline_finish_scan_free_simulation(void *state)
{
	struct timeline *t = state;
	int err =
		an_hierarchy_ran_out_of_memory(&t->sim.hierarchy) ? -ENOMEM : 0;

	finish_chunk_scan_and_miss_scan(t);
	if (t->scan != NULL && t->scan->error)
		err = t->scan->error;
	if (!err)
		err = t->misses.error;
	if (!err)
		err = an_time_counts_merge(&t->counts, &t->misses.counts);
	an_time_counts_release(&t->misses.counts);
	/* The scan has fewer executions than batch() received if the analysis
	   that simulates the caches was stopped. */
	if (t->is_observer && t->n_execs != (t->scan ? t->scan->n_execs : 0))
		err = -ENODATA;
	an_chunk_scan_free(t->scan);
	t->scan = NULL;
	an_cachesim_release(&t->sim);
	return err;
}

static int timeline_merge_counts(void *into, const void *from)
{
	return an_time_counts_merge(&((struct timeline *)into)->counts,
				    &((const struct timeline *)from)->counts);
}

static void timeline_add_result_to_model(const void *state, struct al_model *m)
{
	const struct timeline *t = state;

	an_time_counts_add_to_model(&t->counts, t->env->geometry, m);
}

static int timeline_write_series_if_requested(const void *state)
{
	const struct timeline *t = state;

	if (is_option_equal_to(t->env, "format", "perfetto"))
		return an_time_counts_write_perfetto(&t->counts, t->env);
	if (t->env->option(t->env->host, "format") != NULL ||
	    t->env->option(t->env->host, "file") != NULL)
		return an_time_counts_write_csv_to_env_output(&t->counts,
							      t->env);
	return 0;
}

static void timeline_free_all_members(void *state)
{
	struct timeline *t = state;

	an_chunk_scan_free(t->scan);
	an_cachesim_release(&t->sim);
	an_time_counts_release(&t->misses.counts);
	an_time_counts_release(&t->counts);
}

static const struct an_option timeline_options[] = {
	{"heat", "no|yes", "also count accesses by address and time"},
	{"format", "csv|perfetto", "also write the counts for other programs"},
	{"file", "PATH", "write them there; default standard output"},
	{NULL, NULL, NULL},
};

extern const struct an_class an_timeline;

const struct an_class an_timeline = {
	.name = "timeline",
	.summary = "show how the run changes over time",
	.options = timeline_options,
	.needs = PT_FIELD_ACCESSES | PT_FIELD_ADDRESSES,
	.uses_caches = true,
	.accepts_warmup = true,
	.state_size = sizeof(struct timeline),
	.open = timeline_init_and_offer_observer,
	.block = timeline_lazy_init_sim_add_block,
	.prepare = timeline_store_plans_in_slot_simulate_i1,
	.batch = timeline_simulate_batch_unless_observer,
	.init_partitions = timeline_choose_partition_count,
	.begin_chunk = timeline_begin_chunk_if_partitioned,
	.scatter = timeline_list_batch_line_uses,
	.run_partition = timeline_simulate_d1_partition,
	.gather = timeline_merge_partition_miss_lists,
	.tail = timeline_run_lower_levels_store_marks,
	.finish = timeline_finish_scan_free_simulation,
	.merge = timeline_merge_counts,
	.result = timeline_add_result_to_model,
	.save = timeline_write_series_if_requested,
	.close = timeline_free_all_members,
};

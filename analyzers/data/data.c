/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * data.c - implements the analysis "data": misses by data object
 *
 * Simulates the caches as the analysis "cache" does. Misses of data accesses
 * are counted, and the events that create and end data objects applied, in
 * program order: in tail() if code and data have separate first levels; if not,
 * in batch().
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyzers/data/cursor.h"
#include "analyzers/data/rows.h"

struct data {
	const struct an_env *env;
	unsigned n_partitions;
	bool has_separate_l1;
	struct an_data_options options;
	struct an_cachesim sim;
	struct an_owners owners;
	struct an_data_cursor cursor;
	struct an_data_rows rows;
};

static void count_miss_of_data_object(void *arg, const struct an_miss *m,
				      int levels)
{
	an_data_cursor_count_miss_of_data_object(&((struct data *)arg)->cursor,
						 m, levels);
}

static void count_write_back(void *arg, const struct an_miss *m,
			     const struct an_write_back *w)
{
	an_data_cursor_add_write_back_to_object(&((struct data *)arg)->cursor,
						m, w);
}

static enum an_data_by parse_grouping_or_default_site(const char *word)
{
	static const char *const words[AN_BYS] = {
		[AN_BY_SITE] = "site",	       [AN_BY_LINE] = "line",
		[AN_BY_FUNCTION] = "function", [AN_BY_KIND] = "kind",
		[AN_BY_TYPE] = "type",	       [AN_BY_OBJECT] = "object",
	};
	unsigned i = 0;

	while (word != NULL && i < AN_BYS && strcmp(word, words[i]) != 0)
		i++;
	return i < AN_BYS ? (enum an_data_by)i : AN_BY_SITE;
}

static bool is_option_yes(const struct an_env *env, const char *option_key)
{
	const char *value = env->option(env->host, option_key);

	return value != NULL && strcmp(value, "yes") == 0;
}

/* Return the number that an option is set to, UINT32_MAX if the number is
   greater; @default_value if the option is not given. */
static uint32_t read_number_option(const struct an_env *env,
				   const char *option_key,
				   uint32_t default_value)
{
	const char *value = env->option(env->host, option_key);
	unsigned long number = value ? strtoul(value, NULL, 10) : default_value;

	return number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
}

static void read_data_options(struct an_data_options *o,
			      const struct an_env *env)
{
	*o = (struct an_data_options){
		.by = parse_grouping_or_default_site(
			env->option(env->host, "by")),
		.has_accesses = is_option_yes(env, "accesses"),
		.has_fields = is_option_yes(env, "fields"),
		.depth = read_number_option(env, "depth", AN_MAX_SITE_DEPTH),
		.top = read_number_option(env, "top", 20),
	};
}

/* Let sites (call stacks) with callers of equal names share a group (data
   objects that are counted together), since they also share a row of the
   result. Do nothing with the option by=type, where the row follows from the
   type, and with by=kind, where all sites share one row. */
static void init_site_grouping_by_caller_names(struct an_sites *s,
					       const struct an_data_options *o,
					       const struct an_env *env)
{
	if (o->by == AN_BY_KIND || o->by == AN_BY_TYPE)
		return;
	s->has_one_caller = an_data_options_has_one_caller(o);
	s->names.env = env;
	s->names.has_lines = o->by != AN_BY_FUNCTION;
	s->names.depth = s->has_one_caller ? 1 : o->depth;
}

static uint32_t line_bytes_of_first_data_level(const struct an_geometry *g)
{
	return g->level[g->first_data].line;
}

static int data_init_from_options(void *state, const struct an_env *env)
{
	struct data *d = state;

	d->env = env;
	d->has_separate_l1 =
		an_hierarchy_has_separate_simulable_l1s(env->geometry);
	read_data_options(&d->options, env);
	d->owners.has_fields =
		d->options.has_fields || d->options.by == AN_BY_TYPE;
	init_site_grouping_by_caller_names(&d->owners.sites, &d->options, env);
	d->owners.has_single_blocks = d->options.by == AN_BY_OBJECT;
	d->cursor.counts_accesses = d->options.has_accesses;
	d->cursor.counts_fields = d->owners.has_fields;
	d->cursor.line_bytes = line_bytes_of_first_data_level(env->geometry);
	an_data_cursor_init(&d->cursor, &d->owners, env);
	return 0;
}

static int data_lazy_init_sim_add_block(void *state,
					const struct an_block *block)
{
	struct data *d = state;
	int err = 0;

	if (d->sim.hierarchy.geometry == NULL) {
		err = an_cachesim_init(&d->sim, d->env, d->n_partitions);
		an_cachesim_set_observer(
			&d->sim,
			&(struct an_miss_observer){
				.count_miss = count_miss_of_data_object,
				.count_write_back = count_write_back,
				.arg = d,
			});
	}
	return err ? err : an_cachesim_add_block(&d->sim, block);
}

static int data_store_block_plans_simulate_i1(void *state,
					      const struct an_batch *batch)
{
	return an_cachesim_store_plans_in_slot_run_i1(
		&((struct data *)state)->sim, batch);
}

/* Set the cursor to the first event and execution of a batch, or of a chunk
   (several batches). */
static void set_cursor_to_batch_start(struct data *d, const struct an_batch *b)
{
	an_data_cursor_begin_batch(&d->cursor, b,
				   d->sim.inflight[b->inflight_slot].plan);
}

static int data_run_batch_d1_or_all_if_shared_l1(void *state,
						 const struct an_batch *batch)
{
	struct data *d = state;
	bool counts_here = !d->has_separate_l1 && !batch->warm;
	int err = 0;

	if (counts_here)
		set_cursor_to_batch_start(d, batch);
	if (batch->n_execs > 0)
		err = an_cachesim_run_d1_or_all(&d->sim, batch);
	if (counts_here)
		an_data_cursor_end_batch(&d->cursor);
	return err ? err : an_data_cursor_error(&d->cursor);
}

static unsigned data_choose_partition_count(void *state,
					    unsigned max_partitions)
{
	struct data *d = state;

	d->n_partitions =
		an_hierarchy_max_partitions(d->env->geometry, max_partitions);
	return d->n_partitions;
}

static enum an_chunk_mode
data_begin_chunk_if_partitioned(void *state, const struct an_batch *chunk)
{
	struct an_cachesim *s = &((struct data *)state)->sim;

	return s->partitions.inflight ? an_scatter_begin_chunk(s, chunk)
				      : AN_CHUNK_CONTINUE;
}

static int data_list_line_uses_by_partition(void *state,
					    const struct an_batch *batch)
{
	return an_scatter_list_batch_uses(&((struct data *)state)->sim, batch);
}

static int data_simulate_d1_partition(void *state, const struct an_batch *chunk,
				      unsigned partition)
{
	struct an_cachesim *s = &((struct data *)state)->sim;

	return chunk->n_execs ? an_partition_simulate_chunk(s, chunk, partition)
			      : 0;
}

static int data_merge_partition_misses(void *state,
				       const struct an_batch *chunk)
{
	return chunk->n_execs == 0
		       ? 0
		       : an_partitions_merge_miss_lists(
				 &((struct data *)state)->sim, chunk);
}

static int data_run_lower_levels_apply_events(void *state,
					      const struct an_batch *chunk)
{
	struct data *d = state;
	int err;

	if (!d->has_separate_l1)
		return 0;
	set_cursor_to_batch_start(d, chunk);
	err = an_lower_levels_run_chunk_misses(&d->sim, chunk);
	an_data_cursor_end_batch(&d->cursor);
	return err ? err : an_data_cursor_error(&d->cursor);
}

static int data_build_rows_free_simulation(void *state)
{
	struct data *d = state;
	int err;

	an_data_cursor_add_pending_to_objects(&d->cursor);
	err = an_data_rows_add_groups_of_owners(&d->rows, &d->owners, d->env,
						&d->options);

	if (an_hierarchy_ran_out_of_memory(&d->sim.hierarchy))
		err = -ENOMEM;
	an_cachesim_release(&d->sim);
	an_data_cursor_release(&d->cursor);
	an_owners_release(&d->owners);
	return err;
}

static int data_merge_rows(void *into, const void *from)
{
	return an_data_rows_merge(&((struct data *)into)->rows,
				  &((const struct data *)from)->rows);
}

static void data_add_result_to_model(const void *state, struct al_model *m)
{
	const struct data *d = state;

	an_data_rows_add_to_model(&d->rows, d->env->geometry, &d->options, m);
}

static void data_free_all_members(void *state)
{
	struct data *d = state;

	an_cachesim_release(&d->sim);
	an_data_cursor_release(&d->cursor);
	an_owners_release(&d->owners);
	an_data_rows_release(&d->rows);
}

static const struct an_option data_options[] = {
	{"accesses", "yes|no", "count all accesses, not only misses [no]"},
	{"fields", "yes|no", "divide data objects into their members [no]"},
	{"by", "site|line|function|kind|type|object",
	 "what shares a row [site]"},
	{"depth", "1-12", "callers of a site that distinguish rows [all]"},
	{"top", "1-1000000", "rows of the text report [20]"},
	{NULL, NULL, NULL},
};

extern const struct an_class an_data;

const struct an_class an_data = {
	.name = "data",
	.summary = "simulate a cache hierarchy; which data misses",
	.options = data_options,
	.needs = PT_FIELD_ACCESSES | PT_FIELD_ADDRESSES | PT_FIELD_DATA,
	.needs_names = true,
	.uses_caches = true,
	.accepts_warmup = true,
	.state_size = sizeof(struct data),
	.open = data_init_from_options,
	.block = data_lazy_init_sim_add_block,
	.prepare = data_store_block_plans_simulate_i1,
	.batch = data_run_batch_d1_or_all_if_shared_l1,
	.init_partitions = data_choose_partition_count,
	.begin_chunk = data_begin_chunk_if_partitioned,
	.scatter = data_list_line_uses_by_partition,
	.run_partition = data_simulate_d1_partition,
	.gather = data_merge_partition_misses,
	.tail = data_run_lower_levels_apply_events,
	.finish = data_build_rows_free_simulation,
	.merge = data_merge_rows,
	.result = data_add_result_to_model,
	.close = data_free_all_members,
};

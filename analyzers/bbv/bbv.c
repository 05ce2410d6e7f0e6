/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bbv.c - the analysis that writes basic-block vectors
 *
 * An execution increases the count of the exit by which it left its block; the
 * vector follows from these counts at the end of the interval.
 */
#include "analyzers/bbv/bbv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/array.h"

static const uint64_t default_interval = 100000000; /* exp-bbv's */

static int bbv_parse_options(void *state, const struct an_env *env)
{
	struct an_bbv *s = state;
	const char *interval = env->option(env->host, "interval");
	const char *memory = env->option(env->host, "memory");

	s->env = s->output.env = env;
	s->interval =
		interval ? strtoull(interval, NULL, 10) : default_interval;
	if (s->interval == 0)
		s->interval = UINT64_MAX;
	s->has_lines = memory && strcmp(memory, "yes") == 0;
	return 0;
}

/* Append the exits of a block, with counts of 0. Return: 0 or -ENOMEM. */
static int append_exits(struct an_bbv *s, const struct an_block *block)
{
	if (al_array_reserve(s->exit, s->max_exits,
			     s->n_exits + block->n_exits) != 0)
		return -ENOMEM;
	for (unsigned i = 0; i < block->n_exits; i++)
		s->exit[s->n_exits++] = (struct an_exit_count){
			.block = block->id,
			.n_instrs = block->exit[i].n_instrs,
		};
	return al_array_reserve(s->used, s->max_used, s->n_exits);
}

static int bbv_add_block(void *state, const struct an_block *block)
{
	struct an_bbv *s = state;
	struct an_bbv_block *b;
	int err;

	if (al_array_reserve(s->block, s->max_blocks, s->n_blocks + 1) != 0 ||
	    al_array_reserve(s->source, s->max_sources, s->n_blocks + 1) != 0)
		return -ENOMEM;
	s->source[s->n_blocks] = block;
	b = &s->block[s->n_blocks++];
	b->first_exit = s->n_exits;
	err = an_basic_blocks_add_parts_of_block(&s->blocks, block, b);
	return err ? err : append_exits(s, block);
}

/* Count an execution in the current interval. Return: whether the interval has
   all its instructions. */
static inline bool count_execution_is_interval_full(struct an_bbv *s,
						    struct an_exec e)
{
	size_t i = s->block[e.block].first_exit + an_exec_exit_number(e);

	if (s->exit[i].count++ == 0)
		s->used[s->n_used++] = (uint32_t)i;
	s->instrs += s->exit[i].n_instrs;
	return s->instrs >= s->interval;
}

static int bbv_count_batch(void *state, const struct an_batch *batch)
{
	struct an_bbv *s = state;
	int err = 0;

	for (size_t i = 0; i < batch->n_execs && !err; i++) {
		struct an_exec e = batch->exec[i];

		if (s->has_lines)
			err = an_touched_lines_count_accesses(
				&s->lines, s->source[e.block], batch, e);
		if (count_execution_is_interval_full(s, e) && !err)
			err = an_bbv_write_and_end_interval(s);
	}
	return err;
}

static void free_all(void *state)
{
	struct an_bbv *s = state;

	an_basic_blocks_release(&s->blocks);
	an_touched_lines_release(&s->lines);
	free(s->block);
	free(s->source);
	free(s->exit);
	free(s->used);
	free(s->sum);
	s->block = NULL;
	s->source = NULL;
	s->exit = NULL;
	s->used = NULL;
	s->sum = NULL;
}

static int bbv_write_rest_and_block_list_free_all(void *state)
{
	struct an_bbv *s = state;
	int err = s->n_used > 0 ? an_bbv_write_and_end_interval(s) : 0;

	if (!err)
		err = an_bbv_write_list_of_basic_blocks(s);
	s->n_basic_blocks = s->blocks.n_numbered;
	free_all(s);
	return err;
}

static int bbv_merge_totals(void *into, const void *from)
{
	struct an_bbv *to = into;
	const struct an_bbv *s = from;

	to->n_intervals += s->n_intervals;
	to->n_instrs += s->n_instrs;
	to->n_basic_blocks += s->n_basic_blocks;
	return 0;
}

static void bbv_add_result_to_model(const void *state, struct al_model *m)
{
	const struct an_bbv *s = state;

	m->title = "Basic-block vectors";
	al_model_add_number(m, "intervals", NULL, NULL, s->n_intervals);
	al_model_add_number(m, "instructions", NULL, NULL, s->n_instrs);
	al_model_add_number(m, "blocks", "basic blocks", NULL,
			    s->n_basic_blocks);
}

/* Return the record fields that an option needs: accesses and their addresses
   for memory=yes, else 0. */
static uint32_t bbv_record_fields_of_memory_option(const char *key,
						   const char *value)
{
	if (strcmp(key, "memory") == 0 && strcmp(value, "yes") == 0)
		return PT_FIELD_ACCESSES | PT_FIELD_ADDRESSES;
	return 0;
}

static const struct an_option options[] = {
	{"interval", "N", "instructions of an interval [100000000]; 0: all"},
	{"memory", "yes|no", "also write the lines that each accessed [no]"},
	{"file", "PATH", "where to [standard output]; %n: process number"},
	{NULL, NULL, NULL},
};

extern const struct an_class an_bbv;

const struct an_class an_bbv = {
	.name = "bbv",
	.summary = "write basic-block vectors, as exp-bbv does",
	.options = options,
	.option_needs = bbv_record_fields_of_memory_option,
	.needs_names = true,
	.prints_output = true,
	.state_size = sizeof(struct an_bbv),
	.open = bbv_parse_options,
	.block = bbv_add_block,
	.batch = bbv_count_batch,
	.finish = bbv_write_rest_and_block_list_free_all,
	.merge = bbv_merge_totals,
	.result = bbv_add_result_to_model,
	.close = free_all,
};

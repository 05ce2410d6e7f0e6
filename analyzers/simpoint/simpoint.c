/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * simpoint.c - the analysis that compares a run with its chosen intervals
 *
 * With truth=yes and without `warmup`, one simulation of the whole run counts
 * both. Otherwise the intervals have caches of their own, which are emptied
 * before the warm-up of an interval, unless it reaches back to the end of the
 * interval before, or further.
 */
#include "analyzers/simpoint/simpoint.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static uint64_t number_option_or_0(const struct an_env *env, const char *key)
{
	const char *value = env->option(env->host, key);

	return value ? strtoull(value, NULL, 10) : 0;
}

static int simpoint_parse_options(void *state, const struct an_env *env)
{
	struct an_simpoint *s = state;
	const char *points = env->option(env->host, "points");
	const char *truth = env->option(env->host, "truth");

	s->env = env;
	s->interval = number_option_or_0(env, "interval");
	s->run_instrs = number_option_or_0(env, "run");
	s->warmup = number_option_or_0(env, "warmup");
	s->has_truth = !truth || strcmp(truth, "no") != 0;
	s->has_own_caches = !s->has_truth || env->option(env->host, "warmup");
	return points ? an_sample_points_parse(points, &s->point, &s->n_points)
		      : -EINVAL;
}

static int simpoint_init_once_add_block(void *state,
					const struct an_block *block)
{
	struct an_simpoint *s = state;
	int err = 0;

	if (s->has_truth && s->blocks.n == 0)
		err = an_event_caches_release_and_init(&s->of_run,
						       s->env->geometry);
	return err ? err : an_block_list_append(&s->blocks, block);
}

static void add_counts(struct an_event_counts *to,
		       const struct an_event_counts *n)
{
	for (int i = 0; i < AN_EVENTS; i++)
		to->n[i] += n->n[i];
}

/* Simulate an execution for the intervals alone, if it is of the next interval
   or its warm-up. Return: 0 or -ENOMEM. */
static int simulate_exec_if_in_point_or_warmup(struct an_simpoint *s,
					       const struct an_block *b,
					       const struct an_batch *batch,
					       struct an_exec e)
{
	struct an_sample_point *p = &s->point[s->next_point];
	bool is_sampled = s->next_point < s->n_points &&
			  s->instrs + s->warmup >= p->start;
	struct an_event_counts unused = {{0}};
	int err = 0;

	if (is_sampled && !s->is_sampling)
		err = an_event_caches_release_and_init(&s->of_points,
						       s->env->geometry);
	s->is_sampling = is_sampled;
	if (is_sampled && !err)
		an_event_caches_simulate_add_counts(
			&s->of_points, b, batch, e,
			s->instrs >= p->start ? &p->counts : &unused);
	return err;
}

/* Simulate an execution for the whole run. Without own caches of the intervals
   its events count for the interval that it is in, too. */
static void simulate_exec_for_whole_run(struct an_simpoint *s,
					const struct an_block *b,
					const struct an_batch *batch,
					struct an_exec e)
{
	struct an_event_counts counts = {{0}};

	an_event_caches_simulate_add_counts(&s->of_run, b, batch, e, &counts);
	add_counts(&s->total, &counts);
	if (!s->has_own_caches && s->next_point < s->n_points &&
	    s->instrs >= s->point[s->next_point].start)
		add_counts(&s->point[s->next_point].counts, &counts);
}

static int simulate_exec_advance_sample_point_index(
	struct an_simpoint *s, const struct an_batch *batch, struct an_exec e)
{
	const struct an_block *b = s->blocks.block[e.block];
	const struct an_sample_point *p;
	int err = 0;

	if (s->has_own_caches)
		err = simulate_exec_if_in_point_or_warmup(s, b, batch, e);
	if (s->has_truth)
		simulate_exec_for_whole_run(s, b, batch, e);
	s->instrs += b->exit[an_exec_exit_number(e)].n_instrs;
	p = &s->point[s->next_point];
	if (s->next_point < s->n_points && s->instrs >= p->start + p->length)
		s->next_point++;
	return err;
}

static int simpoint_simulate_batch(void *state, const struct an_batch *batch)
{
	struct an_simpoint *s = state;
	int err = 0;

	for (size_t i = 0; i < batch->n_execs && !err; i++)
		err = simulate_exec_advance_sample_point_index(s, batch,
							       batch->exec[i]);
	return err;
}

static int simpoint_check_memory_free_caches(void *state)
{
	struct an_simpoint *s = state;
	bool failed = an_event_caches_ran_out_of_memory(&s->of_run) ||
		      an_event_caches_ran_out_of_memory(&s->of_points);

	an_event_caches_release(&s->of_run);
	an_event_caches_release(&s->of_points);
	an_block_list_free_array(&s->blocks);
	if (failed)
		return -ENOMEM;
	return 0;
}

/* Copy the result of @from if @into has none. If both have executions, there is
   no result: the intervals are of one exec image only. */
static int simpoint_copy_or_mark_as_merged(void *into, const void *from)
{
	struct an_simpoint *s = into;
	const struct an_simpoint *other = from;

	if (s->instrs == 0 && !s->is_merged) {
		memcpy(s->total.n, other->total.n, sizeof(s->total.n));
		for (size_t i = 0; i < s->n_points && i < other->n_points; i++)
			s->point[i] = other->point[i];
		s->instrs = other->instrs;
		s->next_point = other->next_point;
		s->is_merged = other->is_merged;
	} else if (other->instrs != 0) {
		s->is_merged = true;
	}
	return 0;
}

static void simpoint_free_all(void *state)
{
	struct an_simpoint *s = state;

	an_event_caches_release(&s->of_run);
	an_event_caches_release(&s->of_points);
	an_block_list_free_array(&s->blocks);
	free(s->point);
	s->point = NULL;
}

static const struct an_option options[] = {
	{"points", "LIST", "intervals, as replay --simpoint=NAME reads them"},
	{"interval", "N", "their requested length in instructions"},
	{"run", "N", "instructions of the run that they were chosen of"},
	{"warmup", "N", "simulate them apart, after N instructions of warm-up"},
	{"truth", "yes|no", "simulate the whole run as well [yes]"},
	{NULL, NULL, NULL},
};

extern const struct an_class an_simpoint;

const struct an_class an_simpoint = {
	.name = "simpoint",
	.summary = "estimate totals from intervals: replay --simpoint",
	.options = options,
	.command = "alleria replay --simpoint=NAME",
	.needs = PT_FIELD_ACCESSES | PT_FIELD_ADDRESSES,
	.uses_caches = true,
	.state_size = sizeof(struct an_simpoint),
	.open = simpoint_parse_options,
	.block = simpoint_init_once_add_block,
	.batch = simpoint_simulate_batch,
	.finish = simpoint_check_memory_free_caches,
	.merge = simpoint_copy_or_mark_as_merged,
	.result = an_simpoint_add_result_to_model,
	.close = simpoint_free_all,
};

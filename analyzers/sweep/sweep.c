/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sweep.c - implements the analysis "sweep"
 *
 * The counts of each cache equal those of the analysis "cache" with this cache
 * in place of the swept level. Levels below are not simulated.
 */

#include <errno.h>
#include <stdlib.h>

#include "analyzers/result_table.h"
#include "analyzers/sweep/sweep_report.h"

struct sweep {
	const struct an_env *env;
	struct an_line_size *line; /* [n_lines] caches of one line size each */
	unsigned n_lines;
	struct an_sweepcount *count; /* [sweep->n] by shape, set by finish() */
};

static const struct an_sweep *get_configured_sweep(const struct sweep *s)
{
	return s->env->geometry->sweep;
}

static int sweep_set_env_and_allocate_counts(void *state,
					     const struct an_env *env)
{
	struct sweep *s = state;

	s->env = env;
	s->count = calloc(get_configured_sweep(s)->n, sizeof(*s->count));
	return s->count ? 0 : -ENOMEM;
}

static int compare_shapes_line_sets_assoc(const void *x, const void *y)
{
	const struct an_shape *a = *(const struct an_shape *const *)x;
	const struct an_shape *b = *(const struct an_shape *const *)y;

	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	if (a->sets != b->sets)
		return a->sets < b->sets ? -1 : 1;
	return (a->assoc > b->assoc) - (a->assoc < b->assoc);
}

/* Return how many of the first of @n sorted shapes have the line size of
   shape[0]. */
static unsigned
count_leading_equal_line_sizes(const struct an_shape *const *shape, unsigned n)
{
	unsigned i = 1;

	while (i < n && shape[i]->line == shape[0]->line)
		i++;
	return i;
}

static int init_line_sizes_of_shapes(struct sweep *s,
				     const struct an_shape *const *shape,
				     unsigned n_shapes)
{
	int err = 0;

	for (unsigned i = 0; i < n_shapes;
	     i += count_leading_equal_line_sizes(shape + i, n_shapes - i))
		s->n_lines++;
	s->line = calloc(s->n_lines, sizeof(*s->line));
	if (s->line == NULL) {
		s->n_lines = 0;
		return -ENOMEM;
	}
	for (unsigned i = 0; i < s->n_lines && !err; i++) {
		unsigned n_same =
			count_leading_equal_line_sizes(shape, n_shapes);

		err = an_line_size_create_caches_of_shapes(
			&s->line[i], s->env->geometry, shape, n_same);
		shape += n_same;
		n_shapes -= n_same;
	}
	return err;
}

/* Create the caches of all line sizes. Called with the first block, so that a
   state into which only the results of other states are merged has no
   caches. */
static int create_caches_of_all_line_sizes(struct sweep *s)
{
	const struct an_sweep *sweep = get_configured_sweep(s);
	const struct an_shape **shape = malloc(sweep->n * sizeof(*shape));
	int err;

	if (shape == NULL)
		return -ENOMEM;
	for (unsigned i = 0; i < sweep->n; i++)
		shape[i] = &sweep->shape[i];
	qsort(shape, sweep->n, sizeof(*shape), compare_shapes_line_sets_assoc);
	err = init_line_sizes_of_shapes(s, shape, sweep->n);
	free(shape);
	return err;
}

static int sweep_lazy_init_and_add_block(void *state,
					 const struct an_block *block)
{
	struct sweep *s = state;
	int err = s->line ? 0 : create_caches_of_all_line_sizes(s);

	for (unsigned i = 0; i < s->n_lines && !err; i++)
		err = an_line_size_add_plan_of_block(&s->line[i], block);
	return err;
}

static int sweep_simulate_batch(void *state, const struct an_batch *batch)
{
	struct sweep *s = state;
	int err = 0;

	for (unsigned i = 0; i < s->n_lines && !err; i++)
		err = an_line_size_simulate_batch(&s->line[i], batch);
	return err;
}

static void free_caches_of_all_line_sizes(struct sweep *s)
{
	for (unsigned i = 0; i < s->n_lines; i++)
		an_line_size_release_caches(&s->line[i]);
	free(s->line);
	s->line = NULL;
	s->n_lines = 0;
}

static int sweep_collect_counts_free_caches(void *state)
{
	struct sweep *s = state;
	const struct an_sweep *sweep = get_configured_sweep(s);
	bool failed = false;

	for (unsigned i = 0; i < s->n_lines; i++)
		failed |= an_hierarchy_ran_out_of_memory(
			&s->line[i].upper_levels);
	for (unsigned i = 0; i < s->n_lines; i++)
		for (unsigned k = 0; k < sweep->n; k++)
			if (sweep->shape[k].line == s->line[i].size)
				s->count[k] =
					an_line_size_count_accesses_and_misses(
						&s->line[i], &sweep->shape[k]);
	free_caches_of_all_line_sizes(s);
	return failed ? -ENOMEM : 0;
}

static int add_counts_of_other_sweep(void *into, const void *from)
{
	struct sweep *s = into;
	const struct sweep *source = from;

	for (unsigned i = 0; i < get_configured_sweep(s)->n; i++)
		for (int kind = 0; kind < 2; kind++) {
			s->count[i].accesses[kind] +=
				source->count[i].accesses[kind];
			s->count[i].misses[kind] +=
				source->count[i].misses[kind];
		}
	return 0;
}

static void sweep_add_result_to_model(const void *state, struct al_model *m)
{
	const struct sweep *s = state;

	an_sweep_add_to_model(s->env->geometry, s->count, m);
}

static int sweep_write_csv_if_requested(const void *state)
{
	return an_result_write_csv_if_requested(
		((const struct sweep *)state)->env, state,
		sweep_add_result_to_model, "configurations");
}

static void free_caches_and_counts(void *state)
{
	struct sweep *s = state;

	free_caches_of_all_line_sizes(s);
	free(s->count);
}

static const struct an_option options[] = {
	{"file", "PATH", "the table as comma-separated values"},
	{NULL, NULL, NULL},
};

extern const struct an_class an_sweep;

const struct an_class an_sweep = {
	.name = "sweep",
	.summary = "simulate every cache of a file's sweep",
	.options = options,
	.needs = PT_FIELD_ACCESSES | PT_FIELD_ADDRESSES,
	.uses_caches = true,
	.uses_sweeps = true,
	.accepts_warmup = true,
	.state_size = sizeof(struct sweep),
	.open = sweep_set_env_and_allocate_counts,
	.block = sweep_lazy_init_and_add_block,
	.batch = sweep_simulate_batch,
	.finish = sweep_collect_counts_free_caches,
	.merge = add_counts_of_other_sweep,
	.result = sweep_add_result_to_model,
	.save = sweep_write_csv_if_requested,
	.close = free_caches_and_counts,
};

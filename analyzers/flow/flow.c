/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * flow.c - the flow analysis: branches, their targets and counts
 */
#include "analyzers/flow/flow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyzers/result_table.h"
#include "base/tables/array.h"

static bool is_option_equal_to(const struct an_env *env, const char *key,
			       const char *expected_value)
{
	const char *v = env->option(env->host, key);

	return v != NULL && strcmp(v, expected_value) == 0;
}

static int flow_init_prism_events_or_drawing(void *state,
					     const struct an_env *env)
{
	struct an_flow *f = state;

	f->env = env;
	if (is_option_equal_to(env, "format", "prism"))
		return an_prism_alloc_state(f);
	f->writes_csv = env->option(env->host, "table") != NULL &&
			env->option(env->host, "format") == NULL;
	f->drawn_function = env->option(env->host, "function");
	if (f->drawn_function == NULL && !f->writes_csv &&
	    (env->option(env->host, "format") != NULL ||
	     env->option(env->host, "file") != NULL))
		f->drawn_function = "main";
	return 0;
}

/* Whether exit @exit ends with an indirect branch, a return or a system call,
   not with a signal: only the thread's next execution shows its target. */
static bool is_exit_by_indirect_branch_not_signal(const struct an_flow *f,
						  const struct an_flow_block *b,
						  const struct pt_exit *exit)
{
	return exit->n_instrs > 0 && exit->jump != PT_JUMP_SIGNAL &&
	       f->code.node[b->node[exit->n_instrs - 1]].is_indirect;
}

static void mark_exits_by_indirect_branch(const struct an_flow *f,
					  struct an_flow_block *b)
{
	const struct an_block *block = b->block;
	unsigned n = 0;

	for (unsigned e = 0; e < block->n_exits; e++)
		b->is_followed[e] = is_exit_by_indirect_branch_not_signal(
			f, b, &block->exit[e]);
	while (n < block->n_exits && !b->is_followed[n])
		n++;
	b->first_followed = (uint16_t)n;
}

static int flow_add_block(void *state, const struct an_block *block)
{
	struct an_flow *f = state;
	struct an_flow_block *b;
	int err;

	if (al_array_reserve(f->block, f->max_blocks, f->n_blocks + 1) != 0)
		return -ENOMEM;
	b = &f->block[f->n_blocks++];
	b->block = block;
	b->node = an_arena_alloc(&f->arena,
				 (block->n_instrs + 1u) * sizeof(*b->node));
	b->is_followed = an_arena_alloc(
		&f->arena, (block->n_exits + 1u) * sizeof(*b->is_followed));
	if (b->node == NULL || b->is_followed == NULL)
		return -ENOMEM;
	err = an_code_map_add_block(&f->code, block, b->node);
	if (err)
		return err;
	b->first_node = block->n_instrs > 0 ? b->node[0] : AN_FLOW_NO_NODE;
	mark_exits_by_indirect_branch(f, b);
	return 0;
}

static int flow_count_targets_and_write_prism(void *state,
					      const struct an_batch *batch)
{
	struct an_flow *f = state;
	int err = an_flow_add_batch_to_target_counts(f, batch);

	return err || f->prism == NULL
		       ? err
		       : an_prism_write_events_of_batch(f, batch);
}

static void free_targets_code_map_and_blocks(struct an_flow *f)
{
	an_flow_targets_release(&f->targets);
	an_code_map_release(&f->code);
	an_arena_free_all_and_reset(&f->arena);
	free(f->block);
	f->block = NULL;
	f->n_blocks = f->max_blocks = 0;
}

static int flow_build_graph_and_free_code(void *state)
{
	struct an_flow *f = state;
	int err = an_flow_add_all_edges_to_graph(f),
	    closed = an_prism_flush_and_free(f);

	free_targets_code_map_and_blocks(f);
	return err ? err : closed;
}

static int flow_merge_graphs(void *into, const void *from)
{
	return an_flow_graph_merge(&((struct an_flow *)into)->graph,
				   &((const struct an_flow *)from)->graph);
}

static int flow_write_csv_or_dot_if_requested(const void *state)
{
	const struct an_flow *f = state;

	if (f->writes_csv)
		return an_result_write_csv_if_requested(
			f->env, f, an_flow_add_result_to_model, "edges");
	return f->drawn_function ? an_flow_write_dot_of_drawn_function(f) : 0;
}

static void flow_close_prism_and_free_all(void *state)
{
	struct an_flow *f = state;

	an_prism_flush_and_free(f);
	free_targets_code_map_and_blocks(f);
	an_flow_graph_release(&f->graph);
}

/* Return the record fields that an option needs: accesses and their addresses
   for format=prism, else 0. */
static uint32_t flow_record_fields_needed_by_option(const char *key,
						    const char *value)
{
	if (strcmp(key, "format") == 0 && strcmp(value, "prism") == 0)
		return PT_FIELD_ACCESSES | PT_FIELD_ADDRESSES;
	return 0;
}

static const struct an_option options[] = {
	{"format", "dot|prism", "a drawing of a function; all events as text"},
	{"function", "NAME", "the function that is drawn; default main"},
	{"table", "edges|functions|calls|branches|indirect",
	 "write this table as CSV"},
	{"file", "PATH", "write it there; default standard output"},
	{NULL, NULL, NULL},
};

extern const struct an_class an_flow;

const struct an_class an_flow = {
	.name = "flow",
	.summary = "count branches and calls by source and target",
	.options = options,
	.option_needs = flow_record_fields_needed_by_option,
	.needs_names = true,
	.state_size = sizeof(struct an_flow),
	.open = flow_init_prism_events_or_drawing,
	.block = flow_add_block,
	.batch = flow_count_targets_and_write_prism,
	.finish = flow_build_graph_and_free_code,
	.merge = flow_merge_graphs,
	.result = an_flow_add_result_to_model,
	.save = flow_write_csv_or_dot_if_requested,
	.close = flow_close_prism_and_free_all,
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * flow.c - the flow analysis: branches, their targets and counts
 */
#include "analyzers/flow/flow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/array.h"

static bool has_option(const struct an_env *env, const char *key,
		       const char *value)
{
	const char *v = env->option(env->host, key);

	return v != NULL && strcmp(v, value) == 0;
}

static int flow_open(void *state, const struct an_env *env)
{
	struct an_flow *f = state;

	f->env = env;
	if (has_option(env, "format", "prism"))
		return an_prism_open(f);
	f->drawn_function = env->option(env->host, "function");
	if (f->drawn_function == NULL &&
	    (env->option(env->host, "format") != NULL ||
	     env->option(env->host, "file") != NULL))
		f->drawn_function = "main";
	return 0;
}

/* Whether exit @exit ends with an indirect branch, a return or a system call,
   not with a signal: only the thread's next execution shows its target. */
static bool is_exit_by_indirect_branch(const struct an_flow *f,
				       const struct an_flow_block *b,
				       const struct pt_exit *x)
{
	return x->n_instrs > 0 && x->jump != PT_JUMP_SIGNAL &&
	       f->code.node[b->node[x->n_instrs - 1]].branch.is_indirect;
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
	for (unsigned e = 0; e < block->n_exits && !err; e++)
		b->is_followed[e] =
			is_exit_by_indirect_branch(f, b, &block->exit[e]);
	return err;
}

static int flow_batch(void *state, const struct an_batch *batch)
{
	struct an_flow *f = state;
	int err = an_flow_targets_run_batch(f, batch);

	return err || f->prism == NULL ? err : an_prism_run_batch(f, batch);
}

static void release_code(struct an_flow *f)
{
	an_flow_targets_release(&f->targets);
	an_code_map_release(&f->code);
	an_arena_free_all_and_reset(&f->arena);
	free(f->block);
	f->block = NULL;
	f->n_blocks = f->max_blocks = 0;
}

static int flow_finish(void *state)
{
	struct an_flow *f = state;
	int err = an_flow_add_edges(f), closed = an_prism_close(f);

	release_code(f);
	return err ? err : closed;
}

static int flow_merge(void *into, const void *from)
{
	return an_flow_graph_merge(&((struct an_flow *)into)->graph,
				   &((const struct an_flow *)from)->graph);
}

static int flow_save(const void *state)
{
	const struct an_flow *f = state;

	return f->drawn_function ? an_flow_write_dot(f) : 0;
}

static void flow_close(void *state)
{
	struct an_flow *f = state;

	an_prism_close(f);
	release_code(f);
	an_flow_graph_release(&f->graph);
}

/* Return the record fields that an option needs: accesses and their addresses
   for format=prism, else 0. */
static uint32_t flow_option_required_record_fields(const char *key,
						   const char *value)
{
	if (strcmp(key, "format") == 0 && strcmp(value, "prism") == 0)
		return PT_FIELD_ACCESSES | PT_FIELD_ADDRESSES;
	return 0;
}

static const struct an_option options[] = {
	{"format", "dot|prism", "a drawing of a function; all events as text"},
	{"function", "NAME", "the function that is drawn; default main"},
	{"file", "PATH", "write it there; default standard output"},
	{NULL, NULL, NULL},
};

extern const struct an_class an_flow;

const struct an_class an_flow = {
	.name = "flow",
	.summary = "count branches and calls by source and target",
	.options = options,
	.option_needs = flow_option_required_record_fields,
	.needs_names = true,
	.state_size = sizeof(struct an_flow),
	.open = flow_open,
	.block = flow_add_block,
	.batch = flow_batch,
	.finish = flow_finish,
	.merge = flow_merge,
	.result = an_flow_add_result_to_model,
	.save = flow_save,
	.close = flow_close,
};

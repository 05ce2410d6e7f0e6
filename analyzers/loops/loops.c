/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loops.c - the loops analysis: natural loops, iterations and strides */

#include "analyzers/loops/loops.h"

#include <errno.h>
#include <stdlib.h>

#include "base/tables/array.h"

static int loops_open(void *state, const struct an_env *env)
{
	struct an_loop_state *l = state;

	l->env = env;
	l->generation = 1;
	return 0;
}

static int init_block(struct an_loop_state *l, struct an_loop_block *b,
		      const struct an_block *block)
{
	size_t exits = block->n_exits;
	char *p = an_arena_alloc(&l->arena, exits * (sizeof(*b->edge) +
						     sizeof(*b->follower) +
						     sizeof(*b->is_seen)));

	b->block = block;
	b->node = an_arena_alloc(&l->arena,
				 (block->n_instrs + 1u) * sizeof(*b->node));
	if (p == NULL || b->node == NULL)
		return -ENOMEM;
	b->edge = (void *)p;
	b->follower = (void *)(p + exits * sizeof(*b->edge));
	b->is_seen = (void *)(b->follower + exits);
	for (size_t i = 0; i < exits; i++) {
		b->edge[i] = NULL;
		b->follower[i] = 0;
		b->is_seen[i] = false;
	}
	return an_code_map_add_block(&l->code, block, b->node);
}

/* Count the accesses of the instruction of node @node_index, and reserve
   adjacent entries of l->strides for them. Return: 0 or -ENOMEM. */
static int init_node(struct an_loop_state *l, uint32_t node)
{
	const struct an_instr_node *in = &l->code.node[node];
	struct an_loop_node *n = &l->node[node];

	n->accesses = (uint32_t)l->n_strides;
	for (unsigned i = 0; i < in->block->n_accesses; i++)
		n->n_accesses += in->block->access[i].instr == in->instr;
	l->n_strides += n->n_accesses;
	return al_array_reserve_zeroed(l->strides, l->max_strides,
				       l->n_strides);
}

static int loops_add_block(void *state, const struct an_block *block)
{
	struct an_loop_state *l = state;
	uint32_t known = l->code.versions.n;
	int err = al_array_reserve_zeroed(l->block, l->max_blocks,
					  l->n_blocks + 1);

	if (!err)
		err = init_block(l, &l->block[l->n_blocks++], block);
	if (!err)
		err = al_array_reserve_zeroed(l->node, l->max_nodes,
					      l->code.versions.n + 1u);
	for (; known < l->code.versions.n && !err; known++)
		err = init_node(l, known);
	return err;
}

static int loops_batch(void *state, const struct an_batch *batch)
{
	return an_loops_run_batch(state, batch);
}

static void release_code(struct an_loop_state *l)
{
	for (size_t i = 0; i < l->n_threads; i++) {
		free(l->thread[i].frame);
		free(l->thread[i].run);
	}
	for (size_t i = 0; i < l->n_blocks; i++)
		free(l->block[i].event);
	free(l->thread);
	free(l->block);
	free(l->node);
	free(l->edge);
	free(l->loop);
	free(l->strides);
	free(l->found);
	al_key_table_release(&l->edge_numbers);
	an_code_map_release(&l->code);
	an_arena_free_all_and_reset(&l->arena);
	*l = (struct an_loop_state){.env = l->env, .rows = l->rows};
}

static int loops_finish(void *state)
{
	struct an_loop_state *l = state;
	int err;

	an_loops_end_runs_reset_threads(l);
	err = an_loops_make_rows(l);
	release_code(l);
	return err;
}

static int loops_merge(void *into, const void *from)
{
	return an_loop_rows_merge(&((struct an_loop_state *)into)->rows,
				  &((const struct an_loop_state *)from)->rows);
}

static void loops_close(void *state)
{
	struct an_loop_state *l = state;

	release_code(l);
	an_loop_rows_release(&l->rows);
}

extern const struct an_class an_loops;

const struct an_class an_loops = {
	.name = "loops",
	.summary = "count iterations of loops and strides of accesses",
	.needs = PT_FIELD_ACCESSES | PT_FIELD_ADDRESSES,
	.needs_names = true,
	.state_size = sizeof(struct an_loop_state),
	.open = loops_open,
	.block = loops_add_block,
	.batch = loops_batch,
	.finish = loops_finish,
	.merge = loops_merge,
	.result = an_loops_add_result_to_model,
	.close = loops_close,
};

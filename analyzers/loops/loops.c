/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loops.c - the loops analysis: natural loops, iterations and strides */

#include "analyzers/loops/loops.h"

#include <errno.h>
#include <stdlib.h>

#include "analyzers/result_table.h"
#include "base/tables/array.h"

static int loops_init_env_option_and_generation(void *state,
						const struct an_env *env)
{
	struct an_loop_state *l = state;

	l->env = env;
	l->generation = 1;
	l->of = env->option(env->host, "of");
	if (an_loops_list_chosen_functions(l) != 0)
		return -ENOMEM;
	return al_array_reserve_zeroed(l->back_count, l->max_back, 1);
}

static int alloc_block_arrays_and_number_instrs(struct an_loop_state *l,
						struct an_loop_block *block_out,
						const struct an_block *block)
{
	size_t exits = block->n_exits * sizeof(*block_out->exit);
	char *p = an_arena_alloc(&l->arena,
				 exits + (block->n_instrs + 1u) *
						 sizeof(*block_out->node));

	if (p == NULL)
		return -ENOMEM;
	*block_out = (struct an_loop_block){
		.block = block, .exit = (void *)p, .node = (void *)(p + exits)};
	for (size_t i = 0; i < block->n_exits; i++)
		block_out->exit[i] = (struct an_loop_exit){
			.n_instrs = block->exit[i].n_instrs};
	return an_code_map_add_block(&l->code, block, block_out->node);
}

static void init_instr_node_and_count_its_accesses(struct an_loop_state *l,
						   uint32_t node_index)
{
	const struct an_instr_node *in = &l->code.node[node_index];

	l->node[node_index] = (struct an_loop_node){0};
	for (unsigned i = 0; i < in->block->n_accesses; i++)
		l->node[node_index].n_accesses +=
			in->block->access[i].instr == in->instr;
}

static int loops_add_block(void *state, const struct an_block *block)
{
	struct an_loop_state *l = state;
	uint32_t known = l->code.n_nodes;
	int err = al_array_reserve(l->block, l->max_blocks, l->n_blocks + 1);

	if (!err) {
		l->block[l->n_blocks] = (struct an_loop_block){0};
		err = alloc_block_arrays_and_number_instrs(
			l, &l->block[l->n_blocks++], block);
	}
	if (!err)
		err = al_array_reserve(l->node, l->max_nodes,
				       l->code.n_nodes + 1u);
	if (!err && l->of != NULL && l->code.n_nodes >> AN_SHADOW_NODE_BITS)
		err = -EOVERFLOW;
	for (; known < l->code.n_nodes && !err; known++)
		init_instr_node_and_count_its_accesses(l, known);
	return err;
}

static int loops_follow_batch_executions(void *state,
					 const struct an_batch *batch)
{
	return an_loops_follow_batch(state, batch);
}

/* Count the strides and dependences of the accesses that batch() has listed,
   and free what only these lists needed. */
static int loops_count_strides_and_dependences(void *state,
					       const struct an_batch *chunk)
{
	struct an_loop_state *l = state;
	struct an_loop_inflight *in = &l->inflight[chunk->inflight_slot];
	int err = 0;

	if (l->of != NULL)
		err = an_dependences_count_of_access_groups(&l->dependences, in,
							    chunk->slots);
	else
		err = an_loops_count_strides_of_groups(in, chunk->slots,
						       &l->dependences.lanes);
	an_loops_free_deferred_access_lists(in);
	return err;
}

static void free_all_but_env_chosen_and_result_rows(struct an_loop_state *l)
{
	for (size_t i = 0; i < l->n_threads; i++) {
		free(l->thread[i].run);
		free(l->thread[i].frame);
	}
	for (size_t i = 0; i < l->n_blocks; i++) {
		free(l->block[i].event);
		free(l->block[i].list);
	}
	for (size_t i = 0; i < AN_INFLIGHT_SLOTS; i++) {
		an_loops_free_deferred_access_lists(&l->inflight[i]);
		free(l->inflight[i].group);
	}
	for (size_t i = 0; i < l->n_loops; i++)
		free(l->loop[i].lanes.more);
	an_dependences_release(&l->dependences);
	free(l->listed);
	free(l->listed_place);
	free(l->thread);
	free(l->block);
	free(l->node);
	free(l->edge);
	free(l->loop);
	free(l->found);
	free(l->back_count);
	free(l->repetitions);
	free(l->position);
	al_index_table_release(&l->edges_by_ends);
	an_code_map_release(&l->code);
	an_arena_free_all_and_reset(&l->arena);
	an_arena_free_all_and_reset(&l->stride_arena);
	*l = (struct an_loop_state){.env = l->env,
				    .of = l->of,
				    .chosen = l->chosen,
				    .n_chosen = l->n_chosen,
				    .rows = l->rows};
}

static int loops_make_rows_and_free_code(void *state)
{
	struct an_loop_state *l = state;
	int err;

	an_loops_end_runs_and_reset_threads(l);
	an_dependences_free_threads(&l->dependences);
	err = an_loops_make_row_of_each_loop(l);
	an_loops_match_chosen_functions(l);
	free_all_but_env_chosen_and_result_rows(l);
	return err;
}

static int loops_merge_rows(void *into, const void *from)
{
	an_loops_merge_chosen_functions(into, from);
	return an_loop_rows_merge(&((struct an_loop_state *)into)->rows,
				  &((const struct an_loop_state *)from)->rows);
}

static int loops_write_csv_if_requested(const void *state)
{
	return an_result_write_csv_if_requested(
		((const struct an_loop_state *)state)->env, state,
		an_loops_add_csv_tables_to_model, "loops");
}

static void loops_free_code_and_rows(void *state)
{
	struct an_loop_state *l = state;

	free_all_but_env_chosen_and_result_rows(l);
	free(l->chosen);
	l->chosen = NULL;
	l->n_chosen = 0;
	an_loop_rows_release(&l->rows);
}

static const struct an_option loops_options[] = {
	{"of", "FUNCTION", "dependences in its loops; F+G: of both; *: of all"},
	{"table", "loops|strides|dependences", "write this table as CSV"},
	{"file", "PATH", "write it there; default standard output"},
	{NULL, NULL, NULL},
};

extern const struct an_class an_loops;

const struct an_class an_loops = {
	.name = "loops",
	.summary = "count iterations of loops and strides of accesses",
	.options = loops_options,
	.needs = PT_FIELD_ACCESSES | PT_FIELD_ADDRESSES,
	.needs_names = true,
	.state_size = sizeof(struct an_loop_state),
	.open = loops_init_env_option_and_generation,
	.block = loops_add_block,
	.batch = loops_follow_batch_executions,
	.tail = loops_count_strides_and_dependences,
	.finish = loops_make_rows_and_free_code,
	.merge = loops_merge_rows,
	.result = an_loops_add_result_to_model,
	.save = loops_write_csv_if_requested,
	.close = loops_free_code_and_rows,
};

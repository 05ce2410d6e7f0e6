/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * callgrind.c - writes functions with callers, callees and inclusive costs
 *
 * The output is in Callgrind's format, for callgrind_annotate and KCachegrind.
 * Activations of a function that is on its thread's stack already are a
 * function of their own, with '2 appended to its name.
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyzers/callgraph/call_run.h"
#include "analyzers/callgraph/cost_rows.h"
#include "base/tables/array.h"

/* Costs of a block's instructions, without the functions that they call: [0] in
   frames that are no recursion, [1] in recursions. */
struct self_cost {
	uint64_t (*cost[2])[AN_N_EVENTS];
};

/* Calls, or jumps to another function or deliveries of signals, at one position
   in the code (of an instruction) that lead to another. */
struct call_arc {
	struct an_code_position call_site, target;
	uint32_t caller, callee;
	bool caller_is_recursive, callee_is_recursive;
	uint64_t calls;
	uint64_t cost[AN_N_EVENTS];
};

struct callgrind {
	const struct an_env *env;
	struct an_callrun run;
	struct self_cost *self_cost; /* [n_self] by block id: self costs of the
					block's instructions */
	size_t n_self;
	struct al_key_table index; /* assigns numbers to arcs */
	struct call_arc *call_arc;
	size_t n_arcs;
	struct an_callrows result;
};

static int add_cost_to_self_cost_sums_of_instr(void *owner,
					       const struct an_frame *f,
					       struct an_code_position position,
					       const uint64_t cost[AN_N_EVENTS])
{
	struct callgrind *c = owner;
	const struct an_block *b = position.block;
	struct self_cost *self_cost = &c->self_cost[b->id];
	uint64_t *sum;

	if (self_cost->cost[f->is_recursive] == NULL)
		self_cost->cost[f->is_recursive] =
			calloc(b->n_instrs, sizeof(*self_cost->cost[0]));
	if (self_cost->cost[f->is_recursive] == NULL)
		return -ENOMEM;
	sum = self_cost->cost[f->is_recursive][position.instr];
	for (int i = 0; i < AN_N_EVENTS; i++)
		sum[i] += cost[i];
	return 0;
}

static uint64_t pack_block_id_and_instr_index(struct an_code_position p)
{
	return (uint64_t)p.block->id << 16 | p.instr;
}

static int find_or_add_arc_and_count_call(void *owner,
					  const struct an_frame *caller_frame,
					  struct an_frame *frame,
					  struct an_code_position target)
{
	struct callgrind *c = owner;
	struct al_key key;
	struct call_arc *call_arc;
	int64_t i;

	if (caller_frame == NULL)
		return 0;
	key = (struct al_key){
		{pack_block_id_and_instr_index(frame->call_site),
		 pack_block_id_and_instr_index(target),
		 (uint64_t)caller_frame->function << 2 |
			 (uint64_t)caller_frame->is_recursive << 1 |
			 (uint64_t)frame->is_recursive}};
	i = al_key_table_find_or_add_index(&c->index, &key);
	if (i < 0 ||
	    al_array_reserve_zeroed(c->call_arc, c->n_arcs, c->index.n) != 0)
		return -ENOMEM;
	call_arc = &c->call_arc[i];
	call_arc->call_site = frame->call_site;
	call_arc->target = target;
	call_arc->caller = caller_frame->function;
	call_arc->callee = frame->function;
	call_arc->caller_is_recursive = caller_frame->is_recursive;
	call_arc->callee_is_recursive = frame->is_recursive;
	call_arc->calls++;
	frame->user_data = (uint32_t)i;
	return 0;
}

static void add_inclusive_cost_to_arc_unless_bottom(void *owner,
						    const struct an_thread *t,
						    const struct an_frame *f)
{
	struct callgrind *c = owner;

	for (int i = 0; t->n > 1 && i < AN_N_EVENTS; i++)
		c->call_arc[f->user_data].cost[i] +=
			t->cost[i] - f->cost_before[i];
}

static int callgrind_init_callbacks(void *state, const struct an_env *env)
{
	struct callgrind *c = state;

	c->env = env;
	c->run.add_cost = add_cost_to_self_cost_sums_of_instr;
	c->run.stacks = (struct an_call_stacks){
		.env = env,
		.owner = c,
		.on_push = find_or_add_arc_and_count_call,
		.on_pop = add_inclusive_cost_to_arc_unless_bottom,
	};
	return 0;
}

static int callgrind_add_block(void *state, const struct an_block *block)
{
	struct callgrind *c = state;

	if (al_array_reserve_zeroed(c->self_cost, c->n_self, block->id + 1u))
		return -ENOMEM;
	return an_callrun_lazy_init_add_block(&c->run, block);
}

static int callgrind_simulate_batch_add_costs(void *state,
					      const struct an_batch *batch)
{
	return an_callrun_simulate_batch_and_add_costs(
		&((struct callgrind *)state)->run, batch);
}

/* ---- the result ---- */
static struct an_call_function describe_call_function(const struct callgrind *c,
						      uint32_t function_number,
						      bool is_recursive)
{
	const struct an_function *function =
		&c->run.stacks.function[function_number];

	return (struct an_call_function){
		.object = function->object,
		.path = function->path,
		.name = function->name,
		.is_recursive = is_recursive,
	};
}

static int append_row_of_instr_self_cost(struct callgrind *c,
					 struct an_code_position position,
					 bool is_recursive)
{
	const struct an_block_functions *e =
		&c->run.stacks.block[position.block->id];
	const uint64_t *cost = c->self_cost[position.block->id]
				       .cost[is_recursive][position.instr];
	struct an_callrow row = {0};
	struct an_symbol s;

	if (cost[AN_IR] == 0)
		return 0;
	c->env->symbol(c->env->host, position.block, position.instr, &s);
	row.caller = describe_call_function(
		c, e->instr[position.instr].function, is_recursive);
	row.path = s.path;
	row.line = s.line;
	memcpy(row.cost, cost, sizeof(row.cost));
	return an_callrows_append(&c->result, &row);
}

static int add_block_self_cost_rows(struct callgrind *c,
				    const struct an_block *b)
{
	int err = 0;

	for (int is_recursive = 0; is_recursive < 2; is_recursive++)
		for (unsigned i = 0; i < b->n_instrs && !err; i++)
			if (c->self_cost[b->id].cost[is_recursive] != NULL)
				err = append_row_of_instr_self_cost(
					c, (struct an_code_position){b, i},
					is_recursive);
	return err;
}

static int add_call_arc_row(struct callgrind *c,
			    const struct call_arc *call_arc)
{
	struct an_callrow row = {.calls = call_arc->calls};
	struct an_symbol from, to;

	c->env->symbol(c->env->host, call_arc->call_site.block,
		       call_arc->call_site.instr, &from);
	c->env->symbol(c->env->host, call_arc->target.block,
		       call_arc->target.instr, &to);
	row.caller = describe_call_function(c, call_arc->caller,
					    call_arc->caller_is_recursive);
	row.path = from.path;
	row.line = from.line;
	row.callee = describe_call_function(c, call_arc->callee,
					    call_arc->callee_is_recursive);
	row.callee_line = to.line;
	memcpy(row.cost, call_arc->cost, sizeof(row.cost));
	return an_callrows_append(&c->result, &row);
}

static void release_all_but_result(struct callgrind *c)
{
	an_callrun_release_caches_and_stacks(&c->run);
	al_key_table_release(&c->index);
	for (size_t i = 0; i < c->n_self; i++) {
		free(c->self_cost[i].cost[0]);
		free(c->self_cost[i].cost[1]);
	}
	free(c->self_cost);
	free(c->call_arc);
	c->self_cost = NULL;
	c->call_arc = NULL;
	c->n_self = c->n_arcs = 0;
}

static int callgrind_build_rows_free_run(void *state)
{
	struct callgrind *c = state;
	int err = 0;

	an_call_stacks_pop_all(&c->run.stacks);
	for (size_t i = 0; i < c->run.stacks.n_blocks && !err; i++)
		if (c->run.stacks.block[i].block != NULL)
			err = add_block_self_cost_rows(
				c, c->run.stacks.block[i].block);
	for (size_t i = 0; i < c->index.n && !err; i++)
		err = add_call_arc_row(c, &c->call_arc[i]);
	release_all_but_result(c);
	return err;
}

static int callgrind_append_result_rows(void *into, const void *from)
{
	const struct an_callrows *rows =
		&((const struct callgrind *)from)->result;
	int err = 0;

	for (size_t i = 0; i < rows->n && !err; i++)
		err = an_callrows_append(&((struct callgrind *)into)->result,
					 &rows->row[i]);
	return err;
}

static int callgrind_write_callgrind_file(const void *state)
{
	const struct callgrind *c = state;

	return an_callrows_write_callgrind(&c->result, c->env);
}

static void callgrind_free_run_and_rows(void *state)
{
	struct callgrind *c = state;

	release_all_but_result(c);
	an_callrows_release(&c->result);
}

static const struct an_option options[] = {
	{"file", "PATH", "where to [standard output]"},
	{NULL, NULL, NULL},
};

extern const struct an_class an_callgrind;

const struct an_class an_callgrind = {
	.name = "callgrind",
	.summary = "write a file that callgrind_annotate reads",
	.options = options,
	.needs = PT_FIELD_ACCESSES | PT_FIELD_ADDRESSES,
	.needs_names = true,
	.uses_caches = true,
	.accepts_warmup = true,
	.prints_output = true,
	.state_size = sizeof(struct callgrind),
	.open = callgrind_init_callbacks,
	.block = callgrind_add_block,
	.batch = callgrind_simulate_batch_add_costs,
	.finish = callgrind_build_rows_free_run,
	.merge = callgrind_append_result_rows,
	.save = callgrind_write_callgrind_file,
	.close = callgrind_free_run_and_rows,
};

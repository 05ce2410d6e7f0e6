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

/* Costs of a block's instructions themselves: [0] not in a recursion, [1] in a
   recursion. */
struct self {
	uint64_t (*cost[2])[AN_N_EVENTS];
};

/* Calls from one position in the code to another. */
struct arc {
	struct an_code_position call_site, target;
	uint32_t caller, callee;
	bool caller_is_recursive, callee_is_recursive;
	uint64_t calls;
	uint64_t cost[AN_N_EVENTS];
};

struct callgrind {
	const struct an_env *env;
	struct an_callrun run;
	struct self *self; /* by block id */
	size_t n_self;
	struct an_key_table index; /* numbers arcs */
	struct arc *arc;
	size_t n_arcs;
	struct an_callrows result;
};

/* Enlarge an array, with zeroed elements, so that it has element @i. @n: its
   number of elements. Return: the array; NULL if memory is short. */
static void *grow_array(void *array, size_t *n, size_t i, size_t bytes)
{
	size_t more = 2 * i + 64;
	char *p;

	if (i < *n)
		return array;
	p = realloc(array, more * bytes);
	if (p == NULL)
		return NULL;
	memset(p + *n * bytes, 0, (more - *n) * bytes);
	*n = more;
	return p;
}

static int add_self_cost(void *owner, const struct an_frame *f,
			 struct an_code_position place,
			 const uint64_t cost[AN_N_EVENTS])
{
	struct callgrind *c = owner;
	const struct an_block *b = place.block;
	struct self *self = &c->self[b->id];
	uint64_t *sum;

	if (self->cost[f->is_recursive] == NULL)
		self->cost[f->is_recursive] =
			calloc(b->n_instrs, sizeof(*self->cost[0]));
	if (self->cost[f->is_recursive] == NULL)
		return -ENOMEM;
	sum = self->cost[f->is_recursive][place.instr];
	for (int i = 0; i < AN_N_EVENTS; i++)
		sum[i] += cost[i];
	return 0;
}

static uint64_t place_key(struct an_code_position p)
{
	return (uint64_t)p.block->id << 16 | p.instr;
}

static int add_call(void *owner, const struct an_frame *below,
		    struct an_frame *frame, struct an_code_position target)
{
	struct callgrind *c = owner;
	struct an_key key;
	struct arc *arc;
	int64_t i;

	if (below == NULL)
		return 0;
	key = (struct an_key){{place_key(frame->call_site), place_key(target),
			       (uint64_t)below->function << 2 |
				       (uint64_t)below->is_recursive << 1 |
				       (uint64_t)frame->is_recursive}};
	i = an_key_table_find_or_add(&c->index, &key);
	arc = i < 0 ? NULL
		    : grow_array(c->arc, &c->n_arcs, (size_t)i, sizeof(*arc));
	if (arc == NULL)
		return -ENOMEM;
	c->arc = arc;
	arc += i;
	arc->call_site = frame->call_site;
	arc->target = target;
	arc->caller = below->function;
	arc->callee = frame->function;
	arc->caller_is_recursive = below->is_recursive;
	arc->callee_is_recursive = frame->is_recursive;
	arc->calls++;
	frame->user_data = (uint32_t)i;
	return 0;
}

static void end_call(void *owner, const struct an_thread *t,
		     const struct an_frame *f)
{
	struct callgrind *c = owner;

	for (int i = 0; t->n > 1 && i < AN_N_EVENTS; i++)
		c->arc[f->user_data].cost[i] += t->cost[i] - f->cost_before[i];
}

static int callgrind_open(void *state, const struct an_env *env)
{
	struct callgrind *c = state;

	c->env = env;
	c->run.add_cost = add_self_cost;
	c->run.stacks = (struct an_call_stacks){
		.env = env,
		.owner = c,
		.on_push = add_call,
		.on_pop = end_call,
	};
	return 0;
}

static int callgrind_block(void *state, const struct an_block *block)
{
	struct callgrind *c = state;
	void *p = grow_array(c->self, &c->n_self, block->id, sizeof(*c->self));

	if (p == NULL)
		return -ENOMEM;
	c->self = p;
	return an_callrun_add(&c->run, block);
}

static int callgrind_batch(void *state, const struct an_batch *batch)
{
	return an_callrun_run(&((struct callgrind *)state)->run, batch);
}

/* ---- the result ---- */

static struct an_call_function name_callee(const struct callgrind *c,
					   uint32_t f, bool again)
{
	const struct an_function *function = &c->run.stacks.function[f];

	return (struct an_call_function){
		.object = function->object,
		.path = function->path,
		.name = function->name,
		.is_recursive = again,
	};
}

static int add_instr(struct callgrind *c, struct an_code_position place,
		     bool again)
{
	const struct an_block_functions *e =
		&c->run.stacks.block[place.block->id];
	const uint64_t *cost =
		c->self[place.block->id].cost[again][place.instr];
	struct an_callrow row = {0};
	struct an_symbol s;

	if (cost[AN_IR] == 0)
		return 0;
	c->env->symbol(c->env->host, place.block, place.instr, &s);
	row.caller = name_callee(c, e->instr[place.instr].function, again);
	row.path = s.path;
	row.line = s.line;
	memcpy(row.cost, cost, sizeof(row.cost));
	return an_callrows_add(&c->result, &row);
}

static int add_block(struct callgrind *c, const struct an_block *b)
{
	int err = 0;

	for (int again = 0; again < 2; again++)
		for (unsigned i = 0; i < b->n_instrs && !err; i++)
			if (c->self[b->id].cost[again] != NULL)
				err = add_instr(c,
						(struct an_code_position){b, i},
						again);
	return err;
}

static int add_arc(struct callgrind *c, const struct arc *arc)
{
	struct an_callrow row = {.calls = arc->calls};
	struct an_symbol from, to;

	c->env->symbol(c->env->host, arc->call_site.block, arc->call_site.instr,
		       &from);
	c->env->symbol(c->env->host, arc->target.block, arc->target.instr, &to);
	row.caller = name_callee(c, arc->caller, arc->caller_is_recursive);
	row.path = from.path;
	row.line = from.line;
	row.callee = name_callee(c, arc->callee, arc->callee_is_recursive);
	row.callee_line = to.line;
	memcpy(row.cost, arc->cost, sizeof(row.cost));
	return an_callrows_add(&c->result, &row);
}

static void release(struct callgrind *c)
{
	an_callrun_release(&c->run);
	an_key_table_release(&c->index);
	for (size_t i = 0; i < c->n_self; i++) {
		free(c->self[i].cost[0]);
		free(c->self[i].cost[1]);
	}
	free(c->self);
	free(c->arc);
	c->self = NULL;
	c->arc = NULL;
	c->n_self = c->n_arcs = 0;
}

static int callgrind_finish(void *state)
{
	struct callgrind *c = state;
	int err = 0;

	an_call_stacks_pop_all(&c->run.stacks);
	for (size_t i = 0; i < c->run.stacks.n_blocks && !err; i++)
		if (c->run.stacks.block[i].block != NULL)
			err = add_block(c, c->run.stacks.block[i].block);
	for (size_t i = 0; i < c->index.n && !err; i++)
		err = add_arc(c, &c->arc[i]);
	release(c);
	return err;
}

static int callgrind_merge(void *into, const void *from)
{
	const struct an_callrows *rows =
		&((const struct callgrind *)from)->result;
	int err = 0;

	for (size_t i = 0; i < rows->n && !err; i++)
		err = an_callrows_add(&((struct callgrind *)into)->result,
				      &rows->row[i]);
	return err;
}

static int callgrind_save(const void *state)
{
	const struct callgrind *c = state;

	return an_callrows_write(&c->result, c->env);
}

static void callgrind_close(void *state)
{
	struct callgrind *c = state;

	release(c);
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
	.open = callgrind_open,
	.block = callgrind_block,
	.batch = callgrind_batch,
	.finish = callgrind_finish,
	.merge = callgrind_merge,
	.save = callgrind_save,
	.close = callgrind_close,
};

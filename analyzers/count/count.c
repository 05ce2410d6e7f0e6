/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * count.c - counts instructions, reads, writes and modifies
 *
 * Needs no addresses: the counts follow from how often each block was left by
 * each exit, which the host counts, and from guards that were false.
 */

#include "analyzers/block_list.h"

struct count {
	struct an_block_list blocks;
	uint64_t instructions;
	uint64_t executions; /* of blocks */
	uint64_t by_kind[3]; /* number of accesses by enum pt_access_kind */
};

static int store_block_pointer_for_counting(void *state,
					    const struct an_block *block)
{
	return an_block_list_append(&((struct count *)state)->blocks, block);
}

static void add_counts_of_all_executions_by_exit(struct count *c,
						 const struct an_block *b,
						 unsigned exit)
{
	uint64_t times = b->exit_count[exit];

	c->executions += times;
	c->instructions += times * b->exit[exit].n_instrs;
	for (unsigned i = 0; i < b->exit[exit].n_accesses; i++)
		c->by_kind[b->access[i].kind] += times;
}

static int sum_counts_and_free_block_array(void *state)
{
	struct count *c = state;

	for (size_t i = 0; i < c->blocks.n; i++) {
		const struct an_block *b = c->blocks.block[i];

		for (unsigned e = 0; e < b->n_exits; e++)
			add_counts_of_all_executions_by_exit(c, b, e);
		for (unsigned a = 0; b->skip_count && a < b->n_accesses; a++)
			c->by_kind[b->access[a].kind] -= b->skip_count[a];
	}
	an_block_list_free_array(&c->blocks);
	return 0;
}

static int add_counts_of_other_state(void *into, const void *from)
{
	struct count *a = into;
	const struct count *b = from;

	a->instructions += b->instructions;
	a->executions += b->executions;
	for (int i = 0; i < 3; i++)
		a->by_kind[i] += b->by_kind[i];
	return 0;
}

/* Return the number of reads: loads and modifies. A modify counts as a read and
   also as a write. */
static uint64_t sum_loads_and_modifies(const struct count *c)
{
	return c->by_kind[PT_LOAD] + c->by_kind[PT_MODIFY];
}

static uint64_t sum_stores_and_modifies(const struct count *c)
{
	return c->by_kind[PT_STORE] + c->by_kind[PT_MODIFY];
}

static void add_instr_and_access_counts_to_model(const void *state,
						 struct al_model *m)
{
	const struct count *c = state;

	m->title = "Counts";
	al_model_add_number(m, "instructions", NULL, NULL, c->instructions);
	al_model_add_number(m, "reads", NULL, NULL, sum_loads_and_modifies(c));
	al_model_add_number(m, "writes", NULL, NULL,
			    sum_stores_and_modifies(c));
	al_model_add_number(m, "modifies", NULL, NULL, c->by_kind[PT_MODIFY]);
	al_model_add_number(m, "blocks", "block executions", NULL,
			    c->executions);
}

static void free_block_pointer_array(void *state)
{
	an_block_list_free_array(&((struct count *)state)->blocks);
}

extern const struct an_class an_count;

const struct an_class an_count = {
	.name = "count",
	.summary = "count instructions and accesses; records no addresses",
	.needs = PT_FIELD_ACCESSES,
	.state_size = sizeof(struct count),
	.block = store_block_pointer_for_counting,
	.finish = sum_counts_and_free_block_array,
	.merge = add_counts_of_other_state,
	.result = add_instr_and_access_counts_to_model,
	.close = free_block_pointer_array,
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* load_chains.c - follows chains of dependent loads; see load_chains.h */

#include "analyzers/cache/evidence/load_chains.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/array.h"

void an_load_chains_release(struct an_load_chains *c)
{
	free(c->flow_of_block);
	an_arena_release(&c->arena);
	*c = (struct an_load_chains){.next = 0};
}

/* Decode the instructions of a block. Return: 0 or -ENOMEM. */
static int decode_block(struct an_load_chains *c, const struct an_block *b)
{
	struct an_instr_flow *flow =
		an_arena_alloc(&c->arena, b->n_instrs * sizeof(*flow));
	const uint8_t *code = b->code;

	if (flow == NULL ||
	    al_array_reserve_zeroed(c->flow_of_block, c->blocks_size,
				    b->id + 1u) != 0)
		return -ENOMEM;
	for (unsigned i = 0; i < b->n_instrs; i++) {
		flow[i] = an_instr_flow_decode(code, b->instr[i].len);
		code += b->instr[i].len;
	}
	c->flow_of_block[b->id] = flow;
	return 0;
}

int an_load_chains_begin_block(struct an_load_chains *c,
			       const struct an_block *b)
{
	int err = 0;

	c->flow = NULL;
	c->next = 0;
	if (b->code == NULL || b->n_instrs == 0) {
		an_load_chains_forget(c);
		return 0;
	}
	if (b->id >= c->blocks_size || c->flow_of_block[b->id] == NULL)
		err = decode_block(c, b);
	if (!err)
		c->flow = c->flow_of_block[b->id];
	return err;
}

unsigned an_load_chains_execute_until(struct an_load_chains *c, unsigned instr)
{
	if (c->flow == NULL)
		return 0;
	for (; c->next < instr; c->next++)
		an_instr_flow_execute(&c->flow[c->next], c->depth);
	return an_max_depth(c->depth, c->flow[instr].address);
}

void an_load_chains_end_block(struct an_load_chains *c, unsigned n_instrs)
{
	for (; c->flow && c->next < n_instrs; c->next++)
		an_instr_flow_execute(&c->flow[c->next], c->depth);
}

void an_load_chains_forget(struct an_load_chains *c)
{
	memset(c->depth, 0, sizeof(c->depth));
}

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
	al_key_table_release(&c->numbers);
	an_arena_free_all_and_reset(&c->arena);
	*c = (struct an_load_chains){.next = 0};
}

/* Set flow->number to the number of the instruction at @address, which gets the
   next one if it has none. Return: 0 or -ENOMEM. */
static int set_flow_number_of_instr_at_address(struct an_load_chains *c,
					       struct al_instr_flow *flow,
					       uint64_t address)
{
	struct al_key key = {{address, 0, 0}};
	int64_t number = al_key_table_find_or_add_index(&c->numbers, &key);

	flow->number = (uint32_t)number;
	return number < 0 ? -ENOMEM : 0;
}

/* Decode the instructions of a block, and store in c->flow_of_block which
   registers each of them reads and writes (struct al_instr_flow). Return: 0 or
   -ENOMEM. */
static int decode_block_register_flow(struct an_load_chains *c,
				      const struct an_block *b)
{
	struct al_instr_flow *flow =
		an_arena_alloc(&c->arena, b->n_instrs * sizeof(*flow));
	const uint8_t *code = b->code;
	int err = 0;

	if (flow == NULL ||
	    al_array_reserve_zeroed(c->flow_of_block, c->blocks_size,
				    b->id + 1u) != 0)
		return -ENOMEM;
	for (unsigned i = 0; i < b->n_instrs && !err; i++) {
		flow[i] = al_instr_decode_register_flow(code, b->instr[i].len);
		code += b->instr[i].len;
		if (flow[i].loads)
			err = set_flow_number_of_instr_at_address(
				c, &flow[i], b->instr[i].addr);
	}
	c->flow_of_block[b->id] = flow;
	return err;
}

int an_load_chains_begin_block_decode_if_new(struct an_load_chains *c,
					     const struct an_block *b)
{
	int err = 0;

	c->flow = NULL;
	c->next = 0;
	if (b->code == NULL || b->n_instrs == 0) {
		an_load_chains_clear_all(c);
		return 0;
	}
	if (b->id >= c->blocks_size || c->flow_of_block[b->id] == NULL)
		err = decode_block_register_flow(c, b);
	if (!err)
		c->flow = c->flow_of_block[b->id];
	return err;
}

bool an_load_chains_advance_to_is_walk(struct an_load_chains *c,
				       unsigned load_instr_index)
{
	struct an_load_chain address;

	if (c->flow == NULL)
		return false;
	for (; c->next < load_instr_index; c->next++)
		an_instr_flow_update_chains(&c->flow[c->next], c->chain);
	address = an_load_chain_best_of_registers(
		c->chain, c->flow[load_instr_index].address);
	return an_load_chain_is_walk(&address);
}

void an_load_chains_advance_to_end(struct an_load_chains *c, unsigned n_instrs)
{
	for (; c->flow && c->next < n_instrs; c->next++)
		an_instr_flow_update_chains(&c->flow[c->next], c->chain);
}

void an_load_chains_clear_all(struct an_load_chains *c)
{
	memset(c->chain, 0, sizeof(c->chain));
}

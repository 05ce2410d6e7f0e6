/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * basic_blocks.c - cuts blocks into basic blocks
 *
 * A block of the stream can continue after a branch, for Valgrind follows
 * jumps and the tool joins blocks. Its parts between branches are the same
 * basic blocks that other blocks contain.
 */
#include <errno.h>
#include <stdlib.h>

#include "analyzers/bbv/bbv.h"
#include "base/tables/array.h"

/* Append instructions [@first_instr, @end_instr) of a block as a part, which is
   a basic block. @node_of_instr: numbers of the block's instructions in the
   code map. Return: 0 or -ENOMEM. The basic block is added to the known ones if
   it is new. */
static int append_block_part(struct an_basic_blocks *b,
			     const uint32_t *node_of_instr,
			     unsigned first_instr, unsigned end_instr)
{
	struct an_block_part *p;
	bool is_new;

	if (al_array_reserve(b->part, b->max_parts, b->n_parts + 1) != 0)
		return -ENOMEM;
	p = &b->part[b->n_parts++];
	p->first_instr = (uint16_t)first_instr;
	p->end_instr = (uint16_t)end_instr;
	return al_key_table_find_or_add_pair(
		&b->known, node_of_instr[first_instr], end_instr - first_instr,
		&p->basic_block, &is_new);
}

/* Whether a basic block ends after instruction @instr_index of @block, which is
   not the block's last instruction. */
static bool is_last_instr_of_basic_block(const struct an_basic_blocks *b,
					 const struct an_block *block,
					 const uint32_t *node_of_instr,
					 unsigned instr_index)
{
	const struct an_instr_node *n =
		&b->code.node[node_of_instr[instr_index]];

	return n->branch_kind != AN_BRANCH_NONE ||
	       !an_node_is_followed_by_address(
		       n, block->instr[instr_index + 1].addr);
}

int an_basic_blocks_add_parts_of_block(
	struct an_basic_blocks *b, const struct an_block *block,
	struct an_bbv_block *first_and_end_part_out)
{
	uint32_t *node = malloc((block->n_instrs + 1u) * sizeof(*node));
	unsigned first = 0;
	int err = node ? an_code_map_add_block(&b->code, block, node) : -ENOMEM;

	first_and_end_part_out->first_part = b->n_parts;
	for (unsigned i = 0; i < block->n_instrs && !err; i++)
		if (i + 1u == block->n_instrs ||
		    is_last_instr_of_basic_block(b, block, node, i)) {
			err = append_block_part(b, node, first, i + 1);
			first = i + 1;
		}
	first_and_end_part_out->end_part = b->n_parts;
	free(node);
	return err;
}

int an_basic_blocks_reserve_number_arrays(struct an_basic_blocks *b)
{
	int err =
		al_array_reserve_zeroed(b->number, b->max_numbers, b->known.n);

	return err ? err
		   : al_array_reserve(b->numbered, b->max_numbered, b->known.n);
}

uint32_t an_basic_blocks_find_or_add_number(struct an_basic_blocks *b,
					    uint32_t basic_block_index)
{
	if (b->number[basic_block_index] == 0) {
		b->numbered[b->n_numbered++] = basic_block_index;
		b->number[basic_block_index] = b->n_numbered;
	}
	return b->number[basic_block_index];
}

void an_basic_blocks_release(struct an_basic_blocks *b)
{
	an_code_map_release(&b->code);
	al_key_table_release(&b->known);
	free(b->part);
	free(b->number);
	free(b->numbered);
	*b = (struct an_basic_blocks){0};
}

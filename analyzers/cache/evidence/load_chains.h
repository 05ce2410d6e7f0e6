/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * load_chains.h - follows chains of dependent loads through the registers of a
 * thread, block by block
 *
 * Threads share one set of chains, which the caller clears when another thread
 * runs.
 */
#ifndef ANALYZERS_CACHE_EVIDENCE_LOAD_CHAINS_H
#define ANALYZERS_CACHE_EVIDENCE_LOAD_CHAINS_H

#include "analyzers/analyzer.h"
#include "analyzers/arena.h"
#include "analyzers/cache/evidence/register_flow.h"
#include "base/tables/key_table.h"

/* All zeros: all chains are empty. */
struct an_load_chains {
	struct an_load_chain chain[AN_N_REGISTERS];
	struct al_key_table numbers; /* numbers of the load instructions, by
					their addresses */
	struct an_arena arena;	     /* owns the arrays that flow_of_block
					points to */
	struct al_instr_flow **flow_of_block; /* register flow of each
						 instruction, by block id,
						 then by instruction; NULL:
						 the block is not decoded yet */
	uint32_t blocks_size;
	const struct al_instr_flow *flow; /* register flow of the block that
					     is executed; NULL: its code is
					     not known, or the block is empty */
	unsigned next;			  /* index in the block of the next
					     instruction whose effect on the
					     chains is to be computed */
};

void an_load_chains_release(struct an_load_chains *);

/* Begin an execution of a block, which is decoded if it is new. If its code is
   not known, or it has no instructions, make all chains empty. Return: 0 or
   -ENOMEM. */
int an_load_chains_begin_block_decode_if_new(struct an_load_chains *,
					     const struct an_block *);

/* Execute the instructions before number @load_instr_index, that is, update the
   chains of the registers that they write. Return: whether the block's code is
   known, and the address of the memory operand of instruction @load_instr_index
   follows from a walk (a chain of loads of pointers); see
   an_load_chain_is_walk(). */
bool an_load_chains_advance_to_is_walk(struct an_load_chains *,
				       unsigned load_instr_index);

/* Update the chains for the instructions of the block not yet followed whose
   numbers are less than @n_instrs. */
void an_load_chains_advance_to_end(struct an_load_chains *, unsigned n_instrs);

/* Make all chains empty. */
void an_load_chains_clear_all(struct an_load_chains *);

#endif

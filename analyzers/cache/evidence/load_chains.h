/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * load_chains.h - follows chains of dependent loads through the registers of a
 * thread, block by block
 *
 * Threads share one set of depths, which the caller clears when another thread
 * runs.
 */
#ifndef ANALYZERS_CACHE_EVIDENCE_LOAD_CHAINS_H
#define ANALYZERS_CACHE_EVIDENCE_LOAD_CHAINS_H

#include "analyzers/analyzer.h"
#include "analyzers/arena.h"
#include "analyzers/cache/evidence/register_flow.h"

/* All zeros: all depths are 0. */
struct an_load_chains {
	uint8_t depth[AN_N_REGISTERS];
	struct an_arena arena; /* has the arrays of flow_of_block */
	struct an_instr_flow **flow_of_block; /* by block id, then by
						 instruction; NULL: not decoded
						 yet */
	uint32_t blocks_size;
	const struct an_instr_flow *flow; /* of the block that is executed;
					     NULL: its code is not known */
	unsigned next;			  /* next instruction to execute */
};

void an_load_chains_release(struct an_load_chains *);

/* Begin an execution of a block. Return: 0 or -ENOMEM. */
int an_load_chains_begin_block(struct an_load_chains *,
			       const struct an_block *);

/* Execute the instructions before @instr. Return: the depth of the address of its
   memory operand; 0 if it is not known. */
unsigned an_load_chains_execute_until(struct an_load_chains *, unsigned instr);

/* Execute the other instructions up to number @n_instrs. */
void an_load_chains_end_block(struct an_load_chains *, unsigned n_instrs);

/* Set all depths to 0. */
void an_load_chains_forget(struct an_load_chains *);

#endif

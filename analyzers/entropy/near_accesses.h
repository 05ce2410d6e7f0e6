/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * near_accesses.h - lists the accesses of the executions that leave a block by
 *                   each exit, those that are always near each other together
 *
 * Accesses whose addresses depend on one slot (recorded base address) have
 * constant distances. The lists are made once for each block; an execution
 * only has the values of the slots.
 */
#ifndef ANALYZERS_ENTROPY_NEAR_ACCESSES_H
#define ANALYZERS_ENTROPY_NEAR_ACCESSES_H

#include "analyzers/arena.h"
#include "analyzers/block_chain.h"

/* Accesses to one address. */
struct an_near_access {
	uint16_t offset; /* address - lowest address of the near accesses
			    [bytes] */
	uint16_t times;	 /* accesses; a modify is two */
};

/* Accesses of the executions that leave a block by one exit, whose addresses
   depend on one slot (recorded base address), and are less than AN_COUNT_UNIT
   bytes apart. */
struct an_near_accesses {
	struct an_near_accesses *next_of_slot; /* others of the slot; NULL */
	struct an_near_accesses *next_slot; /* those of the next slot; NULL */
	uint64_t lowest_delta;		    /* lowest address - slot value */
	uint16_t slot;
	uint16_t offset_bits; /* bitwise or of all offsets */
	uint16_t distance;    /* greatest offset */
	uint16_t n;
	bool is_guarded; /* not done if the slot has PT_NOT_DONE */
	struct an_near_access access[]; /* [n] by ascending offset */
};

/* Slots of the executions that leave a block by one exit. They are numbered
   through all exits of all blocks of a state, from 0. Exits with equal accesses
   have the same ones. */
struct an_near_exit {
	uint32_t first_number;
	uint32_t n;
};

struct an_near_block {
	struct an_chained_block chained;
	const struct an_near_exit *exit;     /* [chained.block->n_exits] */
	struct an_near_accesses *first_slot; /* by ascending number; NULL */
	uint32_t n;			     /* slots of all exits */
};

/* Return the near accesses of a block, allocated from the arena, without those
   whose address depends on no slot. @first_slot_number: number of the first
   slot. NULL: memory is short. */
struct an_near_block *an_near_block_create(struct an_arena *,
					   const struct an_block *,
					   uint32_t first_slot_number);

#endif

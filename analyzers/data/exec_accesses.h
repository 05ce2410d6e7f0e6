/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exec_accesses.h - counts the accesses of executions by data object
 *
 * The accesses of a block whose addresses depend on the same slot have constant
 * distances. So for each exit of a block and each slot, the values of the slot
 * for which every access stays in the same data object form a range. While the
 * slot's values are in it, one counter is incremented for each execution; it is
 * added to the data object's counts when the range changes, and at the end.
 *
 * Threads: one at a time.
 */
#ifndef ANALYZERS_DATA_EXEC_ACCESSES_H
#define ANALYZERS_DATA_EXEC_ACCESSES_H

#include "analyzers/arena.h"
#include "analyzers/cache/simulation.h"
#include "analyzers/data/field_uses.h"

struct an_block_exits;
struct an_slot_accesses;

/* Initialise with zeros, then set the first three members. */
struct an_exec_accesses {
	struct an_owners *owners;
	struct an_field_uses *field_uses;
	bool counts_fields;	       /* also count by field */
	struct an_block_exits **block; /* [n_blocks] by block id; NULL: it was
					  not executed yet */
	uint32_t n_blocks;
	/* [n_groups] by number of a group whose elements can still be divided
	   by a type: list of the slots whose data object is of this group */
	struct an_slot_accesses **undivided;
	uint32_t n_groups;
	struct an_arena arena; /* of `block` */
};

/* Count the accesses of executions @first to @end - 1 of a batch, between which
   there are no events, for the data objects that they access at this point of
   the stream. @plan_of_block: plans by block id. Return: 0; -ENOMEM. */
int an_exec_accesses_count(struct an_exec_accesses *, const struct an_batch *,
			   const struct an_plan *plan_of_block, size_t first,
			   size_t end);

/* Add all counters to the counts of the data objects. */
void an_exec_accesses_add_pending_counts(struct an_exec_accesses *);

void an_exec_accesses_release(struct an_exec_accesses *);

#endif

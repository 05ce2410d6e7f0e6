/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exec_accesses.h - counts the accesses of executions by data object
 *
 * For each exit of a block and each slot (recorded base address of accesses), a
 * range of slot values is known for which all accesses of the slot lie in one
 * and the same data object (exit_accesses.h). While the slot's values are in
 * it, one counter is incremented for each execution; it is added to the counts
 * of the data object's group when the slot's values lead to another group, to
 * those of fields when the range changes, and to both at the end.
 *
 * Threads: one at a time.
 */
#ifndef ANALYZERS_DATA_EXEC_ACCESSES_H
#define ANALYZERS_DATA_EXEC_ACCESSES_H

#include "analyzers/cache/simulation.h"
#include "analyzers/data/slot_counts.h"

/* State of counting accesses by data object. Initialise with zeros, then set
   the first five members of `counts` (struct an_slot_counts). */
struct an_exec_accesses {
	struct an_slot_counts counts;
	struct an_exit_table exits;
};

/* Count the accesses of executions @first to @end - 1 of a batch, between which
   there are no events, for the data objects that they access at this point of
   the stream. @plan_of_block: plans by block id. Return: 0; -ENOMEM. */
int an_exec_accesses_count_by_data_object(struct an_exec_accesses *,
					  const struct an_batch *,
					  const struct an_plan *plan_of_block,
					  size_t first, size_t end);

/* Add all executions that are counted by exit only (pending) to the counts of
   the data objects and fields. */
void an_exec_accesses_add_pending_to_counts(struct an_exec_accesses *);

void an_exec_accesses_release(struct an_exec_accesses *);

#endif

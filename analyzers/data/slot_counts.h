/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slot_counts.h - adds executions of the accesses of a slot (recorded base
 *                 address) to the counts of data objects and fields
 *
 * Threads: one at a time.
 */
#ifndef ANALYZERS_DATA_SLOT_COUNTS_H
#define ANALYZERS_DATA_SLOT_COUNTS_H

#include "analyzers/data/exit_accesses.h"
#include "analyzers/data/field_uses.h"

/* Counts the accesses of slots (recorded base addresses). Initialise with
   zeros, then set the first five members. */
struct an_slot_counts {
	struct an_owners *owners;
	struct an_field_uses *field_uses;
	bool counts_fields; /* accesses are counted by field as well */
	/* Called, if counts_fields, before an access of the execution whose
	   slots (recorded base addresses) are @slots divides the elements of a
	   group, is the first one to a variable, or is to be counted by field
	   in a group without cells. @cursor: the member below. */
	void (*before_fields_change)(void *cursor, const uint32_t *slots);
	void *cursor;
	/* [n_groups] by number of a group whose elements can still be divided
	   by a type: list of the slots (recorded base addresses) whose accesses
	   are to a data object of this group */
	struct an_slot_accesses **undivided;
	uint32_t n_groups;
	/* The execution that is being counted: the exit of its block, and its
	   slots (recorded base addresses). */
	const struct an_exit_accesses *exit;
	const uint32_t *slots;
};

/* Return the range of values of a slot (recorded base address) for which its
   accesses are to the same data object and, if that is divided, the same
   fields. */
static inline struct an_slot_range *
an_slot_range_of(const struct an_slot_accesses *s)
{
	return s->object.range;
}

/* Exclude the execution that is being counted from those of a slot (recorded
   base address) that are yet to be added to counts. */
void an_slot_exclude_current_exec(struct an_slot_accesses *);

/* Add the pending executions of a slot (recorded base address) to the counts of
   the fields of its data object. To be called before the slot's range of values
   changes. */
void an_slot_counts_add_pending_to_fields(struct an_slot_counts *,
					  struct an_slot_accesses *);

/* Add the pending executions in which the accesses of a slot (recorded base
   address) were to its previous data object to the counts of that object's
   group. */
void an_slot_counts_add_pending_to_previous(struct an_slot_counts *,
					    struct an_slot_accesses *);

/* Add all executions of a slot (recorded base address) that are pending to the
   counts of its data objects and of the fields. */
void an_slot_counts_add_all_pending(struct an_slot_counts *,
				    struct an_slot_accesses *);

/* Add the pending executions of a slot (recorded base address) to the counts of
   the group of its data object, and change the group to @group. Then divide the
   elements of @group into fields if an access of the slot implies their
   type. */
void an_slot_counts_change_group(struct an_slot_counts *,
				 struct an_slot_accesses *, uint32_t group);

/* Count the accesses of a slot in the execution that is being counted, one by
   one, since they may be to different data objects. @slot_base_address: value
   of the slot in this execution, to which the offset of each access is
   added. */
void an_slot_counts_count_accesses_one_by_one(struct an_slot_counts *,
					      const struct an_slot_accesses *,
					      uint64_t slot_base_address);

void an_slot_counts_free_slot_lists_of_groups(struct an_slot_counts *);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exit_accesses.h - accesses of the executions of a block that leave by one
 *                   exit, by the slot (recorded base address) that they depend
 *                   on
 *
 * The accesses whose addresses depend on one slot have constant distances. The
 * slot values for which all of them lie in one and the same data object form a
 * range. Executions with values in the range are counted by the exit; they are
 * pending until they are added to the counts of the data object.
 *
 * Threads: one at a time.
 */
#ifndef ANALYZERS_DATA_EXIT_ACCESSES_H
#define ANALYZERS_DATA_EXIT_ACCESSES_H

#include "analyzers/analyzer.h"
#include "analyzers/arena.h"
#include "analyzers/data/owner_extents.h"

/* Values of a slot (recorded base address) for which all its accesses are to
   one data object; and, if that is divided into fields, to the same fields. */
struct an_slot_range {
	uint64_t first;
	uint32_t length; /* number of slot values in the range; 0: not known */
	uint32_t word;	 /* index of the slot's value [4 bytes] in the slots of
			    an execution */
};

/* Data object that contains all accesses of a slot (recorded base address), and
   the values of the slot for which it does. What changes when the extent is
   suspended or resumed comes first, so that it is together in the host's
   caches. */
struct an_slot_object {
	struct an_extent_user user;  /* of the extent (part of the data object)
				       to which accesses lead for values_length
				       slot values from values_first on */
	struct an_slot_range *range; /* the slot's range, which follows from
					this data object; NULL: it does not */
	uint64_t values_length;	     /* number of slot values from values_first
				   on; 0: not known, or the extent is
				   suspended */
	uint64_t resumed_length;     /* values_length before the extent was
				    suspended */
	uint32_t resumed_range; /* length of the range before the extent was
				   suspended */
	uint32_t group;		/* number of the data object's group */
	uint64_t values_first;
	uint64_t start;				/* address of the data object */
	struct an_exit_accesses *constant_exit; /* exit that the slot belongs to
						   if its access has a constant
						   address; else NULL */
};

/* Reads and writes of all accesses of a slot in one execution; a modify is
   both. */
struct an_slot_sums {
	uint32_t reads, writes;
	uint32_t read_bytes, written_bytes;
};

/* Accesses of executions that leave a block by one exit, if their addresses
   depend on one slot (recorded base address); or one access that depends on
   none, whose slot value is 0. An execution only increments n_execs of the
   exit: n_execs - n_before_group executions are not yet added to the counts of
   the group, n_execs - n_before_range not to those of fields. An execution
   whose accesses were counted otherwise, or did not happen, is excluded: it
   also increments n_before_group and n_before_range. */
struct an_slot_accesses {
	struct an_slot_object object;
	struct an_slot_object previous; /* last data object before `object`,
					   of those not divided into fields */
	uint64_t n_previous;	 /* executions that accessed `previous` and
				    are not yet added to its counts */
	uint64_t n_before_group; /* executions before those in which the data
				    object was of object.group */
	uint64_t n_before_range; /* executions before those with slot values
				    in the range */
	uint64_t value;	   /* slot value for which the range was last set, or of
			      the execution at which the range was cleared */
	uint64_t lowest;   /* least pt_access.delta of the accesses */
	uint64_t distance; /* greatest pt_access.delta of the accesses -
			      lowest */
	uint64_t last_excluded; /* n_execs of the exit when an execution was
				   last excluded, by incrementing n_before_group
				   and n_before_range; UINT64_MAX: none was */
	uint32_t field; /* number in the pool of the counts of the field that
			   the only access is to; 0: not known, or there are
			   several accesses */
	uint16_t n_accesses;
	struct an_slot_sums sums;
	const struct an_block *block;
	uint16_t *access; /* [n_accesses] numbers of the block's accesses, by
			     address */
	bool is_guarded;
	bool was_type_asked; /* implies_type is set */
	bool implies_type;   /* an access of the slot implies a structure; see
				access_types.h */
	bool is_divided;     /* the data object is divided into fields */
	struct an_exit_accesses *exit;
	/* Neighbours in an_slot_counts.undivided[object.group], if is_listed.
	   */
	struct an_slot_accesses *next_listed, *previous_listed;
	bool is_listed;
};

/* Accesses of the executions of a block that leave by one exit. Each execution
   reads it, so it is small, and apart from the slots, to remain in the host's
   caches. */
struct an_exit_accesses {
	uint64_t n_execs;
	struct an_slot_accesses *slot; /* [n_slots] */
	/* Number of slots, from the first on, whose values an execution
	   compares with their ranges: up to the last one with a constant
	   address (not read) and an unknown range; n_read if there is none. */
	uint16_t n_compared;
	uint16_t n_read;  /* slots that are read; they are the first ones */
	uint16_t n_slots; /* with those of accesses without a slot */
	struct an_slot_range range[]; /* [n_slots] */
};

struct an_block_exits {
	uint32_t n_exits;
	struct an_exit_accesses *exit[]; /* [n_exits] by number of the exit;
					    NULL: no execution left the block by
					    the exit yet */
};

/* All exits. Initialise with zeros. */
struct an_exit_table {
	struct an_block_exits **block; /* [n_blocks] by block id; NULL: it was
					  not executed yet */
	uint32_t n_blocks;
	struct an_arena exits; /* owns the exits that `block` points to */
	struct an_arena slots; /* owns the slots of these */
};

/* Return the accesses of executions of block @id that leave by @exit; NULL if
   they were not added. */
static inline struct an_exit_accesses *
an_exit_table_find(const struct an_exit_table *t, uint32_t id, unsigned exit)
{
	return id < t->n_blocks && t->block[id] ? t->block[id]->exit[exit]
						: NULL;
}

/* Add the accesses of executions of a block that leave by @exit, with no data
   object found for them yet. They must not have been added before. Return NULL
   if memory is short. */
struct an_exit_accesses *an_exit_table_add(struct an_exit_table *,
					   const struct an_block *,
					   unsigned exit);

void an_exit_table_release(struct an_exit_table *);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cursor.h - applies the events (allocations, mappings and so on) of a batch or
 * chunk in order with its misses
 *
 * Threads: one at a time.
 */
#ifndef ANALYZERS_DATA_CURSOR_H
#define ANALYZERS_DATA_CURSOR_H

#include "analyzers/cache/simulation.h"
#include "analyzers/data/exec_accesses.h"
#include "analyzers/data/field_uses.h"
#include "analyzers/data/owners.h"

/* Number of misses that are counted together, so that the host loads the data
   needed for one of them while it waits for those of others. */
enum { AN_MAX_PENDING_MISSES = 64 };

/* A miss of a data access, or a write-back, that is not yet counted. */
struct an_pending_miss {
	uint64_t addr; /* of the access, or in a line that it uses; write-back:
			  of the line */
	const struct an_block *block; /* that contains the access; set when its
					 address is found */
	struct an_data_group *group;  /* of the data object at `addr`, valid
					until the next event */
	uint64_t offset;	      /* [bytes] of `addr` in the data object */
	uint32_t slot_offset; /* [4 bytes] of the slots of the execution that
				 missed, or caused the write-back */
	uint32_t block_id;
	uint16_t access;
	bool writes;	       /* the access is a store or a modify */
	uint8_t missed_levels; /* 0: it is a write-back */
	uint8_t level;	       /* that wrote the line back */
};

struct an_data_cursor {
	struct an_owners *owners;
	bool counts_accesses; /* count all accesses, too */
	bool counts_fields;   /* also count by offset in the element (equal part
				 of a data object, such as a structure of an
				 array) */
	struct an_field_uses field_uses;
	struct an_exec_accesses accesses;
	int error; /* 0, or -ENOMEM if the cursor ran out of memory */

	/* The batch or chunk (several batches), and its next event (allocation,
	   mapping and so on) and execution. */
	const struct an_batch *batch;
	const struct an_plan *plan; /* by block id */
	size_t next_event;
	size_t next_exec; /* only if accesses are counted */
	struct an_pending_miss pending[AN_MAX_PENDING_MISSES]; /* in order */
	unsigned n_pending;
	unsigned next_pending; /* number of the first one that is not yet
				  counted */

	/* Misses and write-backs whose line is known to lie in one data object
	   are counted at once, unless fields are counted or an event comes
	   first. */
	uint32_t line_bytes; /* of the first level of data, a power of two */
	uint32_t next_event_slot; /* slot_offset_after_next_event() */
};

/* Initialise a cursor that is zeroed but for `counts_accesses`, `counts_fields`
   and `line_bytes`. The cursor must not be moved afterwards. */
void an_data_cursor_init(struct an_data_cursor *, struct an_owners *owners,
			 const struct an_env *env);

/* Begin a batch or chunk (several batches), at its first event (allocation,
   mapping and so on) and execution. @plan_of_block: plans by block id; may be
   NULL if there is no execution. */
void an_data_cursor_begin_batch(struct an_data_cursor *,
				const struct an_batch *,
				const struct an_plan *plan_of_block);

/* Count the misses of a data access that missed @levels levels for the data
   object at its address, after the events (allocations, mappings and so on)
   before it are applied: now or later. To be called for the misses in program
   order. */
void an_data_cursor_count_miss_of_data_object(struct an_data_cursor *,
					      const struct an_miss *,
					      int levels);

/* Count the write-back of a line that a miss of code or data caused for the
   data object that contains the line's first byte, after the events before the
   miss are applied: now or later. To be called in program order. */
void an_data_cursor_add_write_back_to_object(struct an_data_cursor *,
					     const struct an_miss *,
					     const struct an_write_back *);

/* Count the misses that are not yet counted, and apply the remaining events of
   the batch or chunk, such as the allocation of a
   heap block, to the data objects. If counts_accesses is set, also count the
   accesses of the remaining executions for the data objects that they access.
   Then forget the batch. */
void an_data_cursor_end_batch(struct an_data_cursor *);

/* Return -ENOMEM if memory was short in an earlier call for this cursor, so
   that its counts are incomplete; else 0. */
int an_data_cursor_error(const struct an_data_cursor *);

/* Add the accesses that are counted, but not yet for their data objects, to the
   counts of these. To be called after the last batch or chunk. */
void an_data_cursor_add_pending_to_objects(struct an_data_cursor *);

void an_data_cursor_release(struct an_data_cursor *);

#endif

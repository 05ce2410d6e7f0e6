/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recover.h - checks the units of a chunk and turns them into executions
 *
 * Threads: several threads may recover chunks of one exec image at once, each
 *          with its own recoverer, in any order.
 *
 * A route is a block together with one of its exits; the header of a unit holds
 * its number. The recoverers count executions once for all analyses: how often
 * each block was left by each exit. The numbers of instructions, reads and
 * writes are computed from these counts. Each recoverer has its own counters,
 * so recoverers share only the described and the executed blocks.
 */
#ifndef LIB_RECOVER_RECOVER_H
#define LIB_RECOVER_RECOVER_H

#include <pthread.h>

#include "analyzers/analyzer.h"
#include "lib/recover/executed_blocks.h"
#include "lib/recover/recovered_chunk.h"

/* State shared by the recoverers of one exec image. */
struct al_recovery {
	pthread_mutex_t lock; /* guards blocks and executed; the only lock that
				 is acquired while it is held is that of
				 al_intern */
	struct al_blocks blocks;
	struct al_executed executed;
	struct al_lanes lanes; /* constant; read without the lock */
	bool lists_warmup; /* executions that warm lanes (thread_filter.h) may
			      select are appended to al_recovered_chunk.warmup;
			      constant, read without the lock */
	uint32_t thread;   /* number of the thread that runs at the end of the
			      last chunk; used only with several thread classes,
			      when chunks are recovered in order, so without
			      the lock */
};

/* Initialise with no blocks and no plan. @strings: stores paths and names; must
   outlive this state. */
void al_recovery_init(struct al_recovery *, struct al_intern *strings);

void al_recovery_release(struct al_recovery *);

/* Set the lanes (thread filters of windows) and thread classes from the
   recording plan that the stream was recorded with. Call it before the first
   log record or chunk. */
void al_recovery_set_thread_filters_from_plan(struct al_recovery *,
					      const struct pt_plan *);

/*
 * Counter of one route (block and exit), with the data that the loop over units
 * needs.
 *
 * Bits 0 to 7 of count_length are the length of the route's units [4 bytes].
 * Bits 8 to 15 are nonzero if the fast loop cannot process the route: the block
 * has guards, this recoverer has not resolved the route yet, no lane of the
 * thread selects the block, or a warm lane may select it. Bits 16 to 63 count
 * executions.
 */
struct al_route_counter {
	uint64_t count_length;
	uint64_t exec; /* execution of the route with slot offset 0, packed by
			  pack_block_execution_into_u64() in recover.c; the slot
			  offset of each unit is added to a copy */
};

enum {
	/* one execution, as added to al_route_counter.count_length */
	AL_COUNT_ONE = 1 << 16
};

/* Element of a recoverer's table of blocks, by block number; `block` is NULL
   for a block that the recoverer has not executed. */
struct al_known_block {
	struct al_block *block;	 /* the block; NULL: this recoverer has not
				    executed it */
	uint64_t *skipped;	 /* [n_accesses] how often the guard of each
				    access was false; NULL: the block has no
				    guards */
	uint64_t *packed_counts; /* [n_exits] for each exit four counts of an
				    execution that leaves by it, in one word,
				    see chunk_counts.c; NULL: not computed
				    yet */
	/* an access may lie beyond the pages next to that of its slot's value,
	   see al_access_is_over_a_page_from_slot_value(); valid only if
	   `packed_counts` is not NULL */
	bool has_far_access;
};

/* Counters of the routes (block and exit) for one thread class. */
struct al_route_counters {
	struct al_route_counter *route; /* [n] counters, by route */
	uint32_t n;
};

struct al_recoverer {
	struct al_recovery *recovery;
	struct al_recoverer *next;	   /* next in a list of the recoverer's
					      owner */
	unsigned class;			   /* class of the running thread */
	struct al_route_counters counters; /* counters of the routes of thread
					      class 0 */
	/* [classes - 1] counters of the routes of the thread classes from 1 on;
	   NULL: no thread of these classes has run yet */
	struct al_route_counters *class_counters;
	uint32_t n_known;
	struct al_known_block *known; /* [n_known] known blocks, by block
					 number */
	/* [n_warmup_descs] by route: descriptors of the blocks that warm lanes
	   (thread filters of warm-ups) may select; the other elements are
	   NULL */
	const struct al_desc **warmup_desc;
	uint32_t n_warmup_descs;
	/* page index, created when the recoverer first encodes a chunk for a
	   profile, freed with the recoverer; NULL before */
	struct al_page_index *page_index;
};

/* Units of a chunk that are yet to be recovered. */
struct al_unit_reader {
	const uint32_t *base;
	size_t next; /* next unit: offset from base, in units of 4 bytes */
	size_t end;  /* end of the units: offset from base, in units of 4
			bytes */
};

void al_recoverer_release(struct al_recoverer *);

/* Return how many of the executions that this recoverer counted left the block
   by exit @exit_index. The recoverer must have executed the block. */
uint64_t al_recoverer_exit_count(const struct al_recoverer *,
				 const struct al_known_block *,
				 unsigned exit_index);

/**
 * al_recover_units() - Count the executions of the units from the reader's
 * `next` to its `end`, and append them and the marks to a chunk. Advances
 * `next`.
 * @chunk: receives executions and marks; has memory for one execution in every
 *         4 bytes of the chunk.
 *
 * Return: 0; -EPROTO at a unit that contradicts the descriptors;
 *         -AL_E_PARTIAL_BYTES; -ENOMEM. After an error, `next` is the position
 *         of the unit with the error, and @chunk holds all before it.
 */
int al_recover_units(struct al_recoverer *, struct al_unit_reader *,
		     struct al_recovered_chunk *chunk);

/* Subtract the executions of a recovered chunk from the counters of the blocks,
   and remove everything recovered from the chunk. Acquires the lock. */
void al_recovery_uncount_and_clear_chunk(struct al_recovery *,
					 struct al_recovered_chunk *);

/* Add a recoverer's counters to those of the blocks. Call it once, after the
   recoverer's last chunk, because the recoverer's counters are not reset. */
void al_recoverer_add_counts_to_blocks(struct al_recoverer *);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exec_counts.h - stores how many instructions, reads and writes an execution
 *                 of a block counts
 *
 * Threads: one at a time.
 */
#ifndef ANALYZERS_TIMELINE_EXEC_COUNTS_H
#define ANALYZERS_TIMELINE_EXEC_COUNTS_H

#include "analyzers/analyzer.h"
#include "analyzers/arena.h"

/* Positions of the counts of an execution in one word: AN_COUNT_BITS bits each.
   The counts of up to AN_MAX_BATCH executions can be added up; the uppermost
   bit of the sum is then meaningless. */
enum {
	AN_COUNT_BITS = 21,
	AN_COUNT_INSTRS = 0,
	AN_COUNT_READS = AN_COUNT_BITS,
	AN_COUNT_WRITES = 2 * AN_COUNT_BITS,
	AN_COUNT_MASK = (1 << AN_COUNT_BITS) - 1,
};

_Static_assert((uint64_t)PT_MAX_INSTRS *AN_MAX_BATCH <= AN_COUNT_MASK,
	       "sums of instructions fit");
_Static_assert((uint64_t)PT_MAX_ACCESSES *AN_MAX_BATCH <= AN_COUNT_MASK,
	       "sums of accesses fit");

/* Set in the counts of an execution if the block has listed accesses. */
#define AN_COUNT_HAS_LISTED (UINT64_C(1) << 63)

/* Accesses of a block that are looked at one by one. */
struct an_listed_accesses {
	const struct an_block *block;
	const uint16_t *access; /* [n] numbers, ascending, of the accesses of
				   the block that are guarded, or longer than
				   the limit of an_exec_counts_add_block() */
	unsigned n;
};

/* Zeros are a valid state without blocks. */
struct an_exec_counts {
	size_t n_blocks, n_exits;
	uint32_t *first_exit; /* [n_blocks] by block id: index in exit_counts of
				 the block's exit 0 */
	uint64_t *exit_counts; /* [n_exits] packed instructions, reads and
				  writes of an execution that leaves by this
				  exit; a modify is both, a guarded access
				  counts as if it happened */
	struct an_listed_accesses *listed; /* [n_blocks] by block id */
	size_t first_exits_size, exit_counts_size, listed_size;
	struct an_arena arena;
};

/* Return the packed counts of one access. */
static inline uint64_t
an_access_packed_read_write_counts(const struct pt_access *a)
{
	return (uint64_t)(a->kind != PT_STORE) << AN_COUNT_READS |
	       (uint64_t)(a->kind != PT_LOAD) << AN_COUNT_WRITES;
}

static inline bool an_access_is_guarded(const struct pt_access *a)
{
	return a->slot != PT_NO_SLOT && (a->flags & PT_GUARDED);
}

/* Return the packed counts of an execution. */
static inline uint64_t an_exec_counts_packed(const struct an_exec_counts *c,
					     struct an_exec e)
{
	return c->exit_counts[c->first_exit[e.block] + an_exec_exit_number(e)];
}

/* Add the block with id c->n_blocks. Its accesses that are guarded or longer
   than @max_unlisted_access_size [bytes] are listed. Return: 0 or -ENOMEM. */
int an_exec_counts_add_block(struct an_exec_counts *, const struct an_block *,
			     unsigned max_unlisted_access_size);

void an_exec_counts_release(struct an_exec_counts *);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probes.h - groups the accesses of a block that one page lookup can handle
 *
 * A probe is a group of accesses of a block that have the same base address
 * (the value of one slot, or 0), lie within the size of a page, and have no
 * exit between them. One page lookup is enough for all of them, unless a page
 * border lies between them. A guarded access is a probe of its own.
 *
 * Threads: one at a time.
 */
#ifndef ANALYZERS_TIMELINE_PROBES_H
#define ANALYZERS_TIMELINE_PROBES_H

#include "analyzers/analyzer.h"
#include "analyzers/arena.h"

struct an_probe {
	uint64_t delta;		/* address of the first byte, relative to the
				   base */
	const uint16_t *access; /* [n_accesses] numbers of the accesses */
	uint16_t span; /* [bytes] distance from the first byte to the last;
			  AN_PROBE_GUARDED: the access may not happen */
	uint16_t slot; /* offset of the base in the execution's slots, in words
			  of 4 bytes */
	uint16_t n_accesses;
	int8_t base_mask; /* -1: the base is the value of the slot; 0: it is 0,
			     and delta is the address */
};

enum { AN_PROBE_GUARDED = UINT16_MAX };

/* Positions of the counts of an execution in one word: AN_COUNT_BITS bits each.
   The counts of up to AN_MAX_BATCH executions can be added up. */
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

struct an_probe_exit {
	uint64_t counts; /* packed instructions, reads and writes of an
			    execution that leaves by the exit; a modify is
			    both, a guarded access counts as if it happened */
	/* by enum an_probe_kind: number of the block's probes before the exit;
	   these are the first ones of the block */
	uint16_t n_probes[2];
	uint32_t bin_number; /* an_chunk_scan.bin_number when the absolute
				probes were counted last; 0: never */
};

/* An absolute probe has base 0: each execution accesses the same addresses. */
enum an_probe_kind { AN_PROBE_ABSOLUTE, AN_PROBE_BASED };

/* The probes of a block, in an arena. */
struct an_block_probes {
	const struct an_probe *probe[2]; /* by enum an_probe_kind */
	struct an_probe_exit *exit;	 /* by number of the exit */
	const struct an_block *block;
};

/* Return the packed counts of one access. */
static inline uint64_t an_access_counts(const struct pt_access *a)
{
	return (uint64_t)(a->kind != PT_STORE) << AN_COUNT_READS |
	       (uint64_t)(a->kind != PT_LOAD) << AN_COUNT_WRITES;
}

/* Set @probes_out to the probes of a block. Return: 0 or -ENOMEM. */
int an_block_probes_init(struct an_block_probes *probes_out,
			 const struct an_block *, struct an_arena *);

#endif

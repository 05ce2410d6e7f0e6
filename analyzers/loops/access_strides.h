/* SPDX-License-Identifier: GPL-2.0-or-later */
/* access_strides.h - strides of an access: differences between the addresses of
   its successive executions in one run of a loop; and counts of the first
   distinct values of any sequence */
#ifndef ANALYZERS_LOOPS_ACCESS_STRIDES_H
#define ANALYZERS_LOOPS_ACCESS_STRIDES_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzers/arena.h"

enum {
	AN_COUNTED_VALUES = 8, /* distinct values that are counted */
};

/* How often each value of a sequence occurs: the first distinct values one by
   one, in `found`, and all others together. All zeros: an empty sequence. */
struct an_value_counts {
	uint64_t filter; /* while `found` has room: 0. Then all bits are set but
			    those of the values in found; see
			    an_value_bloom_filter_mask() */
	uint64_t others; /* values that are not in found */
	struct an_value_count {
		uint64_t value;
		uint64_t count;
	} found[AN_COUNTED_VALUES]; /* the first distinct values */
};

/* Return the two bits of an_value_counts.filter for a value: a multiplicative
   hash with 2^64 divided by the golden ratio. */
static inline uint64_t an_value_bloom_filter_mask(uint64_t value)
{
	uint64_t hash = value * UINT64_C(0x9e3779b97f4a7c15);

	return UINT64_C(1) << (hash >> 58) | UINT64_C(1) << (hash >> 52 & 63);
}

/* Count a value other than found[0].value: in its element of `found`, or else
   in an empty one, or else in `others`. c->filter must have neither of the two
   bits that an_value_bloom_filter_mask() returns for the value. */
void an_value_counts_count_unfiltered(struct an_value_counts *c,
				      uint64_t value);

/* Count a value other than c->found[0].value. */
static inline void
an_value_counts_count_nonfirst_value(struct an_value_counts *c, uint64_t value)
{
	if (c->filter & an_value_bloom_filter_mask(value))
		c->others++;
	else
		an_value_counts_count_unfiltered(c, value);
}

static inline void an_value_counts_count_value(struct an_value_counts *c,
					       uint64_t value)
{
	if (__builtin_expect(c->found[0].value == value, 1))
		c->found[0].count++;
	else
		an_value_counts_count_nonfirst_value(c, value);
}

/* The last execution of an access in a run with one lane (an_loop_run.lane). */
struct an_stride_lane {
	uint64_t address;
	uint64_t run; /* number of the run of the innermost loop in which
			 `address` was accessed; 0: none */
};

/* Strides of one access of an instruction. The members that most executions
   read are adjacent, to lie in one cache line. */
struct an_strides {
	struct an_stride_lane first;   /* lane 0 */
	struct an_value_counts counts; /* of the strides [bytes], modulo 2^64 */
	struct an_stride_lane *other;  /* [n_others] lanes from 1 on */
	uint32_t n_others;
};

/* Return lane @lane of @s, which is added to @arena if it is missing; NULL if
   memory is short. */
struct an_stride_lane *an_strides_find_or_add_lane(struct an_strides *s,
						   unsigned lane,
						   struct an_arena *arena);

/* Return lane @lane of @s, from 0; NULL: it has none. */
const struct an_stride_lane *an_strides_lane_or_null(const struct an_strides *s,
						     unsigned lane);

/* Whether the access was ever executed in a run. */
bool an_strides_has_execution(const struct an_strides *);

/* Whether the last execution of any lane accessed @address. */
bool an_strides_has_last_address(const struct an_strides *, uint64_t address);

/* Count the stride of an access to @address if its previous execution with
   this lane, one of @s, was in the same run of the loop, and store the address.
   @run_number: from 1. */
static inline void an_strides_count(struct an_strides *s,
				    struct an_stride_lane *lane,
				    uint64_t address, uint64_t run_number)
{
	uint64_t stride_bytes = address - lane->address;

	lane->address = address;
	if (__builtin_expect(lane->run != run_number, 0))
		lane->run = run_number;
	else if (__builtin_expect(s->counts.found[0].value == stride_bytes, 1))
		s->counts.found[0].count++;
	else
		an_value_counts_count_nonfirst_value(&s->counts, stride_bytes);
}

#endif

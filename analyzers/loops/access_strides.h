/* SPDX-License-Identifier: GPL-2.0-or-later */
/* access_strides.h - strides of an access: differences between the addresses of
   its successive executions in one run of a loop */
#ifndef ANALYZERS_LOOPS_ACCESS_STRIDES_H
#define ANALYZERS_LOOPS_ACCESS_STRIDES_H

#include <stdint.h>

enum {
	AN_STRIDES = 8, /* distinct strides of an access that are counted */
};

/* Strides of one access of an instruction. The members that most executions
   read are adjacent, to lie in one cache line. */
struct an_strides {
	uint64_t address; /* address in the last execution of the access */
	uint64_t run;	  /* number of the run of the innermost loop in which
			     `address` was accessed; 0: none */
	uint64_t filter;  /* while `found` has room: 0. Then the bits are set of
			     all strides that are not in found; see
			     an_stride_bloom_filter_bits() */
	uint64_t others;  /* executions with strides that are not in found */
	struct an_stride_count {
		uint64_t stride; /* [bytes], modulo 2^64 */
		uint64_t count;
	} found[AN_STRIDES]; /* the first distinct ones that were executed */
};

/* Return the two bits of an_strides.filter for a stride: a multiplicative hash
   with 2^64 divided by the golden ratio. */
static inline uint64_t an_stride_bloom_filter_bits(uint64_t stride_bytes)
{
	uint64_t hash = stride_bytes * UINT64_C(0x9e3779b97f4a7c15);

	return UINT64_C(1) << (hash >> 58) | UINT64_C(1) << (hash >> 52 & 63);
}

/* Count a stride other than found[0].stride. s->filter must have neither of the
   two bits that an_stride_bloom_filter_bits() returns for the stride. */
void an_strides_count_stride_besides_most_frequent(struct an_strides *s,
						   uint64_t stride_bytes);

/* Count the stride of an access to @address if its previous execution was in
   the same run of the loop, and store the address. @run_number: from 1. */
static inline void an_strides_count(struct an_strides *s, uint64_t address,
				    uint64_t run_number)
{
	uint64_t stride_bytes = address - s->address;

	s->address = address;
	if (__builtin_expect(s->run != run_number, 0))
		s->run = run_number;
	else if (__builtin_expect(s->found[0].stride == stride_bytes, 1))
		s->found[0].count++;
	else if (s->filter & an_stride_bloom_filter_bits(stride_bytes))
		s->others++;
	else
		an_strides_count_stride_besides_most_frequent(s, stride_bytes);
}

#endif

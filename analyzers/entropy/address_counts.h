/* SPDX-License-Identifier: GPL-2.0-or-later */
/* address_counts.h - counts by address, and their entropy */
#ifndef ANALYZERS_ENTROPY_ADDRESS_COUNTS_H
#define ANALYZERS_ENTROPY_ADDRESS_COUNTS_H

#include <stddef.h>
#include <stdint.h>

enum {
	/* addresses in a table at most: 256 MiB */
	AN_MAX_ADDRESSES = 1 << 23,
	AN_LOCAL_ENTROPIES = 10,
};

struct an_address_count {
	uint64_t address;
	uint64_t count; /* 0: the bucket is free */
};

/* A hash table. All zeros: valid and empty. */
struct an_address_counts {
	struct an_address_count *bucket; /* [n_buckets] */
	size_t n_buckets;		 /* a power of two, or 0 */
	size_t n;			 /* addresses */
};

/* Add @count, not 0, to an address. Return: 0; -ENOMEM if memory is short or the
   table has AN_MAX_ADDRESSES. */
int an_address_counts_add(struct an_address_counts *, uint64_t address,
			  uint64_t count);

void an_address_counts_release(struct an_address_counts *);

/**
 * an_address_counts_entropy() - Compute the entropy of the addresses.
 * @entropy: [1 + AN_LOCAL_ENTROPIES] bits: -sum p log2 p over address >> k, for k
 *           from 0.
 *
 * The sums are made in the order of addresses, so equal tables have equal
 * entropies. Return: 0 or -ENOMEM.
 */
int an_address_counts_entropy(const struct an_address_counts *,
			      double entropy[1 + AN_LOCAL_ENTROPIES]);

#endif

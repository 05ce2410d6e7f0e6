/* SPDX-License-Identifier: GPL-2.0-or-later */
/* address_counts.h - counts by address, and their entropy */
#ifndef ANALYZERS_ENTROPY_ADDRESS_COUNTS_H
#define ANALYZERS_ENTROPY_ADDRESS_COUNTS_H

#include <stddef.h>
#include <stdint.h>

enum {
	/* maximum of addresses in a table; its buckets then take 256 MiB */
	AN_MAX_ADDRESSES = 1 << 23,
	/* local entropies, of addresses >> 1 to addresses >> 10 */
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
	size_t n;			 /* number of used buckets, one for each
					    address */
};

/* Add @count, which is not 0, to the count of @address. Return: 0; -ENOMEM if
   memory is short or the table has AN_MAX_ADDRESSES. */
int an_address_counts_add(struct an_address_counts *, uint64_t address,
			  uint64_t count);

void an_address_counts_release(struct an_address_counts *);

/**
 * an_address_counts_compute_entropies() - Compute the entropies of the
 * addresses.
 * @entropy_bits_out: receives, at index k from 0 to AN_LOCAL_ENTROPIES
 *           inclusive, the entropy [bits] of the values address >> k: -sum p
 *           log2 p, p being the part of all counts that has a value.
 *
 * The sums are made in the order of addresses, so equal tables have equal
 * entropies. Return: 0; -ENOMEM, with nothing stored.
 */
int an_address_counts_compute_entropies(
	const struct an_address_counts *,
	double entropy_bits_out[1 + AN_LOCAL_ENTROPIES]);

#endif

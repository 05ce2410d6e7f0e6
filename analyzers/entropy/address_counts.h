/* SPDX-License-Identifier: GPL-2.0-or-later */
/* address_counts.h - counts by address, and their entropy */
#ifndef ANALYZERS_ENTROPY_ADDRESS_COUNTS_H
#define ANALYZERS_ENTROPY_ADDRESS_COUNTS_H

#include <stddef.h>
#include <stdint.h>

enum {
	/* [bytes] maximum of the counts of a table */
	AN_MAX_COUNT_BYTES = 256 << 20,
	AN_COUNT_UNIT = 512, /* [bytes] of memory in one an_count_unit */
	/* local entropies, of addresses >> 1 to addresses >> 10 */
	AN_LOCAL_ENTROPIES = 10,
};

struct an_address_count {
	uint64_t address;
	uint64_t count;
};

/* Counts of the addresses in AN_COUNT_UNIT bytes of memory, which are divided
   into cells of 8, 4 or 1 bytes. Each cell has the count of its first address.
   The size is the largest at which each address that was added begins a
   cell. */
struct an_count_unit {
	uint64_t number; /* address / AN_COUNT_UNIT */
	uint32_t *count; /* [AN_COUNT_UNIT >> shift] 0: the address was not
			    added. NULL: the bucket is free */
	unsigned shift;	 /* log2 of the bytes of a cell */
};

/* A hash table of units. All zeros: valid and empty. */
struct an_address_counts {
	struct an_count_unit *unit; /* [n_buckets] */
	size_t n_buckets;	    /* a power of two, or 0 */
	size_t n_units;
	size_t bytes; /* of the counts of all units */
	size_t n;     /* number of addresses */
	/* the parts of counts that exceed the 32 bits of a cell */
	struct an_address_count *large;
	size_t n_large, max_large;
};

/* Add @count, which is not 0, to the count of @address. Return: 0; -ENOMEM if
   memory is short or the counts have AN_MAX_COUNT_BYTES. */
int an_address_counts_add(struct an_address_counts *, uint64_t address,
			  uint64_t count);

/* Add all counts of @from to @to. Return: as an_address_counts_add(). */
int an_address_counts_add_all(struct an_address_counts *to,
			      const struct an_address_counts *from);

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

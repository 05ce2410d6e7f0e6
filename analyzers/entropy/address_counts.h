/* SPDX-License-Identifier: GPL-2.0-or-later */
/* address_counts.h - counts by address, and their entropy */
#ifndef ANALYZERS_ENTROPY_ADDRESS_COUNTS_H
#define ANALYZERS_ENTROPY_ADDRESS_COUNTS_H

#include <stddef.h>
#include <stdint.h>

enum {
	/* [bytes] limit on the memory for the counts of one state of the
	   analysis */
	AN_MAX_COUNT_BYTES = 256 << 20,
	/* [bytes] of the program's memory whose accesses one an_count_unit
	   counts */
	AN_COUNT_UNIT = 512,
	/* local entropies, of addresses >> 1 to addresses >> 10 */
	AN_LOCAL_ENTROPIES = 10,
};

struct an_address_count {
	uint64_t address;
	uint64_t count;
};

/* Counts of the addresses in AN_COUNT_UNIT bytes of the program's memory, which
   are divided into cells of 8, 4 or 1 bytes. Each cell has the count of its
   first address. The size is the largest at which each address that was added
   begins a cell. */
struct an_count_unit {
	uint64_t number : 56; /* address / AN_COUNT_UNIT */
	uint64_t shift : 8;   /* log2 of the bytes of a cell */
	uint32_t *count;      /* [AN_COUNT_UNIT >> shift] 0: the address was not
				 added. NULL: the bucket is free */
};

/* A hash table of units. All zeros: valid and empty. */
struct an_address_counts {
	struct an_count_unit *unit; /* [n_buckets] */
	size_t n_buckets;	    /* a power of two, or 0 */
	size_t n_units;
	size_t bytes; /* of the counts of all units */
	/* the parts of counts that exceed the 32 bits of a cell */
	struct an_address_count *large;
	size_t n_large, max_large;
};

struct an_entropies {
	uint64_t n_accesses;  /* sum of all counts */
	uint64_t n_addresses; /* different ones */
	/* At index k, the entropy [bits] of the values address >> k: -sum p
	   log2 p, p being the part of all counts that a value has. */
	double bits[1 + AN_LOCAL_ENTROPIES];
};

/* Return the index of the first bucket where unit @unit_number can be, the
   table having @n_buckets. Four units that follow each other, from a number
   divisible by 4 on, have adjacent buckets, to be in one or two lines of the
   host's cache. */
static inline size_t an_count_unit_first_hash_bucket(uint64_t unit_number,
						     size_t n_buckets)
{
	uint64_t hash = (unit_number / 4) * UINT64_C(0x9e3779b97f4a7c15) >> 32;

	return (hash * 4 + unit_number % 4) & (n_buckets - 1);
}

/* Return the bucket that holds unit @number; if there is none, the free bucket
   where it can be added. The table has buckets. They are tried in steps of 5,
   an odd number, which reaches all of them: the next 3 are probably used, by
   the units that follow. */
static inline struct an_count_unit *
an_address_counts_find_bucket(const struct an_address_counts *t,
			      uint64_t number)
{
	size_t i = an_count_unit_first_hash_bucket(number, t->n_buckets);

	while (t->unit[i].count != NULL && t->unit[i].number != number)
		i = (i + 5) & (t->n_buckets - 1);
	return &t->unit[i];
}

/* Make room for one unit more. Afterwards the table has buckets. Return: 0 or
   -ENOMEM. */
int an_address_counts_reserve_unit(struct an_address_counts *);

/* Add @count, which is not 0, to the count of @address. Return: 0; -ENOMEM if
   memory is short or the counts would exceed AN_MAX_COUNT_BYTES. */
int an_address_counts_add(struct an_address_counts *, uint64_t address,
			  uint64_t count);

/* Add all counts of @from to @to. Return: as an_address_counts_add(). */
int an_address_counts_add_all(struct an_address_counts *to,
			      const struct an_address_counts *from);

void an_address_counts_release(struct an_address_counts *);

/* Compute the entropies of the addresses. The sums are made in the order of
   addresses, so equal counts have equal entropies. Return: 0; -ENOMEM, with
   @result undefined. */
int an_address_counts_compute_entropies(const struct an_address_counts *,
					struct an_entropies *result);

#endif

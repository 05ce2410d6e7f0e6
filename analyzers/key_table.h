/* SPDX-License-Identifier: GPL-2.0-or-later */
/* key_table.h - assigns numbers to keys in the order of their first use, from
   0 */
#ifndef ANALYZERS_KEY_TABLE_H
#define ANALYZERS_KEY_TABLE_H

#include <stdint.h>

enum { AN_KEY_TABLE_NO_MEMORY = -1 }; /* memory is short */

struct an_key {
	uint64_t word[3];
};

/* A table that is all zeros is valid and empty. */
struct an_key_table {
	struct an_key *key; /* by number */
	uint32_t n;
	uint32_t size;
	uint32_t *bucket; /* number + 1, or 0: free */
	uint32_t n_buckets;
};

/* Return the number of a key, which is added if it is new;
   AN_KEY_TABLE_NO_MEMORY if memory is short. */
int64_t an_key_table_find_or_add(struct an_key_table *, const struct an_key *);

/* Return the number of a key; -1 if it has none. */
int64_t an_key_table_find(const struct an_key_table *, const struct an_key *);

void an_key_table_release(struct an_key_table *);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* key_table.h - numbers keys in the order of their first use, from 0 */
#ifndef ANALYZERS_KEY_TABLE_H
#define ANALYZERS_KEY_TABLE_H

#include <stdint.h>

enum { AN_INDEX_FULL = -1 }; /* memory is short */

struct an_key {
	uint64_t part[3];
};

/* A table that is all zeros is valid and empty. */
struct an_index {
	struct an_key *key; /* by number */
	uint32_t n;
	uint32_t size;
	uint32_t *bucket; /* number + 1, or 0: free */
	uint32_t n_buckets;
};

/* Return the number of a key, which is added if it is new; AN_INDEX_FULL on
   error. */
int64_t an_index_find(struct an_index *, const struct an_key *);

void an_index_release(struct an_index *);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * key_table.h - numbers for keys: 0 for the first, 1 for the next that is new
 */
#ifndef ANALYZERS_KEY_TABLE_H
#define ANALYZERS_KEY_TABLE_H

#include <stdint.h>

enum { AN_INDEX_FULL = -1 }; /* memory is short */

struct an_key {
	uint64_t part[3];
};

/* Zeroed: none. */
struct an_index {
	struct an_key *key; /* by number */
	uint32_t n;
	uint32_t size;
	uint32_t *bucket; /* number + 1, or 0 */
	uint32_t n_buckets;
};

/* Number of a key, which is added if it is not there; or AN_INDEX_FULL. */
int64_t an_index_find(struct an_index *, const struct an_key *);

void an_index_release(struct an_index *);

#endif

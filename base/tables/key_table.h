/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * key_table.h - numbers keys from 0, in the order of their first use
 *
 * Threads: one at a time.
 */
#ifndef BASE_TABLES_KEY_TABLE_H
#define BASE_TABLES_KEY_TABLE_H

#include <stdbool.h>
#include <stdint.h>

enum { AL_KEY_TABLE_NO_MEMORY = -1 }; /* memory is short */

struct al_key {
	uint64_t word[3];
};

/* A table that is all zeros is valid and empty. */
struct al_key_table {
	struct al_key *key; /* by number */
	uint32_t n;
	uint32_t size;
	uint32_t *bucket; /* number + 1, or 0: free */
	uint32_t n_buckets;
};

/* Return the number of a key, which is added if it is new;
   AL_KEY_TABLE_NO_MEMORY if memory is short. */
int64_t al_key_table_find_or_add(struct al_key_table *, const struct al_key *);

/* Return the number of a key; -1 if it has none. */
int64_t al_key_table_find(const struct al_key_table *, const struct al_key *);

/**
 * al_key_table_find_or_add_pair() - Find the number of the key {a, b, 0}, or
 * assign the next one.
 * @is_new: receives whether the number was assigned by this call.
 *
 * Return: 0; -ENOMEM.
 */
int al_key_table_find_or_add_pair(struct al_key_table *, uint64_t a, uint64_t b,
				  uint32_t *number, bool *is_new);

/* Fetch the number of the key {a, b, 0}. Return: false if it has none. */
bool al_key_table_find_pair(const struct al_key_table *, uint64_t a, uint64_t b,
			    uint32_t *number);

void al_key_table_release(struct al_key_table *);

#endif

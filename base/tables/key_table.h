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

/* Returned in place of a key's number if memory is short. */
enum { AL_KEY_TABLE_NO_MEMORY = -1 };

struct al_key {
	uint64_t word[3];
};

/* A table that is all zeros is valid and empty. */
struct al_key_table {
	struct al_key *key; /* [n] keys, indexed by their numbers */
	uint32_t n;
	uint32_t size;
	uint32_t *bucket; /* [n_buckets] hash table: number of a key + 1; 0: the
			     bucket is free */
	uint32_t n_buckets;
};

/* Return the number of a key, from 0. A key that is not in the table is added
   and gets the next number. Return AL_KEY_TABLE_NO_MEMORY if memory is short.
   */
int64_t al_key_table_find_or_add_index(struct al_key_table *,
				       const struct al_key *);

/* Return the number of a key, from 0; -1 if the key is not in the table. */
int64_t al_key_table_find_index_or_minus_1(const struct al_key_table *,
					   const struct al_key *);

/**
 * al_key_table_find_or_add_pair() - Find the key {a, b, 0}, or add it.
 * @number_out: receives the key's number, from 0; a new key gets the next
 * number.
 * @is_new_out: receives whether this call added the key.
 *
 * Return: 0; -ENOMEM.
 */
int al_key_table_find_or_add_pair(struct al_key_table *, uint64_t a, uint64_t b,
				  uint32_t *number_out, bool *is_new_out);

/* Store the number of the key {a, b, 0} in @number_out. Return false, with
   @number_out undefined, if the key is not in the table. */
bool al_key_table_find_pair(const struct al_key_table *, uint64_t a, uint64_t b,
			    uint32_t *number_out);

void al_key_table_release(struct al_key_table *);

#endif

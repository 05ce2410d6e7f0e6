/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * index_table.h - finds the elements of an array by their keys
 *
 * A hash table of indices. The keys are in the elements, which the owner of the
 * array stores, so the table takes 5 to 11 bytes for each element.
 *
 * Threads: one at a time.
 */
#ifndef BASE_TABLES_INDEX_TABLE_H
#define BASE_TABLES_INDEX_TABLE_H

#include <stdbool.h>
#include <stdint.h>

/* A table that is all zeros is valid and empty. */
struct al_index_table {
	uint32_t *bucket;   /* [n_buckets] index of an element + 1; 0: free */
	uint32_t n_buckets; /* 0 or a power of two */
	uint32_t n;	    /* number of indices that the table holds */
};

/* Return a hash of two numbers. */
static inline uint32_t al_index_table_hash(uint64_t a, uint64_t b)
{
	uint64_t h = (a * UINT64_C(0x9e3779b97f4a7c15) + b) *
		     UINT64_C(0x9e3779b97f4a7c15);

	return (uint32_t)(h >> 32);
}

/**
 * al_index_table_find_index_plus_1() - Find the element with a key.
 * @hash: of @key.
 * @has_key: returns whether the element with an index has @key. @array is
 *         passed to it.
 *
 * Return: the element's index plus 1; 0: there is none.
 */
static inline uint32_t al_index_table_find_index_plus_1(
	const struct al_index_table *x, uint32_t hash,
	bool (*has_key)(const void *array, uint32_t index, const void *key),
	const void *array, const void *key)
{
	uint32_t mask = x->n_buckets - 1;

	if (x->n_buckets == 0)
		return 0;
	for (uint32_t i = hash & mask; x->bucket[i] != 0; i = (i + 1) & mask)
		if (has_key(array, x->bucket[i] - 1, key))
			return x->bucket[i];
	return 0;
}

/**
 * al_index_table_add() - Add an index whose element's key is not in the table.
 * @hash_of: returns the hash of the key of the element with an index. @array is
 *         passed to it.
 *
 * Return: 0; -ENOMEM.
 */
int al_index_table_add(struct al_index_table *, uint32_t index,
		       uint32_t (*hash_of)(const void *array, uint32_t index),
		       const void *array);

void al_index_table_release(struct al_index_table *);

#endif

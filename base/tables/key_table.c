/* SPDX-License-Identifier: GPL-2.0-or-later */
/* key_table.c - assigns numbers to keys; see key_table.h */

#include "base/tables/key_table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static uint32_t hash_key_to_32_bits(const struct al_key *k)
{
	uint64_t h = 0;

	for (int i = 0; i < 3; i++)
		h = (h + k->word[i]) * UINT64_C(0x9e3779b97f4a7c15);
	return (uint32_t)(h >> 32);
}

/* Return the bucket that holds the number of @k plus 1; if @k is not in the
   table, the free bucket (0) in which it can be stored. */
static uint32_t *find_bucket_of_key_or_free_one(const struct al_key_table *x,
						const struct al_key *k)
{
	uint32_t i = hash_key_to_32_bits(k) & (x->n_buckets - 1);

	while (x->bucket[i] != 0 &&
	       memcmp(&x->key[x->bucket[i] - 1], k, sizeof(*k)) != 0)
		i = (i + 1) & (x->n_buckets - 1);
	return &x->bucket[i];
}

/* Double the number of keys that the table can hold, with two buckets for
   each, and insert the keys into the new buckets. Return: 0;
   AL_KEY_TABLE_NO_MEMORY. */
static int double_table_and_rehash(struct al_key_table *x)
{
	uint32_t size = x->size ? 2 * x->size : 64;
	struct al_key *key = realloc(x->key, size * sizeof(*key));
	uint32_t *bucket;

	if (key == NULL)
		return AL_KEY_TABLE_NO_MEMORY;
	x->key = key;
	bucket = calloc(2 * (size_t)size, sizeof(*bucket));
	if (bucket == NULL)
		return AL_KEY_TABLE_NO_MEMORY;
	free(x->bucket);
	x->bucket = bucket;
	x->n_buckets = 2 * size;
	x->size = size;
	for (uint32_t i = 0; i < x->n; i++)
		*find_bucket_of_key_or_free_one(x, &x->key[i]) = i + 1;
	return 0;
}

int64_t al_key_table_find_or_add_index(struct al_key_table *x,
				       const struct al_key *k)
{
	uint32_t *bucket;

	if (x->n == x->size && double_table_and_rehash(x) != 0)
		return AL_KEY_TABLE_NO_MEMORY;
	bucket = find_bucket_of_key_or_free_one(x, k);
	if (*bucket == 0) {
		x->key[x->n] = *k;
		*bucket = ++x->n;
	}
	return *bucket - 1;
}

int64_t al_key_table_find_index_or_minus_1(const struct al_key_table *x,
					   const struct al_key *k)
{
	return x->n_buckets ? (int64_t)*find_bucket_of_key_or_free_one(x, k) - 1
			    : -1;
}

int al_key_table_find_or_add_pair(struct al_key_table *x, uint64_t a,
				  uint64_t b, uint32_t *number_out,
				  bool *is_new_out)
{
	uint32_t n = x->n;
	int64_t found =
		al_key_table_find_or_add_index(x, &(struct al_key){{a, b}});

	*number_out = (uint32_t)found;
	*is_new_out = x->n != n;
	return found < 0 ? -ENOMEM : 0;
}

bool al_key_table_find_pair(const struct al_key_table *x, uint64_t a,
			    uint64_t b, uint32_t *number_out)
{
	int64_t found =
		al_key_table_find_index_or_minus_1(x, &(struct al_key){{a, b}});

	*number_out = (uint32_t)found;
	return found >= 0;
}

void al_key_table_release(struct al_key_table *x)
{
	free(x->key);
	free(x->bucket);
	*x = (struct al_key_table){0};
}

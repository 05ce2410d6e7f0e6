/* SPDX-License-Identifier: GPL-2.0-or-later */
/* index_table.c - finds the elements of an array by their keys; see
   index_table.h */

#include "base/tables/index_table.h"

#include <errno.h>
#include <stdlib.h>

enum { FIRST_BUCKETS = 64 };

static void store_in_free_bucket(struct al_index_table *x, uint32_t hash,
				 uint32_t index)
{
	uint32_t mask = x->n_buckets - 1, i = hash & mask;

	while (x->bucket[i] != 0)
		i = (i + 1) & mask;
	x->bucket[i] = index + 1;
}

/* Double the number of buckets. Return: 0; -ENOMEM. */
static int double_buckets(struct al_index_table *x,
			  uint32_t (*hash_of)(const void *array,
					      uint32_t index),
			  const void *array)
{
	struct al_index_table old = *x;
	uint32_t n = old.n_buckets ? 2 * old.n_buckets : FIRST_BUCKETS;
	uint32_t *bucket = calloc(n, sizeof(*bucket));

	if (bucket == NULL)
		return -ENOMEM;
	x->bucket = bucket;
	x->n_buckets = n;
	for (uint32_t i = 0; i < old.n_buckets; i++)
		if (old.bucket[i] != 0)
			store_in_free_bucket(x,
					     hash_of(array, old.bucket[i] - 1),
					     old.bucket[i] - 1);
	free(old.bucket);
	return 0;
}

int al_index_table_add(struct al_index_table *x, uint32_t index,
		       uint32_t (*hash_of)(const void *array, uint32_t index),
		       const void *array)
{
	if (x->n >= x->n_buckets / 4 * 3 &&
	    double_buckets(x, hash_of, array) != 0)
		return -ENOMEM;
	store_in_free_bucket(x, hash_of(array, index), index);
	x->n++;
	return 0;
}

void al_index_table_release(struct al_index_table *x)
{
	free(x->bucket);
	*x = (struct al_index_table){0};
}

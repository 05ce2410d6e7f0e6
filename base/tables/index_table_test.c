/* SPDX-License-Identifier: GPL-2.0-or-later */
/* index_table_test.c - tests that elements are found by their keys */

#include "base/tables/index_table.h"

#include "tests/tap.h"

enum { NUMBERS = 5000 };

static uint64_t number[NUMBERS];

static bool is_number(const void *array, uint32_t index, const void *key)
{
	return ((const uint64_t *)array)[index] == *(const uint64_t *)key;
}

/* Return one of few hashes, so that many numbers have the same. */
static uint32_t hash_of_number(const void *array, uint32_t index)
{
	return al_index_table_hash(((const uint64_t *)array)[index] % 700, 0);
}

static uint32_t find(const struct al_index_table *x, uint64_t key)
{
	return al_index_table_find_index_plus_1(
		x, al_index_table_hash(key % 700, 0), is_number, number, &key);
}

int main(void)
{
	struct al_index_table x = {0};
	bool all_added = true, all_found = true;

	is_u64(find(&x, 1), 0, "an empty table has no element");
	for (uint32_t i = 0; i < NUMBERS; i++) {
		number[i] = i * UINT64_C(1000003);
		all_added &=
			al_index_table_add(&x, i, hash_of_number, number) == 0;
	}
	for (uint32_t i = 0; i < NUMBERS; i++)
		all_found &= find(&x, number[i]) == i + 1;
	ok(all_added && all_found, "each element is found");
	is_u64(find(&x, 7), 0, "another key is not");
	ok(x.n == NUMBERS && x.n_buckets >= NUMBERS &&
		   x.n_buckets <= 4 * NUMBERS,
	   "the buckets grow with the elements");
	al_index_table_release(&x);
	return done_testing();
}

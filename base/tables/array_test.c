/* SPDX-License-Identifier: GPL-2.0-or-later */
/* array_test.c - tests that arrays grow */

#include "base/tables/array.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "tests/tap.h"

static void test_growth(void)
{
	uint32_t *number = NULL, capacity = 0, *before;
	bool is_kept = true;

	ok(al_array_reserve(number, capacity, 0) == 0 && number == NULL,
	   "no memory is allocated for no elements");
	ok(al_array_reserve(number, capacity, 1) == 0 && capacity >= 1,
	   "an element fits");
	before = number;
	ok(al_array_reserve(number, capacity, capacity) == 0 &&
		   number == before,
	   "an array with room is not moved");
	for (uint32_t i = 0; i < 1000; i++) {
		if (al_array_reserve(number, capacity, i + 1))
			break;
		number[i] = i;
	}
	for (uint32_t i = 0; i < 1000; i++)
		is_kept &= number[i] == i;
	ok(is_kept && capacity == 1024, "it doubles, and keeps its elements");
	ok(al_array_reserve(number, capacity, 5000) == 0 && capacity == 5000,
	   "it grows by more than that if necessary");
	free(number);
}

static void test_zeroed(void)
{
	struct {
		uint64_t a;
		char b;
	} *item = NULL;
	size_t capacity = 0;
	bool is_zero = true;

	al_array_reserve_zeroed(item, capacity, 10);
	for (size_t i = 0; i < capacity; i++)
		is_zero &= item[i].a == 0 && item[i].b == 0;
	item[capacity - 1].a = 7;
	is_u64(al_array_reserve_zeroed(item, capacity, 1000), 0, "it grows");
	for (size_t i = 64; i < capacity; i++)
		is_zero &= item[i].a == 0 && item[i].b == 0;
	ok(is_zero, "new elements are 0");
	is_u64(item[63].a, 7, "old ones are not");
	ok(al_array_reserve_zeroed(item, capacity, SIZE_MAX / 2) == -ENOMEM &&
		   capacity == 1000 && item[63].a == 7,
	   "an array that does not fit into memory is left as it was");
	free(item);
}

int main(void)
{
	test_growth();
	test_zeroed();
	return done_testing();
}

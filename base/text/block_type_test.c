/* SPDX-License-Identifier: GPL-2.0-or-later */
/* block_type_test.c - tests the choice of the type of heap blocks */
#include "base/text/block_type.h"

#include "tests/tap.h"

/* Compare a type of @bytes that 10 accesses imply with one of 16 bytes that
   1000 accesses imply, for 10 blocks. Return: as
   al_compare_types_by_block_fit(). */
static int compare_with_part(uint64_t element_bytes, uint64_t bytes)
{
	const struct al_typed_blocks blocks = {10, element_bytes};

	return al_compare_types_by_block_fit(
		&blocks, &(struct al_implied_type){bytes, 10},
		&(struct al_implied_type){16, 1000});
}

static void test_choice(void)
{
	const struct al_typed_blocks more = {11, 64};

	ok(compare_with_part(64, 64) > 0, "the whole precedes its part");
	ok(compare_with_part(64, 48) < 0, "another part does not");
	ok(compare_with_part(8, 64) < 0 && compare_with_part(64, 80) < 0,
	   "nor does a larger type");
	ok(compare_with_part(AL_BLOCK_SIZE_MIXED, 64) < 0 &&
		   compare_with_part(0, 64) < 0 &&
		   compare_with_part(8192, 8192) < 0,
	   "nor the whole in blocks of several, unknown or great sizes");
	ok(al_compare_types_by_block_fit(
		   &more, &(struct al_implied_type){64, 10},
		   &(struct al_implied_type){16, 1000}) < 0,
	   "nor a whole that fewer accesses imply than there are blocks");
	ok(al_compare_types_by_block_fit(&more,
					 &(struct al_implied_type){80, 1},
					 &(struct al_implied_type){96, 2}) < 0,
	   "of larger types the more accessed precedes");
	ok(compare_with_part(64, 16) < 0, "of equal sizes, too");
}

static void test_sizes(void)
{
	struct al_typed_blocks all = {0};

	al_typed_blocks_add(&all, &(struct al_typed_blocks){2, 24});
	al_typed_blocks_add(&all, &(struct al_typed_blocks){0});
	al_typed_blocks_add(&all, &(struct al_typed_blocks){3, 24});
	ok(all.n == 5 && all.element_bytes == 24, "blocks of one size");
	al_typed_blocks_add(&all, &(struct al_typed_blocks){1, 32});
	ok(all.n == 6 && all.element_bytes == AL_BLOCK_SIZE_MIXED,
	   "blocks of two sizes");
}

int main(void)
{
	test_choice();
	test_sizes();
	return done_testing();
}

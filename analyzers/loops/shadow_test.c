/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shadow_test.c - the cells of accesses of all sizes */
#include "analyzers/loops/shadow.h"

#include "tests/tap.h"

static struct an_shadow s;
static size_t bytes;

static unsigned cells(uint64_t address, unsigned size)
{
	unsigned n = 0;

	an_shadow_find_or_add_cells(&s, address, size, &bytes, &n);
	return n;
}

static struct an_shadow_cell *cell(uint64_t address, unsigned size)
{
	unsigned n;

	return an_shadow_find_or_add_cells(&s, address, size, &bytes, &n);
}

static void test_cells_become_smaller(void)
{
	is_u64(cells(0x5008, 8), 1, "8 bytes are a cell");
	is_u64(cells(0x5010, 32), 4, "32 bytes are four");
	is_u64(bytes, 512 * sizeof(struct an_shadow_cell), "of one page");
	cell(0x5008, 8)->store = 7;
	is_u64(cells(0x500c, 4), 1, "4 bytes are a cell, too");
	is_u64(cells(0x5008, 8), 2, "of two that 8 bytes then are");
	ok(cell(0x5008, 4)->store == 7 && cell(0x500c, 4)->store == 7,
	   "both have what was stored in the one");
	ok(cell(0x5010, 4)->store == 0, "and no other has");
	is_u64(cells(0x5ffd, 3), 3, "3 bytes are three cells");
	is_u64(cells(0x5008, 8), 8, "and 8 bytes eight");
	ok(cell(0x500f, 1)->store == 7 && cell(0x5010, 1)->store == 0,
	   "with the same contents");
	is_u64(bytes, 4096 * sizeof(struct an_shadow_cell),
	       "the larger cells are freed");
}

static void test_many_pages(void)
{
	bool found = true;

	for (uint64_t i = 0; i < 1000; i++)
		cell(i << 20, 8)->load = i + 1;
	for (uint64_t i = 0; i < 1000; i++)
		found &= cell(i << 20, 8)->load == i + 1;
	ok(found, "1000 pages are different");
}

static void test_bound(void)
{
	struct an_shadow big = {0};
	size_t used = AN_MAX_SHADOW - 100;
	unsigned n;

	ok(!an_shadow_find_or_add_cells(&big, 8, 8, &used, &n) &&
		   used == AN_MAX_SHADOW - 100,
	   "beyond the bound there are no cells");
	an_shadow_release(&big, &used);
}

int main(void)
{
	test_cells_become_smaller();
	test_many_pages();
	test_bound();
	an_shadow_release(&s, &bytes);
	is_u64(bytes, 0, "all are freed");
	return done_testing();
}

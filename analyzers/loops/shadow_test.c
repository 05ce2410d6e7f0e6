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
	is_u64(cells(0x5008, 8), 1, "8 bytes have one cell");
	is_u64(cells(0x5010, 32), 4, "32 bytes have four cells");
	is_u64(bytes, 512 * sizeof(struct an_shadow_cell), "one page only");
	cell(0x5008, 8)->store = 7;
	is_u64(cells(0x500c, 4), 1, "4 bytes divide the cells in two");
	is_u64(cells(0x5008, 8), 2, "8 bytes then have two cells");
	ok(cell(0x5008, 4)->store == 7 && cell(0x500c, 4)->store == 7,
	   "both halves have the contents of the whole cell");
	ok(cell(0x5010, 4)->store == 0, "other cells do not");
	is_u64(cells(0x5ffd, 3), 3, "3 bytes have a cell for each byte");
	is_u64(cells(0x5008, 8), 8, "8 bytes then have eight cells");
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
	   "no cells are allocated beyond AN_MAX_SHADOW");
	an_shadow_release(&big, &used);
}

int main(void)
{
	test_cells_become_smaller();
	test_many_pages();
	test_bound();
	an_shadow_release(&s, &bytes);
	is_u64(bytes, 0, "all cells are freed");
	return done_testing();
}

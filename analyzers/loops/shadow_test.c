/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shadow_test.c - the cells of accesses of all sizes */
#include "analyzers/loops/shadow.h"

#include "tests/tap.h"

static struct an_shadow s;
static size_t bytes;

static const struct an_shadow_page *page(uint64_t address, unsigned size)
{
	return an_shadow_find_or_add_page(&s, address, size, &bytes);
}

/* Return the number of cells of an access. */
static unsigned cells(uint64_t address, unsigned size)
{
	return size >> page(address, size)->shift;
}

static struct an_shadow_cell *cell(uint64_t address, unsigned size)
{
	const struct an_shadow_page *p = page(address, size);

	return &p->cell[address % AN_SHADOW_PAGE >> p->shift];
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

/* Whether the bytes of a unit of cells of 1 byte have these last stores. */
static bool are_stores(const struct an_shadow_cell *unit, uint64_t a,
		       uint64_t b, uint64_t c, uint64_t d)
{
	const uint64_t *member = &unit->store;

	return an_shadow_last_access_of_byte(member, 0) == a &&
	       an_shadow_last_access_of_byte(member, 1) == b &&
	       an_shadow_last_access_of_byte(member, 2) == c &&
	       an_shadow_last_access_of_byte(member, 3) == d;
}

static void test_units_of_bytes(void)
{
	struct an_shadow_cell unit[AN_SHADOW_UNIT] = {{0}};

	ok(are_stores(unit, 0, 0, 0, 0), "no byte was stored");
	an_shadow_set_last_access_of_bytes(&unit->store, 2, 3, 20);
	ok(are_stores(unit, 0, 0, 20, 0), "a byte was stored");
	an_shadow_set_last_access_of_bytes(&unit->store, 0, 4, 30);
	ok(are_stores(unit, 30, 30, 30, 30), "all bytes were stored");
	an_shadow_set_last_access_of_bytes(&unit->store, 1, 3, 40);
	ok(are_stores(unit, 30, 40, 40, 30), "then two of them");
	an_shadow_set_last_access_of_bytes(&unit->store, 0, 1, 50);
	ok(are_stores(unit, 50, 40, 40, 30), "then another one");
	ok(unit[0].load == 0 && unit[2].load == 0, "none was loaded");
}

static void test_division_of_whole_cells(void)
{
	uint64_t address = 0x9000;

	cell(address, 8)->store = 60;
	cell(address + 1, 1);
	ok(are_stores(cell(address, 1), 60, 60, 60, 60) &&
		   are_stores(cell(address + 4, 1), 60, 60, 60, 60),
	   "each byte of a divided cell has its store");
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

	ok(!an_shadow_find_or_add_page(&big, 8, 8, &used) &&
		   used == AN_MAX_SHADOW - 100,
	   "no cells are allocated beyond AN_MAX_SHADOW");
	an_shadow_release(&big, &used);
}

int main(void)
{
	test_cells_become_smaller();
	test_units_of_bytes();
	test_division_of_whole_cells();
	test_many_pages();
	test_bound();
	an_shadow_release(&s, &bytes);
	is_u64(bytes, 0, "all cells are freed");
	return done_testing();
}

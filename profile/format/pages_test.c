/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pages_test.c - pages of several, put together
 */
#include "profile/format/pages.h"

#include <stdlib.h>
#include <string.h>

#include "tests/tap.h"

static struct pf_pages one, other, all;

static void touch(struct pf_pages *p, uint64_t page)
{
	pf_pages_add_address_range(p, page << PF_PAGE_BITS,
				   page << PF_PAGE_BITS);
	pf_pages_add_address_range(&all, page << PF_PAGE_BITS,
				   page << PF_PAGE_BITS);
}

static bool same(struct pf_pages *a, struct pf_pages *b)
{
	struct pf_extent x[PF_EXTENTS], y[PF_EXTENTS];

	pf_pages_sort_and_cover_by_extents(a, x);
	pf_pages_sort_and_cover_by_extents(b, y);
	return a->shift == b->shift && a->n == b->n &&
	       memcmp(x, y, sizeof(x)) == 0;
}

static void begin(void)
{
	pf_pages_clear(&one);
	pf_pages_clear(&other);
	pf_pages_clear(&all);
}

/* Merge sets of @n and @m pages at distances @apart and @wide. Return: whether
   the result has all of them. */
static bool merged(unsigned n, uint64_t apart, unsigned m, uint64_t wide)
{
	begin();
	for (unsigned i = 0; i < n; i++)
		touch(&one, i * apart);
	for (unsigned i = 0; i < m; i++)
		touch(&other, i * wide + 3);
	pf_pages_add_all_of_other(&one, &other);
	return same(&one, &all);
}

/* Whether pages 0, 2, ..., 2046 and page 1 give the same set in any order. */
static bool is_order_irrelevant(void)
{
	begin();
	for (unsigned i = 0; i < PF_PAGES; i++)
		touch(&one, 2 * i);
	touch(&one, 1);
	touch(&other, 1);
	for (unsigned i = 0; i < PF_PAGES; i++)
		touch(&other, 2 * i);
	return same(&one, &other);
}

int main(void)
{
	ok(is_order_irrelevant(), "the order of pages does not matter");
	ok(merged(0, 0, 0, 0), "nothing and nothing is nothing");
	ok(merged(10, 5, 10, 7), "a few pages and a few others");
	ok(merged(1000, 5, 1000, 7), "together they are too many");
	ok(merged(2000, 5, 10, 1000), "one of them has large grains");
	ok(merged(10, 1000, 2000, 5), "or the other");
	ok(merged(5000, 3, 3000, 17), "or both");
	ok(merged(10, 1, 2000, 1 << 21),
	   "pages all over memory are not added one by one");
	ok(merged(2000, 1 << 21, 2000, 1 << 20), "nor twice");
	return done_testing();
}

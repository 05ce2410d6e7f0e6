/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pages.c - collects the pages that a chunk touches; see pages.h
 */
#include "profile/format/pages.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void pf_pages_clear(struct pf_pages *p)
{
	p->shift = 0;
	p->n = 0;
	memset(p->table, 0, sizeof(p->table));
}

/* Insert a grain (an aligned group of 1 << shift pages) into the hash table.
   Return: false if it is there already. */
static bool insert_grain_in_table_return_is_new(struct pf_pages *p,
						uint32_t grain)
{
	uint32_t slot = grain * 2654435761u / (UINT32_MAX / PF_PAGES_TABLE + 1);

	while (p->table[slot] != 0) {
		if (p->table[slot] == grain + 1)
			return false;
		slot = (slot + 1) % PF_PAGES_TABLE;
	}
	p->table[slot] = grain + 1;
	return true;
}

/* Double the number of pages in a grain: halve the number of each grain of the
   set, and store grains that then have equal numbers once. */
static void double_pages_per_grain(struct pf_pages *p)
{
	uint32_t n = p->n;

	p->shift++;
	p->n = 0;
	memset(p->table, 0, sizeof(p->table));
	for (uint32_t i = 0; i < n; i++)
		if (insert_grain_in_table_return_is_new(p, p->grain[i] >> 1))
			p->grain[p->n++] = p->grain[i] >> 1;
}

/* Add the grain of one page. If the page is in no grain and the list is full,
   first double the size of the grains until it is in one or the list is not
   full. The hash table has more elements than the list, so
   insert_grain_in_table_return_is_new() always ends. */
static void add_page_grain_if_new(struct pf_pages *p, uint32_t page)
{
	while (insert_grain_in_table_return_is_new(p, page >> p->shift)) {
		if (p->n < PF_PAGES) {
			p->grain[p->n++] = page >> p->shift;
			return;
		}
		double_pages_per_grain(p);
	}
}

void pf_pages_add_address_range(struct pf_pages *p, uint64_t first_address,
				uint64_t last_address)
{
	uint32_t page = pf_page_number_at_most_last_page(first_address),
		 end = pf_page_number_at_most_last_page(last_address);

	if (last_address <
	    first_address) { /* the range continues at address 0 */
		add_page_grain_if_new(p, page);
		page = 0;
	}
	for (; page <= end; page++)
		add_page_grain_if_new(p, page);
}

void pf_pages_add_all_of_other(struct pf_pages *to, const struct pf_pages *from)
{
	/* The union has at least as many grains as @from, so it needs at least
	   the same shift. */
	while (to->shift < from->shift)
		double_pages_per_grain(to);
	for (uint32_t i = 0; i < from->n; i++)
		add_page_grain_if_new(to, from->grain[i] << from->shift);
}

/* ---- extents ---- */

static int compare_u32s(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* Sort @grain_count grains by Shell's method, which is faster than qsort() for
   at most PF_PAGES elements. */
static void sort_grains(uint32_t *grains, uint32_t grain_count)
{
	static const uint32_t steps[] = {301, 132, 57, 23, 10, 4, 1};

	for (unsigned s = 0; s < sizeof(steps) / sizeof(steps[0]); s++)
		for (uint32_t step = steps[s], i = step; i < grain_count; i++) {
			uint32_t x = grains[i], hole = i;

			for (; hole >= step && grains[hole - step] > x;
			     hole -= step)
				grains[hole] = grains[hole - step];
			grains[hole] = x;
		}
}

/* A gap between two adjacent grains of the sorted list. */
struct gap {
	uint32_t grains;     /* difference of the numbers of the two grains */
	uint32_t next_grain; /* index in pf_pages.grain of the grain after the
				gap */
};

/* The longest gaps, which no extent will cover, the longest first. */
struct gap_list {
	unsigned n;
	struct gap gap[PF_EXTENTS - 1];
};

/* Insert a gap if it is one of the PF_EXTENTS - 1 longest so far. */
static void insert_gap_if_among_longest(struct gap_list *g, struct gap gap)
{
	unsigned i = g->n;

	if (i == PF_EXTENTS - 1 && g->gap[i - 1].grains >= gap.grains)
		return;
	if (i < PF_EXTENTS - 1)
		g->n++;
	else
		i--;
	for (; i > 0 && g->gap[i - 1].grains < gap.grains; i--)
		g->gap[i] = g->gap[i - 1];
	g->gap[i] = gap;
}

static int compare_grain_gaps_by_position(const void *a, const void *b)
{
	return compare_u32s(&((const struct gap *)a)->next_grain,
			    &((const struct gap *)b)->next_grain);
}

/* Return the extent from the first page of grain[@first_grain_index] to the
   last page of grain[@last_grain_index]. */
static struct pf_extent page_extent_of_grains(const struct pf_pages *p,
					      uint32_t first_grain_index,
					      uint32_t last_grain_index)
{
	uint64_t first = (uint64_t)p->grain[first_grain_index] << p->shift;
	uint64_t end = ((uint64_t)p->grain[last_grain_index] + 1) << p->shift;

	if (end > PF_LAST_PAGE + 1ull)
		end = PF_LAST_PAGE + 1ull;
	return (struct pf_extent){(uint32_t)first, (uint32_t)(end - first)};
}

void pf_pages_sort_and_cover_by_extents(struct pf_pages *p,
					struct pf_extent out[PF_EXTENTS])
{
	struct gap_list g = {0};
	uint32_t from = 0;

	memset(out, 0, PF_EXTENTS * sizeof(*out));
	if (p->n == 0)
		return;
	sort_grains(p->grain, p->n);
	for (uint32_t i = 1; i < p->n; i++)
		if (p->grain[i] - p->grain[i - 1] > 1)
			insert_gap_if_among_longest(
				&g,
				(struct gap){p->grain[i] - p->grain[i - 1], i});
	qsort(g.gap, g.n, sizeof(g.gap[0]), compare_grain_gaps_by_position);
	for (unsigned i = 0; i < g.n; i++) {
		*out++ =
			page_extent_of_grains(p, from, g.gap[i].next_grain - 1);
		from = g.gap[i].next_grain;
	}
	*out = page_extent_of_grains(p, from, p->n - 1);
}

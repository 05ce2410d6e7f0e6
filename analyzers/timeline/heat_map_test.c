/* SPDX-License-Identifier: GPL-2.0-or-later */
/* heat_map_test.c - rows and columns of accesses that are counted one by one */
#include "analyzers/timeline/heat_map.h"

#include <stdlib.h>

#include "tests/fixtures/random_below.h"
#include "tests/tap.h"

enum { EVENTS = 30000 };

static uint64_t addresses[EVENTS];
static uint32_t bins[EVENTS];

/* Draw events in @pages pages at three places of the address space. */
static void draw_events(uint64_t pages)
{
	static const uint64_t start[] = {0x400000, 0x4a00000,
					 0xffffffff00000000};

	for (unsigned i = 0; i < EVENTS; i++) {
		addresses[i] =
			start[random_below(3)] + random_below(pages * 4096 / 3);
		bins[i] = (uint32_t)random_below(AN_MAX_BINS);
	}
}

static void count_events(struct an_heat_map *h, unsigned first, unsigned step)
{
	for (unsigned i = first; i < EVENTS; i += step)
		an_heat_map_add(h, i % 3 ? AN_HEAT_ACCESSES : AN_HEAT_MISSES,
				addresses[i], bins[i], 1 + i % 5);
}

/* Return the sum of the counts of the events in a cell. */
static uint64_t sum_events_in_cell(const struct an_heat_map *h,
				   const struct an_heat_row *row, bool is_miss,
				   unsigned column)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < EVENTS; i++)
		if (addresses[i] >> h->granule_shift == row->granule &&
		    bins[i] / AN_BINS_PER_COLUMN == column &&
		    (i % 3 == 0) == is_miss)
			sum += 1 + i % 5;
	return sum;
}

static uint64_t sum_all(const struct an_heat_map *h)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < h->n_rows; i++)
		for (unsigned k = 0; k < AN_MAX_HEAT_COLUMNS; k++)
			sum += h->row[i].count[AN_HEAT_ACCESSES][k] +
			       h->row[i].count[AN_HEAT_MISSES][k];
	return sum;
}

static void test_cells(uint64_t pages, unsigned granule_shift)
{
	const struct an_heat_row *row[AN_MAX_HEAT_ROWS];
	struct an_heat_map h = {0};
	uint64_t all = 0, wrong = 0;
	bool ascends = true;

	draw_events(pages);
	count_events(&h, 0, 1);
	for (unsigned i = 0; i < EVENTS; i++)
		all += 1 + i % 5;
	is_u64(sum_all(&h), all, "every event is in a cell");
	is_u64(h.granule_shift, granule_shift,
	       "the granule is the smallest with 512 rows at most");
	an_heat_map_list_rows_by_address(&h, row);
	for (unsigned i = 0; i < h.n_rows; i++) {
		unsigned k = (unsigned)random_below(AN_MAX_HEAT_COLUMNS);

		wrong += row[i]->count[AN_HEAT_ACCESSES][k] !=
			 sum_events_in_cell(&h, row[i], false, k);
		wrong += row[i]->count[AN_HEAT_MISSES][k] !=
			 sum_events_in_cell(&h, row[i], true, k);
		ascends &= i == 0 || row[i - 1]->granule < row[i]->granule;
	}
	is_u64(wrong, 0, "cells have their events");
	ok(ascends, "rows are sorted by address");
	an_heat_map_double_column_width(&h);
	for (unsigned i = 0; i < EVENTS; i++)
		bins[i] /= 2;
	is_u64(h.row[0].count[AN_HEAT_ACCESSES][9],
	       sum_events_in_cell(&h, &h.row[0], false, 9),
	       "columns are added up");
	is_u64(sum_all(&h), all, "adding up columns keeps the sum");
	an_heat_map_release(&h);
}

static void test_merge(void)
{
	const struct an_heat_row *row[2][AN_MAX_HEAT_ROWS];
	struct an_heat_map part[3] = {0}, one = {0}, sum = {0};
	bool equal;

	draw_events(2000);
	count_events(&one, 0, 1);
	for (unsigned i = 0; i < 3; i++) {
		count_events(&part[i], i, 3);
		an_heat_map_merge(&sum, &part[i], 0);
	}
	equal = sum.granule_shift == one.granule_shift &&
		sum.n_rows == one.n_rows;
	an_heat_map_list_rows_by_address(&one, row[0]);
	an_heat_map_list_rows_by_address(&sum, row[1]);
	for (unsigned i = 0; i < one.n_rows && equal; i++)
		equal = !memcmp(row[0][i], row[1][i], sizeof(*row[0][i]));
	ok(equal, "parts that are merged have the counts of the whole");
	for (unsigned i = 0; i < 3; i++)
		an_heat_map_release(&part[i]);
	an_heat_map_release(&one);
	an_heat_map_release(&sum);
}

int main(void)
{
	test_cells(300, 12);
	test_cells(1300, 14);
	test_merge();
	return done_testing();
}

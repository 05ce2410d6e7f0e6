/* SPDX-License-Identifier: GPL-2.0-or-later */
/* heat_map.c - counts accesses and cache misses by address and by time in
   executed instructions; see heat_map.h */

#include "analyzers/timeline/heat_map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Return the bucket that has the row of a granule, or the free bucket where it
   would be entered. */
static uint16_t *find_bucket_or_free_one(struct an_heat_map *h,
					 uint64_t granule)
{
	size_t i = (size_t)(granule * UINT64_C(0x9e3779b97f4a7c15) >> 40);

	for (i %= AN_HEAT_BUCKETS;
	     h->bucket[i] != 0 && h->row[h->bucket[i] - 1].granule != granule;
	     i = (i + 1) % AN_HEAT_BUCKETS)
		;
	return &h->bucket[i];
}

static void add_counts_of_row(struct an_heat_row *to,
			      const struct an_heat_row *from,
			      unsigned column_doublings)
{
	for (int kind = 0; kind < AN_HEAT_KINDS; kind++)
		for (unsigned i = 0; i < AN_MAX_HEAT_COLUMNS; i++)
			to->count[kind][i >> column_doublings] +=
				from->count[kind][i];
}

/* Enter the rows into the hash table again, and add up those that have equal
   granules. */
static void merge_rows_of_equal_granule(struct an_heat_map *h)
{
	unsigned n = h->n_rows;

	memset(h->bucket, 0, sizeof(h->bucket));
	h->n_rows = h->last_row = 0;
	for (unsigned i = 0; i < n; i++) {
		uint16_t *bucket =
			find_bucket_or_free_one(h, h->row[i].granule);

		if (*bucket != 0) {
			add_counts_of_row(&h->row[*bucket - 1], &h->row[i], 0);
			continue;
		}
		if (h->n_rows != i)
			h->row[h->n_rows] = h->row[i];
		*bucket = (uint16_t)++h->n_rows;
	}
}

static void double_granule_bytes(struct an_heat_map *h)
{
	h->granule_shift++;
	for (unsigned i = 0; i < h->n_rows; i++)
		h->row[i].granule >>= 1;
	merge_rows_of_equal_granule(h);
}

static int alloc_rows_if_null(struct an_heat_map *h)
{
	if (h->row != NULL)
		return 0;
	h->granule_shift = AN_PAGE_SHIFT;
	h->row = calloc(AN_MAX_HEAT_ROWS, sizeof(*h->row));
	return h->row ? 0 : -ENOMEM;
}

/* Return the row of an address, which is added if there is none; this can
   double the granules. h->row is not NULL. */
static struct an_heat_row *find_or_add_row(struct an_heat_map *h, uint64_t addr)
{
	uint16_t *bucket;

	while (bucket = find_bucket_or_free_one(h, addr >> h->granule_shift),
	       *bucket == 0 && h->n_rows == AN_MAX_HEAT_ROWS)
		double_granule_bytes(h);
	if (*bucket == 0) {
		memset(&h->row[h->n_rows], 0, sizeof(*h->row));
		h->row[h->n_rows].granule = addr >> h->granule_shift;
		*bucket = (uint16_t)++h->n_rows;
	}
	h->last_row = *bucket - 1u;
	return &h->row[h->last_row];
}

int an_heat_map_add(struct an_heat_map *h, enum an_heat_kind kind,
		    uint64_t addr, uint32_t bin, uint64_t count)
{
	struct an_heat_row *row;

	if (alloc_rows_if_null(h) != 0)
		return -ENOMEM;
	row = &h->row[h->last_row];
	if (h->n_rows == 0 || row->granule != addr >> h->granule_shift)
		row = find_or_add_row(h, addr);
	row->count[kind][bin / AN_BINS_PER_COLUMN] += count;
	return 0;
}

static void add_up_neighbouring_columns(uint64_t *count)
{
	for (unsigned i = 0; i < AN_MAX_HEAT_COLUMNS / 2; i++)
		count[i] = count[2 * i] + count[2 * i + 1];
	memset(count + AN_MAX_HEAT_COLUMNS / 2, 0,
	       AN_MAX_HEAT_COLUMNS / 2 * sizeof(*count));
}

void an_heat_map_double_column_width(struct an_heat_map *h)
{
	for (unsigned i = 0; i < h->n_rows; i++)
		for (int kind = 0; kind < AN_HEAT_KINDS; kind++)
			add_up_neighbouring_columns(h->row[i].count[kind]);
}

int an_heat_map_merge(struct an_heat_map *h, const struct an_heat_map *from,
		      unsigned column_doublings)
{
	if (from->row == NULL)
		return 0;
	if (alloc_rows_if_null(h) != 0)
		return -ENOMEM;
	while (h->granule_shift < from->granule_shift)
		double_granule_bytes(h);
	for (unsigned i = 0; i < from->n_rows; i++)
		add_counts_of_row(
			find_or_add_row(h, from->row[i].granule
						   << from->granule_shift),
			&from->row[i], column_doublings);
	return 0;
}

static int compare_granules_of_rows(const void *a, const void *b)
{
	uint64_t x = (*(const struct an_heat_row *const *)a)->granule,
		 y = (*(const struct an_heat_row *const *)b)->granule;

	return (x > y) - (x < y);
}

void an_heat_map_list_rows_by_address(const struct an_heat_map *h,
				      const struct an_heat_row **rows_out)
{
	for (unsigned i = 0; i < h->n_rows; i++)
		rows_out[i] = &h->row[i];
	if (h->n_rows > 0)
		qsort(rows_out, h->n_rows, sizeof(*rows_out),
		      compare_granules_of_rows);
}

void an_heat_map_release(struct an_heat_map *h)
{
	free(h->row);
	*h = (struct an_heat_map){0};
}

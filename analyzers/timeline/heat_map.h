/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * heat_map.h - counts accesses and cache misses by address and by time in
 * executed instructions
 *
 * A column is AN_BINS_PER_COLUMN bins (bins.h). A row is a granule of memory:
 * 1 << granule_shift bytes, aligned. When an access needs more than
 * AN_MAX_HEAT_ROWS rows, the size of granules doubles, and rows of the same
 * granule are added up. So the final granule is the smallest with which the
 * rows suffice, and does not depend on the order of the accesses.
 *
 * Threads: one at a time.
 */
#ifndef ANALYZERS_TIMELINE_HEAT_MAP_H
#define ANALYZERS_TIMELINE_HEAT_MAP_H

#include "analyzers/timeline/bins.h"

enum {
	AN_PAGE_SHIFT = 12, /* log2 of the smallest granule [bytes] */
	AN_MAX_HEAT_COLUMNS = 256,
	AN_BINS_PER_COLUMN = AN_MAX_BINS / AN_MAX_HEAT_COLUMNS,
	AN_MAX_HEAT_ROWS = 512,
	AN_HEAT_BUCKETS = 4 * AN_MAX_HEAT_ROWS,
};

enum an_heat_kind { AN_HEAT_ACCESSES, AN_HEAT_MISSES, AN_HEAT_KINDS };

struct an_heat_row {
	uint64_t granule; /* address >> granule_shift */
	uint64_t count[AN_HEAT_KINDS][AN_MAX_HEAT_COLUMNS];
};

/* Zeros are a valid map without counts. */
struct an_heat_map {
	unsigned granule_shift; /* log2 of the granule [bytes]; 0 until
				   something is counted, then at least
				   AN_PAGE_SHIFT */
	unsigned n_rows;
	uint32_t last_row;	 /* index of the row of the last event */
	struct an_heat_row *row; /* [n_rows], room for AN_MAX_HEAT_ROWS */
	uint16_t bucket[AN_HEAT_BUCKETS]; /* hash table: 1 + index of a row; 0:
					     free */
};

/* Add @count events at address @addr in bin @bin. Return: 0 or -ENOMEM. */
int an_heat_map_add(struct an_heat_map *, enum an_heat_kind, uint64_t addr,
		    uint32_t bin, uint64_t count);

/* Add up neighbouring columns: call when the width of the bins doubles. */
void an_heat_map_double_column_width(struct an_heat_map *);

/* Add the counts of @from. @column_doublings: number of times that the columns
   of @from must double to be as wide as those of the map. Return: 0 or -ENOMEM.
   */
int an_heat_map_merge(struct an_heat_map *, const struct an_heat_map *from,
		      unsigned column_doublings);

/* Set @rows_out, [n_rows], to the rows in ascending order of address. */
void an_heat_map_list_rows_by_address(const struct an_heat_map *,
				      const struct an_heat_row **rows_out);

void an_heat_map_release(struct an_heat_map *);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cost_table.h - Cachegrind's nine events, by function and by source line
 *
 * 1 is the first level on the way of an access, L the last. A modify counts
 * as a read, as in Cachegrind.
 */
#ifndef ANALYZERS_COST_TABLE_H
#define ANALYZERS_COST_TABLE_H

#include "analyzers/analyzer.h"

enum an_event {
	AN_IR,
	AN_I1MR,
	AN_ILMR,
	AN_DR,
	AN_D1MR,
	AN_DLMR,
	AN_DW,
	AN_D1MW,
	AN_DLMW,
	AN_EVENTS
};

extern const char *const an_event_name[AN_EVENTS]; /* "Ir", ... */

struct an_cost {
	uint64_t event[AN_EVENTS];
	uint64_t misses[AN_MAX_LEVELS]; /* at each level, of any kind */
};

void an_cost_add(struct an_cost *, const struct an_cost *);

/* A function (line 0) or a source line (function NULL). */
struct an_row {
	struct an_symbol who;
	struct an_cost cost;
};

/* Rows by name. Strings are compared by address: they are interned. */
struct an_table {
	struct an_row *row;
	uint32_t n;
	uint32_t size;
	uint32_t *bucket; /* row number + 1, or 0 */
	uint32_t n_buckets;
};

/* Adds to the row of that name. 0 or -ENOMEM. */
int an_table_add(struct an_table *, const struct an_symbol *,
		 const struct an_cost *);
void an_table_release(struct an_table *);

/* Most instructions first, then by name: the same in every run. For pointers
   to rows. */
int an_row_compare(const void *, const void *);

/* All rows, in order. For free(); NULL when memory is short or there are
   none. */
const struct an_row **an_table_sorted(const struct an_table *,
				      int (*compare)(const void *,
						     const void *));

/**
 * an_table_top() - The rows with most misses at a level.
 * @top: [max] receives them, most first.
 *
 * Return: how many; rows without misses are left out.
 */
unsigned an_table_top(const struct an_table *, int level,
		      const struct an_row **top, unsigned max);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cost_table.h - sums Cachegrind's nine events by function and by source line
 *
 * In the names of events 1 is the first level of a path and L the last. A
 * modify is counted as a read, as in Cachegrind.
 */
#ifndef ANALYZERS_COST_TABLE_H
#define ANALYZERS_COST_TABLE_H

#include "analyzers/analyzer.h"
#include "base/tables/key_table.h"

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
	AN_N_EVENTS
};

extern const char *const an_event_name[AN_N_EVENTS]; /* "Ir", ... */

struct an_cost {
	uint64_t event[AN_N_EVENTS];
	uint64_t misses[AN_MAX_LEVELS]; /* by level: misses of instructions and
					   data */
};

void an_cost_add(struct an_cost *, const struct an_cost *);

/* Subtract @c from @from, which includes it. */
void an_cost_subtract(struct an_cost *from, const struct an_cost *c);

/* A function (line 0), a source line (function NULL), or a line in one
   function, which may be inlined into a call; with its cost. */
struct an_cost_row {
	struct an_symbol symbol;
	struct an_cost cost;
};

/* A hash table of rows by symbol and call. Strings are compared by address,
   because equal strings have equal addresses. Paths are no part of the key: of
   the paths of the symbols added to a row, the row has the one that sorts
   first; likewise for the paths of the call. */
struct an_cost_table {
	struct an_cost_row *row;
	uint32_t n;
	uint32_t size;
	struct al_key_table functions; /* functions of the rows, by name,
					  file and object */
	struct al_key_table keys; /* by row index; key: number of the function,
				     line, line of the call, file of the call */
};

/* Add @cost to the symbol's row, which is created if it is new. Return: 0 or
   -ENOMEM. */
int an_cost_table_add(struct an_cost_table *, const struct an_symbol *,
		      const struct an_cost *cost);

/* Return the index of the symbol's row; -1: it has none. */
int64_t an_cost_table_find_row_index(const struct an_cost_table *,
				     const struct an_symbol *);
void an_cost_table_release(struct an_cost_table *);

/* qsort() comparison of pointers to rows: most instructions first, then by
   names and line, so that the order is the same in every run. Rows that differ
   only in the call are equal. */
int an_cost_row_compare_instrs_desc(const void *, const void *);

/* Return an array of pointers to all rows, sorted by @compare. The caller frees
   it with free(). Return NULL if memory is short or there are no rows. */
const struct an_cost_row **
an_cost_table_alloc_sorted_rows(const struct an_cost_table *,
				int (*compare)(const void *, const void *));

#endif

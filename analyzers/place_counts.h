/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * place_counts.h - adds up an analysis' own counts by function and source line
 *
 * cost_table.h does so for Cachegrind's nine events.
 */
#ifndef ANALYZERS_PLACE_COUNTS_H
#define ANALYZERS_PLACE_COUNTS_H

#include "analyzers/analyzer.h"
#include "base/tables/key_table.h"

/* Zeroed but for n_counts: valid and empty. Strings are compared by address,
   because they are interned. */
struct an_place_counts {
	unsigned n_counts;	       /* counts of a place; at least 1 */
	struct al_key_table functions; /* by function, file and object */
	struct al_key_table lines;     /* by number of the function, and line */
	const char **path; /* [lines.size] path of the file: the first
					by name of those added */
	uint64_t *count;   /* [lines.size * n_counts] */
	uint32_t size;	   /* allocated lines of path and count */
};

/* Add @count, [n_counts], to the function and the line of @symbol. Return: 0 or
   -ENOMEM. */
int an_place_counts_add(struct an_place_counts *,
			const struct an_symbol *symbol, const uint64_t *count);

/* Add the counts of @from, which has as many of each place. Return: 0 or
   -ENOMEM. */
int an_place_counts_merge(struct an_place_counts *to,
			  const struct an_place_counts *from);

/* Return the function and line with number @line, below lines.n. */
struct an_symbol an_place_counts_symbol(const struct an_place_counts *,
					uint32_t line);

void an_place_counts_release(struct an_place_counts *);

/* Tables of a model. In each row the counts follow the AN_NAMES names of
   place_columns.h; the row with the largest first count comes first. */
struct an_place_tables {
	struct al_table *functions; /* "functions": a row for each function and
				       source file inlined into it */
	struct al_table *lines;	    /* "lines" */
	struct al_table *whole;	    /* without a key: a row for each function */
	unsigned label;		    /* index of the column of labels */
};

/**
 * an_place_counts_add_tables() - Add the tables of functions and lines.
 * @column: [n_columns] the columns of counts, n_counts of them, then ratios.
 *          Ratios refer to the columns of a whole row.
 *
 * The function of a line that was inlined into several is the one with the
 * largest first count.
 */
struct an_place_tables
an_place_counts_add_tables(const struct an_place_counts *, struct al_model *,
			   const struct al_column *column, unsigned n_columns);

#endif

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

/* Counts by source line. A struct that is zero but for n_counts is valid and
   empty. Strings are compared by address, because they are interned. */
struct an_place_counts {
	unsigned n_counts;	       /* number of counts of each line; at
					  least 1 */
	struct al_key_table functions; /* keys: addresses of the names of
					  function, file and object */
	struct al_key_table lines;     /* keys: index in `functions`, number of
					  the source line */
	const char **path; /* [size] path of the file of each source line: the
			      alphabetically first of those added; NULL: none
			      was */
	uint64_t *count;   /* [size * n_counts] the counts of each line, line
			      after line */
	uint32_t size;	   /* lines for which `path` and `count` have room */
};

/* Add n_counts numbers to the counts of the line that @symbol describes by its
   function, file, object and line number; a new line is added first. Also store
   symbol->path if the line has no path, or one that sorts after it. Return: 0
   or -ENOMEM. */
int an_place_counts_add_to_line(struct an_place_counts *,
				const struct an_symbol *symbol,
				const uint64_t *added_counts);

/* Add the counts of each line of @from to the same line of @to. Both have the
   same n_counts. Return: 0; -ENOMEM, with a part of the lines added. */
int an_place_counts_add_all(struct an_place_counts *to,
			    const struct an_place_counts *from);

/* Return function, file, object, line number and path of the line with the
   given index, which is below lines.n. The other members are 0. */
struct an_symbol an_place_counts_symbol_at_index(const struct an_place_counts *,
						 uint32_t line_index);

void an_place_counts_release(struct an_place_counts *);

/* Tables of a model. Each row begins with AN_NAMES columns of names
   (place_columns.h), and the counts follow; the row with the largest first
   count comes first. */
struct an_place_tables {
	struct al_table *functions; /* "functions": a row for each pair of a
				       function and a source file that has lines
				       of it */
	struct al_table *lines;	    /* "lines": a row for each source line of an
				       object */
	struct al_table *whole;	    /* without a key: a row for each function */
	unsigned label;		    /* index of the column of labels, equal in
				       all three */
};

/**
 * an_place_counts_add_tables() - Add the tables of functions
 * and lines.
 * @column: [n_columns] first n_counts columns of counts, then columns of
 *         ratios. The indices in a ratio are those of the whole row: AN_NAMES +
 *         the number of a count.
 *
 * If several functions have lines that share a row, the row names the function
 * with the largest first count.
 */
struct an_place_tables
an_place_counts_add_tables(const struct an_place_counts *, struct al_model *,
			   const struct al_column *column, unsigned n_columns);

#endif

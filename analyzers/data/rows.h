/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rows.h - adds up groups of data objects by name, over images and processes
 *
 * Threads: one at a time.
 */
#ifndef ANALYZERS_DATA_ROWS_H
#define ANALYZERS_DATA_ROWS_H

#include "analyzers/data/owners.h"

/* Grouping of heap blocks: blocks with equal values of this share a row. */
enum an_data_by { AN_BY_SITE, AN_BY_LINE, AN_BY_FUNCTION, AN_BY_KIND };

struct an_data_row {
	enum an_data_kind kind;
	const char *name;
	const char *object;	/* path of a variable's object, or "" */
	struct an_symbol *site; /* [n_site] callers of the allocator, innermost
				   first */
	uint32_t n_site;
	struct an_data_counts counts;
};

/* Initialise with zeros. */
struct an_data_rows {
	struct an_data_row *row; /* [n] */
	uint32_t n, size;
	uint32_t *bucket;	/* [2 * size] row number + 1, or 0 */
	struct an_arena memory; /* of names and sites */
	/* functions that allocated, sorted by name and object */
	struct an_symbol *allocator; /* [n_allocators] */
	uint32_t n_allocators, allocators_size;
	uint64_t bad_frees, overlaps, unrecorded;
};

/* Add the groups of an image that has ended. Return: 0; -ENOMEM. */
int an_data_rows_add_image(struct an_data_rows *, const struct an_owners *,
			   const struct an_site_names *, enum an_data_by);

/* Add the rows of @from. Return: 0; -ENOMEM. */
int an_data_rows_merge(struct an_data_rows *, const struct an_data_rows *from);

void an_data_rows_release(struct an_data_rows *);

/* data_result.c: build the result. @has_accesses: whether accesses were
   counted. */
void an_data_rows_add_to_model(const struct an_data_rows *,
			       const struct an_geometry *, bool has_accesses,
			       struct al_model *);

#endif

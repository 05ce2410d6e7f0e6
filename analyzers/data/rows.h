/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rows.h - adds up groups of data objects by name, over exec images and
 * processes
 *
 * Threads: one at a time.
 */
#ifndef ANALYZERS_DATA_ROWS_H
#define ANALYZERS_DATA_ROWS_H

#include "analyzers/data/owners.h"

/* Property by which heap blocks are grouped: blocks in which it is equal share
   a row. */
enum an_data_by {
	AN_BY_SITE,
	AN_BY_LINE,
	AN_BY_FUNCTION,
	AN_BY_KIND,
	AN_BY_TYPE,   /* type of the elements; also groups variables */
	AN_BY_OBJECT, /* each block has a row, up to AN_MAX_SINGLE_BLOCKS */
	AN_BYS
};

struct an_data_row {
	enum an_data_kind kind;
	const char *name;
	const char *object;	/* path of the object file of a variable; of
				   memory that an allocator mapped, name of the
				   object file of the allocator's function; else
				   "" */
	struct an_symbol *site; /* [n_site] callers of the allocator, innermost
				   first */
	uint32_t n_site;
	uint32_t number; /* if rows are AN_BY_OBJECT, number of the block as in
			    struct an_data_group; else 0 */
	uint32_t thread; /* of a thread-local variable: number of the thread
			    that owns the copy, as in struct an_data_group;
			    else 0 */
	uint64_t members_hash; /* if rows are AN_BY_TYPE, hash of the members of
				  the row's type; else 0 */
	bool has_namesake;     /* another row of the kind is that of another
				  type with the same name */
	struct an_data_counts counts;
	struct an_group_fields fields;
	const struct an_type *type; /* type of a variable or, if rows are
				       AN_BY_TYPE, of the row; NULL: not
				       known, or another row */
};

/* Functions, sorted by name and object, each once. */
struct an_data_functions {
	struct an_symbol *function; /* [n] */
	uint32_t n, size;
};

/* Rows of the result. Initialise with zeros. */
struct an_data_rows {
	struct an_data_row *row; /* [n] */
	uint32_t n, size;
	uint32_t *bucket;	/* [2 * size] hash table: index in `row` + 1; 0:
				   free */
	struct an_arena memory; /* holds the names and sites of the rows */
	struct an_data_functions allocators; /* functions that allocated */
	/* .object is the path of a program in which no allocator was found;
	   .function is "" */
	struct an_data_functions without_allocator;
	/* functions that the user names as allocators: those that an exec image
	   has, and those that an exec image does not have; .object is "" */
	struct an_data_functions found_named, missing_named;
	uint64_t bad_frees, overlaps, unrecorded;
	bool has_events; /* data objects were recorded in an image */
	struct an_field_pool fields;
};

/* How rows are made, and which parts of them are reported. */
struct an_data_options {
	enum an_data_by by;
	bool has_accesses;
	bool has_fields;
	uint32_t depth; /* with AN_BY_SITE and AN_BY_OBJECT: number of innermost
			   callers in which two rows can differ */
	uint32_t top;	/* maximum of rows in the text report */
};

/* Whether the options make a row have only one caller of a site (call stack):
   the innermost one with a name. */
bool an_data_options_has_one_caller(const struct an_data_options *);

/* Add each group of data objects of an exec image that has ended to its row
   (without AN_BY_KIND, each group that has anything to report), and the
   functions that allocated to the list of allocators. Return: 0; -ENOMEM. */
int an_data_rows_add_groups_of_owners(struct an_data_rows *,
				      const struct an_owners *,
				      const struct an_env *,
				      const struct an_data_options *);

/* Add the rows, allocators and totals of @from. Return: 0; -ENOMEM, with a part
   of them added. */
int an_data_rows_merge(struct an_data_rows *, const struct an_data_rows *from);

/* Return the type of a row of heap blocks or pool elements, with its votes;
   NULL if it is not known. */
const struct an_type_vote *
an_data_row_type_of_blocks_with_votes(const struct an_data_row *);

/* Return the type of a row's elements: for a variable the type of its
   declaration, else that of the blocks; NULL if it is not known. */
const struct an_type *
an_data_row_static_or_voted_type(const struct an_data_row *);

/* Whether some exec image has the function @allocator_function, which the user
   names as an allocator. */
bool an_data_rows_has_user_named_allocator(
	const struct an_data_rows *,
	const struct an_symbol *allocator_function);

void an_data_rows_release(struct an_data_rows *);

/* Add the lines under the table of data objects to a model, and the list
   "notes". @row_to_report_members_of: [@n] rows of which members are reported.
   Defined in data_notes.c. */
void an_data_rows_add_notes(
	const struct an_data_rows *,
	const struct an_data_row *const *row_to_report_members_of, uint32_t n,
	const struct an_data_options *, struct al_model *);

/* Add the report, made from the rows, to a model. Defined in data_result.c. */
void an_data_rows_add_to_model(const struct an_data_rows *,
			       const struct an_geometry *,
			       const struct an_data_options *,
			       struct al_model *);

#endif

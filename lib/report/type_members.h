/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * type_members.h - sums the counts of the members of a type over all data
 *                  objects
 *
 * The input is the result of the analysis "data" with fields and accesses.
 * Strings are borrowed from it.
 */
#ifndef LIB_REPORT_TYPE_MEMBERS_H
#define LIB_REPORT_TYPE_MEMBERS_H

#include <stddef.h>
#include <stdint.h>

#include "lib/report/findings/data_rows.h"

enum { AL_MAX_MEMBER_LEVELS = 8 };

/* A member of a type, a hole, or the accesses before the type was known. */
struct al_type_member {
	uint64_t offset, size;	/* [bytes] offset of the member in its type, and
				  size of the member */
	char *name;		/* "(hole)": a hole */
	uint64_t reads, writes; /* that begin in the member */
	/* [bytes] of the member that are accessed, at least: the greatest
	   number that a row of the analysis `data` has for it */
	uint64_t used_bytes;
	uint64_t misses[AL_MAX_MEMBER_LEVELS]; /* by index of the cache level */
};

/* A type, with the counts of its members. */
struct al_type_members {
	const char *type;
	const char *declaration; /* of a structure: file and line, "list.c:12";
				    "": not known, or no structure */
	uint64_t size;		 /* [bytes] of the type */
	uint64_t line;		 /* [bytes] of a line of the
						    first level of data */
	const char *level[AL_MAX_MEMBER_LEVELS]; /* [n_levels] names */
	unsigned n_levels;
	struct al_type_member *member; /* [n] sorted by offset, then by size */
	size_t n, size_of_member;
	struct al_data_row *row; /* [n_rows] groups of data objects that have
				    the type, those with most misses of the last
				    level first */
	size_t n_rows, size_of_row;
	uint64_t objects, bytes; /* sums over all rows */
};

/* Different types that have one name. Initialise with zeros. */
struct al_types_of_name {
	struct al_type_members *type; /* [n] in the order of the first row of
					 each */
	size_t n, size_of_type;
};

/**
 * al_types_of_name_read() - Sum the counts of the members of each type that has
 *                           a name.
 * @name: such as "struct list::node", "list::node", "struct node" or "node".
 *
 * Types are the same if their names, sizes and members are.
 *
 * Return: 0; -ENOENT: no data object that was accessed has such a type and is
 * divided into its members; -ENOMEM. Call al_types_of_name_release() in all
 * cases.
 */
int al_types_of_name_read(struct al_types_of_name *, const struct al_model *,
			  const char *name);
void al_types_of_name_release(struct al_types_of_name *);

/* Return the label of the first row of data objects that were accessed and have
   type @type, whether it is divided into members or not; NULL if there is none.
   @type: as in al_types_of_name_read(). */
const char *al_data_first_accessed_row_label_of_type(const struct al_model *,
						     const char *type);

/* Return the type name of a data object that is most similar to @type, without
   "struct", "class" or "union" if only then it is similar; NULL if none is. */
const char *al_types_suggest_name_or_null(const struct al_model *,
					  const char *type);

#endif

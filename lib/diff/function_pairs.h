/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * function_pairs.h - finds the pair of functions that a name belongs to
 */
#ifndef LIB_DIFF_FUNCTION_PAIRS_H
#define LIB_DIFF_FUNCTION_PAIRS_H

#include "base/tables/key_table.h"
#include "lib/diff/compare.h"

/* Normalised names by name, and pairs by normalised names. */
struct al_diff_names {
	struct al_key_table raw; /* keys: interned name, enum name_kind */
	const char **normal;	 /* normalised name, by number in @raw */
	uint32_t size;
	struct al_key_table pairs;  /* keys: normalised object and function;
				       number: index in d->function */
	const char *main_object[2]; /* file name of the program in A, in B;
				       NULL: not known */
	bool no_objects;	    /* an input has no object names, so "" is
				       the object of all functions */
};

void al_diff_names_free_tables(struct al_diff_names *);

/* Return the normalised name of @object, an object of input @side (0: A, 1: B);
   "" for the program's own file, and for every object if an input has no
   objects; NULL or "???" if memory is short. */
const char *al_diff_normalized_object(struct al_diff *, struct al_diff_names *,
				      int side, const char *object);

/* Set @function_index to the index in d->function of the function with the
   normalised name and object of @row, a row of input @side (0: A, 1: B). The
   function is added if it is new. Return: 0; -ENOMEM. */
int al_diff_find_or_add_function(struct al_diff *, struct al_diff_names *,
				 int side, const struct al_diff_row *row,
				 uint32_t *function_index);

#endif

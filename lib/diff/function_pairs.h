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
	struct al_key_table raw; /* pairs (name, kind of name) */
	const char **normal;	 /* by number in @raw */
	uint32_t size;
	struct al_key_table pairs;  /* pairs (object, function) */
	const char *main_object[2]; /* name of the program's file, or NULL */
	bool no_objects;	    /* an input does not know them */
};

void al_diff_names_release(struct al_diff_names *);

/* Return the normalised object of a row of input @side. NULL: memory is
   short. */
const char *al_diff_normalized_object_name(struct al_diff *,
					   struct al_diff_names *, int side,
					   const char *object);

/* Fetch the index in d->function of the pair that a row of input @side belongs
   to. The pair is added if it is new. Return: 0; -ENOMEM. */
int al_diff_find_or_add_function(struct al_diff *, struct al_diff_names *,
				 int side, const struct al_diff_row *row,
				 uint32_t *index);

#endif

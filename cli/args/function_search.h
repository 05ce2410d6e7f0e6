/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * function_search.h - functions by a part of their name
 *
 * A name is the whole signature where it is known: "int ns::f<int>(char) const".
 * A word that is all of it comes before one that is the name without parameters,
 * then without what it is in, then any part of a name.
 */
#ifndef CLI_ARGS_FUNCTION_SEARCH_H
#define CLI_ARGS_FUNCTION_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct cl_functions {
	const char *word;  /* to look for */
	unsigned level;	   /* how well the names of the list fit */
	const char **name; /* of equal level, unsorted, may be there twice */
	size_t n, size;
	bool failed; /* no memory */
};

/* Begin a search for @word, which outlives it. */
void cl_functions_init(struct cl_functions *, const char *word);
void cl_functions_free(struct cl_functions *);

/* Add a name, which outlives the search, to the list if none fits better. */
void cl_functions_add(struct cl_functions *, const char *name);

/**
 * cl_functions_find() - Find the one name that fits best.
 * @name: receives it.
 *
 * Return: 0; -ENOENT: no name fits; -ENOTUNIQ: several do, which are listed on
 *         standard error; -ENOMEM.
 */
int cl_functions_find(struct cl_functions *, const char **name);

#endif

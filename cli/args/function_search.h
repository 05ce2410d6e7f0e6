/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * function_search.h - finds functions by a part of their name
 *
 * A name is the whole signature if known: "int ns::f<int>(char) const". The
 * word to find may be, best match first: the whole signature; the name without
 * parameters ("ns::f"); also without outer namespaces and classes ("f"); or any
 * other part of the signature.
 */
#ifndef CLI_ARGS_FUNCTION_SEARCH_H
#define CLI_ARGS_FUNCTION_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A search, with the best matches so far. */
struct cl_function_search {
	const char *word;     /* the word to find */
	unsigned match_level; /* enum al_name_match of each name in
				 the list */
	const char **name;    /* [n] names of equal level, unsorted, with
			      duplicates */
	size_t n, size;
	bool failed; /* out of memory */
};

/* Start a search for @word, which must outlive it. */
void cl_function_search_init(struct cl_function_search *, const char *word);
void cl_function_search_free_match_list(struct cl_function_search *);

/* Add @name to the list if it matches the word, and no name in the list matches
   better. If it matches better than the list, the list is emptied first. @name
   must outlive the search. */
void cl_function_search_add_if_best(struct cl_function_search *,
				    const char *name);

/**
 * cl_function_search_find_unique() - Return the one name that
 * matches best.
 * @name_out: receives the name.
 *
 * Return: 0; -ENOENT: no name matches; -ENOTUNIQ: several names match equally
 *         well, and are listed on standard error; -ENOMEM.
 */
int cl_function_search_find_unique(struct cl_function_search *,
				   const char **name_out);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * named_function.h - finds out whether a function that an option names was
 *                    executed
 */
#ifndef ANALYZERS_NAMED_FUNCTION_H
#define ANALYZERS_NAMED_FUNCTION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/result/model.h"
#include "proto/shared/suggest.h"

/* A function that an option names. */
struct an_named_function {
	/* search.word: its name, [search.n], without a NUL; borrowed */
	struct pt_suggestion_search search;
	const char *nearest; /* the executed function with the most similar
				name; NULL: none is similar */
	bool is_executed;
};

/* Return a function with the name @name, [@name_bytes], as before any executed
   function was compared. The name is borrowed. */
struct an_named_function an_named_function(const char *name, size_t name_bytes);

/* Whether the option names @function: by the whole name, or without
   parameters and result, with or without template arguments. */
bool an_named_function_has_name(const struct an_named_function *,
				const char *function);

/* Compare the name of an executed function, which is borrowed. */
void an_named_function_note_executed_or_near(struct an_named_function *,
					     const char *executed_function);

/* Add the results of @from, of the same name: whether it was executed, and the
   nearest executed function. */
void an_named_function_merge(struct an_named_function *into,
			     const struct an_named_function *from);

/* Add a note on each of @functions [@count] that was not executed, for people
   and to the list "notes", which is left out if there is none. */
void an_named_functions_add_unexecuted_notes(
	const struct an_named_function *functions, size_t count,
	struct al_model *);

#endif

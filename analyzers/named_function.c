/* SPDX-License-Identifier: GPL-2.0-or-later */
/* named_function.c - finds out whether a function that an option names was
   executed; see named_function.h */

#include "analyzers/named_function.h"

#include <stdio.h>
#include <string.h>

#include "analyzers/notes.h"
#include "base/text/function_name.h"

enum { MAX_NAME = 200 }; /* [bytes] of a name in a note; a longer one is cut */

struct an_named_function an_named_function(const char *name, size_t name_bytes)
{
	return (struct an_named_function){
		.search = {.word = name,
			   .n = (uint32_t)name_bytes,
			   .least_distance = UINT32_MAX}};
}

bool an_named_function_has_name(const struct an_named_function *f,
				const char *function)
{
	return al_function_name_match(function, f->search.word, f->search.n) <=
	       AL_NAME_PLAIN;
}

/* Whether @function, whose name without parameters has @n bytes, is more
   similar to the name of @f than those before; the nearest is one that has the
   name in a namespace or class. Store its distance if so. */
static bool store_distance_if_function_is_nearer(struct an_named_function *f,
						 const char *function, size_t n)
{
	if (f->search.least_distance > 0 &&
	    al_function_name_match(function, f->search.word, f->search.n) ==
		    AL_NAME_INNERMOST) {
		f->search.least_distance = 0;
		return true;
	}
	return f->search.n <= PT_MAX_SUGGEST_BYTES &&
	       n <= PT_MAX_SUGGEST_BYTES &&
	       pt_suggestion_store_distance_if_nearer(&f->search, function,
						      (uint32_t)n);
}

void an_named_function_note_executed_or_near(struct an_named_function *f,
					     const char *executed_function)
{
	size_t n = al_function_name_length_without_params(executed_function);

	if (f->is_executed)
		return;
	f->is_executed = an_named_function_has_name(f, executed_function);
	if (store_distance_if_function_is_nearer(f, executed_function, n))
		f->nearest = executed_function;
}

void an_named_function_merge(struct an_named_function *into,
			     const struct an_named_function *from)
{
	into->is_executed |= from->is_executed;
	if (from->nearest != NULL)
		an_named_function_note_executed_or_near(into, from->nearest);
}

static void add_note_that_not_executed(const struct an_named_function *f,
				       struct al_model *m)
{
	const char *nearest = f->nearest ? f->nearest : "";
	size_t n = al_function_name_length_without_params(nearest);
	char note[2 * MAX_NAME + 64];

	snprintf(note, sizeof(note), "no function '%.*s' was executed%s%.*s%s",
		 f->search.n > MAX_NAME ? MAX_NAME : (int)f->search.n,
		 f->search.word, f->nearest ? "; did you mean '" : "",
		 n > MAX_NAME ? MAX_NAME : (int)n, nearest,
		 f->nearest ? "'?" : "");
	al_model_add_uncopied_string(m, NULL, an_note_add_line(m, note));
}

void an_named_functions_add_unexecuted_notes(
	const struct an_named_function *functions, size_t count,
	struct al_model *m)
{
	size_t n_executed = 0;

	for (size_t i = 0; i < count; i++)
		n_executed += functions[i].is_executed;
	if (n_executed == count)
		return;
	al_model_begin_list(m, "notes");
	for (size_t i = 0; i < count; i++)
		if (!functions[i].is_executed)
			add_note_that_not_executed(&functions[i], m);
	al_model_end_object_or_list(m);
}

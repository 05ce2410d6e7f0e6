/* SPDX-License-Identifier: GPL-2.0-or-later */
/* function_search.c - finds functions by a part of their name; see
   function_search.h */

#include "cli/args/function_search.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/array.h"
#include "base/text/function_name.h"
#include "base/text/printable.h"

enum { LISTED = 20 };

void cl_function_search_init(struct cl_function_search *f, const char *word)
{
	*f = (struct cl_function_search){.word = word,
					 .match_level = AL_NAME_NONE};
}

void cl_function_search_free_match_list(struct cl_function_search *f)
{
	free(f->name);
}

void cl_function_search_add_if_best(struct cl_function_search *f,
				    const char *name)
{
	enum al_name_match level =
		al_function_name_match(name, f->word, strlen(f->word));

	if (level == AL_NAME_NONE || level > f->match_level)
		return;
	if (level < f->match_level)
		f->n = 0;
	f->match_level = level;
	if (f->n > 0 && f->name[f->n - 1] == name)
		return;
	if (al_array_reserve(f->name, f->size, f->n + 1)) {
		f->failed = true;
		return;
	}
	f->name[f->n++] = name;
}

static int compare_match_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Sort the names and remove duplicates. */
static void sort_and_deduplicate_matches(struct cl_function_search *f)
{
	size_t last = 0;

	if (f->n == 0)
		return;
	qsort(f->name, f->n, sizeof(*f->name), compare_match_names);
	for (size_t i = 1; i < f->n; i++)
		if (strcmp(f->name[last], f->name[i]) != 0)
			f->name[++last] = f->name[i];
	f->n = last + 1;
}

static void print_ambiguous_matches(const struct cl_function_search *f)
{
	fprintf(stderr, "alleria: '");
	al_write_unprintable_as_question_marks(stderr, f->word, 200);
	fprintf(stderr, "' may be each of %zu functions:\n", f->n);
	for (size_t i = 0; i < f->n && i < LISTED; i++) {
		fputs("  ", stderr);
		al_write_unprintable_as_question_marks(stderr, f->name[i],
						       (size_t)-1);
		putc('\n', stderr);
	}
	if (f->n > LISTED)
		fprintf(stderr, "  and %zu more\n", f->n - LISTED);
}

int cl_function_search_find_unique(struct cl_function_search *f,
				   const char **name_out)
{
	if (f->failed)
		return -ENOMEM;
	sort_and_deduplicate_matches(f);
	if (f->n > 1) {
		print_ambiguous_matches(f);
		return -ENOTUNIQ;
	}
	if (f->n == 0)
		return -ENOENT;
	*name_out = f->name[0];
	return 0;
}

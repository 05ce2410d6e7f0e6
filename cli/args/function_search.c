/* SPDX-License-Identifier: GPL-2.0-or-later */
/* function_search.c - finds functions by a part of their name; see
   function_search.h */

#include "cli/args/function_search.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/array.h"
#include "base/text/printable.h"

enum { LISTED = 20 };

/* How well a word matches a name, best first: it is the whole name; the name
   without parameters; the name without parameters, namespace and class; any
   other part of the name; no part. */
enum level { WHOLE, PLAIN, INNERMOST, PART, NONE };

/* Whether an operator's name, which may hold any of "<>()", begins at
   @position. */
static bool begins_operator_name(const char *name, const char *position)
{
	static const char word[] = "operator";

	return !strncmp(position, word, sizeof(word) - 1) &&
	       (position == name || strchr(": ", position[-1]));
}

/* Return the length of the name "operator..." that begins at @operator_word, of
   symbols only: 10 for "operator()". */
static size_t length_of_operator_word_and_symbols(const char *operator_word)
{
	size_t n = strlen("operator");

	if (!strncmp(operator_word + n, "()", 2))
		return n + 2;
	return n + strspn(operator_word + n, "<>=+-*/%^&|~!,[]");
}

/*
 * Return the length of a name without parameters: up to the first '(' outside
 * of template arguments, but for that of "(anonymous namespace)".
 */
static size_t length_without_parameters(const char *name)
{
	static const char anonymous[] = "(anonymous namespace)";
	int depth = 0;

	for (const char *s = name; *s; s++) {
		if (begins_operator_name(name, s))
			s += length_of_operator_word_and_symbols(s) - 1;
		else if (!strncmp(s, anonymous, sizeof(anonymous) - 1))
			s += sizeof(anonymous) - 2;
		else if (*s == '<')
			depth++;
		else if (*s == '>')
			depth--;
		else if (*s == '(' && depth == 0 && s > name)
			return (size_t)(s - name);
	}
	return strlen(name);
}

/* Return the length of the first @name_length bytes of @name without the
   template arguments "<...>" at their end; @name_length if there are none. */
static size_t length_without_template_args(const char *name, size_t name_length)
{
	size_t length = name_length;
	int depth = 0;

	if (name_length == 0 || name[name_length - 1] != '>')
		return name_length;
	while (length > 0) {
		length--;
		depth += (name[length] == '>') - (name[length] == '<');
		if (depth == 0)
			return length ? length : name_length;
	}
	return name_length;
}

/* Return how well @word matches the end of the first @name_length bytes of
   @name: PLAIN, INNERMOST or NONE. */
static enum level match_level_at_end(const char *name, size_t name_length,
				     const char *word)
{
	size_t len = strlen(word);

	if (len > name_length ||
	    memcmp(name + name_length - len, word, len) != 0)
		return NONE;
	if (len == name_length || strchr(" *&", name[name_length - len - 1]))
		return PLAIN;
	return name[name_length - len - 1] == ':' ? INNERMOST : NONE;
}

static enum level best_match_level(const char *name, const char *word)
{
	size_t n = length_without_parameters(name);
	enum level with, without;

	if (!strcmp(name, word))
		return WHOLE;
	with = match_level_at_end(name, n, word);
	without = match_level_at_end(
		name, length_without_template_args(name, n), word);
	with = with < without ? with : without;
	return with == NONE && strstr(name, word) ? PART : with;
}

void cl_function_search_init(struct cl_function_search *f, const char *word)
{
	*f = (struct cl_function_search){.word = word, .match_level = NONE};
}

void cl_function_search_free_match_list(struct cl_function_search *f)
{
	free(f->name);
}

void cl_function_search_add_if_best(struct cl_function_search *f,
				    const char *name)
{
	enum level level = best_match_level(name, f->word);

	if (level == NONE || level > f->match_level)
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

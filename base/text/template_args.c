/* SPDX-License-Identifier: GPL-2.0-or-later */
/* template_args.c - removes from C++ names the template arguments that are
   defaults of the standard library; see printable.h */
#include "base/text/printable.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 32, MAX_ARGUMENTS = 16 };

/* An open list in parentheses or angle brackets. Pointers are into the
   output. */
struct list {
	bool is_template;
	unsigned n;		       /* number of template or function
					  arguments of the list that have begun,
					  also those beyond MAX_ARGUMENTS */
	char *argument[MAX_ARGUMENTS]; /* start in the output of each argument
					  of the list */
};

struct state {
	char *out; /* end of the output so far */
	unsigned depth;
	struct list list[MAX_DEPTH];
};

/* Whether the @n bytes at @s are @text. */
static bool equals_text(const char *s, size_t n, const char *text)
{
	return strlen(text) == n && !memcmp(s, text, n);
}

/* Whether @argument, the argument of an allocator, is "std::pair<FIRST const,
   ...>", where FIRST is @first of @n_first bytes. */
static bool is_std_pair_with_first_const(const char *argument,
					 const char *first, size_t n_first)
{
	static const char pair[] = "std::pair<", after[] = " const, ";
	size_t n = sizeof(pair) - 1;

	return !strncmp(argument, pair, n) &&
	       !strncmp(argument + n, first, n_first) &&
	       !strncmp(argument + n + n_first, after, sizeof(after) - 1);
}

/* Whether the argument from @s to @end is a default that is made from the first
   argument of its list, @first of @n_first bytes. */
static bool is_std_default_of_first_argument(const char *s, const char *end,
					     const char *first, size_t n_first)
{
	static const char *const templates[] = {
		"std::allocator<", "std::less<",	"std::equal_to<",
		"std::hash<",	   "std::char_traits<", "std::default_delete<",
	};
	size_t n;

	for (size_t i = 0; i < sizeof(templates) / sizeof(*templates); i++) {
		n = strlen(templates[i]);
		if ((size_t)(end - s) <= n || strncmp(s, templates[i], n) != 0)
			continue;
		s += n;
		end--; /* exclude the closing '>', and a space before it */
		if (end[-1] == ' ')
			end--;
		return ((size_t)(end - s) == n_first &&
			!memcmp(s, first, n_first)) ||
		       (i == 0 &&
			is_std_pair_with_first_const(s, first, n_first));
	}
	return false;
}

/* Remove from the end of the template argument list @l, which closes now, the
   arguments that are defaults of the standard library's templates. */
static void remove_trailing_default_arguments(struct state *st, struct list *l)
{
	const char *first = l->argument[0];
	size_t n_first = l->n > 1 ? (size_t)(l->argument[1] - first) - 2 : 0;

	while (l->n > 1 && l->n <= MAX_ARGUMENTS &&
	       is_std_default_of_first_argument(l->argument[l->n - 1], st->out,
						first, n_first)) {
		st->out = l->argument[--l->n] - 2; /* the separator ", " is
						      removed, too */
		*st->out = '\0';
	}
}

static void begin_argument_list(struct state *st, bool is_template)
{
	if (st->depth < MAX_DEPTH)
		st->list[st->depth] = (struct list){
			.is_template = is_template,
			.n = 1,
			.argument = {st->out},
		};
	st->depth++;
}

/* End the innermost list: remove default arguments at its end if it is in angle
   brackets, and append its closing @bracket to the output. */
static void close_name_list(struct state *st, char bracket)
{
	struct list *l;

	st->depth--;
	l = st->depth < MAX_DEPTH ? &st->list[st->depth] : NULL;
	if (l && l->is_template) {
		while (st->out[-1] == ' ')
			st->out--;
		*st->out = '\0';
		remove_trailing_default_arguments(st, l);
		if (st->out[-1] == '>')
			*st->out++ = ' ';
	}
	*st->out++ = bracket;
}

/* Store the end of the output as the start of the innermost list's next
   argument. To be called after ", " was written. */
static void store_next_argument_start(struct state *st)
{
	struct list *l;

	if (st->depth == 0 || st->depth > MAX_DEPTH)
		return;
	l = &st->list[st->depth - 1];
	if (l->n < MAX_ARGUMENTS)
		l->argument[l->n] = st->out;
	l->n++;
}

/* Whether the bracket at @s belongs to an operator's name, such as "operator<"
   or "operator()", or to "->". */
static bool is_operator_or_arrow_bracket(const char *name, const char *s)
{
	static const char word[] = "operator";
	size_t n = sizeof(word) - 1;
	const char *from = s;

	if (s > name && s[-1] == '-' && *s == '>')
		return true;
	while (from > name && strchr("<>()=-", from[-1]))
		from--;
	return (size_t)(from - name) >= n && equals_text(from - n, n, word) &&
	       s - from < 3 && (s == from || *s != '(');
}

char *al_template_drop_std_default_args(char *name)
{
	struct state st = {.out = name};
	char *copy, *s;

	copy = strdup(name);
	if (!copy)
		return name;
	for (s = copy; *s; s++) {
		bool symbol = is_operator_or_arrow_bracket(copy, s);

		if (!symbol && (*s == '>' || *s == ')') && st.depth > 0) {
			close_name_list(&st, *s);
			continue;
		}
		*st.out++ = *s;
		if (!symbol && (*s == '<' || *s == '('))
			begin_argument_list(&st, *s == '<');
		if (*s == ' ' && s > copy && s[-1] == ',')
			store_next_argument_start(&st);
	}
	*st.out = '\0';
	free(copy);
	return name;
}

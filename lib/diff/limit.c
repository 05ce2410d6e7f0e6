/* SPDX-License-Identifier: GPL-2.0-or-later */
/* limit.c - limits on counts; see limit.h */

#include "lib/diff/limit.h"

#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/message.h"
#include "base/text/suggest.h"
#include "lib/diff/normal_name.h"

enum { LONGEST_NAME = 4096 };

/* ---- parsing ---- */

static const char form[] = "a limit is EVENT[@SCOPE]OP VALUE[%], as D1mr>+1%";

/* Return the offset in @text of its last operator, and set @operator_bytes to
   its length; 0: there is none, or @text begins with it. The last one is used,
   because the pattern before it may contain '<', '>' and '='. */
static size_t find_last_comparison_sign_offset_or_0(const char *text,
						    size_t *operator_bytes)
{
	size_t end = strlen(text), start;

	while (end > 0 && !strchr("<>=", text[end - 1]))
		end--;
	if (end == 0)
		return 0;
	start = end - 1;
	if (start > 0 && text[start] == '=' && strchr("<>!", text[start - 1]))
		start--;
	*operator_bytes = end - start;
	return start;
}

static int parse_limit_event(struct al_diff_limit *l, const char *name,
			     size_t bytes, char *message)
{
	const char *words[AL_DIFF_EVENTS + 1] = {NULL}, *near;
	char word[32];

	l->event = al_diff_find_event_index(name, bytes);
	if (l->event >= 0)
		return 0;
	for (int i = 0; i < AL_DIFF_EVENTS; i++)
		words[i] = al_diff_event_name[i];
	snprintf(word, sizeof(word), "%.*s", (int)(bytes < 31 ? bytes : 31),
		 name);
	near = al_suggest_word(word, words);
	return al_message_return_einval(
		message, "limit '%.200s': unknown event '%s'%s%s%s", l->text,
		word, near ? "; did you mean '" : "", near ? near : "",
		near ? "'?" : "");
}

static int parse_limit_scope(struct al_diff_limit *l, const char *scope,
			     size_t bytes, char *message)
{
	static const char *const word[] = {[AL_DIFF_BY_FUNCTION] = "function=",
					   [AL_DIFF_BY_FILE] = "file=",
					   [AL_DIFF_BY_OBJECT] = "object="};

	for (int i = AL_DIFF_BY_FUNCTION; i <= AL_DIFF_BY_OBJECT; i++) {
		size_t n = strlen(word[i]);

		if (bytes <= n || strncmp(scope, word[i], n) != 0)
			continue;
		l->scope = (enum al_diff_scope)i;
		l->pattern = strndup(scope + n, bytes - n);
		return l->pattern ? 0
				  : al_message_return_einval(message,
							     "out of memory");
	}
	return al_message_return_einval(
		message,
		"limit '%.200s': a scope is function=PATTERN, "
		"file=PATTERN or object=PATTERN",
		l->text);
}

static int parse_value_sign_and_percent(struct al_diff_limit *l,
					const char *text, char *message)
{
	char *end;

	while (*text == ' ')
		text++;
	l->is_change = *text == '+' || *text == '-';
	errno = 0;
	l->value = strtod(text, &end);
	if (end == text || errno || !isfinite(l->value) ||
	    strspn(text, "+-.0123456789eE") < (size_t)(end - text))
		return al_message_return_einval(
			message, "limit '%.200s': '%.60s' is not a number",
			l->text, text);
	l->is_percent = *end == '%';
	end += l->is_percent;
	if (*end != '\0')
		return al_message_return_einval(
			message,
			"limit '%.200s': unexpected '%.60s' after "
			"the number",
			l->text, end);
	if (l->is_percent && !l->is_change)
		return al_message_return_einval(
			message,
			"limit '%.200s': a percentage is of a change "
			"and needs a sign, as in +1%%",
			l->text);
	return 0;
}

/* Check that no further character of an operator precedes the operator at
   @offset of a limit without a scope: "==" is no operator. Return: 0; -EINVAL
   with @message. */
static int check_operator_is_whole(const struct al_diff_limit *l, size_t offset,
				   char *message)
{
	static const char *const words[] = {
		"=", ">", "<", ">=", "<=", "!=", NULL};
	char what[300], word[16];
	size_t first = offset;

	while (first > 0 && strchr("<>=!", l->text[first - 1]))
		first--;
	if (first == offset)
		return 0;
	snprintf(what, sizeof(what), "limit '%.200s': unknown operator",
		 l->text);
	snprintf(word, sizeof(word), "%.*s",
		 (int)strspn(l->text + first, "<>=!"), l->text + first);
	return al_suggest_and_report_bad_word(what, word, words, message);
}

/* Set event, scope, pattern, operator and value of @l from @l->text. Return: 0;
   -EINVAL with @message. */
static int parse_limit_text(struct al_diff_limit *l, char *message)
{
	size_t bytes = 0, name,
	       offset = find_last_comparison_sign_offset_or_0(l->text, &bytes);
	const char *scope;
	int err;

	if (offset == 0 || bytes > 2)
		return al_message_return_einval(message, "limit '%.200s': %s",
						l->text, form);
	memcpy(l->op, l->text + offset, bytes);
	scope = memchr(l->text, '@', offset);
	name = scope ? (size_t)(scope - l->text) : offset;
	while (name > 0 && l->text[name - 1] == ' ')
		name--;
	err = scope ? 0 : check_operator_is_whole(l, offset, message);
	if (!err)
		err = parse_limit_event(l, l->text, name, message);
	if (!err && scope) {
		while (offset > 0 && l->text[offset - 1] == ' ')
			offset--;
		err = parse_limit_scope(l, scope + 1,
					(size_t)(l->text + offset - scope - 1),
					message);
	}
	return err ? err
		   : parse_value_sign_and_percent(
			     l,
			     strpbrk(l->text + offset, "<>=!") + strlen(l->op),
			     message);
}

int al_diff_limit_parse(const char *text, struct al_diff_limit *limit,
			char *message)
{
	int err;

	*limit = (struct al_diff_limit){.text = strdup(text)};
	if (limit->text == NULL)
		return al_message_return_einval(message, "out of memory");
	err = parse_limit_text(limit, message);
	if (err)
		al_diff_limit_release(limit);
	return err;
}

void al_diff_limit_release(struct al_diff_limit *l)
{
	free(l->text);
	free(l->pattern);
	*l = (struct al_diff_limit){.text = NULL};
}

/* ---- checking ---- */

static bool matches_raw_or_normalized_name(const char *pattern,
					   const char *name,
					   char *(*normalize_in_place)(char *))
{
	char copy[LONGEST_NAME];

	if (fnmatch(pattern, name, 0) == 0)
		return true;
	snprintf(copy, sizeof(copy), "%s", name);
	return fnmatch(pattern, normalize_in_place(copy), 0) == 0;
}

/* Whether the pattern of fnmatch() matches the whole path, or the part of it
   after any of its '/'. */
static bool matches_path_or_suffix(const char *glob_pattern, const char *path)
{
	while (path != NULL) {
		if (fnmatch(glob_pattern, path, 0) == 0)
			return true;
		path = strchr(path, '/');
		path = path ? path + 1 : NULL;
	}
	return false;
}

static bool is_row_in_limit_scope(const struct al_diff_limit *l,
				  const struct al_diff_row *row)
{
	switch (l->scope) {
	case AL_DIFF_BY_FUNCTION:
		return matches_raw_or_normalized_name(
			l->pattern, row->function,
			al_diff_normalize_function_name);
	case AL_DIFF_BY_FILE:
		return matches_path_or_suffix(l->pattern, row->path);
	case AL_DIFF_BY_OBJECT:
		return matches_raw_or_normalized_name(
			l->pattern, row->object, al_diff_drop_library_version);
	case AL_DIFF_TOTALS:
		break;
	}
	return true;
}

/* Return the sum of the limit's event over the rows of @in that the limit's
   scope includes; for AL_DIFF_TOTALS, the total of @in. @match_count: the
   number of these rows, 1 for AL_DIFF_TOTALS, is added. */
static uint64_t
sum_event_in_scope_and_count_rows(const struct al_diff_input *in,
				  const struct al_diff_limit *l,
				  size_t *match_count)
{
	const struct al_diff_rows *rows =
		l->scope == AL_DIFF_BY_FILE ? &in->lines : &in->functions;
	uint64_t count = 0;

	if (l->scope == AL_DIFF_TOTALS) {
		++*match_count;
		return in->totals.event[l->event];
	}
	for (size_t i = 0; i < rows->n; i++)
		if (is_row_in_limit_scope(l, &rows->row[i])) {
			++*match_count;
			count += rows->row[i].costs.event[l->event];
		}
	return count;
}

/* Return @change in percent of @base. If @base is 0: INFINITY if @change is
   positive, else 0. */
static double change_percent(double change, double base)
{
	if (base > 0)
		return 100 * change / base;
	return change > 0 ? INFINITY : 0;
}

static bool is_comparison_true(double x, const char *op, double y)
{
	switch (op[0]) {
	case '>':
		return op[1] ? x >= y : x > y;
	case '<':
		return op[1] ? x <= y : x < y;
	case '!':
		return x != y;
	default:
		return x == y;
	}
}

int al_diff_evaluate_limit_on_sum_in_scope(const struct al_diff *d,
					   struct al_diff_limit *l,
					   char *message)
{
	size_t n = 0;
	uint64_t a = sum_event_in_scope_and_count_rows(d->in[0], l, &n),
		 b = sum_event_in_scope_and_count_rows(d->in[1], l, &n);
	double change = b >= a ? (double)(b - a) : -(double)(a - b);

	if (n == 0)
		return al_message_return_einval(
			message, "limit '%.200s': nothing matches '%.100s'",
			l->text, l->pattern);
	l->found = !l->is_change   ? (double)b
		   : l->is_percent ? change_percent(change, (double)a)
				   : change;
	l->exceeded = is_comparison_true(l->found, l->op, l->value);
	return 0;
}

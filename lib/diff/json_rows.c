/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json_rows.c - reads the functions and lines of a JSON report; see input.h
 *
 * Nearly all of a large report consists of rows. They are read directly from
 * the text: creating a JSON value in memory for each count would be slow.
 */

#include <errno.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/diff/input.h"

/* Greatest number of decimal digits with which a uint64_t cannot overflow. */
enum { SAFE_DIGITS = 18 };

/* Greatest number of lists that are read here, and replaced by "[]" in the
   text that is parsed as JSON afterwards. */
enum { MAX_LISTS = 2 };

struct reader {
	struct al_diff_input *in;
	char *at;  /* the next byte */
	char *end; /* end of the text; *end is NUL */
	const char *unknown_name;
	struct {
		const char *begin, *end;
	} list[MAX_LISTS]; /* the lists that were read, in order of the text:
			       from '[' (inclusive) to the byte behind ']' */
	int n_lists;
};

/* A key or a string value without its quotation marks. It has @bytes bytes. It
   points into the JSON text or, if it has escapes, to a decoded copy that ends
   with NUL. */
struct token {
	char *text;
	size_t bytes;
};

/* ---- bytes ---- */

static void skip_blanks(struct reader *r)
{
	while (*r->at == ' ' || *r->at == '\n' || *r->at == '\t' ||
	       *r->at == '\r')
		r->at++;
}

/* Skip white space. If the next character is @c, skip it and the white space
   behind it, and return true; else return false. */
static bool skip_character(struct reader *r, char c)
{
	skip_blanks(r);
	if (*r->at != c)
		return false;
	r->at++;
	skip_blanks(r);
	return true;
}

/* Advance from the opening quotation mark of a string to the byte behind the
   closing one, or to the end of the text. Whether the text is valid JSON is
   not checked. */
static void skip_string(struct reader *r)
{
	for (r->at++; r->at < r->end && *r->at != '"'; r->at++)
		r->at += *r->at == '\\' && r->at + 1 < r->end;
	r->at += r->at < r->end;
}

/* Advance to the byte behind the next JSON value, whole lists and objects
   included. Whether the text is valid JSON is not checked. */
static void skip_value(struct reader *r)
{
	int depth = 0;

	while (r->at < r->end) {
		if (*r->at == '"') {
			skip_string(r);
		} else {
			depth += *r->at == '{' || *r->at == '[';
			depth -= *r->at == '}' || *r->at == ']';
			if (depth < 0)
				return;
			r->at++;
		}
		if (depth == 0 && strchr(",}] \n\t\r", *r->at))
			return;
	}
}

/* ---- values of a row ---- */

/* Parse the next JSON value, of any type, and advance behind it. Return it;
   NULL, without advancing, if the text is not valid JSON. */
static json_t *parse_any_value(struct reader *r)
{
	json_error_t e;
	json_t *value =
		json_loadb(r->at, (size_t)(r->end - r->at),
			   JSON_DECODE_ANY | JSON_DISABLE_EOF_CHECK, &e);

	if (value != NULL)
		r->at += e.position;
	return value;
}

/* Read the next JSON string into @t, without its quotation marks, and advance
   behind it. Return false if no valid JSON string begins here. */
static bool read_string(struct reader *r, struct token *t)
{
	char *s = r->at + 1;
	const json_t *value;

	if (*r->at != '"')
		return false;
	while (*s >= ' ' && *s != '"' &&
	       *s != '\\') /* non-ASCII bytes, being negative, end the loop */
		s++;
	if (*s == '"') {
		*t = (struct token){r->at + 1, (size_t)(s - r->at - 1)};
		r->at = s + 1;
		return true;
	}
	value = parse_any_value(r);
	if (!json_is_string(value))
		return false;
	t->text = (char *)json_string_value(value);
	t->bytes = strlen(t->text);
	return true;
}

/* Return the interned string that equals @t. @last: the interned value that
   this member had in the previous row, which is compared first; or NULL. */
static const char *intern_token(struct reader *r, const struct token *t,
				const char *last)
{
	char behind = t->text[t->bytes];
	const char *s;

	if (last && !strncmp(last, t->text, t->bytes) && !last[t->bytes])
		return last;
	t->text[t->bytes] = '\0';
	s = al_intern(r->in->strings, t->text);
	t->text[t->bytes] = behind;
	return s;
}

static bool token_is(const struct token *t, const char *name)
{
	return !strncmp(t->text, name, t->bytes) && !name[t->bytes];
}

static void store_string(struct reader *r, struct al_diff_row *row,
			 const struct al_diff_row *last,
			 const struct token *key, const struct token *value)
{
	if (token_is(key, "name") || token_is(key, "function"))
		row->function = intern_token(r, value, last->function);
	else if (token_is(key, "object"))
		row->object = intern_token(r, value, last->object);
	else if (token_is(key, "path") ||
		 (token_is(key, "file") && row->path == NULL))
		row->path = intern_token(r, value, last->path);
}

static void store_number(struct al_diff_row *row, const struct token *key,
			 uint64_t n)
{
	int event = al_diff_find_event_index(key->text, key->bytes);

	if (event >= 0)
		row->costs.event[event] = n;
	else if (token_is(key, "line"))
		row->line = (uint32_t)n;
}

/* Read an unsigned integer of at most SAFE_DIGITS decimal digits into @n and
   advance behind it. Return false, without advancing, if the next value is
   anything else. */
static bool read_plain_number(struct reader *r, uint64_t *n)
{
	const char *s = r->at;
	bool has_leading_zero = s[0] == '0' && s[1] >= '0' && s[1] <= '9';

	for (*n = 0; *s >= '0' && *s <= '9' && s - r->at <= SAFE_DIGITS; s++)
		*n = *n * 10 + (uint64_t)(*s - '0');
	if (has_leading_zero || s == r->at || s - r->at > SAFE_DIGITS ||
	    strchr(",}] \n\t\r", *s) == NULL)
		return false;
	r->at += s - r->at;
	return true;
}

/* Read the value of the row's member named @key and store it in @row; skip the
   value if no field of @row has this name. Return false if the value is not
   valid JSON. */
static bool read_row_value(struct reader *r, struct al_diff_row *row,
			   const struct al_diff_row *last,
			   const struct token *key)
{
	struct token string;
	const json_t *value;
	uint64_t n;

	if (*r->at == '"') {
		if (!read_string(r, &string))
			return false;
		store_string(r, row, last, key, &string);
		return true;
	}
	if (read_plain_number(r, &n)) {
		store_number(row, key, n);
		return true;
	}
	value = parse_any_value(r);
	if (json_is_integer(value))
		store_number(row, key, (uint64_t)json_integer_value(value));
	return value != NULL;
}

/* ---- rows ---- */

/* Read the next JSON object and store its members in @row. Return false if it
   is no valid JSON object. */
static bool read_row(struct reader *r, struct al_diff_row *row,
		     const struct al_diff_row *last)
{
	struct token key;

	if (!skip_character(r, '{'))
		return false;
	if (skip_character(r, '}'))
		return true;
	do {
		if (!read_string(r, &key) || !skip_character(r, ':') ||
		    !read_row_value(r, row, last, &key))
			return false;
	} while (skip_character(r, ','));
	return skip_character(r, '}');
}

/* Read a JSON list of functions or lines and append a row to @rows for each
   element. Return: 0; -EINVAL: the text is not valid JSON; -ENOMEM. */
static int read_rows(struct reader *r, struct al_diff_rows *rows)
{
	struct al_diff_row last = {.line = 0};

	if (!skip_character(r, '['))
		return -EINVAL;
	if (skip_character(r, ']'))
		return 0;
	do {
		struct al_diff_row *row = al_diff_rows_append_zeroed(rows);

		if (row == NULL)
			return -ENOMEM;
		row->function = row->object = r->unknown_name;
		if (!read_row(r, row, &last))
			return -EINVAL;
		if (row->path == NULL)
			row->path = r->unknown_name;
		last = *row;
	} while (skip_character(r, ','));
	return skip_character(r, ']') ? 0 : -EINVAL;
}

/* Read a JSON list, append its elements to @rows and store in @r->list where
   the list begins and ends in the text. Return: 0; -EINVAL; -ENOMEM. */
static int read_and_leave_out_list(struct reader *r, struct al_diff_rows *rows)
{
	int err;

	r->list[r->n_lists].begin = r->at;
	err = read_rows(r, rows);
	r->list[r->n_lists++].end = r->at;
	return err;
}

/* ---- the report ---- */

/* Advance behind the '{' of the object that is the next value. Return whether
   the next value is an object that has a member. */
static bool enter_object(struct reader *r)
{
	return skip_character(r, '{') && *r->at == '"';
}

/* Read the next key of an object, skip its colon and advance to its value.
   Return false at the end of the object, or if the text is not valid JSON; the
   parser that reads the text afterwards reports that error. */
static bool next_key(struct reader *r, struct token *key)
{
	skip_character(r, ',');
	return read_string(r, key) && skip_character(r, ':');
}

/* Advance to the value of member @name of the object that is the next value.
   Return false if the next value is no object or has no such member. */
static bool find_member(struct reader *r, const char *name)
{
	struct token key;

	if (!enter_object(r))
		return false;
	while (next_key(r, &key)) {
		if (token_is(&key, name))
			return true;
		skip_value(r);
	}
	return false;
}

/* Read the lists "functions" and "lines" of the object that is the next value
   into @r->in, and skip its other members. Return: 0; -EINVAL; -ENOMEM. */
static int read_lists(struct reader *r)
{
	struct token key;
	int err = 0;

	if (!enter_object(r))
		return 0;
	while (!err && next_key(r, &key)) {
		if (*r->at != '[' || r->n_lists == MAX_LISTS)
			skip_value(r);
		else if (token_is(&key, "functions"))
			err = read_and_leave_out_list(r, &r->in->functions);
		else if (token_is(&key, "lines"))
			err = read_and_leave_out_list(r, &r->in->lines);
		else
			skip_value(r);
	}
	return err;
}

/* Return a copy of @text, from malloc(), in which each list of @r->list is
   replaced by "[]"; NULL if memory is short. @bytes receives its length; no
   NUL follows. */
static char *copy_without_lists(const struct reader *r, const char *text,
				size_t *bytes)
{
	size_t left_out = 0;
	char *copy, *to;

	for (int i = 0; i < r->n_lists; i++)
		left_out += (size_t)(r->list[i].end - r->list[i].begin);
	copy = to = malloc((size_t)(r->end - text) - left_out + 2 * MAX_LISTS);
	if (copy == NULL)
		return NULL;
	for (int i = 0; i < r->n_lists; i++) {
		to = mempcpy(to, text, (size_t)(r->list[i].begin - text));
		to = mempcpy(to, "[]", 2);
		text = r->list[i].end;
	}
	to = mempcpy(to, text, (size_t)(r->end - text));
	*bytes = (size_t)(to - copy);
	return copy;
}

int al_diff_read_json_rows(struct al_diff_input *in, char *text, size_t bytes,
			   char **rest, size_t *rest_bytes)
{
	struct reader r = {.in = in, .at = text, .end = text + bytes};
	int err = 0;

	*rest = NULL;
	r.unknown_name = al_intern(in->strings, "???");
	if (find_member(&r, "analyses") && find_member(&r, "cache"))
		err = read_lists(&r);
	if (err)
		return err;
	*rest = copy_without_lists(&r, text, rest_bytes);
	return *rest ? 0 : -ENOMEM;
}

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

/* Most decimal digits of a number that is read here without the JSON parser.
   Even one digit more cannot overflow a uint64_t. */
enum { SAFE_DIGITS = 18 };

/* Greatest number of lists that are read here, and replaced by "[]" in the
   text that is parsed as JSON afterwards. */
enum { MAX_LISTS = 2 };

struct reader {
	struct al_diff_input *in;
	char *next; /* the next byte of the text to read */
	char *end;  /* end of the text; *end is NUL */
	const char *unknown_name;
	struct {
		const char *begin, *end;
	} list[MAX_LISTS]; /* the lists that were read, in order of the text:
			       from '[' (inclusive) to the byte after ']' and
			       the white space that follows it */
	int n_lists;
};

/* A key or a string value without its quotation marks: @bytes bytes at @text,
   which points into the JSON text or, if the string has escapes or non-ASCII
   characters, to a decoded copy that ends with NUL. */
struct token {
	char *text;
	size_t bytes;
};

/* ---- bytes ---- */

static void skip_blanks(struct reader *r)
{
	while (*r->next == ' ' || *r->next == '\n' || *r->next == '\t' ||
	       *r->next == '\r')
		r->next++;
}

/* Skip white space. If the next character is @c, skip it and the white space
   after it, and return true; else return false. */
static bool skip_character_if_next(struct reader *r, char c)
{
	skip_blanks(r);
	if (*r->next != c)
		return false;
	r->next++;
	skip_blanks(r);
	return true;
}

/* Advance from the opening quotation mark of a string to the byte after the
   closing one, or to the end of the text. Whether the text is valid JSON is
   not checked. */
static void skip_string_unchecked(struct reader *r)
{
	for (r->next++; r->next < r->end && *r->next != '"'; r->next++)
		r->next += *r->next == '\\' && r->next + 1 < r->end;
	r->next += r->next < r->end;
}

/* Advance to the byte after the next JSON value, whole lists and objects
   included. Whether the text is valid JSON is not checked. */
static void skip_json_value_without_validating(struct reader *r)
{
	int depth = 0;

	while (r->next < r->end) {
		if (*r->next == '"') {
			skip_string_unchecked(r);
		} else {
			depth += *r->next == '{' || *r->next == '[';
			depth -= *r->next == '}' || *r->next == ']';
			if (depth < 0)
				return;
			r->next++;
		}
		if (depth == 0 && strchr(",}] \n\t\r", *r->next))
			return;
	}
}

/* ---- values of a row ---- */

/* Parse the next JSON value, of any type, and advance to the byte after it.
   Return the value; NULL, without advancing, if the text is not valid JSON. */
static json_t *parse_json_value_and_advance(struct reader *r)
{
	json_error_t e;
	json_t *value =
		json_loadb(r->next, (size_t)(r->end - r->next),
			   JSON_DECODE_ANY | JSON_DISABLE_EOF_CHECK, &e);

	if (value != NULL)
		r->next += e.position;
	return value;
}

/* Read the next JSON string into @t, without its quotation marks, and advance
   to the byte after it. Return false if no valid JSON string begins here. */
static bool read_string_token(struct reader *r, struct token *t)
{
	char *s = r->next + 1;
	const json_t *value;

	if (*r->next != '"')
		return false;
	while (*s >= ' ' && *s != '"' &&
	       *s != '\\') /* non-ASCII bytes, being negative, end the loop */
		s++;
	if (*s == '"') {
		*t = (struct token){r->next + 1, (size_t)(s - r->next - 1)};
		r->next = s + 1;
		return true;
	}
	value = parse_json_value_and_advance(r);
	if (!json_is_string(value))
		return false;
	t->text = (char *)json_string_value(value);
	t->bytes = strlen(t->text);
	return true;
}

/* Return the interned string that equals @t. @last_string: the interned value
   that this member had in the previous row, which is compared first; or NULL.
   */
static const char *return_last_or_intern_token(struct reader *r,
					       const struct token *t,
					       const char *last_string)
{
	char behind = t->text[t->bytes];
	const char *s;

	if (last_string && !strncmp(last_string, t->text, t->bytes) &&
	    !last_string[t->bytes])
		return last_string;
	t->text[t->bytes] = '\0';
	s = al_intern_question_marks_if_no_memory(r->in->strings, t->text);
	t->text[t->bytes] = behind;
	return s;
}

static bool token_equals(const struct token *t, const char *name)
{
	return !strncmp(t->text, name, t->bytes) && !name[t->bytes];
}

static void store_function_object_or_path(struct reader *r,
					  struct al_diff_row *row,
					  const struct al_diff_row *last_row,
					  const struct token *key,
					  const struct token *value)
{
	if (token_equals(key, "name") || token_equals(key, "function"))
		row->function = return_last_or_intern_token(r, value,
							    last_row->function);
	else if (token_equals(key, "object"))
		row->object =
			return_last_or_intern_token(r, value, last_row->object);
	else if (token_equals(key, "path") ||
		 (token_equals(key, "file") && row->path == NULL))
		row->path =
			return_last_or_intern_token(r, value, last_row->path);
}

static void store_event_count_or_line_number(struct al_diff_row *row,
					     const struct token *key,
					     uint64_t n)
{
	int event = al_diff_find_event_index(key->text, key->bytes);

	if (event >= 0)
		row->costs.event[event] = n;
	else if (token_equals(key, "line"))
		row->line = (uint32_t)n;
}

/* Read an unsigned integer of at most SAFE_DIGITS decimal digits into @n and
   advance to the byte after it. Return false, without advancing, if the next
   value is anything else. */
static bool read_number_of_at_most_18_digits(struct reader *r, uint64_t *n)
{
	const char *s = r->next;
	bool has_leading_zero = s[0] == '0' && s[1] >= '0' && s[1] <= '9';

	for (*n = 0; *s >= '0' && *s <= '9' && s - r->next <= SAFE_DIGITS; s++)
		*n = *n * 10 + (uint64_t)(*s - '0');
	if (has_leading_zero || s == r->next || s - r->next > SAFE_DIGITS ||
	    strchr(",}] \n\t\r", *s) == NULL)
		return false;
	r->next += s - r->next;
	return true;
}

/* Read the value of the row's member named @key and store it in @row; skip the
   value if no field of @row has this name. Return false if the value is not
   valid JSON. */
static bool read_and_store_row_member_value(struct reader *r,
					    struct al_diff_row *row,
					    const struct al_diff_row *last_row,
					    const struct token *key)
{
	struct token string;
	const json_t *value;
	uint64_t n;

	if (*r->next == '"') {
		if (!read_string_token(r, &string))
			return false;
		store_function_object_or_path(r, row, last_row, key, &string);
		return true;
	}
	if (read_number_of_at_most_18_digits(r, &n)) {
		store_event_count_or_line_number(row, key, n);
		return true;
	}
	value = parse_json_value_and_advance(r);
	if (json_is_integer(value))
		store_event_count_or_line_number(
			row, key, (uint64_t)json_integer_value(value));
	return value != NULL;
}

/* ---- rows ---- */

/* Read the next JSON object and store its members in @row. Return false if it
   is no valid JSON object. */
static bool
read_json_object_into_row(struct reader *r, struct al_diff_row *row,
			  const struct al_diff_row *last_row_for_equal_strings)
{
	struct token key;

	if (!skip_character_if_next(r, '{'))
		return false;
	if (skip_character_if_next(r, '}'))
		return true;
	do {
		if (!read_string_token(r, &key) ||
		    !skip_character_if_next(r, ':') ||
		    !read_and_store_row_member_value(
			    r, row, last_row_for_equal_strings, &key))
			return false;
	} while (skip_character_if_next(r, ','));
	return skip_character_if_next(r, '}');
}

/* Read a JSON list of functions or lines and append a row to @rows for each
   element. Return: 0; -EINVAL: the text is not valid JSON, or an element is no
   object; -ENOMEM. */
static int read_json_list_append_rows(struct reader *r,
				      struct al_diff_rows *rows)
{
	struct al_diff_row last = {.line = 0};

	if (!skip_character_if_next(r, '['))
		return -EINVAL;
	if (skip_character_if_next(r, ']'))
		return 0;
	do {
		struct al_diff_row *row = al_diff_rows_append_zeroed(rows);

		if (row == NULL)
			return -ENOMEM;
		row->function = row->object = r->unknown_name;
		if (!read_json_object_into_row(r, row, &last))
			return -EINVAL;
		if (row->path == NULL)
			row->path = r->unknown_name;
		last = *row;
	} while (skip_character_if_next(r, ','));
	return skip_character_if_next(r, ']') ? 0 : -EINVAL;
}

/* Read a JSON list, append its elements to @rows and store in @r->list where
   the list begins and ends in the text. Return: 0; -EINVAL; -ENOMEM. */
static int read_json_list_append_rows_store_bounds(struct reader *r,
						   struct al_diff_rows *rows)
{
	int err;

	r->list[r->n_lists].begin = r->next;
	err = read_json_list_append_rows(r, rows);
	r->list[r->n_lists++].end = r->next;
	return err;
}

/* ---- the report ---- */

/* Advance beyond the '{' of the object that is the next value, and the white
   space after it. Return whether the next value is an object that has a
   member. */
static bool skip_open_brace_is_key_next(struct reader *r)
{
	return skip_character_if_next(r, '{') && *r->next == '"';
}

/* Read the next key of an object, skip its colon and advance to its value.
   Return false at the end of the object, or if the text is not valid JSON; the
   parser that reads the text afterwards reports that error. */
static bool read_next_key_and_colon(struct reader *r, struct token *key)
{
	skip_character_if_next(r, ',');
	return read_string_token(r, key) && skip_character_if_next(r, ':');
}

/* Advance to the value of member @name of the object that is the next value.
   Return false if the next value is no object or has no such member. */
static bool enter_object_advance_to_member(struct reader *r, const char *name)
{
	struct token key;

	if (!skip_open_brace_is_key_next(r))
		return false;
	while (read_next_key_and_colon(r, &key)) {
		if (token_equals(&key, name))
			return true;
		skip_json_value_without_validating(r);
	}
	return false;
}

/* Read the lists "functions" and "lines" of the object that is the next value
   into @r->in, and skip its other members. Return: 0; -EINVAL; -ENOMEM. */
static int read_functions_and_lines_lists(struct reader *r)
{
	struct token key;
	int err = 0;

	if (!skip_open_brace_is_key_next(r))
		return 0;
	while (!err && read_next_key_and_colon(r, &key)) {
		if (*r->next != '[' || r->n_lists == MAX_LISTS)
			skip_json_value_without_validating(r);
		else if (token_equals(&key, "functions"))
			err = read_json_list_append_rows_store_bounds(
				r, &r->in->functions);
		else if (token_equals(&key, "lines"))
			err = read_json_list_append_rows_store_bounds(
				r, &r->in->lines);
		else
			skip_json_value_without_validating(r);
	}
	return err;
}

/* Return a copy of @text, from malloc(), in which each list of @r->list is
   replaced by "[]"; NULL if memory is short. @copy_bytes receives its length;
   no NUL follows. */
static char *copy_json_text_with_lists_emptied(const struct reader *r,
					       const char *text,
					       size_t *copy_bytes)
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
	*copy_bytes = (size_t)(to - copy);
	return copy;
}

int al_diff_read_json_rows_and_copy_rest(struct al_diff_input *in, char *text,
					 size_t bytes, char **rest,
					 size_t *rest_bytes)
{
	struct reader r = {.in = in, .next = text, .end = text + bytes};
	int err = 0;

	*rest = NULL;
	r.unknown_name =
		al_intern_question_marks_if_no_memory(in->strings, "???");
	if (enter_object_advance_to_member(&r, "analyses") &&
	    enter_object_advance_to_member(&r, "cache"))
		err = read_functions_and_lines_lists(&r);
	if (err)
		return err;
	*rest = copy_json_text_with_lists_emptied(&r, text, rest_bytes);
	return *rest ? 0 : -ENOMEM;
}

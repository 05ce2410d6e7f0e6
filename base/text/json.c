/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json.c - writes JSON
 *
 * A report may have millions of members, and stdio takes a lock for each call:
 * text is collected in a buffer of struct al_json.
 */
#include "base/text/json.h"

#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "base/text/utf8.h"

enum {
	MAX_DIGITS = 20,    /* digits of the greatest number of 64 bits */
	MAX_REAL = 32,	    /* [bytes] of a real number, with the NUL */
	MAX_SEPARATOR = 64, /* [bytes] of a separator and indentation */
	MAX_SHORT = 256,    /* [bytes] longest string that is copied and checked
			    for special characters at once */
};

/* Return the struct al_json whose first member is @sink. */
static struct al_json *json_writer_containing_sink(struct an_sink *sink)
{
	return (struct al_json *)sink;
}

/* ---- the buffer ---- */

static void write_bytes_to_file(struct al_json *j, const char *bytes, size_t n)
{
	errno = 0;
	if (fwrite(bytes, 1, n, j->file) < n && !j->error)
		j->error = errno ? errno : EIO;
}

static void write_buffer_to_file(struct al_json *j)
{
	write_bytes_to_file(j, j->buffer, j->n_buffered);
	j->n_buffered = 0;
}

/* Return the address of @n free bytes in the buffer, which is written to the
   file first if it has less room. @n: at most AL_JSON_BUFFER. */
static char *reserve_bytes(struct al_json *j, size_t n)
{
	if (n > sizeof(j->buffer) - j->n_buffered)
		write_buffer_to_file(j);
	return j->buffer + j->n_buffered;
}

static void append_bytes(struct al_json *j, const char *bytes, size_t n)
{
	if (n > sizeof(j->buffer) - j->n_buffered)
		write_buffer_to_file(j);
	if (n > sizeof(j->buffer)) {
		write_bytes_to_file(j, bytes, n);
		return;
	}
	memcpy(j->buffer + j->n_buffered, bytes, n);
	j->n_buffered += n;
}

static void append_char_flush_buffer_if_full(struct al_json *j, char c)
{
	if (j->n_buffered == sizeof(j->buffer))
		write_buffer_to_file(j);
	j->buffer[j->n_buffered++] = c;
}

static void append_number(struct al_json *j, uint64_t value)
{
	char *text = reserve_bytes(j, MAX_DIGITS);
	size_t n = 1;

	for (uint64_t rest = value; rest > 9; rest /= 10)
		n++;
	for (size_t i = n; i > 0; value /= 10)
		text[--i] = (char)('0' + value % 10);
	j->n_buffered += n;
}

/* ---- strings ---- */

/* Whether one of 8 bytes needs more than a copy in a JSON string: a quote, a
   backslash, a byte below 0x20 or above 0x7f. */
static bool has_special_byte(uint64_t eight_bytes)
{
	const uint64_t each = UINT64_MAX / 0xff;
	uint64_t quote = eight_bytes ^ each * '"';
	uint64_t backslash = eight_bytes ^ each * '\\';

	/* The lowest special byte sets bit 7 of its own place in one of these
	   terms. A borrow changes only the bytes above a special byte. */
	return ((eight_bytes | (eight_bytes - each * 0x20) | (quote - each) |
		 (backslash - each)) &
		each * 0x80) != 0;
}

/* Copy a string to @to, where @n + 8 bytes are free, up to the first 8 bytes
   that have a special one. Return how many bytes were copied: @n, its length,
   or a multiple of 8. */
static size_t copy_bytes_until_special(char *to, const char *string, size_t n)
{
	uint64_t bytes;
	size_t i = 0;

	for (; i + sizeof(bytes) <= n; i += sizeof(bytes)) {
		memcpy(&bytes, string + i, sizeof(bytes));
		if (has_special_byte(bytes))
			return i;
		memcpy(to + i, &bytes, sizeof(bytes));
	}
	memset(&bytes, 'a', sizeof(bytes));
	for (size_t k = i; k < n; k++)
		((char *)&bytes)[k - i] = string[k];
	if (has_special_byte(bytes))
		return i;
	memcpy(to + i, &bytes, sizeof(bytes));
	return n;
}

/* Append a character of one byte; as an escape if it is a quote, a backslash or
   below U+0020. */
static void append_escaped_char(struct al_json *j, char c)
{
	static const char escaped[] = "\"\\\b\f\n\r\t", letter[] = "\"\\bfnrt";
	const char *found = memchr(escaped, c, sizeof(escaped) - 1);
	char code[] = "\\u00xx";

	if (found != NULL) {
		append_char_flush_buffer_if_full(j, '\\');
		append_char_flush_buffer_if_full(j, letter[found - escaped]);
	} else if (c < 0x20) {
		snprintf(code, sizeof(code), "\\u%04x", (unsigned)c);
		append_bytes(j, code, strlen(code));
	} else {
		append_char_flush_buffer_if_full(j, c);
	}
}

static void append_escaped_without_quotes(struct al_json *j, const char *s)
{
	static const char replacement[] = "\xef\xbf\xbd";
	uint32_t code;
	size_t n;

	for (; *s; s += n ? n : 1) {
		n = al_utf8_decode_get_length_or_0(s, &code);
		if (n == 0)
			append_bytes(j, replacement, strlen(replacement));
		else if (n == 1)
			append_escaped_char(j, *s);
		else
			append_bytes(j, s, n);
	}
}

static void append_quoted_string(struct al_json *j, const char *s)
{
	size_t n = strlen(s), plain = 0;
	char *text = reserve_bytes(j, MAX_SHORT + 1 + sizeof(uint64_t));

	*text = '"';
	if (n <= MAX_SHORT)
		plain = copy_bytes_until_special(text + 1, s, n);
	j->n_buffered += 1 + plain;
	if (plain < n)
		append_escaped_without_quotes(j, s + plain);
	append_char_flush_buffer_if_full(j, '"');
}

void al_json_write_quoted_string(FILE *f, const char *s)
{
	struct al_json j;

	j.file = f;
	j.error = 0;
	j.n_buffered = 0;
	append_quoted_string(&j, s);
	write_buffer_to_file(&j);
}

/* ---- members ---- */

/* Append a comma, unless the next member is the first one, a line break and the
   indentation of the next member. */
static void append_separator_and_indent(struct al_json *j)
{
	static const char separator[] =
		",\n                                                          "
		"      ";
	size_t skipped = j->is_empty ? 1 : 0;
	char *text = reserve_bytes(j, MAX_SEPARATOR);

	static_assert(sizeof(separator) > MAX_SEPARATOR, "");
	static_assert(MAX_SEPARATOR >= 2 + 2 * (AL_JSON_DEPTH - 1), "");
	memcpy(text, separator + skipped, MAX_SEPARATOR);
	j->n_buffered += 2 - skipped + j->depth * 2;
}

/* Append what precedes a value: a comma after an earlier member, a line break
   and indentation unless it is the outermost, and the key, if it has one. */
static void append_separator_and_key(struct al_json *j, const char *key)
{
	if (j->depth) {
		assert(!key == j->is_list[j->depth]);
		append_separator_and_indent(j);
	}
	if (key) {
		append_quoted_string(j, key);
		append_bytes(j, ": ", 2);
	}
	j->is_empty = false;
}

/* Write the buffer to the file if the value that was appended last is the
   outermost. */
static void write_buffer_if_outermost(struct al_json *j)
{
	if (!j->depth)
		write_buffer_to_file(j);
}

static void begin_container(struct al_json *j, const char *key, bool is_list)
{
	assert(j->depth + 1 < AL_JSON_DEPTH);
	append_separator_and_key(j, key);
	append_char_flush_buffer_if_full(j, is_list ? '[' : '{');
	j->is_list[++j->depth] = is_list;
	j->is_empty = true;
}

static void begin_object(struct an_sink *sink, const char *key)
{
	begin_container(json_writer_containing_sink(sink), key, false);
}

static void begin_list(struct an_sink *sink, const char *key)
{
	begin_container(json_writer_containing_sink(sink), key, true);
}

static void end_container(struct an_sink *sink)
{
	struct al_json *j = json_writer_containing_sink(sink);
	bool is_list = j->is_list[j->depth], was_empty = j->is_empty;

	assert(j->depth);
	j->depth--;
	j->is_empty = true; /* no comma before the end */
	if (!was_empty)
		append_separator_and_indent(j);
	append_char_flush_buffer_if_full(j, is_list ? ']' : '}');
	j->is_empty = false;
	if (!j->depth)
		append_char_flush_buffer_if_full(j, '\n');
	write_buffer_if_outermost(j);
}

static void write_number(struct an_sink *sink, const char *key, uint64_t value)
{
	struct al_json *j = json_writer_containing_sink(sink);

	append_separator_and_key(j, key);
	append_number(j, value);
	write_buffer_if_outermost(j);
}

static void write_string(struct an_sink *sink, const char *key,
			 const char *value)
{
	struct al_json *j = json_writer_containing_sink(sink);

	append_separator_and_key(j, key);
	append_quoted_string(j, value);
	write_buffer_if_outermost(j);
}

static void write_unquoted_json_word(struct an_sink *sink, const char *key,
				     const char *word)
{
	struct al_json *j = json_writer_containing_sink(sink);

	append_separator_and_key(j, key);
	append_bytes(j, word, strlen(word));
	write_buffer_if_outermost(j);
}

void al_json_init(struct al_json *j, FILE *file)
{
	j->sink = (struct an_sink){begin_object,
				   begin_list,
				   end_container,
				   write_number,
				   write_string,
				   al_json_write_finite_real,
				   write_unquoted_json_word};
	j->file = file;
	j->depth = 0;
	j->is_empty = false;
	j->error = 0;
	j->n_buffered = 0;
}

void al_json_write_bool(struct an_sink *sink, const char *key, bool value)
{
	write_unquoted_json_word(sink, key, value ? "true" : "false");
}

void al_json_write_null(struct an_sink *sink, const char *key)
{
	write_unquoted_json_word(sink, key, "null");
}

void al_json_write_finite_real(struct an_sink *sink, const char *key,
			       double finite_value)
{
	char text[MAX_REAL];

	snprintf(text, sizeof(text), "%.15g", finite_value);
	write_unquoted_json_word(sink, key, text);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json.c - writes JSON
 */
#include "base/text/json.h"

#include <assert.h>
#include <inttypes.h>

#include "base/text/utf8.h"

/* Return the struct al_json whose first member is @sink. */
static struct al_json *json_writer_containing_sink(struct an_sink *sink)
{
	return (struct al_json *)sink;
}

/* Write a character of one byte; as an escape if it is a quote, a backslash or
   below U+0020. */
static void write_json_escaped_char(FILE *f, char c)
{
	static const char escaped[] = "\"\\\b\f\n\r\t", letter[] = "\"\\bfnrt";

	for (size_t i = 0; escaped[i]; i++)
		if (c == escaped[i]) {
			fprintf(f, "\\%c", letter[i]);
			return;
		}
	if (c < 0x20)
		fprintf(f, "\\u%04x", (unsigned)c);
	else
		putc(c, f);
}

void al_json_write_quoted_string(FILE *f, const char *s)
{
	uint32_t code;
	size_t n;

	putc('"', f);
	for (; *s; s += n ? n : 1) {
		n = al_utf8_decode_get_length_or_0(s, &code);
		if (n == 0)
			fputs("\xef\xbf\xbd", f);
		else if (n == 1)
			write_json_escaped_char(f, *s);
		else
			fwrite(s, 1, n, f);
	}
	putc('"', f);
}

static void write_newline_and_indent(struct al_json *j)
{
	fprintf(j->file, "\n%*s", (int)j->depth * 2, "");
}

/* Write what precedes a value: a comma after an earlier member, a line break
   and indentation unless it is the outermost, and the key, if it has one. */
static void write_separator_and_key(struct al_json *j, const char *key)
{
	if (j->depth) {
		assert(!key == j->is_list[j->depth]);
		if (!j->is_empty)
			putc(',', j->file);
		write_newline_and_indent(j);
	}
	if (key) {
		al_json_write_quoted_string(j->file, key);
		fputs(": ", j->file);
	}
	j->is_empty = false;
}

static void begin_container(struct al_json *j, const char *key, bool is_list)
{
	assert(j->depth + 1 < AL_JSON_DEPTH);
	write_separator_and_key(j, key);
	putc(is_list ? '[' : '{', j->file);
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
	bool is_list = j->is_list[j->depth];

	assert(j->depth);
	j->depth--;
	if (!j->is_empty)
		write_newline_and_indent(j);
	putc(is_list ? ']' : '}', j->file);
	j->is_empty = false;
	if (!j->depth)
		putc('\n', j->file);
}

static void write_number(struct an_sink *sink, const char *key, uint64_t value)
{
	struct al_json *j = json_writer_containing_sink(sink);

	write_separator_and_key(j, key);
	fprintf(j->file, "%" PRIu64, value);
}

static void write_string(struct an_sink *sink, const char *key,
			 const char *value)
{
	struct al_json *j = json_writer_containing_sink(sink);

	write_separator_and_key(j, key);
	al_json_write_quoted_string(j->file, value);
}

static void write_json_word(struct an_sink *sink, const char *key,
			    const char *word)
{
	struct al_json *j = json_writer_containing_sink(sink);

	write_separator_and_key(j, key);
	fputs(word, j->file);
}

void al_json_init(struct al_json *j, FILE *file)
{
	*j = (struct al_json){
		.sink = {begin_object, begin_list, end_container, write_number,
			 write_string, al_json_write_finite_real,
			 write_json_word},
		.file = file,
	};
}

void al_json_write_bool(struct an_sink *sink, const char *key, bool value)
{
	write_json_word(sink, key, value ? "true" : "false");
}

void al_json_write_null(struct an_sink *sink, const char *key)
{
	write_json_word(sink, key, "null");
}

void al_json_write_finite_real(struct an_sink *sink, const char *key,
			       double finite_value)
{
	struct al_json *j = json_writer_containing_sink(sink);

	write_separator_and_key(j, key);
	fprintf(j->file, "%.15g", finite_value);
}

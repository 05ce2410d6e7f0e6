/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json_test.c - tests the output for nested values, numbers and malformed
 * strings
 */
#include "base/text/json.h"

#include <errno.h>
#include <stdlib.h>

#include "tests/tap.h"

static char *text;
static size_t size;
static struct al_json json;

static void start_json(void)
{
	free(text);
	text = NULL;
	al_json_init(&json, open_memstream(&text, &size));
}

static const char *finish_json(void)
{
	fclose(json.file);
	return text;
}

static const char *quote(const char *value)
{
	start_json();
	json.sink.string(&json.sink, NULL, value);
	return finish_json();
}

/* Whether a plain string of @bytes bytes with @at_end after it is written as it
   is, with @escaped_end after it. */
static bool is_long_string_quoted(size_t bytes, const char *at_end,
				  const char *escaped_end)
{
	char *value = malloc(bytes + strlen(at_end) + 1);
	bool is_quoted;

	memset(value, 'x', bytes);
	strcpy(value + bytes, at_end);
	quote(value);
	is_quoted = size == bytes + strlen(escaped_end) + 2 && text[0] == '"' &&
		    memcmp(text + 1, value, bytes) == 0 &&
		    memcmp(text + 1 + bytes, escaped_end,
			   strlen(escaped_end)) == 0 &&
		    text[size - 1] == '"';
	free(value);
	return is_quoted;
}

/* Whether a quote, a backslash and control characters are escaped, and no other
   characters of one byte, after 0 to 17 other ones. */
static bool is_char_escaped_at_each_position(void)
{
	char character[2] = "", escaped[16];

	for (char c = 1; c < 0x7f; c++) {
		character[0] = c;
		snprintf(escaped, sizeof(escaped), "%.8s",
			 quote(character) + 1);
		escaped[strlen(escaped) - 1] = '\0';
		if ((strlen(escaped) > 1) !=
		    (c < 0x20 || c == '"' || c == '\\'))
			return false;
		for (size_t before = 0; before < 18; before++)
			if (!is_long_string_quoted(before, character, escaped))
				return false;
	}
	return true;
}

static bool is_string_quoted_at_each_buffer_limit(void)
{
	for (size_t n = AL_JSON_BUFFER - 4; n < AL_JSON_BUFFER + 4; n++)
		if (!is_long_string_quoted(n, "\n", "\\n") ||
		    !is_long_string_quoted(n, "", ""))
			return false;
	return true;
}

/* Whether a list of the numbers from 0 to @count - 1 is written in their
   order. */
static bool is_long_list_written_in_order(unsigned count)
{
	struct an_sink *s = &json.sink;
	const char *next;
	char *end;

	start_json();
	s->begin_list(s, NULL);
	for (unsigned i = 0; i < count; i++)
		s->number(s, NULL, i);
	s->end(s);
	next = finish_json();
	for (unsigned i = 0; i < count; i++) {
		if (strtoul(next + 1, &end, 10) != i ||
		    *end != (i + 1 < count ? ',' : '\n'))
			return false;
		next = end;
	}
	return strcmp(next, "\n]\n") == 0;
}

static const char *write_nested(void)
{
	struct an_sink *s = &json.sink;

	start_json();
	s->begin(s, NULL);
	s->number(s, "n", UINT64_MAX);
	s->begin_list(s, "list");
	s->string(s, NULL, "a");
	s->begin(s, NULL);
	s->end(s);
	s->end(s);
	s->begin(s, "in");
	s->begin_list(s, "none");
	s->end(s);
	s->end(s);
	s->number(s, "m", 0);
	s->end(s);
	return finish_json();
}

/* Return the error of writing a string of @bytes bytes to a full device without
   a buffer. */
static int error_of_full_device(size_t bytes)
{
	char *value = calloc(1, bytes + 1);
	FILE *full = fopen("/dev/full", "w");

	setvbuf(full, NULL, _IONBF, 0);
	memset(value, 'x', bytes);
	al_json_init(&json, full);
	json.sink.string(&json.sink, NULL, value);
	fclose(full);
	free(value);
	return json.error;
}

int main(void)
{
	is_str(write_nested(),
	       "{\n"
	       "  \"n\": 18446744073709551615,\n"
	       "  \"list\": [\n"
	       "    \"a\",\n"
	       "    {}\n"
	       "  ],\n"
	       "  \"in\": {\n"
	       "    \"none\": []\n"
	       "  },\n"
	       "  \"m\": 0\n"
	       "}\n",
	       "objects and lists are indented by two spaces");
	is_str(quote("a\"b\\c/"), "\"a\\\"b\\\\c/\"", "quotes are escaped");
	is_str(quote("\n\t\x01\x1f\x7f"), "\"\\n\\t\\u0001\\u001f\x7f\"",
	       "control characters are escaped");
	is_str(quote("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"),
	       "\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\"",
	       "UTF-8 is left as it is");
	is_str(quote("a\xff"
		     "b"),
	       "\"a\xef\xbf\xbd"
	       "b\"",
	       "a stray byte is replaced");
	is_str(quote("\xe2\x82"), "\"\xef\xbf\xbd\xef\xbf\xbd\"",
	       "a cut sequence is replaced");
	is_str(quote("\xc0\xaf"), "\"\xef\xbf\xbd\xef\xbf\xbd\"",
	       "an overlong form is replaced");
	is_str(quote("\xe0\x80\xaf"),
	       "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"",
	       "an overlong form of three bytes is replaced");
	is_str(quote("\xed\xa0\x80"),
	       "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"",
	       "a surrogate is replaced");
	is_str(quote("\xf4\x90\x80\x80"),
	       "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"",
	       "what is no character is replaced");
	ok(is_char_escaped_at_each_position(),
	   "characters are escaped at each position");
	ok(is_string_quoted_at_each_buffer_limit(),
	   "strings about as long as the buffer are written whole");
	ok(is_long_list_written_in_order(100000),
	   "a list longer than the buffer is written in order");
	is_u64((uint64_t)error_of_full_device(1), ENOSPC,
	       "the error of a write is stored");
	is_u64((uint64_t)error_of_full_device(2 * AL_JSON_BUFFER), ENOSPC,
	       "also of a long one");
	free(text);
	return done_testing();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json_test.c - tests the output for nested values, numbers and malformed
 * strings
 */
#include "base/text/json.h"

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
	free(text);
	return done_testing();
}

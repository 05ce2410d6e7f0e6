/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json_test.c - tests the output for nests, numbers and malformed strings
 */
#include "base/text/json.h"

#include <stdlib.h>

#include "tests/tap.h"

static char *text;
static size_t size;
static struct al_json json;

static void start(void)
{
	free(text);
	text = NULL;
	al_json_init(&json, open_memstream(&text, &size));
}

static const char *finish(void)
{
	fclose(json.file);
	return text;
}

static const char *quoted(const char *value)
{
	start();
	json.sink.string(&json.sink, NULL, value);
	return finish();
}

static const char *nested(void)
{
	struct an_sink *s = &json.sink;

	start();
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
	return finish();
}

int main(void)
{
	is_str(nested(),
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
	is_str(quoted("a\"b\\c/"), "\"a\\\"b\\\\c/\"", "quotes are escaped");
	is_str(quoted("\n\t\x01\x1f\x7f"), "\"\\n\\t\\u0001\\u001f\x7f\"",
	       "control characters are escaped");
	is_str(quoted("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"),
	       "\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\"",
	       "UTF-8 is left as it is");
	is_str(quoted("a\xff"
		      "b"),
	       "\"a\xef\xbf\xbd"
	       "b\"",
	       "a stray byte is replaced");
	is_str(quoted("\xe2\x82"), "\"\xef\xbf\xbd\xef\xbf\xbd\"",
	       "a cut sequence is replaced");
	is_str(quoted("\xc0\xaf"), "\"\xef\xbf\xbd\xef\xbf\xbd\"",
	       "an overlong form is replaced");
	is_str(quoted("\xe0\x80\xaf"),
	       "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"",
	       "an overlong form of three bytes is replaced");
	is_str(quoted("\xed\xa0\x80"),
	       "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"",
	       "a surrogate is replaced");
	is_str(quoted("\xf4\x90\x80\x80"),
	       "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"",
	       "what is no character is replaced");
	free(text);
	return done_testing();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * only_window_test.c - tests the window files that --only and --calls stand for
 */
#include "lib/config/window/only_window.h"

#include <stdlib.h>
#include <string.h>

#include "base/text/message.h"
#include "lib/config/window/windows.h"
#include "tests/tap.h"

static char message[AL_MESSAGE];

/* Return the window file, or the message. */
static const char *make_window_file(const char *only, const char *calls)
{
	static char copy[2000];
	struct al_only o;
	char *s;

	if (al_only_parse_options(only, calls, &o, message))
		return message;
	s = al_only_format_window_file(&o);
	snprintf(copy, sizeof(copy), "%s", s ? s : "no memory");
	free(s);
	return copy;
}

static void test_text(void)
{
	is_str(make_window_file("hot", NULL),
	       "windows:\n"
	       "  - name: only\n"
	       "    profile:\n"
	       "      - threads:\n"
	       "          - images:\n"
	       "              - functions:\n"
	       "                  - name: \"hot\"\n",
	       "one function, all the time");
	is_str(make_window_file("sort<\"a\">(int)@lib.so", "100-110"),
	       "windows:\n"
	       "  - name: only\n"
	       "    on:   {call: {function: \"sort<\\\"a\\\">(int)\", nth: "
	       "100, "
	       "image_name: \"lib.so\"}}\n"
	       "    till: {return: {function: \"sort<\\\"a\\\">(int)\", nth: "
	       "110, image_name: \"lib.so\"}}\n"
	       "    profile:\n"
	       "      - threads:\n"
	       "          - images:\n"
	       "              - name: \"lib.so\"\n"
	       "                functions:\n"
	       "                  - name: \"sort<\\\"a\\\">(int)\"\n",
	       "calls of a function of a library");
}

/* Return "ON_NTH, TILL_NTH": the counts of the events that open and close the
   window. */
static const char *format_calls(const char *only, const char *calls)
{
	static char out[100];
	struct al_windows *w;
	const char *yaml = make_window_file(only, calls);
	const struct pt_window *x;

	if (al_windows_parse("--only", yaml, &w, message))
		return message;
	x = w->window;
	snprintf(out, sizeof(out), "%lu %lu",
		 x->on == PT_NO_EVENT ? 0ul : w->event[x->on].count,
		 x->till == PT_NO_EVENT ? 0ul : w->event[x->till].count);
	al_windows_free(w);
	return out;
}

static void test_calls(void)
{
	is_str(format_calls("f", "100-110"), "100 110",
	       "from a call to another");
	is_str(format_calls("f", "3..4"), "3 4", "with dots");
	is_str(format_calls("f", "7"), "7 7", "one call");
	is_str(format_calls("f", "7-"), "7 0", "from a call to the end");
	is_str(format_calls("f@lib.so", "1-2"), "1 2", "of a library");
	is_str(format_calls("f", NULL), "0 0", "always");
	is_str(format_calls("a\"b\\", "1"), "1 1", "quotes and backslashes");
}

static void test_errors(void)
{
	static const char bad[] = " is not A-B, the first and last call, from "
				  "1; nor A, nor A-";
	static const char *const calls[] = {
		"0",   "0-3", "",      "x",
		"1-x", "-3",  "1-2-3", "99999999999999999999999999999"};
	char want[200];

	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		snprintf(want, sizeof(want), "'--calls=%s'%s", calls[i], bad);
		is_str(make_window_file("f", calls[i]), want,
		       "calls that are none");
	}
	is_str(make_window_file("f", "5-3"),
	       "'--calls=5-3' ends before it begins", "a range backwards");
	is_str(make_window_file(NULL, "5-7"),
	       "'--calls=5-7' requires '--only=FUNCTION'", "calls of nothing");
	is_str(make_window_file("@lib.so", NULL),
	       "'--only=@lib.so' is not FUNCTION or FUNCTION@IMAGE",
	       "no function");
	is_str(make_window_file("f@", NULL),
	       "'--only=f@' is not FUNCTION or FUNCTION@IMAGE", "no image");
	is_str(make_window_file("f@/lib/a.so", NULL),
	       "'--only=f@/lib/a.so': '/lib/a.so' is a path, not a file's name",
	       "a path");
}

int main(void)
{
	test_text();
	test_calls();
	test_errors();
	return done_testing();
}

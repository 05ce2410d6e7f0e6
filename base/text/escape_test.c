/* SPDX-License-Identifier: GPL-2.0-or-later */
/* escape_test.c - tests escaping and unescaping of names */
#include "base/text/escape.h"

#include <string.h>

#include "tests/tap.h"

static const char *escaped(const char *name, const char *separators)
{
	static char out[AL_MAX_ESCAPE * 64 + 1], back[sizeof(out)];
	size_t n = al_escape(NULL, name, separators);

	if (al_escape(out, name, separators) != n || strlen(out) != n)
		return "lengths differ";
	strcpy(back, out);
	return strcmp(al_unescape(back), name) ? "the name is not had back"
					       : out;
}

static bool stays(const char *name, const char *separators)
{
	return !strcmp(escaped(name, separators), name);
}

int main(void)
{
	char incomplete[16];

	ok(stays("", ";"), "an empty name");
	ok(stays("std::map<int, char>::operator[](int&&) const", ";"),
	   "a C++ name");
	ok(stays("/home/a b/c'd (e)/f\\g.c", ";"), "an ordinary path");
	ok(stays("Zo\xc3\xab", ";"), "UTF-8");
	is_str(escaped("a\nb\r\tc\033[2J\x7f", ""),
	       "a\\x0ab\\x0d\\x09c\\x1b[2J\\x7f", "control characters");
	is_str(escaped("a\xc2\x9b"
		       "b\xe2\x80\xae",
		       ""),
	       "a\\xc2\\x9bb\\xe2\\x80\\xae",
	       "C1 controls, and directions of text");
	is_str(escaped("caf\xe9\xff", ""), "caf\\xe9\\xff", "no UTF-8");
	is_str(escaped("a;b(c", ";("), "a\\x3bb\\x28c", "separators");
	is_str(escaped(" a b ", ""), "\\x20a b\\x20", "spaces at the ends");
	is_str(escaped("a\\x0ab", ""), "a\\x5cx0ab",
	       "what looks like an escape");
	strcpy(incomplete, "a\\x0\\xg0\\x");
	is_str(al_unescape(incomplete), "a\\x0\\xg0\\x",
	       "what is no escape stays");
	return done_testing();
}

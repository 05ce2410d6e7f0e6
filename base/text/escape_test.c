/* SPDX-License-Identifier: GPL-2.0-or-later */
/* escape_test.c - tests escaping and unescaping of names */
#include "base/text/escape.h"

#include <string.h>

#include "tests/tap.h"

static const char *escape(const char *name, const char *separators)
{
	static char out[AL_MAX_ESCAPE * 64 + 1], back[sizeof(out)];
	size_t n = al_escape_name_get_length(NULL, name, separators);

	if (al_escape_name_get_length(out, name, separators) != n ||
	    strlen(out) != n)
		return "lengths differ";
	strcpy(back, out);
	return strcmp(al_unescape_in_place(back), name)
		       ? "the name is not had back"
		       : out;
}

static bool is_unescaped(const char *name, const char *separators)
{
	return !strcmp(escape(name, separators), name);
}

int main(void)
{
	char incomplete[16];

	ok(is_unescaped("", ";"), "an empty name");
	ok(is_unescaped("std::map<int, char>::operator[](int&&) const", ";"),
	   "a C++ name");
	ok(is_unescaped("/home/a b/c'd (e)/f\\g.c", ";"), "an ordinary path");
	ok(is_unescaped("Zo\xc3\xab", ";"), "UTF-8");
	is_str(escape("a\nb\r\tc\033[2J\x7f", ""),
	       "a\\x0ab\\x0d\\x09c\\x1b[2J\\x7f", "control characters");
	is_str(escape("a\xc2\x9b"
		      "b\xe2\x80\xae",
		      ""),
	       "a\\xc2\\x9bb\\xe2\\x80\\xae",
	       "C1 controls, and directions of text");
	is_str(escape("caf\xe9\xff", ""), "caf\\xe9\\xff", "no UTF-8");
	is_str(escape("a;b(c", ";("), "a\\x3bb\\x28c", "separators");
	is_str(escape("a b", " "), "a\\x20b", "a separator that is a space");
	is_str(escape(" a b ", ""), "\\x20a b\\x20", "spaces at the ends");
	is_str(escape("a\\x0ab", ""), "a\\x5cx0ab",
	       "what looks like an escape");
	strcpy(incomplete, "a\\x0\\xg0\\x");
	is_str(al_unescape_in_place(incomplete), "a\\x0\\xg0\\x",
	       "what is no escape stays");
	return done_testing();
}

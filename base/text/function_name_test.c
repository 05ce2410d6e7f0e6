/* SPDX-License-Identifier: GPL-2.0-or-later */
/* function_name_test.c - tests how well words match names of functions, and
   lists of names */
#include "base/text/function_name.h"

#include <string.h>

#include "tests/tap.h"

static enum al_name_match match(const char *name, const char *word)
{
	return al_function_name_match(name, word, strlen(word));
}

static void check_matches(void)
{
	static const char name[] = "int ns::f<int, long>(char) const";

	ok(match(name, name) == AL_NAME_WHOLE, "a whole name");
	ok(match(name, "ns::f") == AL_NAME_PLAIN &&
		   match(name, "ns::f<int, long>") == AL_NAME_PLAIN,
	   "a name without parameters");
	ok(match("scale.constprop.0", "scale") == AL_NAME_PLAIN &&
		   match("scale.isra.0.part.1", "scale") == AL_NAME_PLAIN &&
		   match("scale.constprop.0", "scale.constprop.0") ==
			   AL_NAME_WHOLE &&
		   match("rescale.constprop.0", "scale") == AL_NAME_PART,
	   "a variant that the compiler made");
	ok(match(name, "f") == AL_NAME_INNERMOST, "without namespace");
	ok(match(name, "s::f") == AL_NAME_PART, "a part");
	ok(match(name, "x") == AL_NAME_NONE, "another name");
	ok(al_function_name_match("nest", "nest+f", 4) == AL_NAME_WHOLE,
	   "a word in a list");
}

static void check_lists(void)
{
	is_u64(al_function_name_length_in_list("f+g", '+'), 1, "two names");
	is_u64(al_function_name_length_in_list("f<1, 2>(a, b),x", ','), 13,
	       "commas in brackets");
	is_u64(al_function_name_length_in_list("V::operator+", '+'), 12,
	       "an operator");
	is_u64(al_function_name_length_in_list("operator()(int),x", ','), 15,
	       "a call operator");
	is_u64(al_function_name_length_in_list("a(b,c", ','), 3,
	       "brackets that are not closed");
	is_u64(al_function_name_length_in_list("", ','), 0, "an empty list");
}

int main(void)
{
	check_matches();
	check_lists();
	return done_testing();
}

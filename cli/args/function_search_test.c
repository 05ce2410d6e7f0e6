/* SPDX-License-Identifier: GPL-2.0-or-later */
/* function_search_test.c - functions by a part of their name */
#include "cli/args/function_search.h"

#include <errno.h>

#include "tests/tap.h"

static const char *const names[] = {
	"main",
	"look_map(std::map<int, int, std::less<int> > const&)",
	"ns::look(int)",
	"ns::look(char)",
	"void ns::sort<int>(int*, int*)",
	"(anonymous namespace)::hidden(char const*)",
	"ns::bag<std::pair<int, char> >::add(std::pair<int, char>)",
	"ns::bag<int>::operator()(int) const",
	"bool operator< <int>(ns::bag<int> const&)",
	"add",
	"std::function<void (int)>::call(int)",
};

/* Return the function that @word names, "several" or "none". */
static const char *find(const char *word)
{
	struct cl_function_search f;
	const char *name;
	int err;

	cl_function_search_init(&f, word);
	for (int twice = 0; twice < 2; twice++)
		for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
			cl_function_search_add_if_best(&f, names[i]);
	err = cl_function_search_find_unique(&f, &name);
	cl_function_search_free_match_list(&f);
	if (!err)
		return name;
	return err == -ENOTUNIQ ? "several" : "none";
}

int main(void)
{
	is_str(find("main"), "main", "a whole name");
	is_str(find("ns::look(char)"), "ns::look(char)", "with parameters");
	is_str(find("look_map"), names[1], "without parameters");
	is_str(find("ns::look"), "several", "two with other parameters");
	is_str(find("look"), "several", "and without what they are in");
	is_str(find("look(int"), "ns::look(int)", "a part of the whole");
	is_str(find("ns::sort"), names[4],
	       "without result, template arguments, parameters");
	is_str(find("sort<int>"), names[4], "with template arguments");
	is_str(find("sort"), names[4], "the innermost name");
	is_str(find("hidden"), names[5], "in no named namespace");
	is_str(find("add"), "add", "a whole name before one within another");
	is_str(find("bag<std::pair<int, char> >::add"), names[6],
	       "of a template");
	is_str(find("operator()"), names[7], "an operator's parentheses");
	is_str(find("operator<"), names[8], "an operator's angle brackets");
	is_str(find("call"), names[10], "parentheses in template arguments");
	is_str(find("ook_ma"), names[1], "any part");
	is_str(find("nothing"), "none", "a part of none");
	return done_testing();
}

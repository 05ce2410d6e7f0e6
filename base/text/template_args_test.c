/* SPDX-License-Identifier: GPL-2.0-or-later */
/* template_args_test.c - tests removal of default template arguments */
#include "base/text/printable.h"

#include <stdio.h>
#include <string.h>

#include "tests/tap.h"

static const char *drop_defaults(const char *name)
{
	static char out[1000];

	snprintf(out, sizeof(out), "%s", name);
	return al_template_drop_std_default_args(out);
}

static bool is_unchanged(const char *name)
{
	return !strcmp(drop_defaults(name), name);
}

int main(void)
{
	is_str(drop_defaults("f(std::vector<int, std::allocator<int> >&)"),
	       "f(std::vector<int>&)", "an allocator");
	is_str(drop_defaults(
		       "std::map<int, char, std::less<int>, "
		       "std::allocator<std::pair<int const, char> > >::at(int "
		       "const&)"),
	       "std::map<int, char>::at(int const&)", "a map's");
	is_str(drop_defaults(
		       "std::unordered_map<K, V, std::hash<K>, "
		       "std::equal_to<K>, std::allocator<std::pair<K const, V> "
		       "> >::find(K const&) const"),
	       "std::unordered_map<K, V>::find(K const&) const",
	       "an unordered map's");
	is_str(drop_defaults("std::__cxx11::basic_string<char, "
			     "std::char_traits<char>, std::allocator<char> "
			     ">::size()"),
	       "std::__cxx11::basic_string<char>::size()", "a string's");
	is_str(drop_defaults(
		       "std::unique_ptr<N, std::default_delete<N> >::get()"),
	       "std::unique_ptr<N>::get()", "a pointer's");
	is_str(drop_defaults(
		       "std::vector<std::vector<int, std::allocator<int> >, "
		       "std::allocator<std::vector<int, std::allocator<int> > "
		       "> "
		       ">::end()"),
	       "std::vector<std::vector<int> >::end()", "one in another");
	is_str(drop_defaults("std::map<A<int, std::allocator<int> >, B<1>, "
			     "std::less<A<int, std::allocator<int> > > >::x"),
	       "std::map<A<int>, B<1> >::x", "of arguments that have some");
	is_str(drop_defaults("std::function<void (int, std::vector<int, "
			     "std::allocator<int> >)>::operator()(int) const"),
	       "std::function<void (int, std::vector<int>)>::operator()(int) "
	       "const",
	       "in parameters");
	ok(is_unchanged("main") && is_unchanged("") &&
		   is_unchanged("f(int, char)"),
	   "C names");
	ok(is_unchanged("std::vector<int, my::allocator<int> >::end()"),
	   "another allocator");
	ok(is_unchanged("std::vector<int, std::allocator<char> >::end()"),
	   "an allocator of something else");
	ok(is_unchanged("std::set<int, std::greater<int> >::end()"),
	   "another order");
	ok(is_unchanged(
		   "std::set<int, std::less<int>, my::allocator<int> >::x"),
	   "a default before an argument that is none");
	ok(is_unchanged("f<std::allocator<int> >()"), "a first argument");
	ok(is_unchanged("bool operator< <int>(A<int> const&)") &&
		   is_unchanged("A::operator<<(int)") &&
		   is_unchanged("A::operator>>(int)") &&
		   is_unchanged("A::operator->()") &&
		   is_unchanged("A::operator()(int)") &&
		   is_unchanged("A<int>::operator>(B<2>)") &&
		   is_unchanged("decltype (a->b) f<int>(int)"),
	   "operators");
	ok(is_unchanged("f<<<<((((") && is_unchanged(">>>))") &&
		   is_unchanged("a<b, c"),
	   "what is no name");
	return done_testing();
}

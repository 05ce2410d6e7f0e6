/* SPDX-License-Identifier: GPL-2.0-or-later */
/* template_args_test.c - tests removal of default template arguments */
#include "base/text/printable.h"

#include <stdio.h>
#include <string.h>

#include "tests/tap.h"

static const char *dropped(const char *name)
{
	static char out[1000];

	snprintf(out, sizeof(out), "%s", name);
	return al_template_drop_defaults(out);
}

static bool stays(const char *name)
{
	return !strcmp(dropped(name), name);
}

int main(void)
{
	is_str(dropped("f(std::vector<int, std::allocator<int> >&)"),
	       "f(std::vector<int>&)", "an allocator");
	is_str(dropped("std::map<int, char, std::less<int>, "
		       "std::allocator<std::pair<int const, char> > >::at(int "
		       "const&)"),
	       "std::map<int, char>::at(int const&)", "a map's");
	is_str(dropped("std::unordered_map<K, V, std::hash<K>, "
		       "std::equal_to<K>, std::allocator<std::pair<K const, V> "
		       "> >::find(K const&) const"),
	       "std::unordered_map<K, V>::find(K const&) const",
	       "an unordered map's");
	is_str(dropped("std::__cxx11::basic_string<char, "
		       "std::char_traits<char>, std::allocator<char> "
		       ">::size()"),
	       "std::__cxx11::basic_string<char>::size()", "a string's");
	is_str(dropped("std::unique_ptr<N, std::default_delete<N> >::get()"),
	       "std::unique_ptr<N>::get()", "a pointer's");
	is_str(dropped("std::vector<std::vector<int, std::allocator<int> >, "
		       "std::allocator<std::vector<int, std::allocator<int> > "
		       "> "
		       ">::end()"),
	       "std::vector<std::vector<int> >::end()", "one in another");
	is_str(dropped("std::map<A<int, std::allocator<int> >, B<1>, "
		       "std::less<A<int, std::allocator<int> > > >::x"),
	       "std::map<A<int>, B<1> >::x", "of arguments that have some");
	is_str(dropped("std::function<void (int, std::vector<int, "
		       "std::allocator<int> >)>::operator()(int) const"),
	       "std::function<void (int, std::vector<int>)>::operator()(int) "
	       "const",
	       "in parameters");
	ok(stays("main") && stays("") && stays("f(int, char)"), "C names");
	ok(stays("std::vector<int, my::allocator<int> >::end()"),
	   "another allocator");
	ok(stays("std::vector<int, std::allocator<char> >::end()"),
	   "an allocator of something else");
	ok(stays("std::set<int, std::greater<int> >::end()"), "another order");
	ok(stays("std::set<int, std::less<int>, my::allocator<int> >::x"),
	   "a default before an argument that is none");
	ok(stays("f<std::allocator<int> >()"), "a first argument");
	ok(stays("bool operator< <int>(A<int> const&)") &&
		   stays("A::operator<<(int)") && stays("A::operator>>(int)") &&
		   stays("A::operator->()") && stays("A::operator()(int)") &&
		   stays("A<int>::operator>(B<2>)") &&
		   stays("decltype (a->b) f<int>(int)"),
	   "operators");
	ok(stays("f<<<<((((") && stays(">>>))") && stays("a<b, c"),
	   "what is no name");
	return done_testing();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * normal_name_test.c - tests names without what a build adds
 */
#include "lib/diff/normal_name.h"

#include "tests/tap.h"

static const struct {
	const char *name, *expected;
} functions[] =
	{
		{"main", "main"},
		{"hot.constprop.0", "hot"},
		{"hot.constprop.0.isra.12", "hot"},
		{"hot.part.3.cold", "hot"},
		{"hot.cold.7", "hot"},
		{"hot.lto_priv.0", "hot"},
		{"hot.llvm.1234567890ABCDEF", "hot"},
		{"f(int) [clone .constprop.0] [clone .isra.3]", "f(int)"},
		{"crate::work::h0123456789abcdef", "crate::work"},
		{"crate::work::h0123456789abcde",
		 "crate::work::h0123456789abcde"},
		{"crate::work::h0123456789abcdeg",
		 "crate::work::h0123456789abcdeg"},
		{"run()::{lambda(int)#2}::operator()(int) const",
		 "run()::{lambda(int)}::operator()(int) const"},
		{"{unnamed type#14}::get()", "{unnamed type}::get()"},
		{"name[abi:cxx11](int)", "name(int)"},
		{"a.parted", "a.parted"},
		{"a.part.x", "a.part.x"},
		{"a.coldest", "a.coldest"},
		{".constprop.0", ".constprop.0"},
		{"operator#", "operator#"},
		{"broken[abi:", "broken[abi:"},
		{"", ""},
},
  objects[] = {
	  {"libc.so.6", "libc.so"},
	  {"libstdc++.so.6.0.30", "libstdc++.so"},
	  {"prog", "prog"},
	  {"libx.so", "libx.so"},
};

static const struct {
	const char *name, *expected;
} identifiers[] = {
	{"main", "main"},
	{"a::find<int>(b::c)", "find"},
	{"void f<int>(int) const", "f"},
	{"a::(anonymous namespace)::f(int)", "f"},
	{"(anonymous namespace)::f(int)", "f"},
	{"A::~A()", "A"},
	{"<T as b::Trait>::method", "method"},
	{"{lambda(int)}", ""},
	{"", ""},
};

static void test_identifiers(void)
{
	char found[32];

	for (size_t i = 0; i < sizeof(identifiers) / sizeof(*identifiers);
	     i++) {
		size_t n;
		const char *identifier = al_diff_identifier_in_function_name(
			identifiers[i].name, &n);

		snprintf(found, sizeof(found), "%.*s", (int)n, identifier);
		is_str(found, identifiers[i].expected, identifiers[i].name);
	}
}

int main(void)
{
	char name[128];

	test_identifiers();

	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++) {
		snprintf(name, sizeof(name), "%s", functions[i].name);
		is_str(al_diff_normalize_function_name(name),
		       functions[i].expected, functions[i].name);
	}
	for (size_t i = 0; i < sizeof(objects) / sizeof(*objects); i++) {
		snprintf(name, sizeof(name), "%s", objects[i].name);
		is_str(al_diff_drop_library_version(name), objects[i].expected,
		       objects[i].name);
	}
	return done_testing();
}

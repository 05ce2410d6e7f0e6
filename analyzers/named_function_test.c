/* SPDX-License-Identifier: GPL-2.0-or-later */
/* named_function_test.c - tests the notes on functions that were not
   executed */
#include "analyzers/named_function.h"

#include "tests/tap.h"

/* Check the note of the model after @f was noted; NULL: there is none. */
static void check_note(const struct an_named_function *f, const char *want)
{
	struct al_model m;

	al_model_init(&m);
	an_named_functions_add_unexecuted_notes(f, 1, &m);
	if (want == NULL)
		ok(m.root.first == NULL && m.view == NULL, "no note");
	else
		is_str(m.root.first ? m.root.first->first->value.text : NULL,
		       want, "a note");
	al_model_release(&m);
}

static void check_names_of_cxx(void)
{
	struct an_named_function f = an_named_function("f+main", 1);

	an_named_function_note_executed_or_near(&f, "g(int)");
	an_named_function_note_executed_or_near(
		&f, "far::nested::bag<long, int>::f(int)");
	check_note(&f, "no function 'f' was executed; did you mean "
		       "'far::nested::bag<long, int>::f'?");
	f = an_named_function("ns::lok", 7);
	an_named_function_note_executed_or_near(
		&f, "ns::look(std::map<int, int> const&)");
	check_note(&f, "no function 'ns::lok' was executed; did you mean "
		       "'ns::look'?");
	f = an_named_function("ns::look", 8);
	an_named_function_note_executed_or_near(&f, "void ns::look<int>(int)");
	check_note(&f, NULL);
}

int main(void)
{
	struct an_named_function f = an_named_function("lop+main", 3), other;

	other = f;
	check_note(&f, "no function 'lop' was executed");
	an_named_function_note_executed_or_near(&f, "main");
	check_note(&f, "no function 'lop' was executed");
	an_named_function_note_executed_or_near(&f, "loops");
	an_named_function_note_executed_or_near(&other, "loop");
	an_named_function_merge(&f, &other);
	check_note(&f, "no function 'lop' was executed; did you mean 'loop'?");
	an_named_function_note_executed_or_near(&other, "lop");
	an_named_function_note_executed_or_near(&other, "flop");
	check_note(&other, NULL);
	an_named_function_merge(&f, &other);
	check_note(&f, NULL);
	check_names_of_cxx();
	return done_testing();
}

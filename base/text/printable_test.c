/* SPDX-License-Identifier: GPL-2.0-or-later */
/* printable_test.c - tests that names of unknown origin are safe to print */
#include "base/text/printable.h"

#include <stdlib.h>
#include <string.h>

#include "tests/tap.h"

static bool is_made_printable(const char *s, const char *expected)
{
	char out[64], *written = NULL;
	size_t length = al_copy_unprintable_as_question_marks(out, sizeof(out),
							      s),
	       size = 0;
	FILE *f = open_memstream(&written, &size);
	bool same;

	al_write_unprintable_as_question_marks(f, s, SIZE_MAX);
	fclose(f);
	same = !strcmp(out, expected) && length == strlen(expected) &&
	       !strcmp(written, expected);
	free(written);
	return same;
}

static void check_characters(void)
{
	ok(is_made_printable("plain_name<T>::f(int)", "plain_name<T>::f(int)"),
	   "ASCII stays");
	ok(is_made_printable("Zo\xc3\xab", "Zo\xc3\xab"),
	   "well-formed UTF-8 stays");
	ok(is_made_printable("a\nb\tc\033[2J\x7f", "a?b?c?[2J?"),
	   "C0 controls are replaced");
	ok(is_made_printable("a\xc2\x9b"
			     "2J",
			     "a?2J"),
	   "C1 controls are replaced");
	ok(is_made_printable("a\xe2\x80\xae"
			     "b\xe2\x81\xa6"
			     "c\xd8\x9c",
			     "a?b?c?"),
	   "characters that change the direction are replaced");
	ok(is_made_printable("a\xe2\x80\xa8"
			     "b",
			     "a?b"),
	   "separators of lines are replaced");
	ok(is_made_printable("a\xff\xc0\xaf\xed\xa0\x80", "a??????"),
	   "each byte that is not UTF-8 is replaced");
}

static void check_sizes(void)
{
	char out[4];

	ok(al_copy_unprintable_as_question_marks(out, sizeof(out),
						 "ab\xc3\xab") == 2 &&
		   !strcmp(out, "ab"),
	   "a copy is cut between characters");
	ok(al_copy_unprintable_as_question_marks(out, 1, "ab") == 0 && !*out,
	   "a copy of one byte is empty");
	ok(al_copy_unprintable_as_question_marks(out, sizeof(out), "abc") ==
			   3 &&
		   !strcmp(out, "abc"),
	   "a copy may fill its array");
}

int main(void)
{
	check_characters();
	check_sizes();
	return done_testing();
}

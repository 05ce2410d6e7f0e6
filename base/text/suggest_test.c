/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * suggest_test.c - tests suggestions for misspelt words
 */
#include "base/text/suggest.h"

#include "tests/tap.h"

int main(void)
{
	static const char *const words[] = {"analyze", "cache", "count", "none",
					    "trace",   "I1",	"LL",	 NULL};
	static const char *const empty[] = {NULL};
	static const char *const letter[] = {"n", NULL};
	char longest[4096];

	is_str(al_suggest_word("cach", words), "cache", "a letter is missing");
	is_str(al_suggest_word("cachee", words), "cache", "one too many");
	is_str(al_suggest_word("cavhe", words), "cache", "one is wrong");
	is_str(al_suggest_word("cahce", words), "cache", "two are swapped");
	is_str(al_suggest_word("analyse", words), "analyze", "British");
	is_str(al_suggest_word("CACHE", words), "cache", "case does not count");
	is_str(al_suggest_word("L2", words), "LL",
	       "short words may differ by one");
	is_str(al_suggest_word("1I", words), "I1", "in two letters, a swap");
	is_str(al_suggest_word("trace", words), "trace", "the word itself");
	is_str(al_suggest_word("profile", words), NULL,
	       "another word is not near");
	is_str(al_suggest_word("cxxxe", words), NULL,
	       "nor is one with half wrong");
	is_str(al_suggest_word("x", letter), NULL, "nor a letter for another");
	is_str(al_suggest_word("x", words), NULL,
	       "nor is a letter that none has");
	is_str(al_suggest_word("", words), NULL, "nor is nothing");
	is_str(al_suggest_word("cache", empty), NULL, "no words, no nearest");
	memset(longest, 'c', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = 0;
	is_str(al_suggest_word(longest, words), NULL,
	       "endless words are no typos");
	return done_testing();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * suggest_test.c - tests suggestions for misspelt words
 */
#include "base/text/suggest.h"

#include <errno.h>

#include "base/text/message.h"
#include "tests/tap.h"

static void test_message_of_bad_word(void)
{
	static const char *const formats[] = {"text", "ndjson", NULL};
	char message[AL_MESSAGE];

	ok(al_suggest_and_report_bad_word("unknown format", "txet", formats,
					  message) == -EINVAL,
	   "a bad word is an error");
	is_str(message, "unknown format 'txet'; did you mean 'text'?",
	       "the nearest word is named");
	al_suggest_and_report_bad_word("unknown format", "x", formats, message);
	is_str(message, "unknown format 'x'; valid: text, ndjson",
	       "all words are listed if none is near");
}

static const char *bad_option(const char *arg)
{
	static const char *const options[] = {"--count", "-o", "--help", NULL};
	static char message[AL_MESSAGE];

	ok(al_suggest_and_report_bad_option(arg, options, message) == -EINVAL,
	   arg);
	return message;
}

static void test_message_of_bad_option(void)
{
	is_str(bad_option("--conut=5"),
	       "unknown option '--conut'; did you mean '--count'?", "a typo");
	is_str(bad_option("-count"),
	       "unknown option '-count'; did you mean '--count'?", "a dash");
	is_str(bad_option("--zero"), "unknown option '--zero'",
	       "dashes are not similar");
	is_str(bad_option("--count"), "'--count' needs a value: --count=...",
	       "no value");
	is_str(bad_option("--help=x"),
	       "'--help=x': the value is missing or superfluous",
	       "a superfluous value");
}

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
	test_message_of_bad_word();
	test_message_of_bad_option();
	return done_testing();
}

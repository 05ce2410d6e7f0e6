/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * suggest.c - finds and reports the word that a misspelt one probably meant
 */
#include "base/text/suggest.h"

#include <stdio.h>
#include <string.h>

#include "base/text/message.h"
#include "proto/shared/suggest.h"

const char *al_suggest_word(const char *word, const char *const *words)
{
	struct pt_suggestion_search nearest = pt_suggestion_start_search(word);
	const char *found = NULL;

	for (; *words && nearest.n <= PT_MAX_SUGGEST_BYTES; words++)
		if (pt_suggestion_store_distance_if_nearer(
			    &nearest, *words, (uint32_t)strlen(*words)))
			found = *words;
	return found;
}

int al_suggest_and_report_bad_word(const char *what, const char *bad_word,
				   const char *const *valid_words,
				   char *message)
{
	const char *nearest = al_suggest_word(bad_word, valid_words);
	char all[200] = "";

	if (nearest)
		return al_message_return_einval(
			message, "%s '%.60s'; did you mean '%s'?", what,
			bad_word, nearest);
	for (size_t n = 0; *valid_words && n < sizeof(all); valid_words++)
		n += (size_t)snprintf(all + n, sizeof(all) - n, "%s%s",
				      n ? ", " : "", *valid_words);
	return al_message_return_einval(message, "%s '%.60s'; valid: %s", what,
					bad_word, all);
}

/* Return the index of the option in @options whose name is most similar to
   @name; -1 if none is similar enough. Dashes at the start of both are ignored,
   because they would make all names similar. */
static int find_nearest_option_index(const char *name,
				     const char *const *options)
{
	struct pt_suggestion_search nearest =
		pt_suggestion_start_search(name + strspn(name, "-"));
	int found = -1;

	for (int i = 0; options[i]; i++) {
		const char *word = options[i] + strspn(options[i], "-");

		if (pt_suggestion_store_distance_if_nearer(
			    &nearest, word, (uint32_t)strlen(word)))
			found = i;
	}
	return found;
}

int al_suggest_and_report_bad_option(const char *arg,
				     const char *const *options, char *message)
{
	char name[64];
	int i;

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(arg, "="), arg);
	i = find_nearest_option_index(name, options);
	if (i < 0)
		return al_message_return_einval(message, "unknown option '%s'",
						name);
	if (strcmp(options[i], name) != 0)
		return al_message_return_einval(
			message, "unknown option '%s'; did you mean '%s'?",
			name, options[i]);
	if (strchr(arg, '='))
		return al_message_return_einval(
			message,
			"'%.100s': the value is missing or superfluous", arg);
	return al_message_return_einval(message, "'%s' needs a value: %s=...",
					name, name);
}

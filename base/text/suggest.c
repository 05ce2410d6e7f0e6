/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * suggest.c - finds the word that a misspelt one probably meant
 */
#include <string.h>

#include "base/text/suggest.h"
#include "proto/shared/suggest.h"

const char *al_suggest_word(const char *word, const char *const *words)
{
	struct pt_suggestion_start_search nearest =
		pt_suggestion_start_search(word);
	const char *found = NULL;

	for (; *words && nearest.n <= PT_MAX_SUGGEST_BYTES; words++)
		if (pt_suggestion_store_distance_if_nearer(
			    &nearest, *words, (uint32_t)strlen(*words)))
			found = *words;
	return found;
}

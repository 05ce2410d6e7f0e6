/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * suggest.c - finds the word that a misspelt one probably meant
 */
#include <string.h>

#include "base/text/suggest.h"
#include "proto/shared/suggest.h"

const char *al_nearest(const char *word, const char *const *words)
{
	struct pt_nearest nearest = pt_nearest(word);
	const char *found = NULL;

	for (; *words && nearest.n <= PT_LONGEST_WORD; words++)
		if (pt_is_nearer(&nearest, *words, (uint32_t)strlen(*words)))
			found = *words;
	return found;
}

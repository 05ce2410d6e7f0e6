/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * suggest.h - finds the word that a misspelt one probably meant
 */
#ifndef PROTO_SHARED_SUGGEST_H
#define PROTO_SHARED_SUGGEST_H

#include <stdbool.h>
#include <stdint.h>

enum {
	PT_MAX_SUGGEST_BYTES = 40
}; /* greatest length of a word for which there are suggestions [bytes] */

/* A misspelt word, and its distance to the nearest word found so far. */
struct pt_suggestion_search {
	const char *word;
	uint32_t n; /* length of @word [bytes] */
	uint32_t least_distance;
};

/* Return a search for the word nearest to @misspelt_word, before any word was
   compared. It stores the pointer, not a copy. */
static inline struct pt_suggestion_search
pt_suggestion_start_search(const char *misspelt_word)
{
	struct pt_suggestion_search w = {misspelt_word, 0, UINT32_MAX};

	while (misspelt_word[w.n])
		w.n++;
	return w;
}

static inline uint32_t pt_min(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static inline bool pt_is_same_char_ignoring_case(char a, char b)
{
	char low = (char)(a | 0x20);

	return a == b || (low == (b | 0x20) && low >= 'a' && low <= 'z');
}

/* Return the least number of steps that turn @a into @b, ignoring the case of
   ASCII letters. A step inserts, deletes or replaces one character, or swaps
   two neighbours. @b_length is at most PT_MAX_SUGGEST_BYTES. Only three rows of
   the table of distances are stored: the current one and the two above it. */
static inline uint32_t pt_edit_distance_ignoring_case(const char *a,
						      uint32_t a_length,
						      const char *b,
						      uint32_t b_length)
{
	uint32_t rows[3][PT_MAX_SUGGEST_BYTES + 1];

	for (uint32_t j = 0; j <= b_length; j++)
		rows[0][j] = j;
	for (uint32_t i = 1; i <= a_length; i++) {
		uint32_t *row = rows[i % 3];
		const uint32_t *above = rows[(i + 2) % 3];
		const uint32_t *higher = rows[(i + 1) % 3];

		row[0] = i;
		for (uint32_t j = 1; j <= b_length; j++) {
			uint32_t d = above[j - 1] +
				     !pt_is_same_char_ignoring_case(a[i - 1],
								    b[j - 1]);

			d = pt_min(d, pt_min(above[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 &&
			    pt_is_same_char_ignoring_case(a[i - 1], b[j - 2]) &&
			    pt_is_same_char_ignoring_case(a[i - 2], b[j - 1]))
				d = pt_min(d, higher[j - 2] + 1);
			row[j] = d;
		}
	}
	return rows[a_length % 3][b_length];
}

/* Whether the edit distance of @candidate, @candidate_length bytes, to the
   misspelt word is small enough (at most a third of the longer word's length,
   rounded up, and less than the longer word's length), and less than those of
   all earlier candidates for which it was small enough. If so, store the
   distance in @w, but not the candidate. */
static inline bool
pt_suggestion_store_distance_if_nearer(struct pt_suggestion_search *w,
				       const char *candidate,
				       uint32_t candidate_length)
{
	uint32_t longer = w->n > candidate_length ? w->n : candidate_length;
	uint32_t apart = w->n > candidate_length ? w->n - candidate_length
						 : candidate_length - w->n;
	uint32_t d;

	if (longer > PT_MAX_SUGGEST_BYTES || apart > (longer + 2) / 3)
		return false;
	d = pt_edit_distance_ignoring_case(w->word, w->n, candidate,
					   candidate_length);
	if (d >= w->least_distance || d > (longer + 2) / 3 || d >= longer)
		return false;
	w->least_distance = d;
	return true;
}

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * al_nearest.c - the word that was probably meant
 *
 * Room:    lib.
 */
#include <ctype.h>
#include <string.h>

#include "lib/al_options.h"

enum { LONGEST = 40 }; /* [bytes]; nobody mistypes longer words */

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static int same(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/*
 * Fewest characters to insert, delete, change or swap with their neighbour.
 * row[0] is the line of the table being filled, row[1] and row[2] the two
 * above it.
 */
static size_t distance(const char *a, size_t n, const char *b, size_t m)
{
	size_t row[3][LONGEST + 1] = {{0}};

	for (size_t j = 0; j <= m; j++)
		row[0][j] = j;
	for (size_t i = 1; i <= n; i++) {
		memcpy(row[2], row[1], sizeof(row[0]));
		memcpy(row[1], row[0], sizeof(row[0]));
		row[0][0] = i;
		for (size_t j = 1; j <= m; j++) {
			size_t d = row[1][j - 1] + !same(a[i - 1], b[j - 1]);

			d = least(d, least(row[1][j], row[0][j - 1]) + 1);
			if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) &&
			    same(a[i - 2], b[j - 1]))
				d = least(d, row[2][j - 2] + 1);
			row[0][j] = d;
		}
	}
	return row[0][m];
}

const char *al_nearest(const char *word, const char *const *words)
{
	size_t n = strlen(word);
	size_t best = (size_t)-1;
	const char *nearest = NULL;

	for (; *words && n <= LONGEST; words++) {
		size_t m = strlen(*words);
		size_t d;

		if (m > LONGEST)
			continue;
		d = distance(word, n, *words, m);
		/* A third of it wrong is a mistake, more another word. */
		if (d < best && d <= ((n > m ? n : m) + 2) / 3 &&
		    d < (n > m ? n : m)) {
			best = d;
			nearest = *words;
		}
	}
	return nearest;
}

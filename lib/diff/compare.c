/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compare.c - compares two runs; see compare.h */

#include "lib/diff/compare.h"

#include <stdlib.h>

#include "lib/diff/function_pairs.h"

const char *al_diff_match_name(enum al_diff_match m)
{
	static const char *const name[] = {
		[AL_DIFF_SAME] = "same",       [AL_DIFF_RENAMED] = "renamed",
		[AL_DIFF_NEW] = "new",	       [AL_DIFF_GONE] = "gone",
		[AL_DIFF_CHANGED] = "changed", [AL_DIFF_GUESSED] = "guessed",
	};

	return name[m];
}

int al_diff_compare(struct al_diff *d, const struct al_diff_input *a,
		    const struct al_diff_input *b, struct al_intern *strings)
{
	struct al_diff_names names = {.size = 0};
	int err;

	*d = (struct al_diff){.in = {a, b}, .strings = strings};
	al_diff_record_comparability(d);
	err = al_diff_pair_functions_by_name(d, &names);
	if (!err)
		err = al_diff_pair_lines(d, &names);
	if (!err)
		err = al_diff_pair_data_rows(d);
	al_diff_names_free_tables(&names);
	if (err)
		al_diff_release(d);
	return err;
}

static void free_note_texts(struct al_diff_notes *n)
{
	for (size_t i = 0; i < n->n; i++)
		free(n->text[i]);
	n->n = 0;
}

void al_diff_release(struct al_diff *d)
{
	free_note_texts(&d->obstacles);
	free_note_texts(&d->noted);
	free_note_texts(&d->builds);
	free_note_texts(&d->same);
	free(d->function);
	free(d->line);
	free(d->data);
	d->data = NULL;
	d->function = NULL;
	d->line = NULL;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* notes.c - adds sentences for people to a result; see notes.h */

#include "analyzers/notes.h"

#include "analyzers/analyzer.h"

static void print_note(const void *note, uint64_t unused, struct an_text *text)
{
	(void)unused;
	text->line(text, note);
}

const char *an_note_add_line(struct al_model *m, const char *note)
{
	const char *copy = al_model_copy_string_empty_if_no_memory(m, note);

	al_model_add_view_copy(
		m, &(struct al_view){.draw = print_note, .state = copy});
	return copy;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * explain.c - describes window files in words
 *
 * The text is written in long lines, which print_text_wrapped_at_80_columns()
 * then divides.
 */
#include "lib/config/window/explain/explain.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 80 };

/* Print @len bytes of @text in lines of at most COLUMNS; all lines but the
   first begin with @hanging_indent blanks. A word that is longer has a line of
   its own. */
static void print_text_wrapped_at_80_columns(const char *text, size_t len,
					     int hanging_indent, FILE *out)
{
	size_t column = 0;

	for (size_t n = 0; n < len;) {
		size_t word = strcspn(text + n, " \n");

		if (column && column + 1 + word > COLUMNS) {
			fprintf(out, "\n%*s", hanging_indent, "");
			column = (size_t)hanging_indent;
		} else if (column) {
			fputc(' ', out);
			column++;
		}
		fwrite(text + n, 1, word, out);
		column += word;
		n += word + 1;
	}
	fputc('\n', out);
}

/* Wrap each line of @text. A line that begins with "- " is a list item, whose
   continuation is indented. */
static void print_each_line_wrapped_at_80_columns(const char *text, FILE *out)
{
	while (*text) {
		size_t len = strcspn(text, "\n");

		print_text_wrapped_at_80_columns(text, len,
						 *text == '-' ? 2 : 0, out);
		text += len + (text[len] == '\n');
	}
}

static const char *sample_unit_name(uint32_t unit)
{
	return unit == PT_COUNT_ACCESSES ? "reads and writes"
	       : unit == PT_COUNT_NS	 ? "ns"
					 : "instructions";
}

static void print_opening_and_closing_events(const struct al_windows *w,
					     const struct pt_window *x,
					     FILE *out)
{
	const char *name = w->string + x->name;

	if (x->on == PT_NO_EVENT) {
		fprintf(out, "Window '%s' is open from the beginning", name);
	} else {
		fprintf(out, "Window '%s' opens when ", name);
		al_event_print_in_words(w, x->on, out);
	}
	if (x->till == PT_NO_EVENT) {
		fputs(x->on == PT_NO_EVENT ? " to the end."
					   : ", and stays open to the end.",
		      out);
		return;
	}
	fputs(x->on == PT_NO_EVENT ? " until " : ", and closes when ", out);
	al_event_print_in_words(w, x->till, out);
	fputs(".", out);
	if (x->flags & PT_WINDOW_REOPENS)
		fputs(" Then it opens anew when its event happens again: "
		      "counts begin anew when it is closed.",
		      out);
}

static void print_count_start_and_end_of_intervals(
	const struct al_windows *w, const struct pt_window *window, FILE *out)
{
	const struct pt_interval *first = w->interval + window->first_interval;
	const struct pt_interval *last = first + window->n_intervals - 1;

	fprintf(out,
		" While it is open, only what lies in one of %u intervals of "
		"the process is recorded: the first begins after %" PRIu64
		" instructions, the last ends after %" PRIu64 ".",
		window->n_intervals, first->start,
		last->start + last->duration);
}

static void print_sampling_intervals_and_warmup(const struct al_windows *w,
						const struct pt_window *x,
						FILE *out)
{
	if (x->sample_every)
		fprintf(out,
			" While it is open, %" PRIu64 " of each %" PRIu64
			" %s are recorded.",
			x->sample_for, x->sample_every,
			sample_unit_name(x->sample_unit));
	if (x->n_intervals)
		print_count_start_and_end_of_intervals(w, x, out);
	if (x->warmup)
		fprintf(out,
			" The %" PRIu64 " instructions before it opens are "
			"simulated, but not counted.",
			x->warmup);
}

/* Print when the window opens and closes, how it is sampled, and what it
   records. */
static void print_window_explanation(const struct al_windows *w,
				     uint32_t window_index, FILE *out)
{
	print_opening_and_closing_events(w, &w->window[window_index], out);
	print_sampling_intervals_and_warmup(w, &w->window[window_index], out);
	if (w->window[window_index].flags & PT_WINDOW_OWN_OUTPUT)
		fputs(" It has a report of its own.", out);
	fputs(" It records\n", out);
	al_window_explain_recorded_code(w, window_index, out);
}

static void print_followed_processes(const struct al_windows *w, FILE *out)
{
	const char *before = "Of each tree only these processes are followed:";
	bool any = false;

	for (uint32_t i = 0; i < w->n[AL_PROCESS_ENTRIES]; i++)
		any |= !w->process_entry[i].number;
	if (any) {
		fputs("All processes are followed.\n", out);
		return;
	}
	for (uint32_t i = 0; i < w->n[AL_PROCESS_ENTRIES]; i++) {
		bool known = false;

		for (uint32_t k = 0; k < i; k++)
			known |= w->process_entry[k].number ==
				 w->process_entry[i].number;
		if (known)
			continue;
		fprintf(out, "%s %u", before, w->process_entry[i].number);
		before = ",";
	}
	fputs("; children of others get no number.\n", out);
	if (!al_windows_have_entry_matching_process(w, 1))
		fputs("Process 1 is not one of them, so nothing will be "
		      "recorded.\n",
		      out);
}

static void explain_struct_and_pointer_types(const struct al_windows *w,
					     FILE *out)
{
	bool first = true;

	for (uint32_t i = 0; i < w->n[AL_TYPES]; i++)
		if (w->type[i].kind >= PT_TYPE_STRUCT) {
			fputs(first ? "\nTypes\n- " : "- ", out);
			al_struct_or_pointer_explain(w, i, out);
			fputs("\n", out);
			first = false;
		}
}

void al_windows_explain(const struct al_windows *w, const char *file_name,
			FILE *out)
{
	char *text = NULL;
	size_t bytes;
	FILE *words = open_memstream(&text, &bytes);

	if (!words)
		return;
	fprintf(words, "%s: %u window%s. ", file_name, w->n[AL_WINDOWS],
		w->n[AL_WINDOWS] == 1 ? "" : "s");
	print_followed_processes(w, words);
	for (uint32_t i = 0; i < w->n[AL_WINDOWS]; i++) {
		fputs("\n", words);
		print_window_explanation(w, i, words);
	}
	explain_struct_and_pointer_types(w, words);
	if (!fclose(words))
		print_each_line_wrapped_at_80_columns(text, out);
	free(text);
}

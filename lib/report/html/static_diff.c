/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * static_diff.c - writes the sections of the page of a comparison that need no
 * script: the two runs, whether they can be compared, the totals, and the
 * functions that changed most
 */
#include <stdlib.h>
#include <string.h>

#include "lib/report/html/page_parts.h"

enum { TOP = 10, N_EVENTS = 9 };

static const char *const event_name[N_EVENTS] = {
	"Ir", "I1mr", "ILmr", "Dr", "D1mr", "DLmr", "Dw", "D1mw", "DLmw"};

/* Weights of changes, to find the event that changed most; the text output of
   alleria diff uses the same weights. */
static const int event_weight[N_EVENTS] = {1, 10, 100, 1, 10, 100, 1, 10, 100};

static json_int_t event_count_of_a_or_b(const json_t *costs, const char *event,
					const char *a_or_b)
{
	return json_integer_value(
		json_object_get(json_object_get(costs, event), a_or_b));
}

static json_int_t event_change_from_a_to_b(const json_t *costs,
					   const char *event)
{
	return event_count_of_a_or_b(costs, event, "b") -
	       event_count_of_a_or_b(costs, event, "a");
}

static json_int_t magnitude(json_int_t n)
{
	return n < 0 ? -n : n;
}

static void write_signed_change(FILE *f, json_int_t change)
{
	if (change != 0)
		fputs(change > 0 ? "+" : "\xe2\x88\x92", f);
	al_html_write_count(f, magnitude(change));
}

/* Write cells with the counts of A and B, the change, and its percentage of
   A. */
static void write_a_b_change_and_percent_cells(FILE *f, const json_t *costs,
					       const char *event)
{
	json_int_t a = event_count_of_a_or_b(costs, event, "a");
	json_int_t b = event_count_of_a_or_b(costs, event, "b");

	fprintf(f, "<td role=cell class=n data-label=A data-diff=\"a:%s\">",
		event);
	al_html_write_count(f, a);
	fprintf(f,
		"</td><td role=cell class=n data-label=B data-diff=\"b:%s\">",
		event);
	al_html_write_count(f, b);
	fputs("</td><td role=cell class=n data-label=Change>", f);
	write_signed_change(f, b - a);
	fputs("</td><td role=cell class=n data-label=Percent>", f);
	if (a == b || a == 0 || b == 0)
		fputs(a == b ? "-" : a == 0 ? "new" : "gone", f);
	else
		fprintf(f, "%+.2f %%", 100 * (double)(b - a) / (double)a);
	fputs("</td></tr>\n", f);
}

static void write_html_table_head_a_b_change_percent(FILE *f,
						     const char *first_heading)
{
	fprintf(f,
		"<table role=table class=stack><thead role=rowgroup>"
		"<tr role=row><th role=columnheader scope=col>%s</th>"
		"<th role=columnheader scope=col class=n>A</th>"
		"<th role=columnheader scope=col class=n>B</th>"
		"<th role=columnheader scope=col class=n>Change</th>"
		"<th role=columnheader scope=col class=n>Percent</th></tr>"
		"</thead><tbody role=rowgroup>\n",
		first_heading);
}

static void write_totals(FILE *f, const json_t *diff)
{
	const json_t *totals = json_object_get(diff, "totals");

	fputs("<section id=totals><h2>Totals</h2>\n", f);
	write_html_table_head_a_b_change_percent(f, "Event");
	for (int i = 0; i < N_EVENTS; i++) {
		fprintf(f, "<tr role=row><th role=rowheader scope=row>%s</th>",
			event_name[i]);
		write_a_b_change_and_percent_cells(f, totals, event_name[i]);
	}
	fputs("</tbody></table></section>\n", f);
}

/* Return the event whose total changed most, up or down, if each change is
   multiplied by the event's weight; the first of these if several changed
   equally; the first event if no total changed. */
static const char *weighted_most_changed_event_or_first(const json_t *diff)
{
	const json_t *totals = json_object_get(diff, "totals");
	json_int_t most = 0, change;
	int best = 0;

	for (int i = 0; i < N_EVENTS; i++) {
		change = event_weight[i] * magnitude(event_change_from_a_to_b(
						   totals, event_name[i]));
		if (change > most) {
			most = change;
			best = i;
		}
	}
	return event_name[best];
}

/* Set @top to the indices of the TOP rows whose count of @event changed most,
   up or down, the largest change first. Return their number, less than TOP if
   fewer rows changed. */
static size_t find_most_changed_rows(const json_t *rows, const char *event,
				     size_t top[TOP])
{
	size_t n = 0, k;

	for (size_t i = 0; i < json_array_size(rows); i++) {
		json_int_t change = magnitude(event_change_from_a_to_b(
			json_array_get(rows, i), event));

		for (k = n; k > 0; k--) {
			if (magnitude(event_change_from_a_to_b(
				    json_array_get(rows, top[k - 1]), event)) >=
			    change)
				break;
			if (k < TOP)
				top[k] = top[k - 1];
		}
		if (change > 0 && k < TOP) {
			top[k] = i;
			n += n < TOP;
		}
	}
	return n;
}

static void write_top_functions(FILE *f, const json_t *diff)
{
	const json_t *rows = json_object_get(diff, "functions");
	const char *event = weighted_most_changed_event_or_first(diff);
	size_t top[TOP], n = find_most_changed_rows(rows, event, top);

	fprintf(f,
		"<section id=functions><h2>Functions</h2><div class=static>\n"
		"<p>The %zu functions whose %s changed most.</p>\n",
		n, event);
	write_html_table_head_a_b_change_percent(f, "Function");
	for (size_t i = 0; i < n; i++) {
		const json_t *row = json_array_get(rows, top[i]);
		const char *name =
			json_string_value(json_object_get(row, "name"));

		fputs("<tr role=row><th role=rowheader scope=row>", f);
		al_html_write_text(f, name ? name : "???");
		fputs("</th>", f);
		write_a_b_change_and_percent_cells(f, row, event);
	}
	fputs("</tbody></table></div></section>\n", f);
}

static void write_strings_as_html_li_elements(FILE *f, const json_t *diff,
					      const char *key)
{
	const json_t *list = json_object_get(diff, key), *note;
	size_t i;

	json_array_foreach((json_t *)list, i, note)
	{
		fputs("<li>", f);
		al_html_write_text(f, json_string_value(note)
					      ? json_string_value(note)
					      : "");
		fputs("</li>\n", f);
	}
}

static void write_comparability(FILE *f, const json_t *diff)
{
	const char *kind =
		json_string_value(json_object_get(diff, "comparable"));

	fputs("<section id=verdict><h2>Comparable?</h2>\n<p>", f);
	al_html_write_text(f, kind ? kind : "???");
	fputs("</p><ul>\n", f);
	write_strings_as_html_li_elements(f, diff, "noted");
	write_strings_as_html_li_elements(f, diff, "builds");
	fputs("</ul></section>\n", f);
}

void al_page_write_diff_sections(FILE *f, const json_t *const reports[2],
				 const char *const names[2], const json_t *diff)
{
	fputs("<div class=sides>\n", f);
	for (int side = 0; side < 2; side++) {
		fprintf(f, "<div><p><strong>%c:</strong> ", 'A' + side);
		al_html_write_text(f, names[side]);
		fputs("</p>\n", f);
		if (reports[side] != NULL)
			al_page_write_run_heading(f, reports[side]);
		fputs("</div>\n", f);
	}
	fputs("</div>\n", f);
	write_comparability(f, diff);
	write_totals(f, diff);
	write_top_functions(f, diff);
	al_page_write_glossary(f);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * output.h - writes the comparison of two runs
 */
#ifndef LIB_DIFF_OUTPUT_H
#define LIB_DIFF_OUTPUT_H

#include <stdio.h>

#include "base/text/report_sink.h"
#include "lib/diff/compare.h"
#include "lib/diff/limit.h"

/* A comparison to be written, with the verdicts on its limits. */
struct al_diff_report {
	const struct al_diff *diff;
	const struct al_diff_limit *limit; /* [n_limits], checked */
	size_t n_limits;
	size_t top;	 /* rows of each table, at most */
	unsigned status; /* of the command */
};

/* Write the text for a terminal, 80 columns. */
void al_diff_write_text(const struct al_diff_report *, FILE *);

/* Write JSON. All functions and lines are in it. */
void al_diff_write_json(const struct al_diff_report *, FILE *);

/* Write Markdown for a comment on a change, at most 60,000 bytes. Names cannot
   change its form. */
void al_diff_write_markdown(const struct al_diff_report *, FILE *);

/* Write workflow commands of GitHub that annotate the lines that changed most,
   ten at most. */
void al_diff_write_github_annotations(const struct al_diff_report *, FILE *);

/* ---- shared by the writers ---- */

enum { AL_DIFF_NUMBER = 40 /* [bytes] of a formatted number with its NUL */ };

/* Return the event to sort by: its change weighs most, where a miss of the last
   level weighs 100 instructions and one of a first level 10; of the counts
   themselves where nothing has changed. */
int al_diff_most_changed_event_weighted(const struct al_diff *);
int al_diff_most_changed_event_of_costs(const struct al_diff_costs c[2]);

/* Return |B - A| of an event. */
uint64_t al_diff_absolute_change(const struct al_diff_costs c[2], int event);

/* Whether some event differs. */
bool al_diff_differs(const struct al_diff_costs c[2]);

/* Whether some event of the totals, of a function or of a line differs. */
bool al_diff_any_count_differs(const struct al_diff *);

/* Format "+1,234", "-5" or "0"; "+0.02%", "new", "gone" or "-". Return @to. */
char *al_diff_format_change(char to[AL_DIFF_NUMBER], uint64_t old_count,
			    uint64_t new_count);
char *al_diff_format_percent(char to[AL_DIFF_NUMBER], uint64_t old_count,
			     uint64_t new_count);

/* Return the functions, or lines, that differ, by the distance of an event,
   largest first; then by name. @function_count: receives their number. The
   caller frees the array. NULL: memory is short. */
const struct al_diff_function **
al_diff_sort_changed_functions(const struct al_diff *, int event,
			       size_t *function_count);
const struct al_diff_line **al_diff_sort_changed_lines(const struct al_diff *,
						       int event,
						       size_t *line_count);

/* Write "33", "33 -> 36", "-> 36 new" or "33 gone", marked with '?' where it is
   guessed. */
void al_diff_format_line_numbers(char *to, size_t size,
				 const struct al_diff_line *);

/* Format the limit and what it found, as "Ir>+0.01% EXCEEDED (+0.02%)". */
void al_diff_format_limit_verdict(char *to, size_t size,
				  const struct al_diff_limit *);

/* ---- parts of the text ---- */

/* Write a line cut to 80 columns, with unprintable characters replaced. */
__attribute__((format(printf, 2, 3))) void
al_diff_print_line(FILE *, const char *format, ...);

/* Write the table of the nine totals. */
void al_diff_print_totals(const struct al_diff_costs totals[2], FILE *);

/* Write the head of a table of changes of an event, and a row. @all_changes:
   the row's share is that of them; 0: it has none. */
void al_diff_print_change_head(FILE *, const char *title, int event);
void al_diff_print_change_row(FILE *, const char *name,
			      const struct al_diff_costs c[2], int event,
			      uint64_t all_changes);

/* ---- parts of the JSON ---- */

enum { AL_DIFF_SCHEMA = 1 };

/* Return "same", "noted" or "not comparable". */
const char *al_diff_comparable_name(enum al_diff_comparable);
void al_diff_json_write_costs(struct an_sink *,
			      const struct al_diff_costs c[2]);
void al_diff_json_write_limit(struct an_sink *, const struct al_diff_limit *);

/* ---- parts of the Markdown ---- */

/* Write a line that bots find, with @name, and a sentence about the change of a
   total. */
void al_diff_markdown_write_headline(FILE *, const char *name,
				     const struct al_diff_costs totals[2],
				     int event);
void al_diff_markdown_write_totals(FILE *,
				   const struct al_diff_costs totals[2]);
void al_diff_markdown_begin_table(FILE *, const char *title, int event);

/* Write the four cells of a change. */
void al_diff_markdown_write_cells(FILE *, const struct al_diff_costs c[2],
				  int event);

/* Write a name as a code span, which it cannot end. */
void al_diff_markdown_write_code(FILE *, const char *name);

/* Whether there is no room for another row. */
bool al_diff_markdown_is_full(FILE *);

#endif

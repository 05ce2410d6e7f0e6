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
	size_t top;	 /* greatest number of rows in each table that is not
			    folded */
	unsigned status; /* exit status of the command that writes the report */
};

/* Write the text for a terminal, 80 columns; a note may be longer. */
void al_diff_write_text(const struct al_diff_report *, FILE *);

/* Write JSON, with all functions and lines, also those that do not differ. */
void al_diff_write_json(const struct al_diff_report *, FILE *);

/* Write Markdown for a comment on a change, at most 60,000 bytes. Names cannot
   change its form. */
void al_diff_write_markdown(const struct al_diff_report *, FILE *);

/* Write workflow commands of GitHub: an error for each exceeded limit, ten at
   most, and an annotation for each of the ten lines of B that changed most.
   Lines of the system's code are left out, because no repository has them. */
void al_diff_write_github_limits_and_lines(const struct al_diff_report *,
					   FILE *);

/* ---- shared by the writers ---- */

enum { AL_DIFF_NUMBER = 40 /* [bytes] of a formatted number with its NUL */ };

/* Return the index of the event with the largest |B - A| after weighting: 100
   for misses of the last level, 10 for those of a first level, 1 for the other
   events; 0 if no event differs. The first function compares the totals of the
   two runs, the second function compares the two given costs. */
int al_diff_most_changed_total_event(const struct al_diff *);
int al_diff_weighted_most_changed_event_or_0(
	const struct al_diff_costs old_and_new_costs[2]);

/* Return an event in words: "D1 read misses". */
const char *al_diff_readable_event_name(int event);

/* Return |B - A| of the counts of @event; @old_and_new_costs: costs in A, in B.
   */
uint64_t
al_diff_absolute_change(const struct al_diff_costs old_and_new_costs[2],
			int event);

/* Whether the counts of some event differ in A and B. @old_and_new_costs: costs
   in A, in B. */
bool al_diff_any_event_differs(const struct al_diff_costs old_and_new_costs[2]);

/* Whether some event of the totals, of a function or of a line differs, or some
   count of a data object. */
bool al_diff_any_count_differs(const struct al_diff *);

/* Format the change from @old_count to @new_count, and return @to: as
   difference, "+1,234", "-5" or "0"; in percent of @old_count, "+0.02%", or "-"
   if they are equal, "new" if @old_count is 0, "gone" if @new_count is 0. */
char *al_diff_format_signed_difference(char to[AL_DIFF_NUMBER],
				       uint64_t old_count, uint64_t new_count);
char *al_diff_format_percent_new_or_gone(char to[AL_DIFF_NUMBER],
					 uint64_t old_count,
					 uint64_t new_count);

/* Return an array of pointers to the functions, or lines, that differ in any
   event, sorted by |B - A| of @sort_event, largest first; functions of equal
   change by name, lines by path and number. @function_count: receives their
   number. The caller frees the array. NULL if memory is short. */
const struct al_diff_function **
al_diff_list_changed_functions_sorted(const struct al_diff *, int sort_event,
				      size_t *function_count);
const struct al_diff_line **
al_diff_list_changed_lines_sorted(const struct al_diff *, int sort_event,
				  size_t *line_count);

/* Return an array of pointers to the data objects that differ in @count, sorted
   by |B - A| of it, largest first, then by name. @data_count: receives their
   number. The caller frees the array. NULL if memory is short. */
const struct al_diff_data **
al_diff_list_changed_data_sorted(const struct al_diff *,
				 enum al_diff_data_count count,
				 size_t *data_count);

/* Return the name of a count of data objects, such as "LL misses"; it may be
   written to @buffer. Return NULL if the count equals another one: misses of
   the first level, which is the last one, too. */
const char *al_diff_data_count_name(char buffer[AL_DIFF_NUMBER],
				    const struct al_diff *,
				    enum al_diff_data_count count);

/* Write to @to the name of a data object, and how those of A and B match. */
void al_diff_format_data_name_and_match(char *to, size_t size,
					const struct al_diff_data *);

/* Whether some count of a data object differs. */
bool al_diff_any_data_count_differs(const struct al_diff_data *);

/* Format the line numbers in A and B: "33" if equal, "33 -> 36", "new 36",
   "gone 33", or "no line" without numbers. " ?" is appended to the first two
   forms if the pair is guessed. */
void al_diff_format_line_numbers_and_match(char *to, size_t size,
					   const struct al_diff_line *);

/* Format a limit with its result and the value found, as "Ir>+0.01% EXCEEDED
   (+0.02%)" or "Ir>+0 holds (+0)". */
void al_diff_format_limit_verdict(char *to, size_t size,
				  const struct al_diff_limit *);

/* ---- parts of the text ---- */

/* Write a line cut to 80 columns, with unprintable characters replaced. */
__attribute__((format(printf, 2, 3))) void
al_diff_print_line_cut_at_80_columns(FILE *, const char *format, ...);

/* Write the table of the nine totals. */
void al_diff_print_totals(const struct al_diff_costs totals[2], FILE *);

/* Write the head of a table of changes of the count that @count_name names, or
   one row of it. @total_change: absolute change of the total; the row's last
   column is the row's absolute change in percent of it; 0: this column is "-".
   */
void al_diff_print_change_table_head(FILE *, const char *title,
				     const char *count_name);
void al_diff_print_change_row(FILE *, const char *name, uint64_t old_count,
			      uint64_t new_count, uint64_t total_change);

/* ---- parts of the JSON ---- */

enum { AL_DIFF_SCHEMA = 1 };

/* Return "same", "noted" or "not comparable". */
const char *al_diff_comparability_name(enum al_diff_comparable);
void al_diff_json_write_costs(struct an_sink *,
			      const struct al_diff_costs old_and_new_costs[2]);
void al_diff_json_write_limit_result(struct an_sink *,
				     const struct al_diff_limit *);

/* ---- parts of the Markdown ---- */

/* Write an HTML comment with @marker_name, by which bots find the text, and a
   line with the change of the total of @event. */
void al_diff_markdown_write_head(FILE *, const char *marker_name,
				 const struct al_diff_costs totals[2],
				 int event);
void al_diff_markdown_write_totals(FILE *,
				   const struct al_diff_costs totals[2]);
void al_diff_markdown_write_table_head(FILE *, const char *title,
				       const char *count_name);

/* Write the four cells of a row: count in A, count in B, difference, percent.
   */
void al_diff_markdown_write_change_cells(FILE *, uint64_t old_count,
					 uint64_t new_count);

/* Write a name as a code span, which backticks in the name cannot end; '|' and
   unprintable characters become '?'. */
void al_diff_markdown_write_fenced_code_span(FILE *, const char *name);

/* Whether the text written so far has no room for another row. */
bool al_diff_markdown_has_no_room_for_row(FILE *);

#endif

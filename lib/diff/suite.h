/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * suite.h - the comparison of two folders of reports
 *
 * Two reports with the same file name, one in each folder, are a pair, and are
 * compared like two runs. Each limit is checked in each pair that is summed.
 *
 * Threads: one at a time.
 */
#ifndef LIB_DIFF_SUITE_H
#define LIB_DIFF_SUITE_H

#include <stdio.h>

#include "lib/diff/limit_file.h"

/* The reports with one file name: of folder A, of folder B or of both. Both
   together are a pair. */
struct al_diff_suite_row {
	char *name; /* file name of the report in folder A, in B or in both,
		       owned */
	/* whether folder A [0] and folder B [1] have the report */
	bool is_in[2];
	/* the row is a pair, and is comparable or was to be compared although
	   it is not */
	bool is_summed;
	/* the reports of the pair differ in at least one count of the totals, a
	   function, a line or a data object */
	bool differs;
	/* whether the reports of the pair can be compared; AL_DIFF_ALL_SAME if
	   only one folder has the report */
	enum al_diff_comparable comparable;
	/* first reason why the pair is not comparable, owned; else NULL */
	char *obstacle;
	struct al_diff_costs totals[2];
	/* [limits->n] copies of the suite's limits, checked in this pair. Their
	   strings belong to the suite's limits; `text` of a copy is NULL if
	   nothing in the pair matches the limit's scope. NULL if the row is not
	   summed */
	struct al_diff_limit *limit;
};

/* All reports of two folders, A and B. Initialise @path and @limits, and the
   other members with zeros: there are no rows then. */
struct al_diff_suite {
	const char *path[2]; /* paths of folders A and B */
	const struct al_diff_limits *limits;
	/* [n] rows, one for each file name, in the order of their addition */
	struct al_diff_suite_row *row;
	size_t n;
	/* greatest number of rows in the table of changed reports; 0: all */
	size_t top;
	unsigned status; /* exit status of the command that writes the suite;
			    the text states it if the suite has limits */
	/* sums of the totals of all summed rows, in A and in B */
	struct al_diff_costs totals[2];
};

/* Add a row for a report that only folder @side (0: A, 1: B) has. @name: its
   file name, copied. Return: 0; -ENOMEM. */
int al_diff_suite_add_unpaired_report(struct al_diff_suite *, const char *name,
				      int side);

/* Add a row for a pair of reports with comparison @d. If the pair is comparable
   or @sum_if_not_comparable is true, also add its totals to those of the suite
   and check the suite's limits in it. Nothing of @d is referred to afterwards.
   Return: 0; -ENOMEM. */
int al_diff_suite_add_pair_and_check_limits(struct al_diff_suite *,
					    const char *name,
					    const struct al_diff *d,
					    bool sum_if_not_comparable);

/* Check that the scope of each limit matches something in at least one summed
   pair. Return: 0, also if no pair is summed; -EINVAL with @message
   [AL_MESSAGE], which names the first limit that matches nothing. */
int al_diff_suite_check_limit_scopes_match(const struct al_diff_suite *,
					   char *message);

/* Return the number of pairs of reports in which limit @limit_index is
   exceeded. Only pairs whose totals are included in the suite's (is_summed) are
   counted. */
size_t al_diff_suite_count_pairs_exceeding(const struct al_diff_suite *,
					   size_t limit_index);

/* al_diff_suite_count_unpaired_reports() returns the number of reports that
   only folder @side (0: A, 1: B) has, al_diff_suite_count_summed_pairs() the
   number of summed pairs. */
size_t al_diff_suite_count_unpaired_reports(const struct al_diff_suite *,
					    int side);
size_t al_diff_suite_count_summed_pairs(const struct al_diff_suite *);
void al_diff_suite_release(struct al_diff_suite *);

/* ---- suite_output.c ---- */

/* Return the event with the greatest sum of |B - A| over all summed pairs, each
   sum multiplied by the event's weight, see al_diff_most_changed_total_event().
   @absolute_change_sum: receives that event's sum, without the weight. */
int al_diff_suite_most_changed_event(const struct al_diff_suite *,
				     uint64_t *absolute_change_sum);

/* Return a new array of pointers to the summed rows whose totals differ, sorted
   by |B - A| of @event, largest first, then by name. @row_count: receives the
   number of pointers. The caller frees the array. NULL: memory is short. */
const struct al_diff_suite_row **
al_diff_suite_new_sorted_changed_rows(const struct al_diff_suite *, int event,
				      size_t *row_count);

/* Write the suite: as text of 80 columns for a terminal; as JSON, which has all
   reports; as Markdown of at most 60,000 bytes, in which names stand in code
   spans, where they cannot act as Markdown. */
void al_diff_suite_write_text(const struct al_diff_suite *, FILE *);
void al_diff_suite_write_json(const struct al_diff_suite *, FILE *);
void al_diff_suite_write_markdown(const struct al_diff_suite *, FILE *);

#endif

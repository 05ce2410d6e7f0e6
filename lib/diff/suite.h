/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * suite.h - the comparison of two folders of reports
 *
 * Reports of equal names are a pair, which is compared as two runs are. A limit
 * is checked in each pair.
 *
 * Threads: one at a time.
 */
#ifndef LIB_DIFF_SUITE_H
#define LIB_DIFF_SUITE_H

#include <stdio.h>

#include "lib/diff/limit_file.h"

/* A report that one folder has, or both. */
struct al_diff_suite_row {
	char *name;	/* of the file */
	bool is_in[2];	/* A, B */
	bool is_summed; /* in both, and comparable or compared anyway */
	bool differs;	/* some count of the pair, in totals, functions or
			   lines */
	enum al_diff_comparable comparable; /* of a pair */
	char *obstacle; /* why it is not comparable; NULL: it is */
	struct al_diff_costs totals[2];
	struct al_diff_limit *limit; /* [n_limits] checked copies, whose texts
					are those of the suite's limits; NULL if
					not summed. `text` is NULL where nothing
					matches the scope */
};

/* Zeroed but for @path and @limits: empty. */
struct al_diff_suite {
	const char *path[2]; /* of the folders */
	const struct al_diff_limits *limits;
	struct al_diff_suite_row *row; /* in the order in which they came */
	size_t n;
	size_t top;			/* rows of the table, at most; 0: all */
	unsigned status;		/* of the command */
	struct al_diff_costs totals[2]; /* sums over the rows that are summed */
};

/* Add a report that only folder @side has. Return: 0; -ENOMEM. */
int al_diff_suite_add_alone(struct al_diff_suite *, const char *name, int side);

/* Add a pair, and check the limits in it. @anyway: also if it is not
   comparable.
   @d may be released afterwards. Return: 0; -ENOMEM. */
int al_diff_suite_add_pair(struct al_diff_suite *, const char *name,
			   const struct al_diff *d, bool anyway);

/* Check that each limit's scope matches something in one pair at least, if
   there are pairs. Return: 0; -EINVAL with @message [AL_MESSAGE]. */
int al_diff_suite_check_scopes(const struct al_diff_suite *, char *message);

/* Return the number of pairs in which a limit is exceeded. */
size_t al_diff_suite_count_exceeded(const struct al_diff_suite *,
				    size_t limit_index);

/* Return the number of reports that only folder @side has; of pairs that are
   summed. */
size_t al_diff_suite_count_alone(const struct al_diff_suite *, int side);
size_t al_diff_suite_count_summed(const struct al_diff_suite *);
void al_diff_suite_release(struct al_diff_suite *);

/* ---- suite_output.c ---- */

/* Return the event whose changes, added up over all pairs without their sign,
   weigh most; see al_diff_most_changed_event_weighted(). @change: receives
   their sum. */
int al_diff_suite_most_changed_event(const struct al_diff_suite *,
				     uint64_t *change);

/* Return pointers to the rows whose totals differ, by the distance of an event,
   largest first; then by name. @n: receives their number. The caller frees the
   array. NULL: memory is short. */
const struct al_diff_suite_row **
al_diff_suite_sort_changed_rows(const struct al_diff_suite *, int event,
				size_t *n);

/* Write text of 80 columns for a terminal, JSON with all pairs, and Markdown of
   at most 60,000 bytes in which names cannot change the form. */
void al_diff_suite_write_text(const struct al_diff_suite *, FILE *);
void al_diff_suite_write_json(const struct al_diff_suite *, FILE *);
void al_diff_suite_write_markdown(const struct al_diff_suite *, FILE *);

#endif

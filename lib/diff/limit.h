/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * limit.h - limits on counts and on their changes
 *
 * EVENT[@SCOPE] OP VALUE[%], such as "D1mr>+1%", "Ir>+0",
 * "DLmr@function=main>0" or "D1mr>8000000". The limit is exceeded when the
 * comparison holds. A value with a sign is compared with the change from A to
 * B, one without with the count of B.
 */
#ifndef LIB_DIFF_LIMIT_H
#define LIB_DIFF_LIMIT_H

#include "lib/diff/compare.h"

enum al_diff_scope {
	AL_DIFF_TOTALS,
	AL_DIFF_BY_FUNCTION,
	AL_DIFF_BY_FILE,
	AL_DIFF_BY_OBJECT
};

struct al_diff_limit {
	char *text; /* as the user wrote it */
	int event;
	enum al_diff_scope scope;
	char *pattern;	/* pattern of fnmatch() for the names of the scope;
			   NULL: AL_DIFF_TOTALS */
	char op[3];	/* ">", ">=", "<", "<=", "=", "!=" */
	bool is_change; /* whether the change from A to B is compared with
			   @value, not the count of B: @value had a sign */
	bool is_percent;
	double value;
	/* set by al_diff_evaluate_limit_on_sum_in_scope() */
	double found; /* value compared with @value: the change from A to B,
			 this change in percent of A (infinite if only A is 0),
			 or the count of B */
	bool exceeded;
};

/* Parse a limit. @message: [AL_MESSAGE] receives one line on error. Return: 0,
   with @limit for al_diff_limit_release(); -EINVAL. */
int al_diff_limit_parse(const char *text, struct al_diff_limit *limit,
			char *message);
void al_diff_limit_release(struct al_diff_limit *);

/* Set members found and exceeded of a limit from the counts of A and B. A
   pattern may match the name or the normalised name of a function or object;
   for a file, its path or an end of the path. Return: 0; -EINVAL with @message
   if nothing of A or B matches the pattern. */
int al_diff_evaluate_limit_on_sum_in_scope(const struct al_diff *,
					   struct al_diff_limit *,
					   char *message);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * own_lines.h - the source lines of a result as people see them: code of a
 *               header of the system is charged to the line of the user's own
 *               code that it was inlined into
 */
#ifndef ANALYZERS_CACHE_OWN_LINES_H
#define ANALYZERS_CACHE_OWN_LINES_H

#include "analyzers/cache/cache_result.h"

struct an_own_lines {
	struct an_cost_table lines; /* total cost of all rows equals that of
				       an_cacheresult.lines */
	const char **function;	    /* [lines.n] name of the function that
				       executes most instructions of the line;
				       NULL: not known */
	/* [lines.n] for each level: "inlined stl_tree.h:780", code of the
	   system that is charged to the line; or "inlined at main.c:30 and 2
	   more", calls that the line was inlined into. Inlined code has at
	   least half of the misses that the line has at the level; else "". Of
	   several places the one with most misses is named */
	const char *(*note)[AN_MAX_LEVELS];
};

/* Fill in @o from a result. Notes live as long as the model. Return: 0 or
   -ENOMEM; release @o in either case. The cost of inlined code of the system is
   charged to the line of the call. */
int an_own_lines_charge_system_code(struct an_own_lines *o,
				    const struct an_cacheresult *,
				    struct al_model *);

void an_own_lines_release(struct an_own_lines *);

/* inlined_table.c: add the table "inlined": lines and the calls that they were
   inlined into. */
void an_cacheresult_add_inlined_line_table(struct al_model *,
					   const struct an_cacheresult *);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cost_rows.h - costs of lines and of calls, as Callgrind writes them
 */
#ifndef ANALYZERS_CALLGRAPH_COST_ROWS_H
#define ANALYZERS_CALLGRAPH_COST_ROWS_H

#include "analyzers/cost_table.h"

struct an_callee {
	const char *object;
	const char *path; /* of the source where it was entered first */
	const char *name;
	bool again; /* while it was on the stack already */
};

/* What a line of a function cost itself or, where `to` has a name, what its
   calls of a function cost. Strings as in struct an_symbol. */
struct an_callrow {
	struct an_callee from;
	const char *path;
	uint32_t line;
	struct an_callee to;
	uint32_t to_line;
	uint64_t calls;
	uint64_t cost[AN_EVENTS];
};

struct an_callrows {
	struct an_callrow *row;
	size_t n;
	size_t size;
};

/* 0 or -ENOMEM. */
int an_callrows_add(struct an_callrows *, const struct an_callrow *);

/* Writes it all, sorted, what has the same names added up. 0 or -errno. */
int an_callrows_write(const struct an_callrows *, const struct an_env *);

void an_callrows_release(struct an_callrows *);

#endif

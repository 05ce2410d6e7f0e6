/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cost_rows.h - writes costs of lines and of calls in Callgrind's format */
#ifndef ANALYZERS_CALLGRAPH_COST_ROWS_H
#define ANALYZERS_CALLGRAPH_COST_ROWS_H

#include "analyzers/cost_table.h"

struct an_call_function {
	const char *object;
	const char *path; /* source file at the function's first entry */
	const char *name;
	bool is_recursive; /* true: only the recursive activations of the
			      function; false: only the others */
};

/* Costs of a line of a function; if callee.name is set, inclusive costs of the
   line's calls of that function. Strings as in struct an_symbol. */
struct an_callrow {
	struct an_call_function caller;
	const char *path;
	uint32_t line;
	struct an_call_function callee;
	uint32_t callee_line;
	uint64_t calls;
	uint64_t cost[AN_N_EVENTS];
};

struct an_callrows {
	struct an_callrow *row;
	size_t n;
	size_t size;
};

/* Append a copy of a row. Return: 0 or -ENOMEM. */
int an_callrows_append(struct an_callrows *, const struct an_callrow *);

/* Write all rows in Callgrind's format to the output of the analysis: sorted,
   rows with equal names and lines added up. Return: 0 or -errno. */
int an_callrows_write_callgrind(const struct an_callrows *,
				const struct an_env *);

void an_callrows_release(struct an_callrows *);

#endif

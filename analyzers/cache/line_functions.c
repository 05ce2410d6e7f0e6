/* SPDX-License-Identifier: GPL-2.0-or-later */
/* line_functions.c - finds the function of a source line; see
   cache_result.h */

#include "analyzers/cache/cache_result.h"

#include <stdlib.h>
#include <string.h>

/* Whether the function of row @a executed more instructions of the line than
   that of row @b, or equally many and its name is less. */
static bool has_more_instrs_or_lesser_name(const struct an_cost_row *a,
					   const struct an_cost_row *b)
{
	uint64_t p = a->cost.event[AN_IR], q = b->cost.event[AN_IR];

	return p != q ? p > q
		      : strcmp(a->symbol.function, b->symbol.function) < 0;
}

const char **an_cacheresult_alloc_line_functions(const struct an_cacheresult *r)
{
	const struct an_cost_row **best;
	const char **function;

	best = calloc(r->lines.n + 1, sizeof(*best));
	function = calloc(r->lines.n + 1, sizeof(*function));
	for (uint32_t i = 0; best && function && i < r->functions_of_lines.n;
	     i++) {
		const struct an_cost_row *row = &r->functions_of_lines.row[i];
		struct an_symbol line = row->symbol;
		int64_t line_index;

		line.function = NULL;
		line_index = an_cost_table_find_row_index(&r->lines, &line);
		if (line_index >= 0 &&
		    (!best[line_index] ||
		     has_more_instrs_or_lesser_name(row, best[line_index]))) {
			best[line_index] = row;
			function[line_index] = row->symbol.function;
		}
	}
	if (best == NULL || r->lines.n == 0) {
		free(function);
		function = NULL;
	}
	free(best);
	return function;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* an_sought.c - a run as machine code names it; see an_sought.h */

#include "analyzers/an_sought.h"

static uint64_t bit(bool set, int number)
{
	return (uint64_t)set << number;
}

static uint64_t name(const struct an_run *r, bool plain)
{
	return (uintptr_t)r | (uint64_t)r->first << AN_SOUGHT_ROW |
	       bit(plain, AN_SOUGHT_PLAIN);
}

uint64_t an_sought_code(const struct an_run *r, const struct an_first *first,
			bool widens)
{
	uint64_t line = r->delta >> first->shift;
	uint64_t end = an_run_addr(r) + an_run_len(r) - 1;

	return name(r, widens) |
	       bit(an_run_addr(r) >> first->shift != line, AN_SOUGHT_BEGUN) |
	       bit(end >> first->shift != line, AN_SOUGHT_ENDS);
}

uint64_t an_sought_data(const struct an_run *r, const struct an_first *first,
			bool widens, const struct an_block *b)
{
	bool writes_first = b->access[r->first].kind != PT_LOAD;

	return name(r, widens && an_run_is_plain(r, first->shift)) |
	       bit(r->based && r->span > 0, AN_SOUGHT_SPANS) |
	       bit(r->writes, AN_SOUGHT_WRITES) |
	       bit(writes_first, AN_SOUGHT_WRITES_FIRST);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* an_sought.c - a run as machine code names it; see an_sought.h */

#include "analyzers/an_sought.h"

static uint64_t bit(bool set, int number)
{
	return (uint64_t)set << number;
}

uint64_t an_sought(const struct an_run *r, const struct an_first *first,
		   bool widens, const struct an_block *b)
{
	bool plain = widens && an_run_is_plain(r, first->shift);
	bool writes_first = b->access[r->first].kind != PT_LOAD;

	return (uintptr_t)r | (uint64_t)r->first << AN_SOUGHT_ROW |
	       bit(plain, AN_SOUGHT_PLAIN) |
	       bit(r->based && r->span > 0, AN_SOUGHT_SPANS) |
	       bit(r->writes, AN_SOUGHT_WRITES) |
	       bit(writes_first, AN_SOUGHT_WRITES_FIRST);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_code.h - a run as machine code names it to the search
 *
 * 32 bits, which tell what is enough to know of most runs: their memory is
 * seldom in this machine's caches.
 */
#ifndef ANALYZERS_CACHE_JIT_RUN_CODE_H
#define ANALYZERS_CACHE_JIT_RUN_CODE_H

#include "analyzers/cache/model/access_runs.h"
#include "analyzers/cache/model/l1.h"

enum {
	AN_SOUGHT_ROW = 0,    /* number of its first access, */
	AN_SOUGHT_INSTR = 10, /* and of the instruction that makes it */
	AN_SOUGHT_PLAIN = 20, /* no guard, and not known to be in two lines; and
				 the levels behind have lines that are no
				 shorter */
	AN_SOUGHT_SPANS = 21, /* it may be in two lines */
	AN_SOUGHT_WRITES = 22,
	AN_SOUGHT_WRITES_FIRST = 23, /* by its first access */
};

_Static_assert(PT_MAX_ACCESSES == 1 << (AN_SOUGHT_INSTR - AN_SOUGHT_ROW) &&
		       PT_MAX_INSTRS ==
			       1 << (AN_SOUGHT_PLAIN - AN_SOUGHT_INSTR),
	       "a row fits, and an instruction");

/* @first: of data; @widens: as an_hierarchy_widens() of data. */
uint32_t an_sought(const struct an_run *, const struct an_first *first,
		   bool widens, const struct an_block *);

static inline unsigned an_sought_row(uint32_t sought)
{
	return sought & (PT_MAX_ACCESSES - 1);
}

static inline unsigned an_sought_instr(uint32_t sought)
{
	return sought >> AN_SOUGHT_INSTR & (PT_MAX_INSTRS - 1);
}

static inline bool an_sought_is(uint32_t sought, int bit)
{
	return (sought & 1u << bit) != 0;
}

/* The run itself. */
static inline const struct an_run *an_sought_run(uint32_t sought,
						 const struct an_path *p)
{
	const struct an_run *r = an_path_runs(p);

	while (r->first < an_sought_row(sought))
		r++;
	return r;
}

#endif

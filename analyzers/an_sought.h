/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * an_sought.h - a run as machine code names it to the search
 *
 * Room:    analyzers.
 * Used by: an_compile.c, an_cachequick.c, an_spread.c.
 *
 * An address of 48 bits (Linux gives none beyond, unless asked to) and, above
 * that, what is enough to know of most runs: their memory is seldom in this
 * machine's caches.
 */
#ifndef AN_SOUGHT_H
#define AN_SOUGHT_H

#include "analyzers/an_first.h"
#include "analyzers/an_plan.h"

enum {
	AN_SOUGHT_ROW = 48,   /* number of its first access */
	AN_SOUGHT_PLAIN = 58, /* no guard, and not known to be in two lines; and
				 the levels behind have lines that are no
				 shorter */
	AN_SOUGHT_SPANS = 59, /* it may be in two lines */
	AN_SOUGHT_WRITES = 60,
	AN_SOUGHT_WRITES_FIRST = 61, /* by its first access */
};

/* @first: of data; @widens: as an_hierarchy_widens() of data. */
uint64_t an_sought(const struct an_run *, const struct an_first *first,
		   bool widens, const struct an_block *);

_Static_assert(PT_MAX_ACCESSES <= 1 << (AN_SOUGHT_PLAIN - AN_SOUGHT_ROW),
	       "a row fits");

static inline const struct an_run *an_sought_run(uint64_t sought)
{
	return (const void *)(uintptr_t)(sought &
					 ((UINT64_C(1) << AN_SOUGHT_ROW) - 1));
}

static inline unsigned an_sought_row(uint64_t sought)
{
	return sought >> AN_SOUGHT_ROW &
	       ((1 << (AN_SOUGHT_PLAIN - AN_SOUGHT_ROW)) - 1);
}

static inline bool an_sought_is(uint64_t sought, int bit)
{
	return sought >> bit & 1;
}

#endif

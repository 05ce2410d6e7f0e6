/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pages.h - the pages that a chunk touches, and the few extents they are in
 *
 * Threads: one at a time.
 *
 * Where there are more pages than PF_PAGES, they are taken in larger grains,
 * as large as it needs to have no more. So the work for a chunk that touches
 * memory all over is bounded, and what comes out depends on nothing but which
 * pages were touched.
 */
#ifndef PROFILE_FORMAT_PAGES_H
#define PROFILE_FORMAT_PAGES_H

#include <stdint.h>

#include "profile/format/format.h"

enum { PF_PAGES = 1024, PF_PAGES_TABLE = 2 * PF_PAGES };

/* Zeroed: none. */
struct pf_pages {
	unsigned shift; /* a grain has 1 << shift pages */
	uint32_t n;
	uint32_t grain[PF_PAGES];
	uint32_t table[PF_PAGES_TABLE]; /* by hash: grain + 1, or 0 */
};

void pf_pages_empty(struct pf_pages *);

/* Those of the bytes from @first to @last, both included and less than
   PF_LAST_PAGE pages apart, modulo 2^64. */
void pf_pages_add(struct pf_pages *, uint64_t first, uint64_t last);

/* Adds all of @from. */
void pf_pages_merge(struct pf_pages *to, const struct pf_pages *from);

/**
 * pf_pages_extents() - The extents that have all of the pages.
 *
 * They leave out the longest gaps between pages; of equal ones, the first.
 * Context: the pages may be added to afterwards, but are in another order.
 */
void pf_pages_extents(struct pf_pages *, struct pf_extent out[PF_EXTENTS]);

#endif

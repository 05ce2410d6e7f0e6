/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pages.h - collects the pages that a chunk touches, and covers them by extents
 *
 * Threads: one at a time.
 *
 * The set consists of grains: aligned groups of 1 << shift pages. If there
 * would be more than PF_PAGES grains, their size is doubled until there are
 * not. So the work is bounded for a chunk that touches many pages, and the
 * result depends only on the set of pages, not on their order.
 */
#ifndef PROFILE_FORMAT_PAGES_H
#define PROFILE_FORMAT_PAGES_H

#include <stdint.h>

#include "profile/format/format.h"

enum { PF_PAGES = 1024, PF_PAGES_TABLE = 2 * PF_PAGES };

/* A set of pages. Zeroed: empty. */
struct pf_pages {
	unsigned shift;		  /* a grain has 1 << shift pages */
	uint32_t n;		  /* number of grains in the set */
	uint32_t grain[PF_PAGES]; /* [n] the grains: page number >> shift */
	uint32_t table[PF_PAGES_TABLE]; /* hash table of grain + 1; 0: free */
};

/* Remove all pages from the set. */
void pf_pages_clear(struct pf_pages *);

/* Add the pages of the bytes from @first_address to @last_address, both
   included. If @last_address is below @first_address, the range continues from
   the highest address to address 0. The range must have fewer than PF_LAST_PAGE
   pages. */
void pf_pages_add_address_range(struct pf_pages *, uint64_t first_address,
				uint64_t last_address);

/* Add all pages of @from. */
void pf_pages_add_all_of_other(struct pf_pages *to,
			       const struct pf_pages *from);

/**
 * pf_pages_sort_and_cover_by_extents() - Cover all pages by at most PF_EXTENTS
 * extents.
 * @out: receives the extents in ascending order; unused ones are zero.
 *
 * The extents leave out the longest gaps between pages, of equal gaps the ones
 * with the lowest addresses. This sorts the set; pages may be added later.
 */
void pf_pages_sort_and_cover_by_extents(struct pf_pages *,
					struct pf_extent out[PF_EXTENTS]);

#endif

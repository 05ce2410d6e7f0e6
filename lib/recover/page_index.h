/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page_index.h - which memory the units of a chunk touch, by the page or so
 *
 * Threads: one at a time; several for an image at once.
 *
 * To look at every access again would cost a fifth of what coding them does. So
 * the coder, which has the values of slots in hand, tells their pages and those
 * beside them, which have all accesses that are near their slot's value. The few
 * that are not are found when executions are counted; code and constant
 * addresses follow from the headers of units, each of which the coder tells.
 * Where slots hold values, too, every access is looked at after all.
 */
#ifndef LIB_RECOVER_PAGE_INDEX_H
#define LIB_RECOVER_PAGE_INDEX_H

#include "lib/recover/recover.h"
#include "lib/recover/recovered_chunk.h"
#include "profile/codec/codec.h"

struct al_way;

struct al_touch {
	struct al_recovery *recovery;
	uint64_t chunk;	     /* number of this one, from 1 */
	bool is_mixed;	     /* it has slots that are no addresses */
	struct al_way **way; /* by route; or NULL, also each */
	size_t way_bytes;    /* [bytes] of all ways */
	uint32_t n_ways;
	struct pf_pages code;
};

/* NULL when memory is short. */
struct al_touch *al_touch_new(struct al_recovery *);
void al_touch_free(struct al_touch *);

/* Of a piece that was tallied, and coded: @met, which is used up. 0; -ENOMEM. */
int al_touched(struct al_touch *, const struct al_piece *, struct pf_met *met,
	       struct pf_touched *out);

/* An access that may lie beyond the pages beside that of its slot's value. */
bool al_is_far(const struct pt_access *);

/* Adds those of accesses that happened; all of them, or which are far. */
void al_touch_accesses(struct pf_pages *, const struct al_desc *, unsigned exit,
		       const uint32_t *slots, bool all);

#endif

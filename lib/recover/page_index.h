/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page_index.h - finds the pages that the units of a chunk access
 *
 * Threads: one at a time; several page indexes of an exec image may be used at
 *          once.
 *
 * Reading every access again would cost a fifth of the time to encode them. So
 * the encoder, which reads the slot values anyway, reports the page of each
 * slot value and its two neighbours. These pages contain all accesses near
 * their slot's value. The few accesses far from it are found when executions
 * are counted (chunk_counts.h). Pages of code and constant addresses follow
 * from the unit headers, which the encoder also reports. If some slots hold
 * values instead of addresses, every access is read after all.
 */
#ifndef LIB_RECOVER_PAGE_INDEX_H
#define LIB_RECOVER_PAGE_INDEX_H

#include "lib/recover/recover.h"
#include "lib/recover/recovered_chunk.h"
#include "profile/codec/codec.h"

struct al_route_pages;

/* Page index of one recoverer: a cache of the lists of memory pages of its
   routes. */
struct al_page_index {
	struct al_recovery *recovery;
	uint64_t chunk; /* number of the current chunk, from 1 */
	bool is_mixed;	/* some slots of this chunk hold values, time stamps or
			   instruction counts instead of addresses */
	/* [n_routes] list of memory pages of each route; NULL: not made yet */
	struct al_route_pages **route_pages;
	size_t route_bytes; /* [bytes] of all page lists together */
	uint32_t n_routes;
	struct pf_pages code; /* pages of the instructions that the current
				 chunk executed */
};

/* Return a new page index, for al_page_index_free(); NULL if memory is
   short. */
struct al_page_index *al_page_index_new(struct al_recovery *);
void al_page_index_free(struct al_page_index *); /* does nothing for NULL */

/* Set @extents_out to the extents (ranges) of the memory pages of code, and of
   those of data, that a chunk accesses. Call it after
   al_recoverer_set_counts_and_far_pages() and pf_encode_chunk().
   @headers_and_incomplete_data_pages: the unit headers and data pages that
   pf_encode_chunk() stored; the data pages that are missing there are added.
   Return: 0; -ENOMEM. */
int al_page_index_compute_chunk_extents(
	struct al_page_index *, const struct al_recovered_chunk *,
	struct pf_chunk_content *headers_and_incomplete_data_pages,
	struct pf_touched *extents_out);

/* Whether an access may extend beyond the page of its slot's value and the two
   neighbours of that page. */
bool al_access_is_over_a_page_from_slot_value(const struct pt_access *);

/* Add to the page set the memory pages of the accesses that happened up to exit
   @exit: if @include_accesses_near_slot_values, of all accesses, else only of
   those for which al_access_is_over_a_page_from_slot_value() is true. @slots:
   first slot of the unit. */
void al_page_index_add_access_pages(struct pf_pages *, const struct al_desc *,
				    unsigned exit, const uint32_t *slots,
				    bool include_accesses_near_slot_values);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chunk_counts.h - counts the instructions and accesses of one chunk
 *
 * Threads: as the recoverer.
 */
#ifndef LIB_RECOVER_CHUNK_COUNTS_H
#define LIB_RECOVER_CHUNK_COUNTS_H

#include "lib/recover/recover.h"
#include "lib/recover/recovered_chunk.h"

/* Set `counts` of a chunk that @r has recovered to the numbers of its executed
   instructions and accesses, and `far_pages` to the pages of its far accesses,
   which may lie beyond the pages next to their slot value's
   (al_access_is_over_a_page_from_slot_value()). Return: 0; -ENOMEM. */
int al_recoverer_set_counts_and_far_pages(struct al_recoverer *r,
					  struct al_recovered_chunk *);

#endif

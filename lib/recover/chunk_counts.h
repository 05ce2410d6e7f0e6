/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chunk_counts.h - what the units of one chunk amount to
 *
 * Threads: as the recoverer.
 */
#ifndef LIB_RECOVER_CHUNK_COUNTS_H
#define LIB_RECOVER_CHUNK_COUNTS_H

#include "lib/recover/recover.h"
#include "lib/recover/recovered_chunk.h"

/* Sets the counts, and what is far, of a piece that was recovered by @r. 0;
   -ENOMEM. */
int al_tally(struct al_recoverer *r, struct al_piece *);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * al_tally.h - what the units of one chunk amount to
 *
 * Threads: as the recoverer.
 */
#ifndef AL_TALLY_H
#define AL_TALLY_H

#include "lib/recover/recovered_chunk.h"
#include "lib/recover/recover.h"

/* Sets the counts, and what is far, of a piece that was recovered by @r. 0;
   -ENOMEM. */
int al_tally(struct al_recoverer *r, struct al_piece *);

#endif

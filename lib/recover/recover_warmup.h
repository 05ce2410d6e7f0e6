/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recover_warmup.h - units of blocks that warm lanes may want
 *
 * Threads: as a recoverer.
 *
 * They are listed in the piece, whether they count for other lanes or not.
 */
#ifndef LIB_RECOVER_RECOVER_WARMUP_H
#define LIB_RECOVER_RECOVER_WARMUP_H

#include "lib/recover/recover.h"

/* A block was met. @listed: receives whether warm lanes of the thread may want
   it. 0; -ENOMEM. Context: the recovery's lock is held. */
int al_recover_list(struct al_recoverer *, const struct al_desc *,
		    bool *listed);

/* Lists a unit with slots at @at, of a block for which that is so. What was read
   of the chunk is not read again, for it may have changed. 0; -ENOMEM. */
int al_recover_warm(struct al_recoverer *, uint32_t header, uint32_t at,
		    struct al_piece *);

/* The same for the PT_CUT unit at the cursor, of any block. 0; -EPROTO; -ENOMEM.
   Context: the recovery's lock is held. */
int al_recover_warm_cut(struct al_recoverer *, unsigned bytes,
			const struct al_cursor *, struct al_piece *);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recover_warmup.h - lists the executions that a warmup may simulate
 *
 * Threads: as a recoverer.
 *
 * A lane is a window's entry for some threads. A warm lane selects instructions
 * before its window is recorded: they warm the caches and are not counted; see
 * proto/window.h. The executions are appended to al_recovered_chunk.warmup,
 * whether or not they are recorded for other lanes.
 */
#ifndef LIB_RECOVER_RECOVER_WARMUP_H
#define LIB_RECOVER_RECOVER_WARMUP_H

#include "lib/recover/recover.h"

/* If warm lanes (thread filters of warm-ups) of the running thread may select
   the block, store its descriptor in `warmup_desc` of the recoverer for each of
   its routes. @is_stored: receives whether the descriptor was stored. Return:
   0; -ENOMEM. Context: the recovery's lock is held. */
int al_recover_store_warmup_desc(struct al_recoverer *, const struct al_desc *,
				 bool *is_stored);

/* Append an execution of a block that al_recover_store_warmup_desc() has
   stored, at the end of the chunk's member `warmup`. @unit_header: the unit's
   header, as read before; it is not read again, because the program may have
   changed it. @slot_word_index: position of the unit's slots in the chunk [4
   bytes]. @is_recorded: the execution is appended to the chunk's executions,
   too, after this call. Return: 0; -ENOMEM. */
int al_recover_append_warmup_execution(struct al_recoverer *,
				       uint32_t unit_header,
				       uint32_t slot_word_index,
				       bool is_recorded,
				       struct al_recovered_chunk *);

/* Append the execution of a PT_CUT unit, a block stopped by a fault, to the
   chunk's warm-up executions if warm lanes (thread filters of warm-ups) of the
   running thread may select the block. The unit begins at the reader's position
   and has @unit_bytes. @is_recorded: as for
   al_recover_append_warmup_execution(). Return: 0; -EPROTO if the unit ends
   before the slot of the instruction count; -ENOMEM. Context: the recovery's
   lock is held. */
int al_recover_add_faulted_warmup_execution(struct al_recoverer *,
					    unsigned unit_bytes,
					    const struct al_unit_reader *,
					    bool is_recorded,
					    struct al_recovered_chunk *);

#endif

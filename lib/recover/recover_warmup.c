/* SPDX-License-Identifier: GPL-2.0-or-later */
/* recover_warmup.c - lists the executions that a warmup may simulate; see
   recover_warmup.h */

#include "lib/recover/recover_warmup.h"

#include <errno.h>
#include <stdlib.h>

#include "base/tables/array.h"

/* Whether warm-up executions are listed, block @d records the instruction
   count, and a warm lane (thread filter of a warm-up) of the running thread's
   class selects the block. */
static bool may_warmup_select_block(const struct al_recoverer *r,
				    const struct al_desc *d)
{
	const struct al_recovery *all = r->recovery;

	return all->lists_warmup && d->instret_slot != PT_NO_SLOT &&
	       (d->lanes & all->lanes.class[r->class].warm);
}

int al_recover_store_warmup_desc(struct al_recoverer *r,
				 const struct al_desc *d, bool *is_stored)
{
	*is_stored = false;
	if (!may_warmup_select_block(r, d))
		return 0;
	if (al_array_reserve_zeroed(r->warmup_desc, r->n_warmup_descs,
				    d->first_route + d->n_exits) != 0)
		return -ENOMEM;
	for (unsigned e = 0; e < d->n_exits; e++)
		r->warmup_desc[d->first_route + e] = d;
	*is_stored = true;
	return 0;
}

int al_recover_append_warmup_execution(struct al_recoverer *r,
				       uint32_t unit_header,
				       uint32_t slot_word_index,
				       bool is_recorded,
				       struct al_recovered_chunk *p)
{
	uint32_t route = pt_block_unit_route(unit_header);
	const struct al_desc *d = r->warmup_desc[route];
	const struct al_warmup_exec warm = {
		.desc = d,
		.slots_index = slot_word_index,
		.n_words = (uint16_t)(pt_unit_length_in_u32s(unit_header) - 1),
		.exit = (uint16_t)(route - d->first_route),
		.class = (uint8_t)r->class,
		.n_recorded = (uint32_t)p->n_execs + is_recorded,
	};

	return al_recovered_chunk_add_warmup_execution(p, &warm);
}

/* A PT_CUT unit ends with the block's id, 32 bits, and the position of the
   fault, 64 bits. */
int al_recover_add_faulted_warmup_execution(struct al_recoverer *r,
					    unsigned unit_bytes,
					    const struct al_unit_reader *c,
					    bool is_recorded,
					    struct al_recovered_chunk *p)
{
	const struct al_blocks *blocks = &r->recovery->blocks;
	unsigned length = unit_bytes / 4;
	uint32_t id =
		pt_read_shared_u32_relaxed(c->base + c->next + length - 3);
	struct al_warmup_exec warm = {
		.slots_index = (uint32_t)c->next + 1,
		.n_words = (uint16_t)(length - 1),
		.exit = AL_EXIT_FAULT,
		.class = (uint8_t)r->class,
		.n_recorded = (uint32_t)p->n_execs + is_recorded,
	};

	if (id >= blocks->n || !may_warmup_select_block(r, blocks->desc[id]))
		return 0;
	warm.desc = blocks->desc[id];
	return length < 6u + 2u * warm.desc->instret_slot
		       ? -EPROTO
		       : al_recovered_chunk_add_warmup_execution(p, &warm);
}

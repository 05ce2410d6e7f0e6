/* SPDX-License-Identifier: GPL-2.0-or-later */
/* recover_warmup.c - lists executions for warm lanes; see recover_warmup.h */

#include "lib/recover/recover_warmup.h"

#include <errno.h>
#include <stdlib.h>

/* Whether warm lanes of the running thread may select the block. */
static bool may_be_warm(const struct al_recoverer *r, const struct al_desc *d)
{
	const struct al_recovery *all = r->recovery;

	return all->warms && d->far != PT_NO_SLOT &&
	       (d->lanes & all->lanes.class[r->class].warm);
}

/* Enlarge r->whole to all routes of the log. */
static int grow_whole(struct al_recoverer *r)
{
	uint32_t n = r->recovery->blocks.n_routes;
	void *p = realloc(r->whole, n * sizeof(struct al_desc *));

	if (p == NULL)
		return -ENOMEM;
	r->whole = p;
	r->n_whole = n;
	return 0;
}

int al_recover_list(struct al_recoverer *r, const struct al_desc *d,
		    bool *listed)
{
	*listed = false;
	if (!may_be_warm(r, d))
		return 0;
	if (d->route + d->n_exits > r->n_whole && grow_whole(r) != 0)
		return -ENOMEM;
	for (unsigned e = 0; e < d->n_exits; e++)
		r->whole[d->route + e] = d;
	*listed = true;
	return 0;
}

int al_recover_warm(struct al_recoverer *r, uint32_t header, uint32_t at,
		    struct al_piece *p)
{
	uint32_t route = pt_unit_route(header);
	const struct al_desc *d = r->whole[route];
	const struct al_warm warm = {
		.desc = d,
		.at = at,
		.words = (uint16_t)(pt_unit_length(header) - 1),
		.exit = (uint16_t)(route - d->route),
		.class = (uint8_t)r->class,
	};

	return al_piece_warm(p, &warm);
}

/* A PT_CUT unit ends with 32 bits of block id, and a word for the position of
   the fault. */
int al_recover_warm_cut(struct al_recoverer *r, unsigned bytes,
			const struct al_cursor *c, struct al_piece *p)
{
	const struct al_blocks *blocks = &r->recovery->blocks;
	unsigned length = bytes / 4;
	uint32_t id = pt_half(c->base + c->at + length - 3);
	struct al_warm warm = {
		.at = (uint32_t)c->at + 1,
		.words = (uint16_t)(length - 1),
		.exit = AL_CUT,
		.class = (uint8_t)r->class,
	};

	if (id >= blocks->n || !may_be_warm(r, blocks->desc[id]))
		return 0;
	warm.desc = blocks->desc[id];
	return length < 6u + 2u * warm.desc->far ? -EPROTO
						 : al_piece_warm(p, &warm);
}

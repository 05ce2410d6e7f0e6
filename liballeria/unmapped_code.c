/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unmapped_code.c - code in a file of which no object is known; see names.h
 *
 * Of objects only .text was told; what else is executed, .plt and .init, say,
 * has but the path of its file, with each block that begins there. Those are few,
 * and all of them are read, for another may have gone on there before.
 */
#include <errno.h>
#include <stdlib.h>

#include "liballeria/descriptors.h"
#include "liballeria/names.h"

static int find_more(struct ap_stream *s)
{
	const struct al_blocks *b = &s->blocks;
	int err = 0;

	for (; !err && s->n_searched < b->n; s->n_searched++)
		if (!b->desc[s->n_searched]->mapping &&
		    b->desc[s->n_searched]->path)
			err = ap_entries_add(&s->loose, s->n_searched);
	return err;
}

static bool holds(const struct al_desc *d, uint64_t address)
{
	for (unsigned i = 0; i < d->n_instrs; i++)
		if (address - d->instr[i].addr < d->instr[i].len)
			return true;
	return false;
}

int ap_loose_path(struct ap_stream *s, uint64_t address, const char **path)
{
	int err = ap_stream_ready(s, UINT32_MAX);

	*path = NULL;
	if (err != -ENOMEM)
		err = find_more(s);
	for (uint32_t i = s->loose.n; !err && !*path && i-- > 0;) {
		const struct al_desc *d = s->blocks.desc[s->loose.entry[i]];

		if (holds(d, address))
			*path = d->path;
	}
	return err;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unmapped_code.c - finds the file of code outside known objects; see names.h
 *
 * The tool reports only the .text of an object as a mapping. A block that
 * begins in other code, such as .plt or .init, carries the path of its file
 * instead. There are few such blocks. All of them are searched, because the
 * code of a block may continue past the section in which it begins.
 */
#include <errno.h>
#include <stdlib.h>

#include "liballeria/descriptors.h"
#include "liballeria/names.h"

/* Search the blocks that were not searched yet, and append to
   s->unmapped_blocks those that have the path of a file but lie in no known
   object. Return: 0; -ENOMEM. */
static int append_blocks_with_path_outside_mappings(struct ap_stream *s)
{
	const struct al_blocks *b = &s->blocks;
	int err = 0;

	for (; !err && s->n_searched < b->n; s->n_searched++)
		if (!b->desc[s->n_searched]->mapping &&
		    b->desc[s->n_searched]->path)
			err = ap_entries_add(&s->unmapped_blocks,
					     s->n_searched);
	return err;
}

/* Whether the bytes of some instruction of a block's descriptor include
   @address. */
static bool is_address_in_some_instr(const struct al_desc *d, uint64_t address)
{
	for (unsigned i = 0; i < d->n_instrs; i++)
		if (address - d->instr[i].addr < d->instr[i].len)
			return true;
	return false;
}

int ap_find_path_of_unmapped_code_or_null(struct ap_stream *s, uint64_t address,
					  uint64_t log_offset,
					  const char **path)
{
	int err = ap_stream_read_log_before_entry(s, UINT32_MAX);
	bool is_described_before = false;

	*path = NULL;
	if (err != -ENOMEM)
		err = append_blocks_with_path_outside_mappings(s);
	for (uint32_t i = s->unmapped_blocks.n;
	     !err && !is_described_before && i-- > 0;) {
		const struct al_desc *d =
			s->blocks.desc[s->unmapped_blocks.entry[i]];

		if (!is_address_in_some_instr(d, address))
			continue;
		*path = d->path;
		is_described_before = ap_log_offset_of_desc(s, d) <= log_offset;
	}
	return err;
}

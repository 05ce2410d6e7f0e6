/* SPDX-License-Identifier: GPL-2.0-or-later */
/* code_file.c - finds the object file of code; see code_file.h */

#include "lib/recover/code_file.h"

#include "lib/recover/blocks.h"

bool al_desc_has_instr_with_byte_at(const struct al_desc *d, uint64_t addr)
{
	for (unsigned i = 0; i < d->n_instrs; i++)
		if (addr - d->instr[i].addr < d->instr[i].len)
			return true;
	return false;
}

/* Return the path of the newest block outside of all mappings that contains
   @addr and had been described when the log had @log_offset bytes; NULL if
   there is none. */
static const char *
find_path_of_block_outside_mappings(const struct al_blocks *b, uint64_t addr,
				    uint64_t log_offset)
{
	for (uint32_t i = b->n_outside; i-- > 0;) {
		uint32_t id = b->outside[i];
		const struct al_desc *d = b->desc[id];

		if ((id < b->n_borrowed || d->log_end <= log_offset) &&
		    al_desc_has_instr_with_byte_at(d, addr))
			return d->path;
	}
	return NULL;
}

bool al_code_file_find_bias(const struct al_mappings *mappings,
			    const char *interned_path, uint64_t *bias)
{
	for (size_t i = 0; i < mappings->n_live; i++)
		if (mappings->live[i]->path == interned_path) {
			*bias = mappings->live[i]->bias;
			return true;
		}
	return false;
}

bool al_code_file_find_path_and_bias(const struct al_blocks *blocks,
				     uint64_t addr, uint64_t log_offset,
				     struct al_code_file *file)
{
	const struct al_mapping *m = al_mappings_find_at_log_offset(
		&blocks->mappings, addr, log_offset);

	*file = (struct al_code_file){0};
	if (m != NULL) {
		*file = (struct al_code_file){m->path, true, true, m->bias};
		return true;
	}
	file->path =
		find_path_of_block_outside_mappings(blocks, addr, log_offset);
	if (file->path == NULL)
		return false;
	file->is_bias_known = al_code_file_find_bias(&blocks->mappings,
						     file->path, &file->bias);
	return true;
}

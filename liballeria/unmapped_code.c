/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unmapped_code.c - finds the file of code outside known objects; see names.h
 *
 * The tool reports only the .text of an object as a mapping. A block that
 * begins in other code, such as .plt or .init, carries the path of its file
 * instead. There are few such blocks. They are searched one by one, the last
 * first, because the code of a block may continue past the section in which it
 * begins.
 */
#include <errno.h>
#include <stdlib.h>

#include "lib/recover/code_file.h"
#include "liballeria/descriptors.h"
#include "liballeria/names.h"

int ap_find_path_of_code_outside_mappings(struct ap_stream *s, uint64_t address,
					  uint64_t log_offset,
					  const char **path)
{
	int err = ap_stream_read_log_before_entry(s, UINT32_MAX);
	bool is_described_before = false;

	*path = NULL;
	if (err == -ENOMEM)
		return err;
	for (uint32_t i = s->blocks.n_outside;
	     !is_described_before && i-- > 0;) {
		const struct al_desc *d = s->blocks.desc[s->blocks.outside[i]];

		if (!al_desc_has_instr_with_byte_at(d, address))
			continue;
		*path = d->path;
		is_described_before =
			ap_log_offset_after_desc(s, d) <= log_offset;
	}
	return 0;
}

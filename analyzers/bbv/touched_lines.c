/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * touched_lines.c - counts the accesses of an interval by lines of data
 */
#include <errno.h>
#include <stdlib.h>

#include "analyzers/bbv/bbv.h"
#include "base/tables/array.h"

enum { LINE_SHIFT = 6 };

static int count_access_to_line(struct an_touched_lines *t, uint64_t line)
{
	uint32_t number;
	bool is_new;
	int err = al_key_table_find_or_add_pair(&t->line, line, 0, &number,
						&is_new);

	if (err || al_array_reserve(t->count, t->max_counts, number + 1u) != 0)
		return -ENOMEM;
	t->count[number] = is_new ? 1 : t->count[number] + 1;
	return 0;
}

static int count_performed_access_on_its_lines(struct an_touched_lines *t,
					       const struct pt_access *a,
					       const struct an_batch *batch,
					       struct an_exec e)
{
	uint64_t base = a->slot == PT_NO_SLOT
				? 0
				: an_exec_slot_value(batch, e, a->slot);
	uint64_t address = base + a->delta, line_size = 1 << LINE_SHIFT;
	unsigned bytes_from_line_start =
		(unsigned)(address % line_size) + a->size;
	int err = 0;

	if ((a->flags & PT_GUARDED) && a->slot != PT_NO_SLOT &&
	    base == PT_NOT_DONE)
		return 0;
	for (unsigned at = 0; at < bytes_from_line_start && !err;
	     at += line_size)
		err = count_access_to_line(t, (address + at) >> LINE_SHIFT);
	return err;
}

int an_touched_lines_count_accesses(struct an_touched_lines *t,
				    const struct an_block *b,
				    const struct an_batch *batch,
				    struct an_exec e)
{
	unsigned n = b->exit[an_exec_exit_number(e)].n_accesses;
	int err = 0;

	for (unsigned i = 0; i < n && !err; i++)
		err = count_performed_access_on_its_lines(t, &b->access[i],
							  batch, e);
	return err;
}

void an_touched_lines_release(struct an_touched_lines *t)
{
	al_key_table_release(&t->line);
	free(t->count);
	*t = (struct an_touched_lines){0};
}

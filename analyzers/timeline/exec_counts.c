/* SPDX-License-Identifier: GPL-2.0-or-later */
/* exec_counts.c - stores for each exit of a block the instructions, reads and
   writes of an execution that leaves by it; see exec_counts.h */

#include "analyzers/timeline/exec_counts.h"

#include <errno.h>
#include <stdlib.h>

#include "base/tables/array.h"

static uint64_t
pack_instr_read_and_write_counts_to_exit(const struct an_block *b,
					 const struct pt_exit *exit)
{
	uint64_t counts = (uint64_t)exit->n_instrs << AN_COUNT_INSTRS;

	for (unsigned i = 0; i < exit->n_accesses; i++)
		counts += an_access_packed_read_write_counts(&b->access[i]);
	return counts;
}

/* List the accesses of a block that are guarded or longer than
   @max_unlisted_size. Return: false if memory is short. */
static bool try_list_guarded_and_long_accesses(struct an_listed_accesses *out,
					       const struct an_block *b,
					       unsigned max_unlisted_size,
					       struct an_arena *arena)
{
	uint16_t number[PT_MAX_ACCESSES], *copy;
	unsigned n = 0;

	for (unsigned i = 0; i < b->n_accesses; i++)
		if (an_access_is_guarded(&b->access[i]) ||
		    b->access[i].size > max_unlisted_size)
			number[n++] = (uint16_t)i;
	copy = n ? an_arena_alloc(arena, n * sizeof(*copy)) : NULL;
	for (unsigned i = 0; copy && i < n; i++)
		copy[i] = number[i];
	*out = (struct an_listed_accesses){b, copy, n};
	return n == 0 || copy != NULL;
}

int an_exec_counts_add_block(struct an_exec_counts *c, const struct an_block *b,
			     unsigned max_unlisted_access_size)
{
	size_t n = c->n_blocks, exit = c->n_exits;
	uint64_t has_listed;

	if (al_array_reserve(c->first_exit, c->first_exits_size, n + 1) != 0 ||
	    al_array_reserve(c->listed, c->listed_size, n + 1) != 0 ||
	    al_array_reserve(c->exit_counts, c->exit_counts_size,
			     exit + b->n_exits) != 0 ||
	    !try_list_guarded_and_long_accesses(
		    &c->listed[n], b, max_unlisted_access_size, &c->arena))
		return -ENOMEM;
	has_listed = c->listed[n].n ? AN_COUNT_HAS_LISTED : 0;
	c->first_exit[n] = (uint32_t)exit;
	for (unsigned e = 0; e < b->n_exits; e++)
		c->exit_counts[exit + e] =
			pack_instr_read_and_write_counts_to_exit(b,
								 &b->exit[e]) |
			has_listed;
	c->n_blocks++;
	c->n_exits += b->n_exits;
	return 0;
}

void an_exec_counts_release(struct an_exec_counts *c)
{
	free(c->first_exit);
	free(c->exit_counts);
	free(c->listed);
	an_arena_free_all_and_reset(&c->arena);
	*c = (struct an_exec_counts){0};
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* block_list.c - stores the blocks of one state of an analysis, and computes
   executions of their instructions and accesses; see block_list.h */

#include "analyzers/block_list.h"

#include <stdlib.h>

#include "base/tables/array.h"

int an_block_list_append(struct an_block_list *l, const struct an_block *block)
{
	int err = al_array_reserve(l->block, l->size, l->n + 1);

	if (!err)
		l->block[l->n++] = block;
	return err;
}

void an_block_list_free_array(struct an_block_list *l)
{
	free(l->block);
	*l = (struct an_block_list){0};
}

uint64_t an_instr_exec_count(const struct an_block *b, unsigned instr)
{
	uint64_t times = 0;

	for (unsigned e = 0; e < b->n_exits; e++)
		if (b->exit[e].n_instrs > instr)
			times += b->exit_count[e];
	return times;
}

uint64_t an_access_performed_count(const struct an_block *b, unsigned access)
{
	uint64_t times = 0;

	for (unsigned e = 0; e < b->n_exits; e++)
		if (b->exit[e].n_accesses > access)
			times += b->exit_count[e];
	return times - (b->skip_count ? b->skip_count[access] : 0);
}

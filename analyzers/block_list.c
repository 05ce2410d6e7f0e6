/* SPDX-License-Identifier: GPL-2.0-or-later */
/* block_list.c - stores the blocks of a state; see block_list.h */

#include "analyzers/block_list.h"

#include <errno.h>
#include <stdlib.h>

int an_block_list_add(struct an_block_list *l, const struct an_block *block)
{
	if (l->n == l->size) {
		size_t size = l->size ? 2 * l->size : 1024;
		void *p = realloc(l->block, size * sizeof(*l->block));

		if (p == NULL)
			return -ENOMEM;
		l->block = p;
		l->size = size;
	}
	l->block[l->n++] = block;
	return 0;
}

void an_block_list_release(struct an_block_list *l)
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

uint64_t an_access_exec_count(const struct an_block *b, unsigned access)
{
	uint64_t times = 0;

	for (unsigned e = 0; e < b->n_exits; e++)
		if (b->exit[e].n_accesses > access)
			times += b->exit_count[e];
	return times - (b->skip_count ? b->skip_count[access] : 0);
}

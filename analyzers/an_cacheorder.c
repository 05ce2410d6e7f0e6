/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * an_cacheorder.c - batches simulated one access after the other
 *
 * Room:    analyzers.
 *
 * For any geometry: nothing is known beforehand.
 */

#include "analyzers/an_cachesim.h"

static void access_one(struct an_cachesim *s, struct an_cacheblock *c, int path,
		       unsigned row, struct an_ref r)
{
	int levels = an_hierarchy_access(&s->hierarchy, path, r.addr, r.size,
					 r.write);

	if (levels > 0)
		an_cacheblock_misses(c, row)[levels - 1]++;
}

static void fetch(struct an_cachesim *s, struct an_cacheblock *c,
		  unsigned instr)
{
	const struct pt_instr *i = &c->block->instr[instr];

	access_one(s, c, AN_INSTRUCTION, instr,
		   (struct an_ref){i->addr, i->len, false});
}

/* The data of instruction @instr. Return: number of the next access. */
static unsigned access_data(struct an_cachesim *s, struct an_cacheblock *c,
			    unsigned access, unsigned end, unsigned instr,
			    const uint32_t *slots)
{
	const struct an_block *b = c->block;
	struct an_ref r;

	for (; access < end && b->access[access].instr <= instr; access++)
		if (an_cacheblock_ref(c, s->hierarchy.smallest_line, access,
				      slots, &r))
			access_one(s, c, AN_DATA, b->n_instrs + access, r);
	return access;
}

int an_cacheorder_run(struct an_cachesim *s, const struct an_batch *batch)
{
	for (size_t i = 0; i < batch->n_execs; i++) {
		struct an_exec e = batch->exec[i];
		struct an_cacheblock *c = &s->block[e.block];
		const struct pt_exit *x = &c->block->exit[an_exit(e)];
		const uint32_t *slots = batch->base + an_at(e);
		unsigned access = 0;

		for (unsigned instr = 0; instr < x->n_instrs; instr++) {
			fetch(s, c, instr);
			access = access_data(s, c, access, x->n_accesses, instr,
					     slots);
		}
	}
	return 0;
}

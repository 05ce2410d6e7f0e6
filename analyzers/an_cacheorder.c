/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * an_cacheorder.c - batches simulated one access after the other
 *
 * Room:    analyzers.
 *
 * For any geometry: nothing is known beforehand.
 */

#include "analyzers/an_cachesim.h"

static void access_one(struct an_cachesim *s, const struct an_block *b,
		       int path, unsigned row, struct an_ref r)
{
	int levels = an_hierarchy_access(&s->hierarchy, path, r.addr, r.size,
					 r.write);
	uint64_t *rows;

	if (levels == 0)
		return;
	rows = an_cachesim_rows(s, b->id, path);
	if (rows == NULL)
		rows = an_cachesim_new_rows(s, b, path);
	if (rows != NULL)
		an_cachesim_count(s, rows, row, levels);
}

static void fetch(struct an_cachesim *s, const struct an_block *b,
		  unsigned instr)
{
	const struct pt_instr *i = &b->instr[instr];

	access_one(s, b, AN_INSTRUCTION, instr,
		   (struct an_ref){i->addr, i->len, false});
}

/* The data of instruction @instr. Return: number of the next access. */
static unsigned access_data(struct an_cachesim *s, const struct an_block *b,
			    unsigned access, unsigned end, unsigned instr,
			    const uint32_t *slots)
{
	struct an_ref r;

	for (; access < end && b->access[access].instr <= instr; access++)
		if (an_block_ref(b, s->hierarchy.smallest_line, access, slots,
				 &r))
			access_one(s, b, AN_DATA, access, r);
	return access;
}

int an_cacheorder_run(struct an_cachesim *s, const struct an_batch *batch)
{
	const struct an_plan *plan = s->lane[batch->lane].plan;

	for (size_t i = 0; i < batch->n_execs; i++) {
		struct an_exec e = batch->exec[i];
		const struct an_block *b = plan[e.block].data->block;
		const struct pt_exit *x = &b->exit[an_exit(e)];
		const uint32_t *slots = batch->base + an_at(e);
		unsigned access = 0;

		for (unsigned instr = 0; instr < x->n_instrs; instr++) {
			fetch(s, b, instr);
			access = access_data(s, b, access, x->n_accesses, instr,
					     slots);
		}
	}
	return s->error;
}

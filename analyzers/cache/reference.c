/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reference.c - simulates batches one access after the other
 *
 * Works for any geometry and precomputes nothing.
 */

#include "analyzers/cache/simulation.h"

static void simulate_access_and_count_miss(struct an_cachesim *s,
					   const struct an_plan *plan, int path,
					   unsigned instr_or_access,
					   struct an_ref r)
{
	int levels = an_hierarchy_access_count_missed(&s->hierarchy, path,
						      r.addr, r.size, r.write);

	if (levels > 0)
		an_cachesim_count_miss(s, plan, plan->data->block->id, path,
				       instr_or_access, levels);
}

static void simulate_fetch_and_count_miss(struct an_cachesim *s,
					  const struct an_plan *plan,
					  unsigned instr)
{
	const struct pt_instr *i = &plan->data->block->instr[instr];

	simulate_access_and_count_miss(s, plan, AN_INSTRUCTION, instr,
				       (struct an_ref){i->addr, i->len, false});
}

/* Simulate the data accesses of instruction @instr, beginning with number
   @access. Return: number of the next access. */
static unsigned simulate_accesses_of_instr(struct an_cachesim *s,
					   const struct an_plan *plan,
					   unsigned access, unsigned end_access,
					   unsigned instr,
					   const uint32_t *slots)
{
	const struct an_block *b = plan->data->block;
	struct an_ref r;

	for (; access < end_access && b->access[access].instr <= instr;
	     access++)
		if (an_block_get_access_if_done(b, s->hierarchy.smallest_line,
						access, slots, &r))
			simulate_access_and_count_miss(s, plan, AN_DATA, access,
						       r);
	return access;
}

int an_reference_simulate_batch(struct an_cachesim *s,
				const struct an_batch *batch)
{
	const struct an_plan *plan = s->inflight[batch->inflight_slot].plan;

	for (size_t i = 0; i < batch->n_execs; i++) {
		struct an_exec e = batch->exec[i];
		const struct an_block *b = plan[e.block].data->block;
		const struct pt_exit *x = &b->exit[an_exec_exit_number(e)];
		const uint32_t *slots = batch->slots + an_exec_slot_offset(e);
		unsigned access = 0;

		for (unsigned instr = 0; instr < x->n_instrs; instr++) {
			simulate_fetch_and_count_miss(s, &plan[e.block], instr);
			access = simulate_accesses_of_instr(
				s, &plan[e.block], access, x->n_accesses, instr,
				slots);
		}
	}
	return s->count_error;
}

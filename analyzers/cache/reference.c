/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reference.c - simulates batches one access after the other
 *
 * Works for any geometry and precomputes nothing.
 */

#include "analyzers/cache/simulation.h"

/* The execution that is simulated. */
struct execution {
	const struct an_plan *plan; /* plan of the execution's block */
	struct an_exec exec;
	const uint32_t *slots;
	bool warm;     /* the execution is of a warm-up */
	bool observed; /* misses of the execution are reported to the
			  observer */
};

/* Pass miss @m of @levels levels to s->lower_observer and, if x->observed is
   set, to s->observer, except a fetch while s->observer.has_code is false. If
   x->observed is set, also report the lines that were written back because of
   the miss; empty the list of these lines. */
static void report_miss_and_write_backs(struct an_cachesim *s,
					const struct execution *x,
					const struct an_miss *m, int levels)
{
	if (x->observed && (m->path == AN_DATA || s->observer.has_code))
		s->observer.count_miss(s->observer.arg, m, levels);
	if (s->lower_observer.pass_miss)
		s->lower_observer.pass_miss(s->lower_observer.arg,
					    x->plan->data->block, m, levels,
					    x->warm);
	if (s->lower_write_backs.n > 0)
		an_cachesim_report_and_clear_write_backs(s, m, x->observed);
}

/* Simulate an access of instruction @instr, and count and report its miss, if
   any. @path: AN_INSTRUCTION: the fetch, @instr_or_access is @instr; AN_DATA:
   data access number @instr_or_access of the block. */
static void simulate_access_and_count_miss(struct an_cachesim *s,
					   const struct execution *x, int path,
					   unsigned instr_or_access,
					   unsigned instr, struct an_ref r)
{
	int levels = an_hierarchy_use_below_l1_missed_count(
		&s->hierarchy, path, r.addr, r.size, r.write);
	struct an_miss m = {0};

	if (levels == 0)
		return;
	an_cachesim_count_miss_by_depth(s, x->plan, x->plan->data->block->id,
					path, instr_or_access, levels);
	an_miss_fill(&m, x->exec, path, instr_or_access, instr, r);
	report_miss_and_write_backs(s, x, &m, levels);
}

static void simulate_fetch_in_all_levels_count_miss(struct an_cachesim *s,
						    const struct execution *x,
						    unsigned instr)
{
	const struct pt_instr *i = &x->plan->data->block->instr[instr];

	simulate_access_and_count_miss(s, x, AN_INSTRUCTION, instr, instr,
				       (struct an_ref){i->addr, i->len, false});
}

/* Simulate the data accesses of instruction @instr, from access number @access
   up to and without @end_access. Return: number of the first access after
   them. */
static unsigned simulate_instr_accesses_get_next_access(
	struct an_cachesim *s, const struct execution *x, unsigned access,
	unsigned end_access, unsigned instr)
{
	const struct an_block *b = x->plan->data->block;
	struct an_ref r;

	for (; access < end_access && b->access[access].instr <= instr;
	     access++)
		if (an_block_compute_access_ref(b, s->hierarchy.smallest_line,
						access, x->slots, &r))
			simulate_access_and_count_miss(s, x, AN_DATA, access,
						       instr, r);
	return access;
}

static void simulate_exec_in_all_levels_count_misses(struct an_cachesim *s,
						     const struct execution *x)
{
	const struct an_block *b = x->plan->data->block;
	const struct pt_exit *exit = &b->exit[an_exec_exit_number(x->exec)];
	unsigned access = 0;

	for (unsigned instr = 0; instr < exit->n_instrs; instr++) {
		simulate_fetch_in_all_levels_count_miss(s, x, instr);
		access = simulate_instr_accesses_get_next_access(
			s, x, access, exit->n_accesses, instr);
	}
}

int an_reference_simulate_batch_one_by_one(struct an_cachesim *s,
					   const struct an_batch *batch)
{
	const struct an_plan *plan = s->inflight[batch->inflight_slot].plan;
	int err = batch->warm ? 0 : an_cachesim_observer_begin_batch(s, batch);

	for (size_t i = 0; i < batch->n_execs && !err; i++) {
		struct an_exec e = batch->exec[i];
		const struct execution x = {
			.plan = &plan[e.block],
			.exec = e,
			.slots =
				batch->slots + an_exec_first_slot_word_index(e),
			.warm = batch->warm,
			.observed = s->observer.count_miss && !batch->warm,
		};

		simulate_exec_in_all_levels_count_misses(s, &x);
	}
	return err ? err : s->count_error;
}

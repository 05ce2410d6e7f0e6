/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sweep_run.c - runs batches through the caches of a sweep
 *
 * If only data enters the sweep, or only code, and no level is above it, the
 * precomputed plans of blocks are used (analyzers/cache/model/access_runs.h),
 * and one lookup is enough for a run of accesses whose line is in its group
 * (forest.h) in every tier. For separate first levels, one of them above the
 * sweep, see first_levels.c. In all other cases, and if struct an_l1 cannot
 * simulate the first levels, accesses are simulated one by one, in program
 * order.
 */

#include "analyzers/sweep/line_size.h"

enum {
	AHEAD = 256
}; /* distance, in words of 4 bytes, from the first slot of the execution that
      is simulated to the slot that is prefetched */
static enum an_sweep_kind write_if_store_else_read(const struct an_block *b,
						   unsigned access_index)
{
	return b->access[access_index].kind == PT_STORE ? AN_WRITE : AN_READ;
}

static void simulate_access_in_forest(struct an_forest *f, uint64_t addr,
				      unsigned size, enum an_sweep_kind kind)
{
	an_forest_access(f, addr >> f->shift, (addr + size - 1) >> f->shift,
			 kind);
}

/* ---- only data enters the sweep ---- */

/* Simulate the accesses of run @r (accesses with one base that together span at
   most a line) one by one, without guarded accesses that were not done.
   @smallest_line_bytes: line size of the level with the shortest lines; the
   sizes of longer accesses are reduced to it. */
static __attribute__((noinline)) void simulate_accesses_of_run_one_by_one(
	struct an_forest *f, const struct an_block *b,
	unsigned smallest_line_bytes, const struct an_run *r,
	const uint32_t *slots)
{
	struct an_ref ref;

	for (unsigned i = r[0].first_row; i < r[1].first_row; i++)
		if (an_block_compute_access_ref(b, smallest_line_bytes, i,
						slots, &ref))
			simulate_access_in_forest(
				f, ref.addr, ref.size,
				write_if_store_else_read(b, i));
}

static void simulate_batch_data_in_forest(struct an_line_size *l,
					  struct an_forest *f,
					  const struct an_batch *batch)
{
	const unsigned shift = f->shift;
	uint64_t clock = f->clock;

	for (size_t i = 0; i < batch->n_execs; i++) {
		struct an_exec e = batch->exec[i];
		const struct an_path_plan *p = l->plan[e.block].data;
		const uint32_t *slots =
			batch->slots + an_exec_first_slot_word_index(e);
		const struct an_run *r = an_path_plan_runs(p);
		const struct an_run *end =
			r + p->n_runs[an_exec_exit_number(e)];

		__builtin_prefetch(slots + AHEAD);
		for (; r < end; r++) {
			uint64_t addr = (pt_read_shared_unaligned_u64_once(
						 slots + r->slot_or_instr) &
					 (uint64_t)r->base_mask) +
					r->delta;
			uint64_t line = addr >> shift;
			uint64_t last = (addr + r->span) >> shift;
			uint32_t entry = an_forest_bucket_first_entry(f, line);
			uint64_t top = f->entry[entry].top;

			if (((top ^ (line + 1)) | (line ^ last)) == 0) {
				f->last_use[entry] = ++clock;
				continue;
			}
			f->clock = clock;
			simulate_accesses_of_run_one_by_one(
				f, p->block, l->upper_levels.smallest_line, r,
				slots);
			clock = f->clock;
		}
	}
	f->clock = clock;
}

/* ---- only code enters the sweep ---- */

static void simulate_batch_code_in_forest(struct an_line_size *l,
					  struct an_forest *f,
					  const struct an_batch *batch)
{
	for (size_t i = 0; i < batch->n_execs; i++) {
		struct an_exec e = batch->exec[i];
		const struct an_path_plan *p = l->plan[e.block].code;
		const struct an_run *r = an_path_plan_runs(p);
		const struct an_run *end =
			r + p->n_runs[an_exec_exit_number(e)];

		for (; r < end; r++) {
			uint64_t line = r->delta >> f->shift;

			/* An instruction in two lines has two runs with the
			   same first row; they are simulated as one access. */
			if (r + 1 < end && r[1].first_row == r->first_row)
				r++;
			an_forest_access(f, line, r->delta >> f->shift,
					 AN_READ);
		}
	}
}

/* ---- one by one, in program order ---- */
void an_line_size_simulate_access(struct an_line_size *l, int code_or_data_path,
				  struct an_ref r, enum an_sweep_kind kind)
{
	struct an_hierarchy *h = &l->upper_levels;

	if (!l->has_no_upper_level) {
		if (an_hierarchy_use_below_l1_missed_count(
			    h, code_or_data_path, r.addr, r.size, r.write) !=
		    h->depth[code_or_data_path])
			return;
		l->upper_misses[kind] += !l->warm;
	}
	for (unsigned i = 0; i < l->n_forests; i++)
		simulate_access_in_forest(&l->forest[i], r.addr, r.size, kind);
}

static void simulate_access_if_path_is_swept(struct an_line_size *l,
					     int code_or_data_path,
					     struct an_ref r,
					     enum an_sweep_kind access_kind)
{
	if (l->on_path[code_or_data_path])
		an_line_size_simulate_access(l, code_or_data_path, r,
					     access_kind);
}

static void simulate_exec_in_order_for_one_line_size(struct an_line_size *l,
						     const struct an_block *b,
						     const struct pt_exit *x,
						     const uint32_t *slots)
{
	unsigned smallest_line_bytes = l->upper_levels.smallest_line,
		 access = 0;
	struct an_ref r;

	for (unsigned instr = 0; instr < x->n_instrs; instr++) {
		const struct pt_instr *in = &b->instr[instr];

		simulate_access_if_path_is_swept(
			l, AN_INSTRUCTION,
			(struct an_ref){in->addr, in->len, false}, AN_READ);
		for (;
		     access < x->n_accesses && b->access[access].instr == instr;
		     access++)
			if (an_block_compute_access_ref(b, smallest_line_bytes,
							access, slots, &r))
				simulate_access_if_path_is_swept(
					l, AN_DATA, r,
					write_if_store_else_read(b, access));
	}
}

static void simulate_batch_in_order(struct an_line_size *l,
				    const struct an_batch *batch)
{
	for (size_t i = 0; i < batch->n_execs; i++) {
		struct an_exec e = batch->exec[i];
		const struct an_block *b = l->plan[e.block].data->block;

		simulate_exec_in_order_for_one_line_size(
			l, b, &b->exit[an_exec_exit_number(e)],
			batch->slots + an_exec_first_slot_word_index(e));
	}
}

static int get_first_forest_error(const struct an_line_size *l)
{
	int err = 0;

	for (unsigned i = 0; i < l->n_forests && !err; i++)
		err = l->forest[i].error;
	return err;
}

static void
simulate_only_data_or_only_code_of_batch(struct an_line_size *l,
					 const struct an_batch *batch)
{
	for (unsigned i = 0; i < l->n_forests; i++)
		if (l->on_path[AN_DATA])
			simulate_batch_data_in_forest(l, &l->forest[i], batch);
		else
			simulate_batch_code_in_forest(l, &l->forest[i], batch);
}

static void set_warmup_of_all_forests(struct an_line_size *l, bool is_warmup)
{
	l->warm = is_warmup;
	for (unsigned i = 0; i < l->n_forests; i++)
		l->forest[i].warm = is_warmup;
}

int an_line_size_simulate_batch(struct an_line_size *l,
				const struct an_batch *batch)
{
	set_warmup_of_all_forests(l, batch->warm);
	if (!l->upper_levels.separate_l1)
		simulate_batch_in_order(l, batch);
	else if (l->has_no_upper_level)
		simulate_only_data_or_only_code_of_batch(l, batch);
	else
		an_line_size_simulate_separate_l1s(l, batch);
	return get_first_forest_error(l);
}

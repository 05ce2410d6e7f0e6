/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * first_levels.c - simulates separate first levels above a sweep (many caches
 *                  in place of one level, simulated in one pass)
 *
 * Used if the swept level is not the first one, and code and data have separate
 * first levels. The instructions and accesses of an execution that miss in a
 * first level are listed, and then simulated in program order in the levels
 * below, down to the swept one.
 */

#include "analyzers/sweep/line_size.h"

/* Indices in the block of the instructions, or of the data accesses, of one
   execution that missed in their first level; ascending. */
struct row_list {
	unsigned n;
	uint16_t row[PT_MAX_INSTRS > PT_MAX_ACCESSES ? PT_MAX_INSTRS
						     : PT_MAX_ACCESSES];
};

/* Simulate the instruction fetches of an execution in the first level of code.
   @missed_instrs: receives the instructions that missed; an instruction is
   listed once even if both of its lines missed. */
static void simulate_and_list_code_misses(struct an_l1 *f,
					  const struct an_path_plan *p,
					  unsigned exit_number,
					  struct row_list *missed_instrs)
{
	const struct an_run *r = an_path_plan_runs(p),
			    *end = r + p->n_runs[exit_number];

	for (missed_instrs->n = 0; r < end; r++)
		if (an_l1_touch_is_miss(f, r->delta >> f->shift, false) &&
		    (missed_instrs->n == 0 ||
		     missed_instrs->row[missed_instrs->n - 1] != r->first_row))
			missed_instrs->row[missed_instrs->n++] = r->first_row;
}

/* Simulate the accesses of run @r one by one in the first level of data,
   without guarded ones that were not done. Append the indices of those that
   missed to @missed_accesses. */
static void simulate_run_append_missed_accesses(
	struct an_l1 *f, const struct an_block *b, unsigned max_access_bytes,
	const struct an_run *r, const uint32_t *slots,
	struct row_list *missed_accesses)
{
	struct an_ref ref;

	for (uint16_t i = r[0].first_row; i < r[1].first_row; i++)
		if (an_block_compute_access_ref(b, max_access_bytes, i, slots,
						&ref) &&
		    an_l1_simulate_access_is_miss(f, ref.addr, ref.size,
						  ref.write))
			missed_accesses->row[missed_accesses->n++] = i;
}

/* Simulate the data accesses of an execution in the first level of data.
   @missed_accesses: receives the accesses that missed. If a run lies within one
   line, only its first access can miss, so one lookup stands for all. */
static void simulate_and_list_data_misses(struct an_l1 *f,
					  const struct an_path_plan *p,
					  unsigned exit_number,
					  unsigned max_access_bytes,
					  const uint32_t *slots,
					  struct row_list *missed_accesses)
{
	const struct an_run *r = an_path_plan_runs(p),
			    *end = r + p->n_runs[exit_number];

	for (missed_accesses->n = 0; r < end; r++) {
		uint64_t base = pt_read_shared_unaligned_u64_once(
					slots + r->slot_or_instr) &
				(uint64_t)r->base_mask;
		uint64_t line = (base + r->delta) >> f->shift;
		uint64_t last = (base + r->delta + r->span) >> f->shift;

		if (line != last)
			simulate_run_append_missed_accesses(
				f, p->block, max_access_bytes, r, slots,
				missed_accesses);
		else if (an_l1_touch_is_miss(f, line, r->writes))
			missed_accesses->row[missed_accesses->n++] =
				r->first_row;
	}
}

static void simulate_instr_fetch_below_l1(struct an_line_size *l,
					  const struct pt_instr *instr)
{
	an_line_size_simulate_access(
		l, AN_INSTRUCTION,
		(struct an_ref){instr->addr, instr->len, false}, AN_READ);
}

/* Simulate the instructions and accesses of an execution that missed in the
   first levels in the levels below, in program order. The code of an
   instruction comes before its data. */
static void simulate_misses_below_l1(struct an_line_size *l,
				     const struct an_block *b,
				     const struct row_list *code,
				     const struct row_list *data,
				     const uint32_t *recorded_slots)
{
	struct an_ref r;
	unsigned c = 0;

	for (unsigned d = 0; d < data->n; d++) {
		const struct pt_access *a = &b->access[data->row[d]];

		for (; c < code->n && code->row[c] <= a->instr; c++)
			simulate_instr_fetch_below_l1(l,
						      &b->instr[code->row[c]]);
		an_block_compute_access_ref(b, l->upper_levels.smallest_line,
					    data->row[d], recorded_slots, &r);
		an_line_size_simulate_access(l, AN_DATA, r,
					     a->kind == PT_STORE ? AN_WRITE
								 : AN_READ);
	}
	for (; c < code->n; c++)
		simulate_instr_fetch_below_l1(l, &b->instr[code->row[c]]);
}

void an_line_size_simulate_separate_l1s(struct an_line_size *l,
					const struct an_batch *batch)
{
	struct an_l1 *first = l->upper_levels.l1;
	struct row_list code = {0}, data = {0};

	an_l1_renumber_times_if_due(&first[AN_INSTRUCTION]);
	an_l1_renumber_times_if_due(&first[AN_DATA]);
	for (size_t i = 0; i < batch->n_execs; i++) {
		struct an_exec e = batch->exec[i];
		const struct an_plan *p = &l->plan[e.block];
		const uint32_t *slots =
			batch->slots + an_exec_first_slot_word_index(e);

		if (l->on_path[AN_INSTRUCTION])
			simulate_and_list_code_misses(
				&first[AN_INSTRUCTION], p->code,
				an_exec_exit_number(e), &code);
		if (l->on_path[AN_DATA])
			simulate_and_list_data_misses(
				&first[AN_DATA], p->data,
				an_exec_exit_number(e),
				l->upper_levels.smallest_line, slots, &data);
		if (code.n + data.n > 0)
			simulate_misses_below_l1(l, p->data->block, &code,
						 &data, slots);
	}
}

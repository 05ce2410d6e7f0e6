/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * first_levels.c - simulates separate first levels above a sweep
 *
 * Used if the swept level is not the first one, and code and data have separate
 * first levels. The first-level misses of an execution are listed and passed on
 * in program order.
 */

#include "analyzers/sweep/line_size.h"

/* Numbers of instructions or of accesses that missed, ascending. */
struct missed {
	unsigned n;
	uint16_t row[PT_MAX_INSTRS > PT_MAX_ACCESSES ? PT_MAX_INSTRS
						     : PT_MAX_ACCESSES];
};

/* Simulate the code of an execution. An instruction misses once, whichever of
   its lines missed. */
static void simulate_code(struct an_first *f, const struct an_path *p,
			  unsigned exit, struct missed *m)
{
	const struct an_run *r = an_path_runs(p), *end = r + p->n[exit];

	for (m->n = 0; r < end; r++)
		if (an_first_touch(f, r->delta >> f->shift, false) &&
		    (m->n == 0 || m->row[m->n - 1] != r->first))
			m->row[m->n++] = r->first;
}

static void search_run(struct an_first *f, const struct an_block *b,
		       unsigned smallest, const struct an_run *r,
		       const uint32_t *slots, struct missed *m)
{
	struct an_ref ref;

	for (uint16_t i = r[0].first; i < r[1].first; i++)
		if (an_block_ref(b, smallest, i, slots, &ref) &&
		    an_first_access(f, ref.addr, ref.size, ref.write))
			m->row[m->n++] = i;
}

/* Simulate the data of an execution. In a run within one line, only the first
   access can miss. */
static void simulate_data(struct an_first *f, const struct an_path *p,
			  unsigned exit, unsigned smallest,
			  const uint32_t *slots, struct missed *m)
{
	const struct an_run *r = an_path_runs(p), *end = r + p->n[exit];

	for (m->n = 0; r < end; r++) {
		uint64_t base = pt_slot(slots + r->place) & (uint64_t)r->based;
		uint64_t line = (base + r->delta) >> f->shift;
		uint64_t last = (base + r->delta + r->span) >> f->shift;

		if (line != last)
			search_run(f, p->block, smallest, r, slots, m);
		else if (an_first_touch(f, line, r->writes))
			m->row[m->n++] = r->first;
	}
}

static void pass_code(struct an_sweepline *l, const struct pt_instr *in)
{
	an_sweepline_send(l, AN_INSTRUCTION,
			  (struct an_ref){in->addr, in->len, false}, AN_READ);
}

/* Pass an execution's misses on. The code of an instruction comes before its
   data. */
static void pass_misses(struct an_sweepline *l, const struct an_block *b,
			const struct missed *code, const struct missed *data,
			const uint32_t *slots)
{
	struct an_ref r;
	unsigned c = 0;

	for (unsigned d = 0; d < data->n; d++) {
		const struct pt_access *a = &b->access[data->row[d]];

		for (; c < code->n && code->row[c] <= a->instr; c++)
			pass_code(l, &b->instr[code->row[c]]);
		an_block_ref(b, l->above.smallest_line, data->row[d], slots,
			     &r);
		an_sweepline_send(l, AN_DATA, r,
				  a->kind == PT_STORE ? AN_WRITE : AN_READ);
	}
	for (; c < code->n; c++)
		pass_code(l, &b->instr[code->row[c]]);
}

void an_sweepbelow_run(struct an_sweepline *l, const struct an_batch *batch)
{
	struct an_first *first = l->above.first;
	struct missed code = {0}, data = {0};

	an_first_wind(&first[AN_INSTRUCTION]);
	an_first_wind(&first[AN_DATA]);
	for (size_t i = 0; i < batch->n_execs; i++) {
		struct an_exec e = batch->exec[i];
		const struct an_plan *p = &l->plan[e.block];
		const uint32_t *slots = batch->base + an_at(e);

		if (l->on_path[AN_INSTRUCTION])
			simulate_code(&first[AN_INSTRUCTION], p->code,
				      an_exit(e), &code);
		if (l->on_path[AN_DATA])
			simulate_data(&first[AN_DATA], p->data, an_exit(e),
				      l->above.smallest_line, slots, &data);
		if (code.n + data.n > 0)
			pass_misses(l, p->data->block, &code, &data, slots);
	}
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* counts.c - adds up recorded instructions and accesses; see counts.h */

#include "lib/recover/counts.h"

void al_counts_add(struct al_counts *to, const struct al_counts *c)
{
	to->instructions += c->instructions;
	to->reads += c->reads;
	to->writes += c->writes;
	to->modifies += c->modifies;
	to->blocks += c->blocks;
	to->threads += c->threads;
	to->signals += c->signals;
	to->unit_bytes += c->unit_bytes;
	to->recovery_ns += c->recovery_ns;
	to->analysis_ns += c->analysis_ns;
	for (int i = 0; i < AL_STAGES; i++)
		to->stage_ns[i] += c->stage_ns[i];
}

/* Add to @c the blocks, instructions and accesses of @execution_count
   executions that left the block of @d by exit @exit. */
static void add_exit_counts(struct al_counts *c, const struct al_desc *d,
			    unsigned exit, uint64_t execution_count)
{
	const struct pt_exit *e = &d->exit[exit];

	if (execution_count == 0)
		return;
	c->blocks += execution_count;
	c->instructions += execution_count * e->n_instrs;
	for (unsigned i = 0; i < e->n_accesses; i++) {
		unsigned kind = d->access[i].kind;

		c->reads += execution_count * (kind != PT_STORE);
		c->writes += execution_count * (kind != PT_LOAD);
		c->modifies += execution_count * (kind == PT_MODIFY);
	}
}

/* Subtract the accesses that did not happen because their guard was false.
   @skip_count_of_access: [d->n_accesses] how often each did not happen; NULL:
   never. A modify is never guarded. */
static void
subtract_skipped_from_reads_and_writes(struct al_counts *c,
				       const struct al_desc *d,
				       const uint64_t *skip_count_of_access)
{
	for (unsigned i = 0; skip_count_of_access != NULL && i < d->n_accesses;
	     i++)
		if (d->access[i].kind == PT_STORE)
			c->writes -= skip_count_of_access[i];
		else
			c->reads -= skip_count_of_access[i];
}

void al_counts_add_executions_of_recoverer(struct al_counts *to,
					   const struct al_recoverer *r)
{
	for (uint32_t i = 0; i < r->n_known; i++) {
		const struct al_known_block *m = &r->known[i];
		const struct al_desc *d = m->block ? m->block->desc : NULL;

		for (unsigned e = 0; d && e < d->n_exits; e++)
			add_exit_counts(to, d, e,
					al_recoverer_exit_count(r, m, e));
		subtract_skipped_from_reads_and_writes(to, d, m->skipped);
	}
}

void al_counts_add_counts_of_executed_blocks(struct al_counts *to,
					     const struct al_executed *x)
{
	for (uint32_t i = 0; i < x->n; i++) {
		const struct al_block *b = x->block[i];

		for (unsigned e = 0; e < b->desc->n_exits; e++)
			add_exit_counts(to, b->desc, e, b->exit_count[e]);
		subtract_skipped_from_reads_and_writes(to, b->desc, b->skipped);
	}
}

/* ---- windows ---- */

/* Add, @execution_count times, the instructions before exit @e that at least
   one of @lanes selects, and the accesses of these instructions. */
static void add_selected_counts_of_exit(struct al_window_counts *c,
					const struct al_desc *d,
					const struct pt_exit *e, uint64_t lanes,
					uint64_t execution_count)
{
	for (unsigned i = 0; i < e->n_instrs; i++)
		c->instructions += al_desc_lanes_of_instr(d, i) & lanes
					   ? execution_count
					   : 0;
	for (unsigned i = 0; i < e->n_accesses; i++) {
		unsigned kind = d->access[i].kind;

		if (!(al_desc_lanes_of_instr(d, d->access[i].instr) & lanes))
			continue;
		c->reads += execution_count * (kind != PT_STORE);
		c->writes += execution_count * (kind != PT_LOAD);
		c->modifies += execution_count * (kind == PT_MODIFY);
	}
}

/* Subtract from the counts the accesses that did not happen because their guard
   was false, if at least one of @selecting_lanes selects their instruction. */
static void subtract_false_guard_accesses_of_lanes(struct al_window_counts *c,
						   const struct al_block *b,
						   uint64_t selecting_lanes)
{
	const struct al_desc *d = b->desc;

	for (unsigned i = 0; b->skipped && i < d->n_accesses; i++) {
		if (!(al_desc_lanes_of_instr(d, d->access[i].instr) &
		      selecting_lanes))
			continue;
		if (d->access[i].kind == PT_STORE)
			c->writes -= b->skipped[i];
		else
			c->reads -= b->skipped[i];
	}
}

void al_counts_add_executed_by_window(struct al_window_counts *to_by_window,
				      const struct al_executed *executed_blocks)
{
	for (uint32_t i = 0; i < executed_blocks->n; i++) {
		const struct al_block *b = executed_blocks->block[i];

		for (unsigned w = 0; w < executed_blocks->lanes->n_windows;
		     w++) {
			uint64_t lanes =
				al_lanes_nonwarmup_bits_of_class_window(
					executed_blocks->lanes, b->class, w);

			if (!(b->desc->lanes & lanes))
				continue;
			for (unsigned e = 0; e < b->desc->n_exits; e++)
				add_selected_counts_of_exit(
					&to_by_window[w], b->desc,
					&b->desc->exit[e], lanes,
					b->exit_count[e]);
			subtract_false_guard_accesses_of_lanes(&to_by_window[w],
							       b, lanes);
		}
	}
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* al_counts.c - sums of what was recorded; see al_counts.h */

#include "lib/al_counts.h"

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
}

/* Adds up what one way out of a block did, @times over. */
static void count_exit(struct al_counts *c, const struct al_block *b,
		       unsigned exit, uint64_t times)
{
	const struct pt_exit *e = &b->desc->exit[exit];

	c->blocks += times;
	c->instructions += times * e->n_instrs;
	for (unsigned i = 0; i < e->n_accesses; i++) {
		unsigned kind = b->desc->access[i].kind;

		c->reads += times * (kind != PT_STORE);
		c->writes += times * (kind != PT_LOAD);
		c->modifies += times * (kind == PT_MODIFY);
	}
}

static void uncount_skips(struct al_counts *c, const struct al_block *b)
{
	for (unsigned i = 0; b->skipped != NULL && i < b->desc->n_accesses; i++)
		if (b->desc->access[i].kind == PT_STORE)
			c->writes -= b->skipped[i];
		else
			c->reads -= b->skipped[i];
}

void al_counts_recovered(struct al_counts *to, const struct al_recovery *r)
{
	to->threads += r->threads;
	to->signals += r->signals;
	for (uint32_t i = 0; i < r->n_blocks; i++) {
		const struct al_block *b = r->block[i];

		for (unsigned e = 0; e < b->desc->n_exits; e++)
			if (b->left[e] != 0)
				count_exit(to, b, e, b->left[e]);
		uncount_skips(to, b);
	}
}

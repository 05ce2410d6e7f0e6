/* SPDX-License-Identifier: GPL-2.0-or-later */
/* register_flow.c - follows chains of dependent loads; see register_flow.h */

#include "analyzers/cache/evidence/register_flow.h"

enum { RSP = 4 }; /* as encoded */

/* Return the rank of a chain; the chain with the greatest rank is chosen: one
   that repeats is before all others, then a longer one is first. */
static unsigned
rank_load_chain_by_repeats_then_length(const struct an_load_chain *c)
{
	return c->n + (c->repeats ? AN_CHAIN_LENGTH : 0);
}

struct an_load_chain
an_load_chain_best_of_registers(const struct an_load_chain *chain,
				unsigned registers)
{
	static const struct an_load_chain empty;
	const struct an_load_chain *best = &empty;

	for (; registers != 0; registers &= registers - 1) {
		const struct an_load_chain *c =
			&chain[__builtin_ctz(registers)];

		best = rank_load_chain_by_repeats_then_length(
			       c) > rank_load_chain_by_repeats_then_length(best)
			       ? c
			       : best;
	}
	return *best;
}

/* Return a copy of chain @c with a load by instruction @load_instr_number added
   as the last; only the last AN_CHAIN_LENGTH loads are stored. */
static struct an_load_chain
make_chain_with_newest_load(const struct an_load_chain *c,
			    uint32_t load_instr_number)
{
	struct an_load_chain longer = {.load = {load_instr_number}, .n = 1};

	for (; longer.n <= c->n && longer.n < AN_CHAIN_LENGTH; longer.n++)
		longer.load[longer.n] = c->load[longer.n - 1];
	for (unsigned i = 0; i < longer.n; i++)
		for (unsigned k = 0; k < i; k++)
			longer.repeats |= longer.load[i] == longer.load[k];
	return longer;
}

void an_instr_flow_update_chains(const struct al_instr_flow *f,
				 struct an_load_chain *chain)
{
	struct an_load_chain c, loaded;

	if (f->dest == 0) {
		chain[RSP].n = 0;
		chain[RSP].repeats = false;
		return;
	}
	c = an_load_chain_best_of_registers(chain, f->source);
	if (f->loads) {
		loaded = an_load_chain_best_of_registers(chain, f->address);
		loaded = make_chain_with_newest_load(&loaded, f->number);
		c = rank_load_chain_by_repeats_then_length(&loaded) >
				    rank_load_chain_by_repeats_then_length(&c)
			    ? loaded
			    : c;
	}
	for (unsigned dest = f->dest; dest != 0; dest &= dest - 1)
		chain[__builtin_ctz(dest)] = c;
	chain[RSP] = (struct an_load_chain){.n = 0};
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* probes_test.c - probes cover the accesses of a block, and no others */
#include "analyzers/timeline/probes.h"

#include <stdlib.h>

#include "tests/tap.h"

enum { ACCESSES = 12 };

/* The accesses of a block; its exits are behind 5, 8 and all of them. */
static const struct pt_access access[ACCESSES] = {
	{.slot = 0, .delta = 16, .size = 8, .kind = PT_LOAD},
	{.slot = PT_NO_SLOT, .delta = 0x5000, .size = 4, .kind = PT_LOAD},
	{.slot = 0, .delta = 0, .size = 8, .kind = PT_STORE},
	{.slot = 1, .delta = (uint64_t)-8, .size = 8, .kind = PT_MODIFY},
	{.slot = 0, .delta = 4100, .size = 8, .kind = PT_LOAD},
	{.slot = 0, .delta = 24, .size = 1, .kind = PT_LOAD},
	{.slot = 1, .delta = 0, .size = 8, .kind = PT_LOAD},
	{.slot = 1, .delta = 8, .size = 8, .flags = PT_GUARDED},
	{.slot = PT_NO_SLOT, .delta = 0x5f00, .size = 512, .kind = PT_STORE},
	{.slot = 1, .delta = (uint64_t)-4000, .size = 8, .kind = PT_LOAD},
	{.slot = 1, .delta = 80, .size = 8, .kind = PT_LOAD},
	{.slot = 2, .delta = 0, .size = 65535, .kind = PT_LOAD},
};
static const struct pt_exit exits[] = {
	{.n_instrs = 3, .n_accesses = 5},
	{.n_instrs = 5, .n_accesses = 8},
	{.n_instrs = 9, .n_accesses = ACCESSES},
};

/* Return the number of probes of a kind before an exit that list access @index,
   have its base and contain its bytes. */
static unsigned count_probes_with_access(const struct an_block_probes *b,
					 int kind, unsigned exit,
					 unsigned index)
{
	const struct pt_access *a = &access[index];
	unsigned n = 0;

	for (unsigned i = 0; i < b->exit[exit].n_probes[kind]; i++) {
		const struct an_probe *p = &b->probe[kind][i];

		for (unsigned k = 0; k < p->n_accesses; k++)
			n += p->access[k] == index &&
			     (kind == AN_PROBE_ABSOLUTE ||
			      p->slot == 2 * a->slot) &&
			     p->base_mask == -kind &&
			     (p->span == AN_PROBE_GUARDED ||
			      (a->delta - p->delta <= p->span &&
			       a->delta + a->size - 1 - p->delta <= p->span));
	}
	return n;
}

static void test_cover(const struct an_block_probes *b)
{
	bool covered = true;

	for (unsigned e = 0; e < 3; e++)
		for (unsigned i = 0; i < ACCESSES; i++)
			covered &= count_probes_with_access(
					   b, access[i].slot != PT_NO_SLOT, e,
					   i) == (i < exits[e].n_accesses);
	ok(covered, "each access before an exit is in one of its probes");
	is_u64(b->exit[0].n_probes[AN_PROBE_BASED], 3,
	       "accesses of a base are one probe if they are near");
	is_u64(b->exit[0].n_probes[AN_PROBE_ABSOLUTE], 1,
	       "accesses without a base are another probe");
	is_u64(b->exit[1].n_probes[AN_PROBE_BASED], 6,
	       "no probe spans an exit; a guarded access is a probe");
}

static void test_counts(const struct an_block_probes *b)
{
	uint64_t counts = b->exit[1].counts;

	is_u64(counts & AN_COUNT_MASK, 5, "instructions before an exit");
	is_u64(counts >> AN_COUNT_READS & AN_COUNT_MASK, 7,
	       "reads, modifies included");
	is_u64(counts >> AN_COUNT_WRITES, 2, "writes, modifies included");
}

int main(void)
{
	const struct an_block block = {.n_instrs = 9,
				       .n_accesses = ACCESSES,
				       .n_exits = 3,
				       .access = access,
				       .exit = exits};
	struct an_block_probes b;
	struct an_arena arena = {0};

	ok(an_block_probes_init(&b, &block, &arena) == 0, "a block is listed");
	test_cover(&b);
	test_counts(&b);
	an_arena_free_all_and_reset(&arena);
	return done_testing();
}

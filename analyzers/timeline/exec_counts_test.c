/* SPDX-License-Identifier: GPL-2.0-or-later */
/* exec_counts_test.c - counts of executions, and which accesses are listed */

#include "analyzers/timeline/exec_counts.h"

#include "tests/tap.h"

enum { ACCESSES = 5 };

static const struct pt_access access[ACCESSES] = {
	{.slot = 0, .size = 8, .kind = PT_LOAD},
	{.slot = PT_NO_SLOT, .size = 512, .kind = PT_STORE},
	{.slot = 1, .size = 8, .kind = PT_MODIFY},
	{.slot = 1, .size = 8, .kind = PT_LOAD, .flags = PT_GUARDED},
	{.slot = 2, .size = 64, .kind = PT_LOAD},
};
static const struct pt_exit exits[] = {
	{.n_instrs = 3, .n_accesses = 3},
	{.n_instrs = 9, .n_accesses = ACCESSES},
};

static void test_counts(uint64_t counts)
{
	is_u64(counts & AN_COUNT_MASK, 9, "instructions before an exit");
	is_u64(counts >> AN_COUNT_READS & AN_COUNT_MASK, 4,
	       "reads, modifies included");
	is_u64(counts >> AN_COUNT_WRITES & AN_COUNT_MASK, 2,
	       "writes, modifies included");
}

static void test_listed(const struct an_exec_counts *c)
{
	is_u64(c->listed[0].n, ACCESSES, "a limit of 0 lists all accesses");
	is_u64(c->listed[1].n, 2, "long and guarded accesses are listed");
	ok(c->listed[1].access[0] == 1 && c->listed[1].access[1] == 3,
	   "in order");
	is_u64(c->listed[2].n, 0, "other accesses are not listed");
	ok(an_exec_counts_packed(c, an_exec(1, 1, 7)) & AN_COUNT_HAS_LISTED &&
		   !(an_exec_counts_packed(c, an_exec(2, 0, 7)) &
		     AN_COUNT_HAS_LISTED),
	   "and the counts tell it");
}

int main(void)
{
	static const struct pt_exit one_load_exit = {.n_instrs = 3,
						     .n_accesses = 1};
	const struct an_block block = {.n_instrs = 9,
				       .n_accesses = ACCESSES,
				       .n_exits = 2,
				       .access = access,
				       .exit = exits};
	const struct an_block one_load = {.n_instrs = 3,
					  .n_accesses = 1,
					  .n_exits = 1,
					  .access = access,
					  .exit = &one_load_exit};
	struct an_exec_counts c = {0};

	ok(an_exec_counts_add_block(&c, &block, 0) == 0 &&
		   an_exec_counts_add_block(&c, &block, 64) == 0 &&
		   an_exec_counts_add_block(&c, &one_load, 64) == 0,
	   "blocks are added");
	test_counts(an_exec_counts_packed(&c, an_exec(1, 1, 0)));
	test_listed(&c);
	an_exec_counts_release(&c);
	return done_testing();
}

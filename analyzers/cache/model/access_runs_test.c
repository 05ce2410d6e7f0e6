/* SPDX-License-Identifier: GPL-2.0-or-later */
/* access_runs_test.c - tests the plans of blocks */
#include "analyzers/cache/model/access_runs.h"

#include "tests/tap.h"

/* A block of two instructions in one line and, after an exit, one in the next
   line. Its accesses have one base: two in one line, a third after the exit, a
   fourth far away. */
static const struct pt_instr instr[] = {
	{.addr = 0x1000, .len = 4},
	{.addr = 0x1004, .len = 4},
	{.addr = 0x1040, .len = 4},
};
static const struct pt_access access[] = {
	{.delta = 0, .size = 8, .kind = PT_LOAD, .instr = 0},
	{.delta = 8, .size = 8, .kind = PT_STORE, .instr = 1},
	{.delta = 16, .size = 8, .kind = PT_LOAD, .instr = 2},
	{.delta = 4096, .size = 8, .kind = PT_LOAD, .instr = 2},
};
static const struct pt_exit exits[] = {
	{.n_instrs = 2, .n_accesses = 2},
	{.n_instrs = 3, .n_accesses = 4},
};
static const struct an_block block = {
	.n_instrs = 3,
	.n_accesses = 4,
	.n_exits = 2,
	.n_slots = 1,
	.instr = instr,
	.access = access,
	.exit = exits,
};

static const struct an_geometry apart = {
	.level = {{"I1", AN_INSTRUCTION, 4096, 4, 64, 16, 2},
		  {"D1", AN_DATA, 4096, 4, 64, 16, 2},
		  {"LL", AN_UNIFIED, 65536, 16, 64, 64, AN_MEMORY}},
	.n_levels = 3,
	.first_data = 1,
};
static const struct an_geometry unified = {
	.level = {{"L1", AN_UNIFIED, 4096, 4, 64, 16, AN_MEMORY}},
	.n_levels = 1,
};

static void test_apart(void)
{
	struct an_planner planner = {0};
	struct an_hierarchy h;
	struct an_plan p;

	if (!ok(an_hierarchy_init(&h, &apart) == 0 &&
			an_planner_create_block_plan(&planner, &block, &h,
						     &p) == 0,
		"caches that begin apart have plans"))
		return;
	ok(p.code->block == &block && p.data->block == &block,
	   "they know their block");
	is_u64(p.code->n_runs[0], 1, "up to the first exit one line of code");
	is_u64(p.code->n_runs[1], 2, "up to the last there are two");
	is_u64(an_path_plan_runs(p.code)[1].first_row, 2,
	       "the second for the third instruction");
	is_u64(p.data->n_runs[0], 1, "accesses within a line are one run");
	is_u64(p.data->n_runs[1], 3,
	       "which ends at an exit, and before one that is far away");
	an_planner_free_all_plans(&planner);
	an_hierarchy_release(&h);
}

static void test_in_order(void)
{
	struct an_planner planner = {0};
	struct an_hierarchy h;
	struct an_plan p;

	if (!ok(an_hierarchy_init(&h, &unified) == 0 &&
			an_planner_create_block_plan(&planner, &block, &h,
						     &p) == 0,
		"caches that begin together have plans"))
		return;
	ok(p.data->block == &block, "which know their block");
	ok(p.code == NULL && planner.code.slab == NULL,
	   "and nothing of its code");
	is_u64(planner.data.used, sizeof(void *) + sizeof(*p.data),
	       "nor of its data");
	an_planner_free_all_plans(&planner);
	an_hierarchy_release(&h);
}

int main(void)
{
	test_apart();
	test_in_order();
	return done_testing();
}

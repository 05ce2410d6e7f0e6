/* SPDX-License-Identifier: GPL-2.0-or-later */
/* exits_test.c - the conditional branches that each exit of a block executes,
   and their directions */
#include "analyzers/branch/exits.h"

#include "tests/tap.h"

/* A block of one instruction for each exit: conditional branches, the third of
   them inverted, and an indirect jump at the end. */
enum { N_EXITS = 8, INVERTED = 2 };

static struct pt_instr instr[N_EXITS];
static struct pt_exit exits[N_EXITS];
static uint64_t exit_count[N_EXITS];
static struct an_block block = {
	.n_instrs = N_EXITS,
	.n_exits = N_EXITS,
	.instr = instr,
	.exit = exits,
	.exit_count = exit_count,
};

static void init_block(void)
{
	for (unsigned i = 0; i < N_EXITS; i++) {
		instr[i] = (struct pt_instr){.addr = 0x1000 + i, .len = 1};
		exits[i] = (struct pt_exit){.target = 0x2000,
					    .n_instrs = (uint16_t)(i + 1),
					    .jump = PT_JUMP_BORING};
	}
	exits[INVERTED].target = instr[INVERTED].addr + 1;
	exits[N_EXITS - 1].target = 0;
}

/* Check the branches of exit @exit_number. */
static void test_exit(const struct an_branch_exit *x, unsigned exit_number,
		      uint32_t first_branch)
{
	bool is_end = exit_number == N_EXITS - 1;
	unsigned n_branches = is_end ? exit_number : exit_number + 1;
	uint32_t list[1 + AN_EXIT_ROOM] = {77};
	char fact[80];
	bool same;

	same = an_branch_exit_append_directions(x, list, 1) == 1 + n_branches;
	for (unsigned i = 0; i < n_branches; i++)
		same &= list[1 + i] ==
			an_direction(first_branch + i,
				     (i == exit_number) != (i == INVERTED));
	snprintf(fact, sizeof(fact), "exit %u executes %u branches",
		 exit_number, n_branches);
	ok(same && list[0] == 77, fact);
	ok(x->is_special == is_end, "the end is special, side exits are not");
}

/* Check a block that a fault ended behind the branches: it has one exit, and
   none of them left it. */
static void test_passed_exits(struct an_arena *arena)
{
	static const struct pt_exit end = {.n_instrs = N_EXITS,
					   .jump = PT_JUMP_SIGNAL};
	struct an_block faulted = block;
	struct an_branch_block k;
	const struct an_branch_exit *x;
	uint32_t list[AN_EXIT_ROOM];
	unsigned n;
	bool same = true;

	faulted.n_exits = 1;
	faulted.exit = &end;
	faulted.passed_exit = exits;
	faulted.n_passed_exits = N_EXITS - 1;
	if (an_branch_block_init_with_branches(&k, &faulted, 0, arena) != 0)
		return;
	x = an_branch_block_list_exits(&k, false, arena);
	n = an_branch_exit_append_directions(x, list, 0);
	for (unsigned i = 0; i < n; i++)
		same &= list[i] == an_direction(i, i == INVERTED);
	is_u64(n, N_EXITS - 1, "a fault behind all branches: their number");
	ok(same, "none of them left the block");
}

int main(void)
{
	struct an_arena arena = {0};
	struct an_branch_block k;
	const struct an_branch_exit *x;

	init_block();
	if (an_branch_block_init_with_branches(&k, &block, 100, &arena) != 0)
		return 99;
	x = an_branch_block_list_exits(&k, false, &arena);
	for (unsigned i = 0; x && i < N_EXITS; i++)
		test_exit(&x[i], i, 100);
	test_passed_exits(&arena);
	an_arena_free_all_and_reset(&arena);
	return done_testing();
}

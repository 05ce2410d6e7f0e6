/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * targets_test.c - tests from which instruction an edge leads to the next
 *                  execution, whichever exit the one before took, and that a
 *                  branch of two blocks has one edge to each side
 */
#include "analyzers/flow/flow.h"

#include <stdlib.h>

#include "tests/tap.h"

extern const struct an_class an_flow;

/* ret */
static const uint8_t code_of_return[] = {0xc3};

static const struct pt_instr instr[] = {
	{.addr = 0x1000, .len = 1}, {.addr = 0x1001, .len = 1},
	{.addr = 0x1002, .len = 1}, {.addr = 0x2000, .len = 1},
	{.addr = 0x3000, .len = 1}, {.addr = 0x4000, .len = 1},
	{.addr = 0x4001, .len = 2}};

/* Exits of block 0: after its first instruction, after the return that is its
   second one, after its third one. Block 3 has no instructions. */
static const struct pt_exit exits[] = {
	{.n_instrs = 1, .jump = PT_JUMP_BORING},
	{.n_instrs = 2, .jump = PT_JUMP_RET},
	{.n_instrs = 3, .jump = PT_JUMP_BORING},
};
/* Exits of a block of two instructions, and of one, that ends with a
   conditional branch. */
static const struct pt_exit sides_of_two[] = {
	{.n_instrs = 2, .jump = PT_JUMP_BORING, .target = 0x4013},
	{.n_instrs = 2, .jump = PT_JUMP_BORING, .target = 0x4003},
};
static const struct pt_exit sides_of_one[] = {
	{.n_instrs = 1, .jump = PT_JUMP_BORING, .target = 0x4013},
	{.n_instrs = 1, .jump = PT_JUMP_BORING, .target = 0x4003},
};
static const struct pt_exit whole = {.n_instrs = 1, .jump = PT_JUMP_BORING};
static const struct pt_exit nothing = {.jump = PT_JUMP_BORING};
static const uint8_t code[] = {0x90, 0xc3, 0x90};
static const uint8_t code_of_branch[] = {0x90, 0x74, 0x10}; /* nop, je */
static uint64_t exit_count[6][3];

static const struct an_block block[] = {
	{.id = 0,
	 .n_instrs = 3,
	 .n_exits = 3,
	 .instr = instr,
	 .exit = exits,
	 .code = code,
	 .exit_count = exit_count[0]},
	{.id = 1,
	 .n_instrs = 1,
	 .n_exits = 1,
	 .instr = instr + 3,
	 .exit = &whole,
	 .code = code,
	 .exit_count = exit_count[1]},
	{.id = 2,
	 .n_instrs = 1,
	 .n_exits = 1,
	 .instr = instr + 4,
	 .exit = &whole,
	 .code = code_of_return,
	 .exit_count = exit_count[2]},
	{.id = 3,
	 .n_exits = 1,
	 .instr = instr,
	 .exit = &nothing,
	 .exit_count = exit_count[3]},
	{.id = 4,
	 .n_instrs = 2,
	 .n_exits = 2,
	 .instr = instr + 5,
	 .exit = sides_of_two,
	 .code = code_of_branch,
	 .exit_count = exit_count[4]},
	{.id = 5,
	 .n_instrs = 1,
	 .n_exits = 2,
	 .instr = instr + 6,
	 .exit = sides_of_one,
	 .code = code_of_branch + 1,
	 .exit_count = exit_count[5]},
};

static struct an_flow f;

static const char *option(void *host, const char *key)
{
	(void)host;
	(void)key;
	return NULL;
}

static void set_symbol(void *host, const struct an_block *b, unsigned i,
		       struct an_symbol *out)
{
	(void)host;
	(void)b;
	(void)i;
	*out = (struct an_symbol){
		.function = "f", .object = "o", .file = "f.c", .path = "f.c"};
}

/* Analyse executions of which each has its block in the upper digit and its
   exit in the lower one. A mark of kind @mark_kind is before execution
   @before_exec; SIZE_MAX: there is none. */
static void analyze(const unsigned *execs, size_t n_execs, size_t before_exec,
		    uint32_t mark_kind)
{
	static const struct an_env env = {.option = option,
					  .symbol = set_symbol};
	struct an_exec exec[9];
	struct an_mark mark = {.before_exec = (uint32_t)before_exec,
			       .kind = mark_kind};
	struct an_batch batch = {.exec = exec,
				 .n_execs = n_execs,
				 .mark = &mark,
				 .n_marks = before_exec != SIZE_MAX};
	int err = an_flow.open(&f, &env);

	memset(exit_count, 0, sizeof(exit_count));
	for (unsigned i = 0; i < 6 && !err; i++)
		err = an_flow.block(&f, &block[i]);
	for (size_t i = 0; i < n_execs; i++) {
		exec[i] = an_exec(execs[i] / 10, execs[i] % 10, 0);
		exit_count[execs[i] / 10][execs[i] % 10]++;
	}
	ok(!err && an_flow.batch(&f, &batch) == 0 && an_flow.finish(&f) == 0,
	   "executions are followed");
}

static uint64_t count_of_edge(uint64_t from, uint64_t to,
			      enum an_edge_kind kind)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < f.graph.n_edges; i++) {
		struct an_flow_edge e = f.graph.edge[i];

		if (f.graph.node[e.from].address == from &&
		    f.graph.node[e.to].address == to && e.kind == kind)
			n += e.count;
	}
	return n;
}

int main(void)
{
	static const unsigned returns[] = {1, 10, 2, 10, 0, 1, 30, 20, 10},
			      handled[] = {1, 10, 2, 30, 10},
			      moved[] = {1, 10, 10},
			      sides[] = {40, 41, 50, 51, 51};

	analyze(returns, 9, SIZE_MAX, 0);
	is_u64(count_of_edge(0x1001, 0x2000, AN_EDGE_RETURN), 1,
	       "a side exit leads from the instruction before it");
	is_u64(count_of_edge(0x1001, 0x3000, AN_EDGE_RETURN), 1,
	       "also past an execution without instructions");
	is_u64(count_of_edge(0x3000, 0x2000, AN_EDGE_RETURN), 1,
	       "the last exit leads from the last instruction");
	is_u64(count_of_edge(0x1001, 0, AN_EDGE_RETURN), 1,
	       "a return that was passed has an unknown target");
	is_u64(f.graph.n_edges, 4, "there is no other edge");
	an_flow.close(&f);

	f = (struct an_flow){0};
	analyze(handled, 5, 1, PT_SIGNAL);
	is_u64(count_of_edge(0x1001, 0x2000, AN_EDGE_HANDLER), 1,
	       "a handler interrupts after a side exit");
	an_flow.close(&f);

	/* The execution without instructions is number 3. */
	for (size_t before = 3; before <= 4; before++) {
		f = (struct an_flow){0};
		analyze(handled, 5, before, PT_SIGNAL);
		is_u64(count_of_edge(0x1002, 0x2000, AN_EDGE_HANDLER), 1,
		       "an execution without instructions is not interrupted");
		an_flow.close(&f);
	}

	f = (struct an_flow){0};
	analyze(moved, 3, 1, PT_WINDOW_OPEN);
	is_u64(count_of_edge(0x1001, 0x2000, AN_EDGE_RETURN), 0,
	       "a window that opens hides the target");
	an_flow.close(&f);

	f = (struct an_flow){0};
	analyze(sides, 5, SIZE_MAX, 0);
	is_u64(count_of_edge(0x4001, 0, AN_EDGE_TAKEN), 2,
	       "a branch is taken in two blocks");
	is_u64(count_of_edge(0x4001, 0, AN_EDGE_NOT_TAKEN), 3, "or not taken");
	is_u64(f.graph.n_edges, 2, "and has an edge for each side");
	an_flow.close(&f);
	return done_testing();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* branch_order_test.c - ittage gets directions and targets in program order,
   also if more branches than are predicted together precede a target */
#include "analyzers/branch/branch.h"

#include <stdlib.h>

#include "tests/tap.h"

extern const struct an_class an_branch;

/* Blocks 0 to 2 end with an indirect jump behind a conditional branch; block 3
   has the conditional branch alone. */
enum { BLOCKS = 4, EXECS = 30000, ITTAGE = 6 };

static struct pt_instr instr[BLOCKS][2];
static struct pt_exit exits[BLOCKS][2];
static uint64_t exit_count[BLOCKS][2];
static struct an_block block[BLOCKS];
static struct an_exec exec[EXECS];

static const char *all_models(void *host, const char *key)
{
	(void)host;
	return strcmp(key, "models") == 0 ? "all" : NULL;
}

static void unknown_symbol(void *host, const struct an_block *b, unsigned n,
			   struct an_symbol *out)
{
	(void)host;
	(void)b;
	(void)n;
	*out = (struct an_symbol){.function = "f", .file = "", .object = ""};
}

static void init_blocks(void)
{
	for (unsigned i = 0; i < BLOCKS; i++) {
		uint64_t addr = 0x1000 + 0x35 * i;

		instr[i][0] = (struct pt_instr){.addr = addr, .len = 2};
		instr[i][1] = (struct pt_instr){.addr = addr + 2, .len = 2};
		exits[i][0] =
			(struct pt_exit){0x9000, 1, .jump = PT_JUMP_BORING};
		exits[i][1] = (struct pt_exit){i == 3 ? 0x9000 : 0, 2,
					       .jump = PT_JUMP_BORING};
		block[i] = (struct an_block){.id = i,
					     .n_instrs = 2,
					     .n_exits = 2,
					     .instr = instr[i],
					     .exit = exits[i],
					     .exit_count = exit_count[i]};
	}
}

/* Choose the executions: first many of block 3, then all blocks. */
static void init_execs(void)
{
	uint32_t x = 1;

	for (unsigned i = 0; i < EXECS; i++) {
		unsigned id, exit;

		x = x * 1664525 + 1013904223;
		id = i % 10000 < 4000 ? 3 : x >> 16 & 3;
		exit = (x >> 20 & 7) != 0;
		exec[i] = an_exec(id, exit, 0);
		exit_count[id][exit]++;
	}
}

/* Return the wrong predictions of ittage, called in program order. */
static uint64_t count_missed_in_program_order(void)
{
	const struct an_branch_model *m = an_branch_models[ITTAGE];
	void *state = calloc(1, m->state_size);
	uint64_t missed = 0, waiting = 0;

	for (unsigned i = 0; i < EXECS; i++) {
		const struct an_block *b = &block[exec[i].block];
		unsigned exit = an_exec_exit_number(exec[i]);
		uint32_t executed = an_direction(0, exit == 0);

		if (waiting)
			missed += m->predict_target(state, waiting,
						    b->instr[0].addr);
		waiting = exit == 1 && b->id != 3 ? b->instr[1].addr : 0;
		m->see_directions(state,
				  &(struct an_directions){NULL, &executed, 1});
	}
	free(state);
	return missed + (waiting != 0);
}

int main(void)
{
	static const struct an_env env = {.option = all_models,
					  .symbol = unknown_symbol};
	/* The result is the first member of the state. */
	struct an_branch_result *r = calloc(1, an_branch.state_size);
	struct an_batch batch = {0};
	int err = r ? an_branch.open(r, &env) : -1;

	init_blocks();
	init_execs();
	for (unsigned i = 0; i < BLOCKS && !err; i++)
		err = an_branch.block(r, &block[i]);
	for (unsigned i = 0; i < EXECS && !err; i += batch.n_execs) {
		batch.exec = exec + i;
		batch.n_execs = i < EXECS / 2 ? EXECS / 2 : AN_MAX_BATCH / 4;
		if (batch.n_execs > EXECS - i)
			batch.n_execs = EXECS - i;
		err = an_branch.batch(r, &batch);
	}
	if (err || an_branch.finish(r) != 0)
		return 99;
	is_u64(r->model[ITTAGE].indirect_missed,
	       count_missed_in_program_order(), "ittage: wrong targets");
	ok(r->model[ITTAGE].indirect_missed > 1000, "which are many");
	is_u64(r->total[AN_BC], EXECS, "each execution has a branch");
	is_u64(r->total[AN_BCM], r->model[0].conditional_missed,
	       "misses of single branches sum to those of the model");
	an_branch.close(r);
	free(r);
	return done_testing();
}

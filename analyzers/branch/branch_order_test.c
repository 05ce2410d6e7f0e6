/* SPDX-License-Identifier: GPL-2.0-or-later */
/* branch_order_test.c - ittage gets directions and targets in program order,
   also if more branches than are predicted together precede a target; models in
   partitions predict the same as together */
#include "analyzers/branch/branch.h"

#include <stdlib.h>

#include "tests/tap.h"

extern const struct an_class an_branch;

/* Blocks 1 to 3 end with an indirect jump behind a conditional branch; block 0,
   which the first executions are of, has the conditional branch alone. */
enum { BLOCKS = 4, EXECS = 30000, FIRST_EXECS = 4000, ITTAGE = 6 };

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
		exits[i][1] = (struct pt_exit){i == 0 ? 0x9000 : 0, 2,
					       .jump = PT_JUMP_BORING};
		block[i] = (struct an_block){.id = i,
					     .n_instrs = 2,
					     .n_exits = 2,
					     .instr = instr[i],
					     .exit = exits[i],
					     .exit_count = exit_count[i]};
	}
}

/* Choose the executions: first many of block 0, then all blocks. */
static void init_execs(void)
{
	uint32_t x = 1;

	for (unsigned i = 0; i < EXECS; i++) {
		unsigned id, exit;

		x = x * 1664525 + 1013904223;
		id = i % 10000 < FIRST_EXECS ? 0 : x >> 16 & 3;
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
		waiting = exit == 1 && b->id != 0 ? b->instr[1].addr : 0;
		m->see_directions(state,
				  &(struct an_directions){NULL, &executed, 1});
	}
	free(state);
	return missed + (waiting != 0);
}

/* Process the executions in batches. Return: 0; -errno. */
static int run_batches(void *state)
{
	struct an_batch batch = {0};
	int err = 0;

	for (unsigned i = 0; i < BLOCKS && !err; i++)
		err = an_branch.block(state, &block[i]);
	for (unsigned i = 0; i < EXECS && !err; i += batch.n_execs) {
		batch.exec = exec + i;
		batch.n_execs = i < EXECS / 2 ? EXECS / 2 : AN_MAX_BATCH / 4;
		if (batch.n_execs > EXECS - i)
			batch.n_execs = EXECS - i;
		err = an_branch.batch(state, &batch);
	}
	return err ? err : an_branch.finish(state);
}

/* Begin two chunks, of which the first executes only block 0, and process both
   in each partition in turn. Return: 0; -errno. */
static int run_partitions(void *state)
{
	struct an_batch chunk[2] = {
		{.exec = exec, .n_execs = FIRST_EXECS, .inflight_slot = 0},
		{.exec = exec + FIRST_EXECS,
		 .n_execs = EXECS - FIRST_EXECS,
		 .inflight_slot = 1}};
	unsigned n = an_branch.init_partitions(state, AN_MAX_PARTITIONS);
	int err = an_branch.block(state, &block[0]);

	is_u64(n, 2, "the models are divided into two partitions");
	an_branch.begin_chunk(state, &chunk[0]);
	for (unsigned i = 1; i < BLOCKS && !err; i++)
		err = an_branch.block(state, &block[i]);
	an_branch.begin_chunk(state, &chunk[1]);
	for (unsigned i = 0; i < 2 * n && !err; i++)
		err = an_branch.run_partition(state, &chunk[i % 2], i / 2);
	return err ? err : an_branch.finish(state);
}

static void check_partitions(const struct an_env *env,
			     const struct an_branch_result *together)
{
	struct an_branch_result *r = calloc(1, an_branch.state_size);
	bool same = r != NULL;

	if (r == NULL || an_branch.open(r, env) != 0 || run_partitions(r) != 0)
		exit(99);
	for (unsigned i = 0; i < AN_N_BRANCH_MODELS; i++)
		same &= memcmp(&r->model[i], &together->model[i],
			       sizeof(r->model[i])) == 0;
	for (unsigned i = 0; i < AN_N_BRANCH_COUNTS; i++)
		same &= r->total[i] == together->total[i];
	ok(same, "partitions have the counts of all models together");
	an_branch.close(r);
	free(r);
}

int main(void)
{
	static const struct an_env env = {.option = all_models,
					  .symbol = unknown_symbol};
	/* The result is the first member of the state. */
	struct an_branch_result *r = calloc(1, an_branch.state_size);

	init_blocks();
	init_execs();
	if (r == NULL || an_branch.open(r, &env) != 0 || run_batches(r) != 0)
		return 99;
	is_u64(r->model[ITTAGE].indirect_missed,
	       count_missed_in_program_order(), "ittage: wrong targets");
	ok(r->model[ITTAGE].indirect_missed > 1000, "which are many");
	is_u64(r->total[AN_BC], EXECS, "each execution has a branch");
	is_u64(r->total[AN_BCM], r->model[0].conditional_missed,
	       "misses of single branches sum to those of the model");
	check_partitions(&env, r);
	an_branch.close(r);
	free(r);
	return done_testing();
}

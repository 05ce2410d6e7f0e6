/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * i1_test.c - compares code misses of the first level with a plain LRU list,
 * for blocks of maximum length and for short ones
 */

#include "analyzers/cache/simulation.h"

#include <stdlib.h>

#include "tests/fixtures/toy_lru.h"
#include "tests/tap.h"

enum { BLOCKS = 40, EXITS = 5, BATCHES = 40, LINE = 32, CODE = 1 << 14 };

static struct pt_instr instr[BLOCKS][PT_MAX_INSTRS];
static struct pt_exit exits[BLOCKS][EXITS];
static struct an_block block[BLOCKS];

static unsigned random_below(uint64_t *state, unsigned n)
{
	return (unsigned)(toy_lru_random(state) % n);
}

/* Fill @in with @n instructions, one after the other, with a jump after one in
   six. */
static void make_few(struct pt_instr *in, unsigned n, uint64_t *state)
{
	uint64_t addr = random_below(state, CODE);

	for (unsigned i = 0; i < n; i++) {
		uint8_t len = (uint8_t)(1 + random_below(state, PT_MAX_LEN));

		in[i] = (struct pt_instr){.addr = addr, .len = len};
		addr = random_below(state, 6) ? addr + len
					      : random_below(state, CODE);
	}
}

/* Fill @in with instructions that each cross a line border and share no line
   with the one before. */
static void make_many(struct pt_instr *in, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		in[i] = (struct pt_instr){
			.addr = (2 * i + 1) % (CODE / LINE) * LINE - 1,
			.len = 2,
		};
}

/* Fill block @b. Block 0 has the maximum number of instructions and many lines;
   the others are short. */
static void make_block(unsigned b, uint64_t *state)
{
	uint16_t n = PT_MAX_INSTRS;

	if (b == 0) {
		make_many(instr[b], n);
	} else {
		n = (uint16_t)(1 + random_below(state, 20));
		make_few(instr[b], n, state);
	}
	for (unsigned e = 0; e < EXITS; e++)
		exits[b][e].n_instrs = (uint16_t)(n * e / (EXITS - 1));
	block[b] = (struct an_block){.id = b,
				     .n_instrs = n,
				     .n_exits = EXITS,
				     .instr = instr[b],
				     .exit = exits[b]};
}

/* Callbacks of the environment: no machine code is available, and no option is
   set. */
static void *no_code(void *host, size_t bytes)
{
	(void)host;
	(void)bytes;
	return NULL;
}
static const char *no_option(void *host, const char *key)
{
	(void)host;
	(void)key;
	return NULL;
}

static struct an_cachesim sim;
static struct toy_lru_sets lists;

/* Whether the @n-th miss in @found is that of instruction @i of execution
   @e. */
static bool is_next(const struct an_misses *found, size_t n, struct an_exec e,
		    unsigned i)
{
	return n < found->n && found->miss[n].block == e.block &&
	       found->miss[n].program_order == an_program_order_key(e, i);
}

/* Use the lines of an instruction in the LRU lists, except line *@previous. Set
   *@previous to its last line. Return: whether a line was missing. */
static bool fetch(const struct pt_instr *in, const struct an_level *l,
		  uint64_t *previous)
{
	uint64_t line = in->addr / LINE;
	bool missed = false;

	for (; line <= (in->addr + in->len - 1) / LINE; *previous = line++)
		missed |= line != *previous &&
			  toy_lru_use(&lists, (unsigned)l->sets, l->assoc, line,
				      false);
	return missed;
}

/* Return the number of misses of a batch that differ from those of the LRU
   lists. */
static uint64_t compare(const struct an_batch *batch,
			const struct an_geometry *g)
{
	const struct an_misses *found = &sim.inflight[0].code_misses;
	uint64_t n_different = 0;
	size_t n = 0;

	for (size_t x = 0; x < batch->n_execs; x++) {
		struct an_exec e = batch->exec[x];
		unsigned end = exits[e.block][an_exec_exit_number(e)].n_instrs;
		uint64_t previous = UINT64_MAX;

		for (unsigned i = 0; i < end; i++)
			if (fetch(&instr[e.block][i], &g->level[0], &previous))
				n_different += !is_next(found, n++, e, i);
	}
	return n_different + (n != found->n);
}

/* Simulate batches in which one execution in @rare is of the block with many
   lines; 0: none. Return: the number of misses that differ. */
static uint64_t simulate(unsigned rare, const struct an_geometry *g,
			 uint64_t *state)
{
	static struct an_exec exec[AN_MAX_BATCH];
	uint64_t n_different = 0;

	for (unsigned t = 0; t < BATCHES; t++) {
		struct an_batch batch = {
			.exec = exec,
			.n_execs =
				t % 2 ? AN_MAX_BATCH
				      : 1 + random_below(state, AN_MAX_BATCH),
			.slots = (const uint32_t *)exec,
		};

		for (unsigned i = 0; i < batch.n_execs; i++) {
			bool many = rare && random_below(state, rare) == 0;
			unsigned b =
				many ? 0 : 1 + random_below(state, BLOCKS - 1);

			exec[i] = an_exec(b, random_below(state, EXITS), i);
		}
		sim.inflight[0].code_misses.n = sim.inflight[0].n_segments = 0;
		if (an_cachesim_store_plans_in_slot_run_i1(&sim, &batch))
			return UINT64_MAX;
		n_different += compare(&batch, g);
	}
	return n_different;
}

static void test(uint64_t sets, unsigned assoc, uint64_t *state)
{
	struct an_geometry g = toy_lru_geometry(sets, assoc, LINE);
	struct an_env env = {
		.geometry = &g, .option = no_option, .alloc_code = no_code};
	int err;

	printf("# %u sets of %u ways\n", (unsigned)sets, assoc);
	sim = (struct an_cachesim){.n_plans = 0};
	lists = (struct toy_lru_sets){.writebacks = 0};
	err = an_cachesim_init(&sim, &env, 0);
	for (unsigned b = 0; b < BLOCKS && !err; b++)
		err = an_cachesim_add_block(&sim, &block[b]);
	if (ok(err == 0, "blocks are added")) {
		is_u64(simulate(0, &g, state), 0, "blocks of some lines");
		is_u64(simulate(50, &g, state), 0, "a few of very many");
		is_u64(simulate(1, &g, state), 0, "all of very many");
	}
	an_cachesim_release(&sim);
}

int main(void)
{
	uint64_t state = 88172645463325252u;

	for (unsigned b = 0; b < BLOCKS; b++)
		make_block(b, &state);
	test(2, 1, &state);
	test(16, 8, &state);
	test(7, 3, &state);
	return done_testing();
}

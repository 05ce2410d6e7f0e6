/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * d1_test.c - compares the simulation of whole chunks between partitioned
 * chunks with LRU lists
 *
 * The clocks of partitions differ from the clock of a whole chunk. If a
 * partition's clock has just been renumbered, times of the chunk before are
 * later than its own, unless they were replaced by ranks.
 */
#include "analyzers/cache/simulation.h"

#include <stdlib.h>

#include "tests/fixtures/toy_lru.h"
#include "tests/tap.h"

enum {
	USES = AN_BATCH, /* executions in a whole chunk */
	FEW = 64,	 /* executions in a partitioned chunk */
	ROUNDS = 200,
	WORDS = 3, /* 32-bit words of a unit: header, address */
};

/* A block with one instruction, which loads from slot 0. */
static const struct pt_instr instr = {.addr = 0x1000, .len = 4};
static const struct pt_access load = {.size = 8, .kind = PT_LOAD};
static const struct pt_exit leave = {
	.n_instrs = 1,
	.n_accesses = 1,
	.bytes = 4 * WORDS,
};
static const struct an_block block = {
	.n_instrs = 1,
	.n_accesses = 1,
	.n_exits = 1,
	.n_slots = 1,
	.instr = &instr,
	.access = &load,
	.exit = &leave,
};

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
static struct an_lists lists;
static struct an_geometry geometry;

static uint32_t words[WORDS * USES + 2];
static struct an_exec exec[USES];

/* Write a chunk of @n loads from random lines into words and exec. Return: the
   number of misses by the LRU lists. */
static size_t fill_chunk(size_t n, uint64_t *state)
{
	const struct an_level *l = &geometry.level[1];
	unsigned room = (unsigned)(l->sets * l->assoc);
	size_t missing = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t line = an_lists_line(state, room, l->sets << 20);
		uint64_t addr = line * l->line;

		words[WORDS * i] = pt_block_header(0, 4 * WORDS);
		memcpy(&words[WORDS * i + 1], &addr, sizeof(addr));
		exec[i] = an_exec(0, 0, (uint32_t)(WORDS * i + 1));
		missing += an_lists_use(&lists, (unsigned)l->sets, l->assoc,
					line, false);
	}
	return missing;
}

static int run_parts(const struct an_batch *b)
{
	int err = 0;

	if (an_spread_begin(&sim, b) == AN_WHOLE)
		return -1;
	err = an_spread_run(&sim, b);
	for (unsigned p = 0; p < sim.parts.n && !err; p++)
		err = an_part_run(&sim, b, p);
	return err ? err : an_part_join(&sim, b);
}

/* Simulate a chunk of @n loads, whole or partitioned. Return: the difference
   between its misses and those of the LRU lists; UINT64_MAX on error. */
static uint64_t count_difference(size_t n, bool whole, uint64_t *state)
{
	const struct an_batch b = {.exec = exec, .n_execs = n, .base = words};
	size_t expected = fill_chunk(n, state), found;

	if (an_cachesim_prepare(&sim, &b) ||
	    (whole ? an_cachequick_run(&sim, &b) : run_parts(&b)))
		return UINT64_MAX;
	found = sim.lane[0].data.n;
	if (an_cachesend_run(&sim, &b))
		return UINT64_MAX;
	return found > expected ? found - expected : expected - found;
}

/* Set the clock of each partition to just before it must be renumbered. */
static void end_clocks(void)
{
	for (unsigned p = 0; p < sim.parts.n; p++)
		sim.parts.part[p].clock = AN_LATE - AN_TICKS;
}

static void test(uint64_t sets, unsigned assoc, unsigned parts)
{
	const struct an_env env = {
		.geometry = &geometry,
		.option = no_option,
		.code = no_code,
	};
	uint64_t state = 88172645463325252u, after = 0, whole = 0, first = 0;

	printf("# %u sets of %u ways in %u parts\n", (unsigned)sets, assoc,
	       parts);
	geometry = an_lists_code(4, 2, 64);
	geometry.level[1] = (struct an_level){
		"D1", AN_DATA, sets * assoc * 64, assoc, 64, sets, AN_MEMORY};
	sim = (struct an_cachesim){.n_plans = 0};
	lists = (struct an_lists){.writebacks = 0};
	if (!ok(!an_cachesim_init(&sim, &env, parts) &&
			!an_cachesim_add(&sim, &block),
		"a block is added"))
		return;
	is_u64(sim.parts.n, parts, "the level is in parts");
	for (unsigned i = 0; i < ROUNDS; i++) {
		end_clocks();
		first += count_difference(FEW, false, &state);
		whole += count_difference(USES, true, &state);
		after += count_difference(FEW, false, &state);
		after += count_difference(FEW, false, &state);
	}
	is_u64(first, 0,
	       "chunks in parts whose clocks begin anew miss as many");
	is_u64(whole, 0, "so do whole ones behind them");
	is_u64(after, 0, "and those in parts behind a whole one");
	is_u64(sim.parts.wholes, ROUNDS, "which there were");
	an_cachesim_release(&sim);
}

int main(void)
{
	test(16, 4, 2);
	test(16, 8, 8);
	test(64, 2, 4);
	return done_testing();
}

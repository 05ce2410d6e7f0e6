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
	USES = AN_MAX_BATCH, /* executions in a chunk that is not partitioned */
	FEW = 64,	     /* executions in a partitioned chunk */
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
static struct toy_lru_sets lists;
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
		uint64_t line = toy_lru_random_line(state, room, l->sets << 20);
		uint64_t addr = line * l->line;

		words[WORDS * i] = pt_encode_block_unit_header(0, 4 * WORDS);
		memcpy(&words[WORDS * i + 1], &addr, sizeof(addr));
		exec[i] = an_exec(0, 0, (uint32_t)(WORDS * i + 1));
		missing += toy_lru_use(&lists, (unsigned)l->sets, l->assoc,
				       line, false);
	}
	return missing;
}

static int run_parts(const struct an_batch *b)
{
	int err = 0;

	if (an_scatter_begin_chunk(&sim, b) == AN_CHUNK_SERIAL)
		return -1;
	err = an_scatter_list_batch_uses(&sim, b);
	for (unsigned p = 0; p < sim.partitions.n && !err; p++)
		err = an_partition_simulate_chunk(&sim, b, p);
	return err ? err : an_partitions_merge_miss_lists(&sim, b);
}

/* Simulate a chunk of @n loads, partitioned unless @whole. Return: the
   difference between its number of misses and that of the LRU lists; UINT64_MAX
   on error. */
static uint64_t count_difference(size_t n, bool whole, uint64_t *state)
{
	const struct an_batch b = {.exec = exec, .n_execs = n, .slots = words};
	size_t expected = fill_chunk(n, state), found;

	if (an_cachesim_store_plans_in_slot_run_i1(&sim, &b) ||
	    (whole ? an_d1_simulate_batch(&sim, &b) : run_parts(&b)))
		return UINT64_MAX;
	found = sim.inflight[0].data_misses.n;
	if (an_lower_levels_run_chunk_misses(&sim, &b))
		return UINT64_MAX;
	return found > expected ? found - expected : expected - found;
}

/* Set the clock of each partition to just before it must be renumbered. */
static void end_clocks(void)
{
	for (unsigned p = 0; p < sim.partitions.n; p++)
		sim.partitions.part[p].clock = AN_MAX_TIME - AN_MAX_TICKS;
}

static void test(uint64_t sets, unsigned assoc, unsigned parts)
{
	const struct an_env env = {
		.geometry = &geometry,
		.option = no_option,
		.alloc_code = no_code,
	};
	uint64_t state = 88172645463325252u, after = 0, whole = 0, first = 0;

	printf("# %u sets of %u ways in %u parts\n", (unsigned)sets, assoc,
	       parts);
	geometry = toy_lru_geometry(4, 2, 64);
	geometry.level[1] = (struct an_level){
		"D1", AN_DATA, sets * assoc * 64, assoc, 64, sets, AN_MEMORY};
	sim = (struct an_cachesim){.n_plans = 0};
	lists = (struct toy_lru_sets){.writebacks = 0};
	if (!ok(!an_cachesim_init(&sim, &env, parts) &&
			!an_cachesim_add_block(&sim, &block),
		"a block is added"))
		return;
	is_u64(sim.partitions.n, parts, "the level is in parts");
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
	is_u64(sim.partitions.n_serial_batches, ROUNDS, "which there were");
	an_cachesim_release(&sim);
}

int main(void)
{
	test(16, 4, 2);
	test(16, 8, 8);
	test(64, 2, 4);
	return done_testing();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_counter_test.c - counts of runs of executions are those of the single
   accesses, also if chunks are prepared before the chunk before is counted */
#include "analyzers/entropy/run_counter.h"

#include <stdlib.h>
#include <string.h>

#include "tests/tap.h"

extern const struct an_class an_entropy;

enum {
	BLOCKS = 40,
	ACCESSES = 12, /* of a block */
	SLOTS = 4,
	EXITS = 3,
	EXECS = 30000,
	CHUNKS = 3,
};

static struct pt_access access[BLOCKS][ACCESSES];
static struct pt_exit exits[BLOCKS][EXITS];
static uint64_t exit_count[BLOCKS][EXITS], skip_count[BLOCKS][ACCESSES];
static struct an_block block[BLOCKS];
static struct an_exec exec[EXECS];
static uint64_t slots[EXECS][SLOTS];

static uint32_t random_below(uint32_t n)
{
	static uint64_t x = 1;

	x = x * 6364136223846793005 + 1442695040888963407;
	return (uint32_t)(x >> 32) % n;
}

/* Return a distance from a slot's value. Some are the same, some are not
   aligned, some are far from the others. */
static uint64_t random_delta(void)
{
	uint64_t delta = 8u * random_below(10);

	if (random_below(8) == 0)
		delta += random_below(8);
	return random_below(4) == 0 ? delta - 0x12340 * random_below(3) : delta;
}

/* Slot 3 is of guarded accesses only. Some accesses have no slot. */
static struct pt_access random_access(void)
{
	unsigned slot = random_below(SLOTS + 1);
	bool has_slot = slot < SLOTS;

	return (struct pt_access){
		.delta = random_delta() + (has_slot ? 0 : 0x601000),
		.slot = has_slot ? (uint16_t)slot : PT_NO_SLOT,
		.size = 8,
		.kind = (uint8_t)random_below(3),
		.flags = slot == 3 ? PT_GUARDED : 0,
	};
}

static void init_blocks(void)
{
	for (unsigned i = 0; i < BLOCKS; i++) {
		for (unsigned k = 0; k < ACCESSES; k++)
			access[i][k] = random_access();
		exits[i][0].n_accesses = (uint16_t)random_below(ACCESSES);
		exits[i][1].n_accesses = exits[i][0].n_accesses;
		exits[i][2].n_accesses = ACCESSES;
		block[i] = (struct an_block){.id = i,
					     .n_accesses = ACCESSES,
					     .n_exits = EXITS,
					     .access = access[i],
					     .exit = exits[i],
					     .exit_count = exit_count[i],
					     .skip_count = skip_count[i]};
	}
}

static void add_skipped(const struct an_block *b, unsigned n_accesses)
{
	for (unsigned i = 0; i < n_accesses; i++)
		skip_count[b->id][i] += (b->access[i].flags & PT_GUARDED) != 0;
}

/* Choose the executions. Those of chunk c are of the first (c + 1) / CHUNKS of
   the blocks. Most values of slots are those of the execution before. */
static void init_execs(void)
{
	static uint64_t value[BLOCKS][SLOTS];

	for (uint32_t i = 0; i < EXECS; i++) {
		unsigned chunk = i / (EXECS / CHUNKS);
		unsigned id = random_below(BLOCKS * (chunk + 1) / CHUNKS);
		unsigned exit = random_below(EXITS);

		for (unsigned k = 0; k < SLOTS; k++)
			if (random_below(3) == 0)
				value[id][k] = 0x10000 + 8 * random_below(8000);
		if (random_below(4) == 0)
			value[id][3] = PT_NOT_DONE;
		memcpy(slots[i], value[id], sizeof(slots[i]));
		exec[i] = an_exec(id, exit, i * 2 * SLOTS);
		exit_count[id][exit]++;
		if (value[id][3] == PT_NOT_DONE)
			add_skipped(&block[id], exits[id][exit].n_accesses);
	}
}

/* Count access after access. */
static void count_single_accesses(struct an_address_counts *t)
{
	for (unsigned i = 0; i < EXECS; i++) {
		const struct an_block *b = &block[exec[i].block];
		unsigned n = b->exit[an_exec_exit_number(exec[i])].n_accesses;

		for (const struct pt_access *a = b->access; n-- > 0; a++) {
			uint64_t base =
				a->slot == PT_NO_SLOT ? 0 : slots[i][a->slot];

			if (base != PT_NOT_DONE)
				an_address_counts_add(t, base + a->delta,
						      a->kind == PT_MODIFY ? 2
									   : 1);
		}
	}
}

/* Return two batches that chunk number @chunk consists of. */
static void init_batches(unsigned chunk, struct an_batch batch[2])
{
	for (unsigned i = 0; i < 2; i++)
		batch[i] = (struct an_batch){
			.exec = exec + EXECS / CHUNKS * chunk + 1000 * i,
			.n_execs = i == 0 ? 1000 : EXECS / CHUNKS - 1000,
			.first_exec = 1000 * i,
			.slots = (const uint32_t *)slots,
			.inflight_slot = chunk};
}

/* Prepare all chunks, with the blocks of each, then process them. Return: 0;
   -errno. */
static int run_chunks(void *state)
{
	struct an_batch batch[2];
	int err = an_entropy.open(state, NULL);
	unsigned id = 0;

	for (unsigned c = 0; c < CHUNKS && !err; c++) {
		while (id < BLOCKS * (c + 1) / CHUNKS)
			err |= an_entropy.block(state, &block[id++]);
		init_batches(c, batch);
		for (unsigned i = 0; i < 2 && !err; i++)
			err = an_entropy.prepare(state, &batch[i]);
	}
	for (unsigned c = 0; c < CHUNKS && !err; c++) {
		init_batches(c, batch);
		for (unsigned i = 0; i < 2 && !err; i++)
			err = an_entropy.batch(state, &batch[i]);
	}
	return err ? err : an_entropy.finish(state);
}

static void test_chunks(void)
{
	/* The counts are the first member of the state. */
	struct an_address_counts *got =
		aligned_alloc(64, (an_entropy.state_size + 63) / 64 * 64);
	struct an_address_counts want = {0};
	struct an_entropies g, w;

	if (got == NULL)
		exit(99);
	memset(got, 0, an_entropy.state_size);
	ok(run_chunks(got) == 0, "chunks are counted");
	count_single_accesses(&want);
	if (an_address_counts_compute_entropies(got, &g) ||
	    an_address_counts_compute_entropies(&want, &w))
		exit(99);
	is_u64(g.n_accesses, w.n_accesses, "accesses are those one by one");
	is_u64(g.n_addresses, w.n_addresses, "so are the addresses");
	ok(memcmp(g.bits, w.bits, sizeof(w.bits)) == 0, "so are the entropies");
	is_u64(got->bytes, want.bytes, "so is the memory for the counts");
	an_entropy.close(got);
	an_address_counts_release(&want);
	free(got);
}

/* Count UINT32_MAX + 2 executions of a block with one access, which is a
   modify, to an address with a count that just fits into a cell. */
static void test_long_run(void)
{
	struct pt_access modify = {.delta = 8, .kind = PT_MODIFY};
	struct pt_exit exit = {.n_accesses = 1};
	struct an_block b = {.n_accesses = 1,
			     .n_exits = 1,
			     .access = &modify,
			     .exit = &exit};
	uint64_t value = 0x1000;
	struct an_exec one = an_exec(0, 0, 0);
	struct an_batch batch = {
		.exec = &one, .n_execs = 1, .slots = (uint32_t *)&value};
	struct an_arena arena = {.used = 0};
	struct an_near_block *k = an_near_block_create(&arena, &b, 0);
	struct an_value_runs runs = {.n_blocks = 0};
	struct an_value_run_list list = {.n = 0};
	struct an_block_chain chain = {.n = 0};
	struct an_run_counter counter = {.n_near = 0};
	struct an_entropies e;

	an_block_chain_init(&chain);
	an_chain_reader_init(&counter.reader, &chain);
	an_block_chain_append(&chain, &k->chained);
	an_value_runs_add_slots_of_block(&runs, k);
	an_value_runs_list_ended(&runs, &batch, &list);
	runs.last[0].n_execs = UINT32_MAX;
	an_value_runs_list_ended(&runs, &batch, &list);
	an_value_runs_list_ended(&runs, &batch, &list);
	an_value_runs_list_last(&runs, &list);
	an_address_counts_add(&counter.counts, 0x1008, UINT32_MAX - 1);
	ok(an_run_counter_count_accesses_of_runs(&counter, 1, &list) == 0 &&
		   list.n == 0,
	   "a run of more than 2^32 executions is counted");
	an_address_counts_compute_entropies(&counter.counts, &e);
	is_u64(e.n_accesses, 2 * (UINT32_MAX + 2ull) + UINT32_MAX - 1,
	       "exactly");
	is_u64(e.n_addresses, 1, "at one address");
	an_address_counts_release(&counter.counts);
	an_run_counter_free_near_accesses(&counter);
	an_value_runs_release(&runs);
	an_value_run_list_free_runs(&list);
	an_arena_free_all_and_reset(&arena);
}

int main(void)
{
	init_blocks();
	init_execs();
	test_chunks();
	test_long_run();
	return done_testing();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * executed_blocks_test.c - tests blocks stopped by faults
 */
#include "lib/recover/executed_blocks.h"

#include <errno.h>

#include "lib/pipeline/stream.h"
#include "lib/recover/counts.h"
#include "lib/recover/memory_bounds.h"
#include "proto/unit.h"
#include "tests/fixtures/toy_run.h"
#include "tests/tap.h"

enum { ROUNDS = 1000, CHUNKS = 4 };

/* Count the calls of block(). */
static int count_block(void *state, const struct an_block *b)
{
	(void)b;
	++*(uint64_t *)state;
	return 0;
}

static const struct an_class blocks = {
	.name = "blocks",
	.state_size = sizeof(uint64_t),
	.block = count_block,
};

static const struct al_settings counting = {
	.analysis = {{.class = &blocks}},
	.n_analyses = 1,
};

/* Add a PT_CUT unit with @slots slots, all equal to @address. */
static void add_cut(uint32_t id, unsigned slots, uint64_t address,
		    uint64_t position)
{
	uint32_t header = pt_encode_control_unit_header(PT_CUT, 16 + 8 * slots);

	put(&header, sizeof(header));
	while (slots--)
		put(&address, sizeof(address));
	put(&id, sizeof(id));
	put(&position, sizeof(position));
}

/* Fill a chunk with faults of block 0, which has a modify, at each position,
   and of block 1 after a guarded load that happens every other time. */
static void fill_chunk(void)
{
	start_chunk();
	for (unsigned i = 0; i < ROUNDS; i++) {
		add_cut(0, 0, 0, pt_encode_block_cut_position(0, 1, false));
		add_cut(0, 0, 0, pt_encode_block_cut_position(0, 2, false));
		add_cut(0, 1, 8, pt_encode_block_cut_position(0, 2, true));
		add_cut(0, 1, 8, pt_encode_block_cut_position(1, 2, false));
		add_cut(1, 1, i % 2 ? PT_NOT_DONE : 8,
			pt_encode_block_cut_position(1, 2, false));
	}
	chunk[1] = used;
}

static struct al_stream *run_cuts(void)
{
	struct block_record both[2] = {block, block};
	struct al_stream *s = al_stream_new(&counting, symbols, AL_FIRST_LABEL);

	both[0].access.kind = PT_MODIFY;
	both[1].block.id = both[1].block.route = 1;
	both[1].access.flags = PT_GUARDED;
	al_stream_parse_and_store_log(s, both, sizeof(both));
	for (unsigned n = 0; n < CHUNKS; n++) {
		fill_chunk();
		al_stream_process_chunk_in_this_thread(s, chunk, CHUNK, 0);
	}
	return s;
}

static uint64_t get_n_blocks(struct al_stream *s)
{
	const void *state;

	al_stream_analysis_state_and_error(s, 0, 0, &state);
	return *(const uint64_t *)state;
}

static void test_cuts(void)
{
	uint64_t n = ROUNDS * CHUNKS;
	struct al_stream *s = run_cuts();
	struct al_counts c;

	al_stream_finish_counts_and_analyses(s);
	c = al_stream_sum_latest_counts(s);
	is_u64(get_n_blocks(s), 5, "equal faults are one block");
	is_u64(c.blocks, 5 * n, "counted as often as it happened");
	is_u64(c.instructions, 9 * n, "with its instructions");
	is_u64(c.reads, 2 * n + n / 2, "and reads, but for false guards");
	is_u64(c.writes, n, "and writes");
	is_u64(c.modifies, n, "and modifies");
	al_stream_free(s);
}

/* Check that a PT_CUT unit with more slots than its block part is refused. */
static void test_bad_cuts(void)
{
	struct al_stream *s = al_stream_new(&counting, symbols, AL_FIRST_LABEL);

	al_stream_parse_and_store_log(s, &block, sizeof(block));
	start_chunk();
	add_cut(0, 0, 0, pt_encode_block_cut_position(0, 1, false));
	add_cut(0, 1, 8, pt_encode_block_cut_position(0, 1, false));
	chunk[1] = used;
	is_u64((uint64_t)-al_stream_process_chunk_in_this_thread(s, chunk,
								 CHUNK, 0),
	       EPROTO, "a cut that is too long is a contradiction");
	al_stream_finish_counts_and_analyses(s);
	is_u64(al_stream_sum_latest_counts(s).blocks, 1, "and not counted");
	al_stream_free(s);
}

/* ---- faults in many places ---- */

enum { MANY = PT_MAX_INSTRS };

/* A block of MANY instructions, each with a modify at a constant address. */
static struct long_record {
	struct pt_log_block block;
	struct pt_instr instr[MANY];
	struct pt_access access[MANY];
	struct pt_exit exit;
} long_block = {
	.block = {.head = {PT_LOG_BLOCK, sizeof(long_block)},
		  .n_instrs = MANY,
		  .n_accesses = MANY,
		  .n_exits = 1},
	.exit = {.n_instrs = MANY, .n_accesses = MANY, .bytes = 4},
};

static void make_long_block(void)
{
	for (unsigned i = 0; i < MANY; i++) {
		long_block.instr[i] =
			(struct pt_instr){.addr = 0x1000 + 4 * i, .len = 4};
		long_block.access[i] = (struct pt_access){
			.delta = 0x9000,
			.instr = (uint16_t)i,
			.slot = PT_NO_SLOT,
			.size = 8,
			.kind = PT_MODIFY,
		};
	}
}

static void test_shared(void)
{
	struct al_blocks all;
	struct al_desc *cut, *half;

	al_blocks_init(&all, al_symbols_intern_table(symbols));
	ok(al_blocks_parse_and_store_log(&all, &long_block,
					 sizeof(long_block)) == 0,
	   "a long block is described");
	cut = al_desc_new_partial(all.desc[0], 900, 1000, false);
	half = al_desc_new_partial(all.desc[0], 900, 1000, true);
	ok(cut->access == all.desc[0]->access,
	   "a cut has the block's accesses");
	is_u64(cut->n_accesses, 900, "as many as were done");
	ok(half->access[900].kind == PT_LOAD, "half a modify is a load");
	ok(all.desc[0]->access[900].kind == PT_MODIFY, "but not the block's");
	free(cut);
	free(half);
	al_blocks_release(&all);
}

/* Fill a chunk with @n of the long block's 1022 * 512 cuts, from number @from
   on. */
static void fill_cuts(unsigned from, unsigned n)
{
	start_chunk();
	for (unsigned i = from; i < from + n; i++)
		add_cut(0, 0, 0,
			pt_encode_block_cut_position(i % 512, 1 + 511 + i / 512,
						     false));
	chunk[1] = used;
}

static void test_many(void)
{
	struct al_stream *s = al_stream_new(&counting, symbols, AL_FIRST_LABEL);
	enum { ROUND = 1000 };
	unsigned n = 0;
	int err = 0;

	al_stream_parse_and_store_log(s, &long_block, sizeof(long_block));
	for (; !err && n < 500 * 512; n += ROUND) {
		fill_cuts(n, ROUND);
		err = al_stream_process_chunk_in_this_thread(s, chunk, CHUNK,
							     0);
	}
	is_u64((uint64_t)-err, AL_E_PARTIAL_BYTES,
	       "different cuts are bounded");
	ok(n * (uint64_t)MANY / 2 < AL_MAX_PARTIAL_BYTES, "by their bytes");
	ok(strstr(al_truncation_reason_null_if_0(err), "64 MiB"),
	   "which is the reason");
	al_stream_finish_counts_and_analyses(s);
	ok(al_stream_sum_latest_counts(s).blocks > n - ROUND,
	   "those before are counted");
	al_stream_free(s);
}

int main(void)
{
	start_test();
	test_cuts();
	test_bad_cuts();
	make_long_block();
	test_shared();
	test_many();
	end_test();
	return done_testing();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page_index_test.c - tests the pages of blocks that have many exits
 */
#include "lib/recover/page_index.h"

#include <malloc.h>

#include "tests/fixtures/toy_run.h"
#include "tests/tap.h"

enum { BLOCKS = 24, N = PT_MAX_INSTRS, ROUTES = BLOCKS * N, PAGE = 4096 };

/* A block of N instructions with an access and an exit each. Every instruction
   and access is in another page than its predecessor. */
static struct wide_record {
	struct pt_log_block block;
	struct pt_instr instr[N];
	struct pt_access access[N];
	struct pt_exit exit[N];
} wide = {
	.block = {.head = {PT_LOG_BLOCK, sizeof(wide)},
		  .n_instrs = N,
		  .n_accesses = N,
		  .n_exits = N},
};

static void make_wide_block(uint32_t id)
{
	wide.block.id = id;
	wide.block.route = id * N;
	for (unsigned i = 0; i < N; i++) {
		wide.instr[i] = (struct pt_instr){
			.addr = 0x10000 + i % 2 * PAGE,
			.len = 4,
		};
		wide.access[i] = (struct pt_access){
			.delta = 0x100000 + i % 2 * PAGE,
			.instr = (uint16_t)i,
			.slot = PT_NO_SLOT,
			.size = 8,
		};
		wide.exit[i] = (struct pt_exit){
			.n_instrs = (uint16_t)(i + 1),
			.n_accesses = (uint16_t)(i + 1),
			.bytes = 4,
		};
	}
}

static size_t allocated_bytes(void)
{
	struct mallinfo2 m = mallinfo2();

	return m.uordblks + m.hblkhd;
}

static void test_many_exits(struct al_recovery *all)
{
	struct al_page_index *t = al_page_index_new(all);
	static uint32_t header[ROUTES];
	static struct pf_chunk_content content = {.header = header,
						  .n_headers = ROUTES};
	struct al_recovered_chunk p = {0};
	struct pf_touched touched;
	size_t before = allocated_bytes();

	for (uint32_t i = 0; i < ROUTES; i++)
		header[i] = pt_encode_block_unit_header(i, 4);
	for (unsigned round = 0; round < 2; round++) {
		pf_pages_clear(&content.values);
		ok(al_page_index_compute_chunk_extents(t, &p, &content,
						       &touched) == 0,
		   "units leave blocks by many exits");
		ok(allocated_bytes() - before < 72 << 20, "which takes 64 MiB");
		is_u64(touched.code[0].first, 0x10, "their code is found");
		is_u64(touched.code[0].pages, 2, "all of it");
		is_u64(touched.data[0].first, 0x100, "so is their data");
		is_u64(touched.data[0].pages, 2, "all of it");
	}
	al_page_index_free(t);
}

int main(void)
{
	struct al_recovery all;

	start_test();
	al_recovery_init(&all, al_symbols_intern_table(symbols));
	for (uint32_t i = 0; i < BLOCKS; i++) {
		make_wide_block(i);
		if (al_blocks_parse_and_store_log(&all.blocks, &wide,
						  sizeof(wide)) != 0)
			return 1;
	}
	test_many_exits(&all);
	al_recovery_release(&all);
	end_test();
	return done_testing();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * al_blocks_test.c - which file a block lies in
 *
 * Room:    lib.
 */
#include "lib/al_blocks.h"

#include <errno.h>

#include "lib/al_byhand.h"
#include "tests/tap.h"

static struct al_blocks blocks;

/* A block at 0x1000. */
static const struct al_desc *next_block(void)
{
	struct block_record r = block;

	r.block.id = r.block.route = blocks.n;
	ok(!al_blocks_take(&blocks, &r, sizeof(r)), "a block is taken");
	return blocks.desc[blocks.n - 1];
}

static int file(const char *path, size_t bytes)
{
	struct {
		struct pt_log_head head;
		char path[16];
	} r = {{PT_LOG_FILE, sizeof(r.head) + (uint32_t)bytes}, ""};

	memcpy(r.path, path, bytes);
	return al_blocks_take(&blocks, &r, sizeof(r.head) + bytes);
}

static int map(uint64_t start, const char *path)
{
	struct {
		struct pt_log_map map;
		char path[8];
	} r = {{{PT_LOG_MAP, sizeof(r)}, start, 0x1000, 0, 0}, ""};

	memcpy(r.path, path, strlen(path));
	return al_blocks_take(&blocks, &r, sizeof(r));
}

int main(void)
{
	const struct al_desc *d;

	symbols = al_symbols_new();
	al_blocks_init(&blocks, symbols);
	ok(!next_block()->path, "a block may lie in no file");
	ok(!file("/a/plt\0", 8), "a file is told");
	d = next_block();
	is_str(d->path, "/a/plt", "the next block lies in it");
	ok(!d->mapping, "but its names are not known");
	ok(!next_block()->path, "the one after that does not");
	ok(!map(0x1000, "/a/text"), "an object is mapped");
	d = next_block();
	ok(d->mapping, "of what lies in it names are known");
	is_str(d->path, "/a/text", "and the file");
	file("/a/plt\0", 8);
	is_str(next_block()->path, "/a/text", "which is believed");
	is_u64((uint64_t)-file("/a/plt/x", 8), EPROTO,
	       "a path without end is refused");
	is_u64((uint64_t)-file("", 0), EPROTO, "so is none at all");
	al_blocks_release(&blocks);
	al_symbols_free(symbols);
	return done_testing();
}

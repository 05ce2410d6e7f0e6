/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * blocks_test.c - tests reading the log: files, mappings, values, marks, bounds
 */
#include "lib/recover/blocks.h"

#include <errno.h>

#include "lib/recover/memory_bounds.h"
#include "tests/fixtures/toy_run.h"
#include "tests/tap.h"

static struct al_blocks blocks;

/* Log a block at 0x1000, and return its descriptor. */
static const struct al_desc *log_block_in(struct al_blocks *b)
{
	struct block_record r = block;

	r.block.id = r.block.route = b->n;
	ok(!al_blocks_parse_and_store_log(b, &r, sizeof(r)),
	   "a block is taken");
	return b->desc[b->n - 1];
}

static const struct al_desc *log_block(void)
{
	return log_block_in(&blocks);
}

static int log_file(const char *path, size_t bytes)
{
	struct {
		struct pt_log_head head;
		char path[16];
	} r = {{PT_LOG_FILE, sizeof(r.head) + (uint32_t)bytes}, ""};

	memcpy(r.path, path, bytes);
	return al_blocks_parse_and_store_log(&blocks, &r,
					     sizeof(r.head) + bytes);
}

static int log_map(uint64_t start, const char *path)
{
	struct {
		struct pt_log_map log_map;
		char path[8];
	} r = {{{PT_LOG_MAP, sizeof(r)}, start, 0x1000, 0, 0}, ""};

	memcpy(r.path, path, strlen(path));
	return al_blocks_parse_and_store_log(&blocks, &r, sizeof(r));
}

static void log_unmap(uint64_t start, uint64_t bytes)
{
	struct pt_log_unmap r = {{PT_LOG_UNMAP, sizeof(r)}, start, bytes};

	ok(!al_blocks_parse_and_store_log(&blocks, &r, sizeof(r)),
	   "objects are unmapped");
}

/* Check the path of the next block of a child that was forked when the log had
   @log bytes, and of its child. */
static void check_fork(uint64_t log, const char *path, const char *fact)
{
	struct al_blocks child, grandchild;

	al_blocks_init(&child, al_symbols_intern_table(symbols));
	al_blocks_init(&grandchild, al_symbols_intern_table(symbols));
	ok(!al_blocks_borrow_blocks_and_mappings(&child, &blocks, 1, log),
	   "a child forks");
	ok(!al_blocks_borrow_blocks_and_mappings(&grandchild, &child, 1, 0),
	   "and its child");
	is_str(log_block_in(&child)->path, path, fact);
	is_str(log_block_in(&grandchild)->path, path, "so does its child");
	al_blocks_release(&grandchild);
	al_blocks_release(&child);
}

static void test_forks(void)
{
	struct al_blocks child;
	uint64_t none, old, gone;

	al_blocks_init(&blocks, al_symbols_intern_table(symbols));
	log_block();
	none = blocks.log_bytes;
	ok(!log_map(0x1000, "/a/old"), "an object is mapped");
	old = blocks.log_bytes;
	log_unmap(0x1000, 0x1000);
	gone = blocks.log_bytes;
	ok(!log_map(0x1000, "/a/new"), "and another in its place");
	check_fork(none, NULL, "before, there is none");
	check_fork(old, "/a/old", "a child knows the object of its time");
	check_fork(gone, NULL, "between, there is none");
	check_fork(blocks.log_bytes, "/a/new", "after that, it is the new one");
	al_blocks_init(&child, al_symbols_intern_table(symbols));
	is_u64((uint64_t)-al_blocks_borrow_blocks_and_mappings(
		       &child, &blocks, 1, blocks.log_bytes + 8),
	       EPROTO, "what was not read yet cannot be inherited");
	al_blocks_release(&child);
	al_blocks_release(&blocks);
}

static void test_files(void)
{
	const struct al_desc *d;

	al_blocks_init(&blocks, al_symbols_intern_table(symbols));
	ok(!log_block()->path, "a block may lie in no file");
	ok(!log_file("/a/plt\0", 8), "a file is told");
	d = log_block();
	is_str(d->path, "/a/plt", "the next block lies in it");
	ok(!d->mapping, "but its names are not known");
	ok(!log_block()->path, "the one after that does not");
	ok(!log_map(0x1000, "/a/text"), "an object is mapped");
	d = log_block();
	ok(d->mapping, "of what lies in it names are known");
	is_str(d->path, "/a/text", "and the file");
	log_file("/a/plt\0", 8);
	is_str(log_block()->path, "/a/text", "which is believed");
	is_u64((uint64_t)-log_file("/a/plt/x", 8), EPROTO,
	       "a path without end is refused");
	is_u64((uint64_t)-log_file("", 0), EPROTO, "so is none at all");
	al_blocks_release(&blocks);
}

/* ---- many objects ---- */

enum { OBJECT_DISTANCE = 0x100000, PAGE = 0x1000 };

static const char *path_at(uint64_t addr)
{
	const struct al_mapping *m =
		al_mappings_find_live_at(&blocks.mappings, addr);

	return m ? m->path : NULL;
}

static void test_ranges(void)
{
	al_blocks_init(&blocks, al_symbols_intern_table(symbols));
	log_map(3 * OBJECT_DISTANCE, "/a/3");
	log_map(1 * OBJECT_DISTANCE, "/a/1");
	log_map(2 * OBJECT_DISTANCE, "/a/2");
	is_str(path_at(1 * OBJECT_DISTANCE), "/a/1",
	       "objects are found by address");
	is_str(path_at(2 * OBJECT_DISTANCE + PAGE - 1), "/a/2",
	       "up to their last byte");
	ok(!path_at(2 * OBJECT_DISTANCE + PAGE), "but not behind it");
	ok(!path_at(1 * OBJECT_DISTANCE - 1), "nor before their first");
	log_map(2 * OBJECT_DISTANCE + PAGE / 2, "/a/new");
	is_str(path_at(2 * OBJECT_DISTANCE + PAGE), "/a/new",
	       "the last one mapped");
	ok(!path_at(2 * OBJECT_DISTANCE), "takes the place of what was there");
	log_unmap(OBJECT_DISTANCE + PAGE / 2, OBJECT_DISTANCE + PAGE / 2);
	ok(!path_at(OBJECT_DISTANCE), "an object is gone when its end is");
	ok(!path_at(2 * OBJECT_DISTANCE + PAGE), "and when its beginning is");
	is_str(path_at(3 * OBJECT_DISTANCE), "/a/3", "others stay");
	log_unmap(0, UINT64_MAX);
	ok(!path_at(3 * OBJECT_DISTANCE), "unless all goes");
	log_map(UINT64_MAX - PAGE + 1, "/a/end");
	is_str(path_at(UINT64_MAX), "/a/end", "memory has a last byte");
	is_u64((uint64_t)-log_map(UINT64_MAX - PAGE + 2, "/a/end"), EPROTO,
	       "and no object goes on behind it");
	al_blocks_release(&blocks);
}

static void test_bound(void)
{
	uint64_t n = 0, wrong = 0;

	al_blocks_init(&blocks, al_symbols_intern_table(symbols));
	while (n <= PT_MAX_MAPPED &&
	       !log_map((n * 40503 & 0xffff) * OBJECT_DISTANCE, "/a/b"))
		n++;
	is_u64(n, PT_MAX_MAPPED, "the objects at once are bounded");
	for (n = 0; n < PT_MAX_MAPPED; n++)
		wrong += !path_at(n * OBJECT_DISTANCE) ||
			 path_at(n * OBJECT_DISTANCE + PAGE);
	is_u64(wrong, 0, "all of them are found");
	log_unmap(5 * OBJECT_DISTANCE, 1);
	ok(!log_map(5 * OBJECT_DISTANCE, "/a/c"),
	   "one that goes leaves room for another");
	al_blocks_release(&blocks);
}

/* Check a log that intercepted calls have made longer than 32 GiB. */
static void test_long_log(void)
{
	const uint64_t long_log = (uint64_t)33 << 30;

	al_blocks_init(&blocks, al_symbols_intern_table(symbols));
	blocks.log_bytes = long_log;
	is_u64(log_block()->log_end, long_log + sizeof(block),
	       "a block knows where its log ends, however far");
	al_blocks_release(&blocks);
}

/* Check that a second block is refused when the memory bound allows one
   only. */
static void test_kept(void)
{
	const struct pt_log_head call = {PT_LOG_CALL, sizeof(call)};
	struct block_record r = block;

	al_blocks_init(&blocks, al_symbols_intern_table(symbols));
	blocks.stored_bytes = AL_MAX_STORED_LOG - sizeof(r);
	log_block();
	is_u64(blocks.stored_bytes, AL_MAX_STORED_LOG, "blocks are kept");
	ok(!al_blocks_parse_and_store_log(&blocks, &call, sizeof(call)),
	   "calls are not");
	r.block.id = r.block.route = 1;
	is_u64((uint64_t)-al_blocks_parse_and_store_log(&blocks, &r, sizeof(r)),
	       AL_E_STORED_LOG, "what is kept is bounded");
	ok(strstr(al_truncation_reason_null_if_0(-AL_E_STORED_LOG), "4 GiB"),
	   "and says so");
	al_blocks_release(&blocks);
}

/* ---- lanes that select a block ---- */

static int log_lanes(uint32_t bytes)
{
	const struct {
		struct pt_log_head head;
		uint64_t lane;
	} r = {{PT_LOG_LANES, bytes}, 1};

	return al_blocks_parse_and_store_log(&blocks, &r, bytes);
}

static void test_wanted(void)
{
	al_blocks_init(&blocks, al_symbols_intern_table(symbols));
	ok(!log_lanes(16), "a lane wants the next block");
	is_u64(log_block()->lanes, 1, "which knows it");
	is_u64((uint64_t)-log_lanes(8), EPROTO,
	       "a record without lanes is refused");
	al_blocks_release(&blocks);
}

/* ---- values ---- */

/* A struct pt_log_values with one value. */
struct values_record {
	struct pt_log_head head;
	uint16_t stamp;
	uint16_t n_values;
	uint16_t far;
	uint16_t pad;
	struct pt_value value;
};

static struct values_record make_values(uint16_t read, uint16_t read_if)
{
	return (struct values_record){
		{PT_LOG_VALUES, sizeof(struct values_record)},
		PT_NO_SLOT,
		1,
		0,
		0,
		{read, PT_NO_SLOT, read_if, PT_NO_SLOT},
	};
}

/* Log @v and a block with two slots and an exit of @bytes. */
static int log_values(struct al_blocks *b, const struct values_record *v,
		      uint16_t bytes)
{
	struct block_record r = block;
	int err;

	al_blocks_init(b, al_symbols_intern_table(symbols));
	r.block.n_slots = 2;
	r.exit.bytes = bytes;
	err = al_blocks_parse_and_store_log(b, v, v->head.bytes);
	return err ? err : al_blocks_parse_and_store_log(b, &r, sizeof(r));
}

static void check_values_refused(struct values_record v, uint16_t bytes,
				 const char *fact)
{
	struct al_blocks b;

	is_u64((uint64_t)-log_values(&b, &v, bytes), EPROTO, fact);
	al_blocks_release(&b);
}

static void test_values(void)
{
	struct values_record v = make_values(1, PT_NO_SLOT);
	struct al_desc *cut;
	struct al_blocks b;

	is_u64((uint64_t)-log_values(&b, &v, 20), 0, "values are taken");
	is_u64(b.desc[0]->value[0].read, 1, "and are the block's");
	is_u64(b.desc[0]->timestamp_slot, PT_NO_SLOT,
	       "which has no time stamp");
	cut = al_desc_new_partial(b.desc[0], 0, 1, false);
	is_u64(cut->exit[0].bytes, 4, "what nobody did has no slots");
	free(cut);
	cut = al_desc_new_partial(b.desc[0], 1, 2, false);
	is_u64(cut->exit[0].bytes, 20, "what was done has its values");
	free(cut);
	ok(!log_block_in(&b)->value, "the next block has none");
	al_blocks_release(&b);
	check_values_refused(v, 12,
			     "values behind the end of the unit are refused");
	check_values_refused(make_values(2, PT_NO_SLOT), 20,
			     "so is one behind the slots");
	check_values_refused(make_values(1, 2), 20, "and a condition there");
	v.n_values = 2;
	check_values_refused(v, 20,
			     "and more of them than fit into the record");
	v.n_values = 0;
	v.stamp = 1;
	check_values_refused(v, 20, "a time stamp is the first slot");
	v.stamp = 0;
	is_u64((uint64_t)-log_values(&b, &v, 20), 0, "and there it is taken");
	ok(!b.desc[0]->value, "with no values");
	is_u64(b.desc[0]->instret_slot, PT_NO_SLOT,
	       "nor how far the process is");
	al_blocks_release(&b);
	v.far = 1;
	check_values_refused(v, 20,
			     "which does not share the time stamp's slot");
	v.far = 2;
	is_u64((uint64_t)-log_values(&b, &v, 20), 0, "but is behind it");
	cut = al_desc_new_partial(b.desc[0], 0, 1, false);
	is_u64(cut->exit[0].bytes, 20, "and there when nothing was done");
	free(cut);
	al_blocks_release(&b);
	check_values_refused(v, 12, "nor behind the end of the unit");
	v.stamp = PT_NO_SLOT;
	check_values_refused(v, 20, "or it is the first slot");
	v.far = 1;
	is_u64((uint64_t)-log_values(&b, &v, 20), 0, "as here");
	al_blocks_release(&b);
}

/* ---- marks ---- */

static int log_mark(struct al_blocks *b, uint32_t id, const char *name,
		    size_t bytes)
{
	struct {
		struct pt_log_named named;
		char name[16];
	} r = {{{PT_LOG_NAMED, sizeof(r.named) + (uint32_t)bytes},
		id,
		PT_NAMED_REGION,
		0x1000,
		64},
	       ""};

	memcpy(r.name, name, bytes);
	return al_blocks_parse_and_store_log(b, &r, sizeof(r.named) + bytes);
}

/* Log a name of @length bytes, more than the PT_MAX_NAME of the tool. */
static int add_long_name(struct al_blocks *b, size_t length)
{
	struct {
		struct pt_log_named named;
		char name[PT_MAX_NAME + 9];
	} r = {{{PT_LOG_NAMED, sizeof(r)}, b->marks.n + 1, 1, 0, 0}, ""};

	memset(r.name, 'x', length);
	return al_blocks_parse_and_store_log(b, &r, sizeof(r));
}

static void test_marks(void)
{
	const struct al_mark *m;
	struct al_blocks b, child;

	al_blocks_init(&b, al_symbols_intern_table(symbols));
	ok(!log_mark(&b, 1, "one\0\0\0\0", 8) &&
		   !log_mark(&b, 2, "two\0\0\0\0", 8),
	   "names are told");
	m = al_marks_find(&b.marks, 2);
	is_str(m->name, "two", "and found by their ids");
	ok(m->kind == PT_NAMED_REGION && m->start == 0x1000 && m->size == 64,
	   "with what has them");
	ok(!al_marks_find(&b.marks, 0) && !al_marks_find(&b.marks, 3),
	   "there are no others");
	ok(log_mark(&b, 4, "four\0\0\0", 8) == -EPROTO, "none is left out");
	ok(log_mark(&b, 3, "no end..", 8) == -EPROTO, "a name has an end");
	ok(log_mark(&b, 3, "", 0) == -EPROTO, "or it is none");
	ok(!add_long_name(&b, PT_MAX_NAME), "it may have 255 bytes");
	ok(add_long_name(&b, PT_MAX_NAME + 1) == -EPROTO, "and no more");
	al_blocks_init(&child, al_symbols_intern_table(symbols));
	ok(!al_blocks_borrow_blocks_and_mappings(&child, &b, 0, b.log_bytes) &&
		   !log_mark(&child, 1, "one\0\0\0\0", 8),
	   "a child begins anew");
	al_blocks_release(&child);
	al_blocks_release(&b);
}

int main(void)
{
	symbols = al_symbols_new();
	test_files();
	test_forks();
	test_ranges();
	test_bound();
	test_long_log();
	test_kept();
	test_wanted();
	test_values();
	test_marks();
	al_symbols_free(symbols);
	return done_testing();
}

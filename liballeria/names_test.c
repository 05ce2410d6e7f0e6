/* SPDX-License-Identifier: GPL-2.0-or-later */
/* names_test.c - names of addresses, in an object and in none */

#include <alleria/alleria.h>

#include "tests/fixtures/toy_profile.h"
#include "tests/tap.h"

/* Log an object that covers the block at 0x1000, but not the block at 0x2000.
   Call it before the blocks are logged. */
static void map_object(void)
{
	static const char path[16] = "/bin/prog";
	struct pt_log_map map = {
		.head = {PT_LOG_MAP, sizeof(map) + sizeof(path)},
		.start = 0x1000,
		.size = 0x800,
	};
	char blocks[sizeof(made[LOG].data)];
	size_t bytes = made[LOG].bytes;

	memcpy(blocks, made[LOG].data, bytes);
	made[LOG].bytes = 0;
	add(LOG, &map, sizeof(map));
	add(LOG, path, sizeof(path));
	add(LOG, blocks, bytes);
	made[CHILD].left_out = made[CHILD_UNITS].left_out = true;
	made[CHILD_END].left_out = true;
}

static bool is_unknown(const struct alleria_name *n, uint64_t address)
{
	return !strcmp(n->function, "???") && !strcmp(n->file, "???") &&
	       !strcmp(n->object, "???") && n->line == 0 &&
	       n->value == address && n->number == ALLERIA_NONE;
}

static void test_addresses(struct alleria_profile *p)
{
	struct alleria_name n;

	ok(!alleria_name(p, 1, 0x1004, ALLERIA_NOT, &n) &&
		   !strcmp(n.object, "/bin/prog") && n.value == 0x1004 &&
		   !strcmp(n.function, "main"),
	   "an address in an object has a name");
	ok(!alleria_name(p, 1, 0x1000, 0, &n) && !strcmp(n.function, "main"),
	   "so when an instruction was executed");
	ok(!alleria_name(p, 1, 0x2004, ALLERIA_NOT, &n) &&
		   is_unknown(&n, 0x2004),
	   "one in no object is not known, though it was executed");
	ok(!alleria_name(p, 1, 0x1800, ALLERIA_NOT, &n) &&
		   is_unknown(&n, 0x1800),
	   "nor is the one behind the object's last");
	ok(!alleria_name(p, 1, UINT64_MAX, ALLERIA_NOT, &n) &&
		   is_unknown(&n, UINT64_MAX),
	   "nor the last of all");
	ok(alleria_name(p, 2, 0x1000, ALLERIA_NOT, &n) == ALLERIA_E_RANGE,
	   "of a process that is not there nothing is");
}

static void test_blocks(struct alleria_profile *p)
{
	const struct alleria_execution *e;
	struct alleria_cursor *c;
	struct alleria_name n;
	unsigned in = 0, out = 0;

	if (alleria_cursor_open(p, ALLERIA_EXECUTIONS, NULL, &c))
		abort();
	while (alleria_next_execution(c, &e) > 0) {
		uint64_t address = e->block->code[1].address;

		if (alleria_name_block(p, e->block, 1, &n))
			break;
		in += !strcmp(n.function, "main") && address == 0x1004;
		out += is_unknown(&n, address) && address == 0x2004;
	}
	alleria_cursor_close(c);
	is_u64(in, 3, "instructions of blocks in the object have names");
	is_u64(out, 3, "those of others have none");
}

int main(void)
{
	char message[ALLERIA_MESSAGE];
	struct alleria_profile *p;

	toy_profile_begin();
	map_object();
	write_profile();
	if (alleria_open(toy_profile_path, &p, message)) {
		printf("Bail out! %s\n", message);
		return 99;
	}
	test_addresses(p);
	test_blocks(p);
	alleria_close(p);
	toy_profile_end();
	return done_testing();
}

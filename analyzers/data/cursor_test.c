/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cursor_test.c - tests that misses, which are counted later than they come,
   are counted as if they were counted at once */
#include <string.h>

#include "analyzers/data/cursor.h"
#include "tests/tap.h"

enum {
	BLOCK_BYTES = 64,
	READ = 0,  /* block of code that reads 4 bytes */
	WRITE = 1, /* and one that writes 8 */
	WORDS = 3, /* of an execution */
	EXECS = 7,
};

static const uint64_t first_block = 0x1000, second_block = 0x2000;

static const struct pt_access access_of[] = {
	[READ] = {.size = 4, .kind = PT_LOAD},
	[WRITE] = {.size = 8, .kind = PT_STORE},
};
static const struct pt_exit exit_of_block = {.n_accesses = 1};
static struct an_block block[2];
static union {
	struct an_path_plan plan;
	char room_for_runs[32];
} path[2];
static struct an_plan plan[2];
static struct an_exec exec[EXECS];
static uint32_t slots[EXECS * WORDS];
static unsigned n_execs;

static void make_blocks(void)
{
	for (uint32_t i = 0; i < 2; i++) {
		block[i] = (struct an_block){.id = i,
					     .n_instrs = 1,
					     .n_accesses = 1,
					     .n_exits = 1,
					     .n_slots = 1,
					     .access = &access_of[i],
					     .exit = &exit_of_block};
		path[i].plan.block = &block[i];
		plan[i].data = &path[i].plan;
	}
}

static void append_exec(uint32_t block_id, uint64_t addr)
{
	uint32_t offset = n_execs * WORDS + 1;

	exec[n_execs++] = an_exec(block_id, 0, offset);
	memcpy(&slots[offset], &addr, sizeof(addr));
}

static struct an_miss miss_of_exec(unsigned number)
{
	return (struct an_miss){
		.block = exec[number].block,
		.program_order = an_program_order_key(exec[number], 0),
	};
}

/* Report a read miss of the line that contains the address of an execution, as
   compiled code does, by the line's first address. */
static void count_line_miss(struct an_data_cursor *cursor, unsigned exec_number)
{
	struct an_miss m = miss_of_exec(exec_number);
	uint64_t addr;

	memcpy(&addr, &slots[exec_number * WORDS + 1], sizeof(addr));
	m.addr = addr & ~UINT64_C(63);
	m.write = m.block == WRITE;
	an_data_cursor_count_miss_of_data_object(cursor, &m, 1);
}

static const struct an_type *no_type(void *host, const struct an_block *b,
				     unsigned instr)
{
	(void)host;
	(void)b;
	(void)instr;
	return NULL;
}

/* Add two sites, each with a heap block. */
static void add_two_blocks(struct an_owners *owners, uint64_t second_bytes)
{
	for (uint32_t i = 1; i <= 2; i++) {
		uint64_t word[] = {i == 1 ? first_block : second_block,
				   i == 1 ? BLOCK_BYTES : second_bytes,
				   i == 1 ? BLOCK_BYTES : second_bytes};
		uint64_t site[] = {0, 0x100 * i, 0x200};
		struct an_batch b = {.event_word = site};

		an_owners_apply_event(owners, &b,
				      &(struct an_stream_event){.kind = PT_SITE,
								.id = i,
								.n_words = 3});
		b.event_word = word;
		an_owners_apply_event(owners, &b,
				      &(struct an_stream_event){.kind = PT_BORN,
								.id = i,
								.n_words = 3});
	}
}

/* Run a batch whose first and fourth execution miss in the first block. The
   third execution accesses another field of the second one than that before. */
static void run_batch(struct an_data_cursor *cursor)
{
	const struct an_batch b = {
		.exec = exec, .n_execs = EXECS, .slots = slots};
	struct an_miss first, fourth;

	append_exec(READ, first_block);
	append_exec(WRITE, second_block);
	append_exec(WRITE, second_block + 16);
	append_exec(READ, first_block);
	append_exec(READ, first_block + 4);
	append_exec(READ, first_block);
	append_exec(WRITE, first_block);
	first = miss_of_exec(0);
	fourth = miss_of_exec(3);
	an_data_cursor_begin_batch(cursor, &b, plan);
	an_data_cursor_count_miss_of_data_object(cursor, &first, 1);
	an_data_cursor_count_miss_of_data_object(cursor, &fourth, 2);
	an_data_cursor_add_write_back_to_object(
		cursor, &fourth,
		&(struct an_write_back){.addr = first_block, .level = 2});
	an_data_cursor_end_batch(cursor);
	an_data_cursor_add_pending_to_objects(cursor);
}

static void check_group(const struct an_owners *o,
			const struct an_data_group *g)
{
	const struct an_field_counts *f =
		g->fields.cell ? &o->fields.counts[g->fields.cell[0]] : NULL;

	if (g->site == 2)
		ok(f == NULL && g->counts.writes == 2,
		   "the last cells are not those of an access after a miss");
	if (g->site != 1)
		return;
	ok(f != NULL && f->misses[0][0] == 2 && f->misses[1][0] == 1 &&
		   f->reads == 3 && f->writes == 1 && f->bytes == 20,
	   "but those of the miss");
	ok(f != NULL && f->longest == 8, "the longest access of a field");
	ok(g->counts.misses[0][0] == 2 && g->counts.misses[1][0] == 1 &&
		   g->counts.write_backs[2] == 1 && g->counts.reads == 4,
	   "misses and write-backs of a data object");
}

static struct an_data_group *group_of_site(struct an_owners *o, uint32_t site)
{
	for (uint32_t i = 1; i < o->n_groups; i++)
		if (o->group[i].site == site)
			return &o->group[i];
	return &o->group[AN_UNKNOWN_GROUP];
}

/* Run a batch in which each execution misses. @event: NULL: none. */
static void run_batch_of_misses(struct an_data_cursor *cursor,
				const struct an_stream_event *event)
{
	uint64_t word[] = {first_block};
	const struct an_batch b = {.exec = exec,
				   .n_execs = n_execs,
				   .slots = slots,
				   .event = event,
				   .n_events = event != NULL,
				   .event_word = word};

	an_data_cursor_begin_batch(cursor, &b, plan);
	for (unsigned i = 0; i < n_execs; i++)
		count_line_miss(cursor, i);
	an_data_cursor_end_batch(cursor);
	n_execs = 0;
}

/* Run a batch that finds both blocks, and one in which the first block ends
   before the sixth execution. */
static void run_batches_of_misses(struct an_data_cursor *cursor)
{
	const struct an_stream_event died = {
		.kind = PT_DIED, .before_exec = 5, .n_words = 1};

	append_exec(READ, first_block);
	append_exec(READ, second_block);
	run_batch_of_misses(cursor, NULL);
	append_exec(READ, first_block);
	append_exec(READ, first_block + 8);
	append_exec(WRITE, first_block + 16);
	append_exec(READ, second_block + BLOCK_BYTES / 2);
	append_exec(READ, second_block + BLOCK_BYTES / 2 - 4);
	append_exec(READ, first_block + 24);
	append_exec(READ, second_block);
	run_batch_of_misses(cursor, &died);
}

/* Whole lines of one data object are counted without the addresses of accesses;
   other lines, and misses after an event that is not applied, with them. */
static void test_misses_of_lines(void)
{
	const struct an_env env = {.accessed_type = no_type};
	struct an_owners owners = {0};
	struct an_data_cursor cursor = {.line_bytes = 64};
	const struct an_data_counts *c;

	an_data_cursor_init(&cursor, &owners, &env);
	add_two_blocks(&owners, BLOCK_BYTES / 2);
	run_batches_of_misses(&cursor);
	c = &group_of_site(&owners, 1)->counts;
	ok(c->misses[0][0] == 3 && c->misses[0][1] == 1, "misses of a line");
	c = &group_of_site(&owners, 2)->counts;
	is_u64(c->misses[0][0], 3, "misses of a line that is shared");
	c = &owners.group[AN_UNKNOWN_GROUP].counts;
	is_u64(c->misses[0][0], 2, "misses beside blocks and after a death");
	an_data_cursor_release(&cursor);
	an_owners_release(&owners);
}

int main(void)
{
	const struct an_env env = {.accessed_type = no_type};
	struct an_owners owners = {.has_fields = true};
	struct an_data_cursor cursor = {.counts_accesses = true,
					.counts_fields = true};

	make_blocks();
	an_data_cursor_init(&cursor, &owners, &env);
	add_two_blocks(&owners, BLOCK_BYTES);
	owners.fields.n_cell_numbers = AN_MAX_CELL_NUMBERS - BLOCK_BYTES;
	run_batch(&cursor);
	is_u64(owners.fields.n_undivided, 1, "there are cells for one group");
	for (uint32_t i = 0; i < owners.n_groups; i++)
		check_group(&owners, &owners.group[i]);
	ok(an_data_cursor_error(&cursor) == 0, "no error");
	n_execs = 0;
	test_misses_of_lines();
	an_data_cursor_release(&cursor);
	an_owners_release(&owners);
	return done_testing();
}

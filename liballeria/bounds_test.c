/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bounds_test.c - filters: those that make no sense, and bounds of accesses */

#include <alleria/alleria.h>

#include "tests/fixtures/toy_profile.h"
#include "tests/tap.h"

enum { MOST = 64 };

static struct alleria_profile *profile;

/* ---- what cannot be asked for ---- */

static int open_with(enum alleria_what what, const struct alleria_filter *f)
{
	struct alleria_cursor *c;
	int err = alleria_cursor_open(profile, what, f, &c);

	alleria_cursor_close(c);
	return err;
}

static void test_ranges(void)
{
	const struct alleria_filter backward[] = {
		{.code_from = 2, .code_to = 1},
		{.data_from = 2, .data_to = 1},
		{.access_from = 2, .access_to = 1},
		{.instruction_from = 2, .instruction_to = 1},
		{.time_from = 2, .time_to = 1},
		{.n_processes = 1},
		{.n_threads = 1},
		{.n_threads = 1, .thread = (const uint32_t[]){0}},
	};
	const unsigned n = sizeof(backward) / sizeof(backward[0]);
	unsigned refused = 0;

	for (unsigned i = 0; i < n; i++)
		for (unsigned what = ALLERIA_ACCESSES; what <= ALLERIA_EVENTS;
		     what++)
			refused += open_with(what, &backward[i]) ==
				   ALLERIA_E_ARGUMENT;
	is_u64(refused, n * ALLERIA_EVENTS,
	       "bounds that are the wrong way round, lists that are not there, "
	       "and thread 0 are refused");
	ok(open_with(ALLERIA_ACCESSES,
		     &(struct alleria_filter){
			     .n_processes = 1,
			     .process = (const uint32_t[]){3},
		     }) == ALLERIA_E_RANGE,
	   "a process that is not there is another error");
	ok(open_with(0, NULL) == ALLERIA_E_ARGUMENT &&
		   open_with(ALLERIA_EVENTS + 1, NULL) == ALLERIA_E_ARGUMENT,
	   "so are kinds of records that there are none of");
}

/* Check that conditions are refused for kinds of records that lack the
   field. */
static void test_combinations(void)
{
	static const struct alleria_filter code[] = {
		{.object = "prog"},
		{.function = "main"},
		{.code_from = 1},
		{.code_to = 9},
	};
	static const struct alleria_filter data[] = {
		{.kinds = 1 << ALLERIA_LOAD},
		{.data_from = 1},
		{.data_to = 9},
	};
	unsigned events = 0, branches = 0, taken = 0;

	for (unsigned i = 0; i < 4; i++) {
		events += open_with(ALLERIA_EVENTS, &code[i]) ==
			  ALLERIA_E_ARGUMENT;
		taken += !open_with(ALLERIA_BRANCHES, &code[i]);
		taken += !open_with(ALLERIA_INSTRUCTIONS, &code[i]);
	}
	is_u64(events, 4, "events are not those of code");
	is_u64(taken, 8, "branches and instructions are");
	taken = events = 0;
	for (unsigned i = 0; i < 3; i++) {
		events += open_with(ALLERIA_EVENTS, &data[i]) ==
			  ALLERIA_E_ARGUMENT;
		branches += open_with(ALLERIA_BRANCHES, &data[i]) ==
			    ALLERIA_E_ARGUMENT;
		taken += !open_with(ALLERIA_INSTRUCTIONS, &data[i]);
		taken += !open_with(ALLERIA_EXECUTIONS, &data[i]);
		taken += !open_with(ALLERIA_ACCESSES, &data[i]);
	}
	is_u64(events, 3, "nor those of accesses");
	is_u64(branches, 3, "nor are branches");
	is_u64(taken, 9, "all else is");
}

/* ---- bounds of accesses ---- */

/* A record: its number, and the first and last access that it belongs to. */
struct record {
	uint64_t number, first, last;
};

/* Make a record. A record without an access belongs to the access before it. */
static struct record record_of(uint64_t number, uint64_t access, unsigned n)
{
	uint64_t first = n == 0 && access > 0 ? access - 1 : access;

	return (struct record){number, first, first + (n ? n - 1 : 0)};
}

static long next(struct alleria_cursor *c, enum alleria_what what,
		 struct record *out)
{
	const struct alleria_instruction *i;
	const struct alleria_execution *e;
	const struct alleria_access *a;
	long n;

	switch (what) {
	case ALLERIA_ACCESSES:
		n = alleria_next_access(c, &a);
		if (n > 0)
			*out = record_of(a->number, a->number, 1);
		return n;
	case ALLERIA_INSTRUCTIONS:
		n = alleria_next_instruction(c, &i);
		if (n > 0)
			*out = record_of(i->number, i->first_access,
					 i->n_accesses);
		return n;
	default:
		/* The first of the two instructions makes no access, see
		   make(). */
		n = alleria_next_execution(c, &e);
		if (n > 0)
			*out = record_of(e->instruction, e->access,
					 e->n_accesses);
		if (n > 0 && e->n_accesses > 0 && e->access > 0)
			out->first--;
		return n;
	}
}

static unsigned list(enum alleria_what what, const struct alleria_filter *f,
		     struct record *out)
{
	struct alleria_cursor *c;
	unsigned n = 0;

	if (alleria_cursor_open(profile, what, f, &c))
		return MOST;
	while (n < MOST && next(c, what, &out[n]) > 0)
		n++;
	alleria_cursor_close(c);
	return n;
}

/* Whether a cursor returns exactly the records within the bounds. A bound of 0
   means unbounded. */
static bool is_right(enum alleria_what what, uint64_t from, uint64_t to)
{
	const struct alleria_filter f = {.access_from = from, .access_to = to};
	struct record all[MOST], got[MOST];
	unsigned n = list(what, NULL, all), n_got = list(what, &f, got),
		 index = 0;
	bool same = n > 0 && n < MOST;

	for (unsigned i = 0; same && i < n; i++) {
		if ((from && all[i].last < from) || (to && all[i].first >= to))
			continue;
		same = index < n_got && got[index].number == all[i].number;
		index++;
	}
	if (!same || index != n_got)
		printf("# kind %u, accesses from %u to %u: %u records, the "
		       "first %u\n",
		       what, (unsigned)from, (unsigned)to, n_got,
		       n_got ? (unsigned)got[0].number : 0);
	return same && index == n_got;
}

/* Check bounds on both sides of each chunk: chunks begin with access 0, 3 and
   6. */
static void test_bounds(void)
{
	enum { ACCESSES = 7 };
	unsigned good = 0, n = 0;

	for (unsigned what = ALLERIA_ACCESSES; what <= ALLERIA_EXECUTIONS;
	     what++)
		for (uint64_t from = 0; from <= ACCESSES; from++)
			for (uint64_t to = from; to <= ACCESSES + 1; to++) {
				if (to == from && from > 0)
					continue;
				good += is_right(what, from, to);
				n++;
			}
	is_u64(good, n,
	       "from any access to any other, chunks' first ones too, "
	       "there is what belongs to these");
}

/* Write a profile whose second chunk begins with an execution without an
   access. */
static void make_idle(void)
{
	static const struct {
		struct pt_log_block block;
		struct pt_instr instr;
		struct pt_exit exit;
		uint8_t code[8];
	} idle = {
		.block = {.head = {PT_LOG_BLOCK, sizeof(idle)},
			  .id = 2,
			  .route = 2,
			  .n_instrs = 1,
			  .n_exits = 1,
			  .n_code = 8},
		.instr = {.addr = 0x3000, .len = 8},
		.exit = {.target = 0x1000, .n_instrs = 1, .bytes = 4},
	};
	const uint32_t header = pt_encode_block_unit_header(2, 4);
	struct made *m = &made[MORE];

	add(LOG, &idle, sizeof(idle));
	memmove(m->data + sizeof(header), m->data, m->bytes);
	memcpy(m->data, &header, sizeof(header));
	m->bytes += sizeof(header);
	m->head.counts.instructions++;
}

int main(void)
{
	char message[ALLERIA_MESSAGE];

	toy_profile_begin();
	for (unsigned i = 0; i < BLOCKS; i++)
		if (made[i].head.kind == PF_IMAGE)
			pf_records_append_u64_to_fact(
				begin(i, PF_FIELDS),
				ALLERIA_HAS_ACCESSES | ALLERIA_HAS_ADDRESSES);
	make_idle();
	write_profile();
	if (alleria_open(toy_profile_path, &profile, message)) {
		printf("Bail out! %s\n", message);
		return 99;
	}
	test_ranges();
	test_combinations();
	test_bounds();
	alleria_close(profile);
	toy_profile_end();
	return done_testing();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * warmup_test.c - tests that a warmup simulates what was executed just before a
 * window's opening
 */
#include <stdarg.h>

#include "tests/tap.h"

#include "tests/fixtures/window_text.h"

#include "lib/config/window/plan/plan.h"
#include "lib/pipeline/stream_state.h"
#include "tests/fixtures/toy_run.h"

/* ---- an analysis that tells what it sees ---- */

static char seen[4096];
static size_t n_seen;	/* length of @seen */
static uint64_t n_warm; /* instructions simulated for warmups */
static const struct an_block *known[64];

static int see_block(void *state, const struct an_block *b)
{
	(void)state;
	if (b->id < 64)
		known[b->id] = b;
	return 0;
}

__attribute__((format(printf, 1, 2))) static void
append_seen(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (n_seen < sizeof(seen) - 100)
		n_seen += (size_t)vsnprintf(
			seen + n_seen, sizeof(seen) - n_seen, format, args);
	va_end(args);
}

/* Append an execution to `seen`: "+1000 +1004(7)": two instructions, the second
   reads address 7. '-' instead of '+': the execution only warms up. */
static void write_execution(const struct an_batch *batch, struct an_exec e)
{
	const struct an_block *b = known[e.block];
	const struct pt_exit *x = &b->exit[an_exec_exit_number(e)];
	unsigned access = 0;

	for (unsigned i = 0; i < x->n_instrs; i++) {
		append_seen("%c%x", batch->warm ? '-' : '+',
			    (unsigned)b->instr[i].addr);
		n_warm += batch->warm;
		for (; access < x->n_accesses && b->access[access].instr == i;
		     access++)
			append_seen("(%x)",
				    (unsigned)an_exec_slot_value(
					    batch, e, b->access[access].slot));
		append_seen(" ");
	}
	if (batch->warm != b->warm || (b->warm && b->exit_count[0]))
		append_seen("wrong ");
}

static int see_batch(void *state, const struct an_batch *b)
{
	(void)state;
	for (size_t i = 0; i < b->n_execs; i++)
		write_execution(b, b->exec[i]);
	return 0;
}

static const struct an_class seer = {
	.name = "seer",
	.state_size = 1,
	.accepts_warmup = true,
	.block = see_block,
	.batch = see_batch,
};

static const struct al_settings seeing = {
	.analysis = {{.class = &seer}},
	.n_analyses = 1,
};

/* ---- a stream ---- */

/* Log of a block of eight instructions. It describes the fourth, and the sixth,
   which reads. */
static struct warm_record {
	struct pt_log_head wanted; /* head of a struct pt_log_lanes */
	uint64_t lanes;
	uint8_t values[sizeof(struct pt_log_values)];
	struct block_record block;
} record;

static void log_block(struct al_stream *s, uint32_t id, uint64_t lanes)
{
	const struct pt_log_values values = {
		.head = {PT_LOG_VALUES, sizeof(values)},
		.stamp = PT_NO_SLOT,
		.far = 1,
	};

	record.wanted = (struct pt_log_head){PT_LOG_LANES, 16};
	record.lanes = lanes;
	memcpy(record.values, &values, sizeof(values));
	record.block = block;
	record.block.block.id = record.block.block.route = id;
	record.block.block.n_slots = 2;
	record.block.instr[0].before = 3;
	record.block.instr[1].before = 5;
	record.block.access.slot = 1;
	record.block.exit.bytes = 20;
	if (al_stream_parse_and_store_log(s, &record, sizeof(record)))
		append_seen("no block ");
}

static struct al_stream *start_stream(const char *yaml)
{
	struct al_windows *w = good(yaml);
	struct al_stream *s;
	size_t bytes;
	void *plan;

	n_seen = n_warm = 0;
	*seen = 0;
	s = al_stream_new(&seeing, symbols, AL_FIRST_LABEL);
	if (!s || al_plan_make(w, 1, &plan, &bytes) ||
	    al_stream_set_plan_add_window_consumers(s, plan)) {
		printf("Bail out! no stream\n");
		exit(1);
	}
	free(plan);
	al_windows_free(w);
	start_chunk();
	return s;
}

static void add_execution(uint32_t route, uint64_t count, uint64_t address)
{
	uint32_t header = pt_encode_block_unit_header(route, 20);

	put(&header, sizeof(header));
	put(&count, sizeof(count));
	put(&address, sizeof(address));
}

/* Add a fault at the load. @count: instructions that the process has
   executed. */
static void add_fault(uint64_t count)
{
	uint32_t header = pt_encode_control_unit_header(PT_CUT, 24), id = 0;
	uint64_t position = pt_encode_block_cut_position(0, 2, false);

	put(&header, sizeof(header));
	put(&count, sizeof(count));
	put(&id, sizeof(id));
	put(&position, sizeof(position));
}

static int next_chunk(struct al_stream *s)
{
	int err;

	chunk[1] = used;
	err = al_stream_process_chunk_in_this_thread(s, chunk, CHUNK, 0);
	memset(chunk, 0xee, sizeof(chunk));
	start_chunk();
	return err;
}

static void check_seen(struct al_stream *s, const char *want, const char *fact)
{
	next_chunk(s);
	is_str(seen, want, fact);
	al_stream_finish_counts_and_analyses(s);
	al_stream_free(s);
}

/* ---- facts ---- */

/* A window with lane 1 (bit 0) and, for its warmup, warm lane 2 (bit 1). */
static const char one[] = "windows: [{on: {monitor: true}, reopenable: true, "
			  "warmup: 11, profile: [{}]}]\n";
/* Masks of the lanes: 1 and 4, the warm ones 2 and 8. */
static const char two[] =
	"windows:\n"
	"- {on: {monitor: true}, warmup: 100, profile: [{}]}\n"
	"- {on: {monitor: true}, warmup: 11, profile: [{}]}\n";
static const char of_first[] = "windows: [{on: {monitor: true}, warmup: 11, "
			       "profile: [{threads: [thread: 1]}]}]\n";

static void test_opening(void)
{
	struct al_stream *s = start_stream(one);

	log_block(s, 0, 2);
	log_block(s, 1, 1);
	add_execution(0, 0, 0xa);
	add_execution(0, 8, 0xb);
	add_execution(0, 16, 0xc);
	next_chunk(s);
	is_str(seen, "", "what only may be simulated is not seen");
	unit(PT_WINDOW_RECORDS, 0, 24);
	add_execution(1, 24, 0xd);
	next_chunk(s);
	is_str(seen, "-1004(b) -1000 -1004(c) +1000 +1004(d) ",
	       "before what counts comes what is not too far from it");
	add_execution(0, 32, 0xe);
	unit(PT_WINDOW_RECORDS, 0, 40);
	add_execution(1, 40, 0xf);
	check_seen(s,
		   "-1004(b) -1000 -1004(c) +1000 +1004(d) "
		   "-1000 -1004(e) +1000 +1004(f) ",
		   "before the next opening, what came since");
}

static void test_fault(void)
{
	struct al_stream *s = start_stream(one);

	log_block(s, 0, 2);
	add_execution(0, 0, 0xa);
	add_fault(8);
	unit(PT_WINDOW_RECORDS, 0, 14);
	log_block(s, 1, 1);
	add_execution(1, 14, 0xb);
	check_seen(s, "-1000 -1004(a) -1000 -1004 +1000 +1004(b) ",
		   "of a block that a fault stopped, what was done");
}

static void test_overlap(void)
{
	struct al_stream *s = start_stream(two);

	log_block(s, 0, 2 | 8); /* both windows may warm up */
	log_block(s, 1, 2 | 4); /* the second is recorded, the first may warm
				   up */
	log_block(s, 2, 2);
	log_block(s, 3, 1);
	add_execution(0, 0, 0xa);
	add_execution(0, 8, 0xb);
	unit(PT_WINDOW_RECORDS, 1, 16);
	add_execution(1, 16, 0xc);
	next_chunk(s);
	add_execution(2, 24, 0xd);
	unit(PT_WINDOW_RECORDS, 0, 32);
	add_execution(3, 32, 0xe);
	check_seen(s,
		   "-1004(a) -1000 -1004(b) +1000 +1004(c) "
		   "-1000 -1004(d) +1000 +1004(e) ",
		   "a warmup begins after what another window recorded");
}

static void test_nothing_recorded_between(void)
{
	struct al_stream *s = start_stream(two);

	log_block(s, 0, 2 | 8);
	log_block(s, 1, 1);
	add_execution(0, 0, 0xa);
	add_execution(0, 8, 0xb);
	unit(PT_WINDOW_RECORDS, 1, 16);
	add_execution(0, 16, 0xc);
	unit(PT_WINDOW_RECORDS, 0, 24);
	add_execution(1, 24, 0xd);
	check_seen(s, "-1004(a) -1000 -1004(b) -1000 -1004(c) +1000 +1004(d) ",
		   "a warmup begins after what another warmup simulated");
}

static void test_openings_at_once(void)
{
	struct al_stream *s = start_stream(two);

	log_block(s, 0, 2 | 8);
	log_block(s, 1, 1 | 4);
	add_execution(0, 0, 0xa);
	add_execution(0, 8, 0xb);
	unit(PT_WINDOW_RECORDS, 1, 16);
	next_chunk(s);
	is_str(seen, "", "a warmup waits for other openings at the same place");
	unit(PT_WINDOW_RECORDS, 0, 16);
	add_execution(1, 16, 0xc);
	check_seen(s, "-1000 -1004(a) -1000 -1004(b) +1000 +1004(c) ",
		   "both warmups are simulated in the program's order");
}

static void test_threads(void)
{
	struct al_stream *s = start_stream(of_first);

	log_block(s, 0, 2);
	add_execution(0, 0, 0xa);
	unit(PT_THREAD, 2, 0);
	add_execution(0, 4, 0xb);
	unit(PT_THREAD, 1, 0);
	unit(PT_WINDOW_RECORDS, 0, 8);
	log_block(s, 1, 1);
	add_execution(1, 8, 0xc);
	check_seen(s, "-1000 -1004(a) +1000 +1004(c) ",
		   "what other threads do is but counted");
}

static void test_many(void)
{
	enum { MANY = 50000 };
	struct al_stream *s =
		start_stream("windows: [{on: {monitor: true}, warmup: 20000, "
			     "profile: [{}]}]\n");
	uint64_t most = 0;

	log_block(s, 0, 2);
	for (uint64_t i = 0; i < MANY; i++) {
		add_execution(0, 8 * i, i);
		if (used > CHUNK - 64)
			next_chunk(s);
		if (s->history->n_execs > most)
			most = s->history->n_execs;
	}
	unit(PT_WINDOW_RECORDS, 0, 8 * MANY);
	log_block(s, 1, 1);
	add_execution(1, 8 * MANY, 0);
	next_chunk(s);
	is_u64(n_warm, 20000 / 8 * 2, "as many as there are so far back");
	ok(most > 20000 / 8 && most < 20000 / 8 + CHUNK / 10,
	   "what is farther back is forgotten");
	al_stream_finish_counts_and_analyses(s);
	is_u64(al_stream_sum_latest_counts(s).instructions, 2,
	       "and none of them counts");
	al_stream_free(s);
}

/* Check that a program may send any counts of executed instructions. */
static void test_strangers(void)
{
	static const uint64_t count[] = {UINT64_MAX, 7, 0, UINT64_MAX - 4, 1};
	struct al_stream *s = start_stream(two);

	log_block(s, 0, 2 | 8);
	for (unsigned i = 0; i < 25; i++) {
		add_execution(0, count[i % 5], i);
		add_fault(count[i / 5]);
		unit(PT_WINDOW_RECORDS, i & 1, count[(i + 2) % 5]);
	}
	is_u64((uint64_t)-next_chunk(s), 0, "whatever it says is taken");
	unit(PT_WINDOW_RECORDS, 2, 0);
	is_u64((uint64_t)-next_chunk(s), EPROTO,
	       "a window that the plan has not is a contradiction");
	al_stream_finish_counts_and_analyses(s);
	al_stream_free(s);
	s = start_stream(one);
	log_block(s, 0, 2);
	{
		const uint32_t unit[4] = {
			pt_encode_control_unit_header(PT_CUT, 16), 0, 0, 2};

		put(unit, sizeof(unit));
	}
	is_u64((uint64_t)-next_chunk(s), EPROTO,
	       "so is a block that does not tell how far it is");
	al_stream_finish_counts_and_analyses(s);
	al_stream_free(s);
}

int main(void)
{
	start_test();
	test_opening();
	test_fault();
	test_overlap();
	test_nothing_recorded_between();
	test_openings_at_once();
	test_threads();
	test_many();
	test_strangers();
	end_test();
	return done_testing();
}

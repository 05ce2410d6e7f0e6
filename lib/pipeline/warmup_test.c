/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * warmup_test.c - analyses see just what comes before an opening
 */
#include <stdarg.h>

#include "tests/tap.h"

#include "tests/fixtures/window_text.h"

#include "lib/config/window/plan/plan.h"
#include "lib/pipeline/stream_state.h"
#include "tests/fixtures/toy_run.h"

/* ---- an analysis that tells what it sees ---- */

static char seen[4096];
static size_t n_seen;	/* [characters] */
static uint64_t n_warm; /* instructions */
static const struct an_block *known[64];

static int see_block(void *state, const struct an_block *b)
{
	(void)state;
	if (b->id < 64)
		known[b->id] = b;
	return 0;
}

__attribute__((format(printf, 1, 2))) static void tell(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (n_seen < sizeof(seen) - 100)
		n_seen += (size_t)vsnprintf(
			seen + n_seen, sizeof(seen) - n_seen, format, args);
	va_end(args);
}

/* "+1000 +1004(7)": two instructions, the second reads at 7; '-' does not
   count. */
static void see(const struct an_batch *batch, struct an_exec e)
{
	const struct an_block *b = known[e.block];
	const struct pt_exit *x = &b->exit[an_exit(e)];
	unsigned access = 0;

	for (unsigned i = 0; i < x->n_instrs; i++) {
		tell("%c%x", batch->warm ? '-' : '+',
		     (unsigned)b->instr[i].addr);
		n_warm += batch->warm;
		for (; access < x->n_accesses && b->access[access].instr == i;
		     access++)
			tell("(%x)", (unsigned)an_slot(batch, e,
						       b->access[access].slot));
		tell(" ");
	}
	if (batch->warm != b->warm || (b->warm && b->exit_count[0]))
		tell("wrong ");
}

static int see_batch(void *state, const struct an_batch *b)
{
	(void)state;
	for (size_t i = 0; i < b->n_execs; i++)
		see(b, b->exec[i]);
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

/* Of eight instructions the fourth and the sixth are told of, which reads. */
static struct warm_record {
	struct pt_log_head wanted; /* of a struct pt_log_lanes */
	uint64_t lanes;
	uint8_t values[sizeof(struct pt_log_values)];
	struct block_record block;
} record;

static void describe(struct al_stream *s, uint32_t id, uint64_t lanes)
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
	if (al_stream_add_log(s, &record, sizeof(record)))
		tell("no block ");
}

static struct al_stream *start(const char *yaml)
{
	struct al_windows *w = good(yaml);
	struct al_stream *s;
	size_t bytes;
	void *plan;

	n_seen = n_warm = 0;
	*seen = 0;
	s = al_stream_new(&seeing, symbols, AL_FIRST_LABEL);
	if (!s || al_plan_make(w, 1, &plan, &bytes) ||
	    al_stream_set_plan(s, plan)) {
		printf("Bail out! no stream\n");
		exit(1);
	}
	free(plan);
	al_windows_free(w);
	start_chunk();
	return s;
}

static void did(uint32_t route, uint64_t far, uint64_t address)
{
	uint32_t header = pt_block_header(route, 20);

	put(&header, sizeof(header));
	put(&far, sizeof(far));
	put(&address, sizeof(address));
}

/* A fault at the load. */
static void fault(uint64_t far)
{
	uint32_t header = pt_control_header(PT_CUT, 24), id = 0;
	uint64_t how = pt_cut_word(0, 2, false);

	put(&header, sizeof(header));
	put(&far, sizeof(far));
	put(&id, sizeof(id));
	put(&how, sizeof(how));
}

static int next_chunk(struct al_stream *s)
{
	int err;

	chunk[1] = used;
	err = al_stream_process_chunk(s, chunk, CHUNK, 0);
	memset(chunk, 0xee, sizeof(chunk));
	start_chunk();
	return err;
}

static void saw(struct al_stream *s, const char *want, const char *fact)
{
	next_chunk(s);
	is_str(seen, want, fact);
	al_stream_finish(s);
	al_stream_free(s);
}

/* ---- facts ---- */

/* Lanes: 1, and the warm one: 2. */
static const char one[] = "windows: [{on: {monitor: true}, reopenable: true, "
			  "warmup: 11, profile: [{}]}]\n";
/* 1 and 2, 4 and 8. */
static const char two[] =
	"windows:\n"
	"- {on: {monitor: true}, warmup: 100, profile: [{}]}\n"
	"- {on: {monitor: true}, warmup: 11, profile: [{}]}\n";
static const char of_first[] = "windows: [{on: {monitor: true}, warmup: 11, "
			       "profile: [{threads: [thread: 1]}]}]\n";

static void test_opening(void)
{
	struct al_stream *s = start(one);

	describe(s, 0, 2);
	describe(s, 1, 1);
	did(0, 0, 0xa);
	did(0, 8, 0xb);
	did(0, 16, 0xc);
	next_chunk(s);
	is_str(seen, "", "what only may be simulated is not seen");
	unit(PT_WINDOW_TAKES, 0, 24);
	did(1, 24, 0xd);
	next_chunk(s);
	is_str(seen, "-1004(b) -1000 -1004(c) +1000 +1004(d) ",
	       "before what counts comes what is not too far from it");
	did(0, 32, 0xe);
	unit(PT_WINDOW_TAKES, 0, 40);
	did(1, 40, 0xf);
	saw(s,
	    "-1004(b) -1000 -1004(c) +1000 +1004(d) "
	    "-1000 -1004(e) +1000 +1004(f) ",
	    "before the next opening, what came since");
}

static void test_fault(void)
{
	struct al_stream *s = start(one);

	describe(s, 0, 2);
	did(0, 0, 0xa);
	fault(8);
	unit(PT_WINDOW_TAKES, 0, 14);
	saw(s, "-1000 -1004(a) -1000 -1004 ",
	    "of a block that a fault stopped, what was done");
}

static void test_overlap(void)
{
	struct al_stream *s = start(two);

	describe(s, 0, 2 | 8); /* both wait */
	describe(s, 1, 1 | 8); /* the second one waits */
	did(0, 0, 0xa);
	did(0, 8, 0xb);
	unit(PT_WINDOW_TAKES, 1, 16);
	did(0, 16, 0xc);
	unit(PT_WINDOW_TAKES, 0, 24);
	did(1, 24, 0xd);
	unit(PT_WINDOW_TAKES, 1, 32);
	saw(s, "-1004(a) -1000 -1004(b) -1000 -1000 -1004(c) +1000 +1004(d) ",
	    "no instruction is simulated twice");
}

static void test_threads(void)
{
	struct al_stream *s = start(of_first);

	describe(s, 0, 2);
	did(0, 0, 0xa);
	unit(PT_THREAD, 2, 0);
	did(0, 4, 0xb);
	unit(PT_THREAD, 1, 0);
	unit(PT_WINDOW_TAKES, 0, 8);
	saw(s, "-1000 -1004(a) ", "what other threads do is but counted");
}

static void test_many(void)
{
	enum { MANY = 50000 };
	struct al_stream *s =
		start("windows: [{on: {monitor: true}, warmup: 20000, "
		      "profile: [{}]}]\n");
	uint64_t most = 0;

	describe(s, 0, 2);
	for (uint64_t i = 0; i < MANY; i++) {
		did(0, 8 * i, i);
		if (used > CHUNK - 64)
			next_chunk(s);
		if (s->history->n_execs > most)
			most = s->history->n_execs;
	}
	unit(PT_WINDOW_TAKES, 0, 8 * MANY);
	next_chunk(s);
	is_u64(n_warm, 20000 / 8 * 2, "as many as there are so far back");
	ok(most > 20000 / 8 && most < 20000 / 8 + CHUNK / 10,
	   "what is farther back is forgotten");
	al_stream_finish(s);
	is_u64(al_stream_counts(s).instructions, 0, "and nothing counts");
	al_stream_free(s);
}

/* How far the process is may be anything. */
static void test_strangers(void)
{
	static const uint64_t far[] = {UINT64_MAX, 7, 0, UINT64_MAX - 4, 1};
	struct al_stream *s = start(two);

	describe(s, 0, 2 | 8);
	for (unsigned i = 0; i < 25; i++) {
		did(0, far[i % 5], i);
		fault(far[i / 5]);
		unit(PT_WINDOW_TAKES, i & 1, far[(i + 2) % 5]);
	}
	is_u64((uint64_t)-next_chunk(s), 0, "whatever it says is taken");
	unit(PT_WINDOW_TAKES, 2, 0);
	is_u64((uint64_t)-next_chunk(s), EPROTO,
	       "a window that the plan has not is a contradiction");
	al_stream_finish(s);
	al_stream_free(s);
	s = start(one);
	describe(s, 0, 2);
	{
		const uint32_t unit[4] = {pt_control_header(PT_CUT, 16), 0, 0,
					  2};

		put(unit, sizeof(unit));
	}
	is_u64((uint64_t)-next_chunk(s), EPROTO,
	       "so is a block that does not tell how far it is");
	al_stream_finish(s);
	al_stream_free(s);
}

int main(void)
{
	start_test();
	test_opening();
	test_fault();
	test_overlap();
	test_threads();
	test_many();
	test_strangers();
	end_test();
	return done_testing();
}

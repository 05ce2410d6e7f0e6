/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stream_test.c - tests that an analysis receives the same whether its chunks
 * pass the stages one by one or at once
 */
#include <errno.h>

#include "lib/pipeline/stream.h"
#include "lib/recover/memory_bounds.h"
#include "lib/recover/recovered_chunk.h"
#include "tests/fixtures/random_schedule.h"
#include "tests/fixtures/toy_run.h"
#include "tests/tap.h"

/* ---- an analysis that notes everything in order ---- */

struct notes {
	uint64_t blocks;
	uint64_t execs;
	uint64_t marks;
	uint64_t events;
	uint64_t chunk_events; /* events that tail() has received */
	uint64_t chunk_hash;   /* hash of these, with their places */
	uint64_t chunk_first;  /* executions of the chunks that tail() has
				  received */
	uint64_t longest;      /* executions in the largest batch */
	uint64_t unknown;      /* executions of blocks that block() has not
			     received */
	uint64_t prepared[AN_INFLIGHT_SLOTS]; /* executions prepared, less those
						 analysed */
	uint64_t unprepared; /* batches that were not prepared before, or
				prepared with marks */
	uint64_t hash;	     /* hash of addresses and marks, in order */
};

static void hash_number(struct notes *n, uint64_t what)
{
	n->hash = (n->hash ^ what) * 0x9e3779b97f4a7c15u;
	n->hash ^= n->hash >> 29;
}

static int note_block(void *state, const struct an_block *b)
{
	struct notes *n = state;

	n->unknown += b->id != n->blocks++;
	return 0;
}

static void note_marks(struct notes *n, const struct an_batch *b, size_t *m,
		       size_t before)
{
	for (; *m < b->n_marks && b->mark[*m].before_exec <= before; ++*m) {
		hash_number(n,
			    (uint64_t)b->mark[*m].kind << 32 | b->mark[*m].id);
		n->marks++;
	}
}

static uint64_t hash_event(const struct an_batch *b,
			   const struct an_stream_event *e, uint64_t place)
{
	struct notes one = {0};

	hash_number(&one, place);
	hash_number(&one, (uint64_t)e->kind << 32 | e->id);
	for (unsigned i = 0; i <= e->n_words; i++)
		hash_number(&one, an_stream_event_word_or_0(b, e, i));
	return one.hash;
}

/* Hash the events of a batch that come before its execution @before. */
static void note_events(struct notes *n, const struct an_batch *b,
			size_t *next_event, size_t before)
{
	for (; *next_event < b->n_events &&
	       b->event[*next_event].before_exec <= b->first_exec + before;
	     ++*next_event) {
		hash_number(n, hash_event(b, &b->event[*next_event], 0));
		n->events++;
	}
}

static int note_chunk(void *state, const struct an_batch *b)
{
	struct notes *n = state;

	for (size_t i = 0; i < b->n_events; i++)
		n->chunk_hash +=
			hash_event(b, &b->event[i],
				   n->chunk_first + b->event[i].before_exec);
	n->chunk_events += b->n_events;
	n->chunk_first += b->n_execs;
	return 0;
}

static int note_preparation(void *state, const struct an_batch *b)
{
	struct notes *n = state;

	n->prepared[b->inflight_slot] += b->n_execs;
	n->unprepared += b->n_marks + b->n_events != 0;
	return 0;
}

static int note_batch(void *state, const struct an_batch *b)
{
	struct notes *n = state;
	size_t m = 0, event = 0;

	n->unprepared += n->prepared[b->inflight_slot] < b->n_execs;
	n->prepared[b->inflight_slot] -= b->n_execs;

	for (size_t i = 0; i < b->n_execs; i++) {
		note_marks(n, b, &m, i);
		note_events(n, b, &event, i);
		hash_number(n, an_exec_slot_value(b, b->exec[i], 0));
		n->unknown += b->exec[i].block >= n->blocks;
	}
	note_marks(n, b, &m, b->n_execs);
	note_events(n, b, &event, b->n_execs);
	n->execs += b->n_execs;
	if (b->n_execs > n->longest)
		n->longest = b->n_execs;
	return 0;
}

static const struct an_class noter = {
	.name = "noter",
	.state_size = sizeof(struct notes),
	.block = note_block,
	.prepare = note_preparation,
	.batch = note_batch,
	.tail = note_chunk,
};

static const struct al_settings noting = {
	.analysis = {{.class = &noter}},
	.n_analyses = 1,
};

/* ---- chunks ---- */

enum { CHUNKS = 32, MARK_EVERY = 512 };

static uint64_t words[CHUNKS][CHUNK / 8];

/* Add an event of kind PT_FIRST_EVENT + @offset with @n words. */
static void add_event(unsigned offset, uint32_t id, unsigned n)
{
	uint64_t head = pt_control_unit_first_word(PT_FIRST_EVENT + offset, id,
						   8 + 8 * n);

	put(&head, sizeof(head));
	for (uint64_t word = id; n > 0; n--, word += 3)
		put(&word, sizeof(word));
}

/* Add an execution of the block that is stopped before its load. */
static void add_partial_execution(void)
{
	const uint32_t unit[4] = {pt_encode_control_unit_header(PT_CUT, 16), 0,
				  0, 1};

	put(unit, sizeof(unit));
}

static void fill_chunk(unsigned n)
{
	start_chunk();
	for (uint64_t i = 0; used < CHUNK - 128; i++) {
		if (i % MARK_EVERY == 0)
			unit(PT_THREAD, (uint32_t)i, n);
		if (i % MARK_EVERY == 7) /* of a later version, too */
			add_event(i % 11, (uint32_t)i, i / MARK_EVERY % 5);
		execute(i * 8 + n);
		if (i == 700)
			add_partial_execution();
	}
	unit(PT_SIGNAL, n, 0);
	add_event(3, n, 2);
	chunk[1] = used;
	memcpy(words[n], chunk, used);
}

static struct al_stream *start_stream(void)
{
	struct al_stream *s = al_stream_new(&noting, symbols, AL_FIRST_LABEL);

	al_stream_parse_and_store_log(s, &block, sizeof(block));
	return s;
}

static struct notes get_notes(struct al_stream *s)
{
	const void *state;

	al_stream_analysis_state_and_error(s, 0, 0, &state);
	return *(const struct notes *)state;
}

static void test_stages(void)
{
	struct al_stream *whole, *split;
	struct notes w, p;

	for (unsigned n = 0; n < CHUNKS; n++)
		fill_chunk(n);
	whole = play(&noting, words[0], CHUNKS, 1);
	split = play(&noting, words[0], CHUNKS, JOBS);
	w = get_notes(whole);
	p = get_notes(split);
	ok(memcmp(&w, &p, sizeof(w)) == 0,
	   "stages at once change nothing that an analysis sees");
	is_u64(w.execs, al_stream_sum_latest_counts(whole).blocks,
	       "every execution is analysed");
	is_u64(w.marks, CHUNKS * ((w.execs / CHUNKS) / MARK_EVERY + 2),
	       "every mark too");
	is_u64(w.events, CHUNKS * ((w.execs / CHUNKS) / MARK_EVERY + 2),
	       "every event too");
	is_u64(w.chunk_events, w.events, "and comes to tail()");
	is_u64(w.blocks, 2, "cuts make a block of their own");
	is_u64(w.unknown, 0, "blocks are told before they are executed");
	is_u64(w.longest, AN_MAX_BATCH, "a batch is bounded");
	is_u64(w.unprepared, 0, "what is analysed was prepared");
	al_stream_free(whole);
	al_stream_free(split);
}

/* Check that events keep their words and places: among the executions of their
   batch, and in the whole chunk. The last chunk has nothing else. */
static void test_events(void)
{
	struct notes want = {0};
	struct an_stream_event e = {.kind = PT_FIRST_EVENT + 5, .n_words = 3};
	const uint64_t word[] = {7, 10, 13};
	struct an_batch b = {.event_word = word};
	struct al_stream *s = start_stream();

	start_chunk();
	for (unsigned i = 0; i < 2 * AN_MAX_BATCH; i++) {
		if (i % AN_MAX_BATCH == 0 ||
		    i % AN_MAX_BATCH == AN_MAX_BATCH - 1) {
			e.id = 7;
			add_event(5, 7, 3);
			hash_number(&want, hash_event(&b, &e, 0));
			want.chunk_hash += hash_event(&b, &e, i);
		}
		execute(i);
		hash_number(&want, i);
	}
	feed(s);
	start_chunk();
	add_event(5, 7, 3);
	hash_number(&want, hash_event(&b, &e, 0));
	want.chunk_hash += hash_event(&b, &e, 2 * AN_MAX_BATCH);
	feed(s);
	is_u64(get_notes(s).hash, want.hash,
	       "events stay between their blocks, with their words");
	is_u64(get_notes(s).chunk_hash, want.chunk_hash,
	       "tail() receives their places in the chunk");
	al_stream_free(s);
}

/* Check that marks keep their places where one batch ends and the next
   begins. */
static void test_marks(void)
{
	struct notes want = {0};
	struct al_stream *s = start_stream();

	start_chunk();
	for (unsigned i = 0; i < 2 * AN_MAX_BATCH; i++) {
		if (i % AN_MAX_BATCH == 0 ||
		    i % AN_MAX_BATCH == AN_MAX_BATCH - 1) {
			unit(PT_THREAD, i, 0);
			hash_number(&want, (uint64_t)PT_THREAD << 32 | i);
		}
		execute(i);
		hash_number(&want, i);
	}
	unit(PT_SIGNAL, 9, 0);
	hash_number(&want, (uint64_t)PT_SIGNAL << 32 | 9);
	feed(s);
	is_u64(get_notes(s).hash, want.hash, "marks stay between their blocks");
	al_stream_free(s);
}

static void test_fault(void)
{
	struct al_stream *s = start_stream();
	int err;

	start_chunk();
	execute(1);
	execute(2);
	unit(PT_CUT, 77, 0);
	execute(3);
	chunk[1] = used;
	err = al_stream_process_chunk_in_this_thread(s, chunk, CHUNK, 0);
	is_u64((uint64_t)-err, EPROTO, "a contradiction breaks the stream");
	is_u64(get_notes(s).execs, 2, "what came before it is analysed");
	fill_chunk(0);
	ok(al_stream_process_chunk_in_this_thread(s, words[0], CHUNK, 0) ==
		   -EPROTO,
	   "nothing comes after it");
	al_stream_finish_counts_and_analyses(s);
	is_u64(get_notes(s).execs, 2, "nor is analysed");
	is_u64(al_stream_sum_latest_counts(s).blocks, 2, "nor counted");
	al_stream_free(s);
}

/* Check that chunks which follow each other at once can all be counted before
   the stream has finished. */
static void test_latest_counts(void)
{
	struct al_stream *s = start_stream();
	uint64_t counted;

	fill_chunk(0);
	for (int i = 0; i < 5; i++)
		al_stream_process_chunk_in_this_thread(s, words[0], CHUNK, 0);
	al_stream_update_latest_counts(s);
	counted = al_stream_sum_latest_counts(s).blocks;
	ok(counted > 0 && counted == get_notes(s).execs,
	   "all chunks are counted when it is asked for");
	al_stream_finish_counts_and_analyses(s);
	is_u64(al_stream_sum_latest_counts(s).blocks, counted, "once");
	al_stream_free(s);
}

/* Check a unit with a length of 0, also of a block that is not executed yet. */
static void test_zero(void)
{
	struct pt_log_block second;
	struct {
		uint64_t words[sizeof(block) / 8];
	} log;
	struct al_stream *s = start_stream();
	uint32_t header = pt_encode_block_unit_header(1, 0);

	memcpy(&log, &block, sizeof(block));
	memcpy(&second, &block, sizeof(second));
	second.id = second.route = 1;
	memcpy(&log, &second, sizeof(second));
	al_stream_parse_and_store_log(s, &log, sizeof(log));
	start_chunk();
	execute(1);
	put(&header, sizeof(header));
	execute(2);
	chunk[1] = used;
	ok(al_stream_process_chunk_in_this_thread(s, chunk, CHUNK, 0) ==
		   -EPROTO,
	   "a unit without a length is a contradiction");
	is_u64(get_notes(s).execs, 1, "and executes nothing");
	al_stream_free(s);
}

static void check_refused_block(struct block_record bad, const char *fact)
{
	struct al_stream *s = al_stream_new(&noting, symbols, AL_FIRST_LABEL);

	ok(al_stream_parse_and_store_log(s, &bad, sizeof(bad)) == -EPROTO,
	   fact);
	al_stream_free(s);
}

/* Check block records that the tool never writes. */
static void test_unsound(void)
{
	struct block_record bad = block;

	bad.block.n_slots = PT_MAX_SLOTS + 1;
	check_refused_block(bad, "a block with too many slots is refused");
	bad = block;
	bad.exit.n_accesses = 0;
	bad.access.slot = 57343;
	bad.block.n_slots = 57344;
	check_refused_block(bad,
			    "so is one whose unit would be longer than 64 KiB");
	bad = block;
	bad.exit.n_instrs = 1;
	check_refused_block(bad,
			    "and an access of an instruction behind the exit");
	bad = block;
	bad.instr[0].len = PT_MAX_LEN + 1;
	check_refused_block(bad, "and an instruction that is too long");
}

/* Check a program that waits for children all the time. */
static void test_children(void)
{
	struct al_stream *s = start_stream();
	uint64_t n = 0;
	int err = 0;

	start_chunk();
	while (used < CHUNK - 64)
		unit(PT_CHILD_EXIT, 99, 0);
	chunk[1] = used;
	for (; !err && n <= AL_MAX_CHILDREN; n += used / 16 - 1)
		err = al_stream_process_chunk_in_this_thread(s, chunk, CHUNK,
							     0);
	is_u64((uint64_t)-err, AL_E_CHILDREN, "waits are bounded");
	ok(strstr(al_truncation_reason_null_if_0(err), "4194304"),
	   "and it is said by what");
	al_stream_free(s);
}

/* ---- an analysis that fails ---- */

struct failing {
	uint64_t prepared; /* batches */
	uint64_t analysed;
};

static int fail_prepare(void *state, const struct an_batch *b)
{
	(void)b;
	((struct failing *)state)->prepared++;
	return 0;
}

static int fail_batch(void *state, const struct an_batch *b)
{
	(void)b;
	((struct failing *)state)->analysed++;
	return -ENOMEM;
}

static const struct an_class failer = {
	.name = "failer",
	.state_size = sizeof(struct failing),
	.prepare = fail_prepare,
	.batch = fail_batch,
};

static int accept_batch(void *state, const struct an_batch *b)
{
	(void)state;
	(void)b;
	return 0;
}

static const struct an_class late_failer = {
	.name = "late",
	.state_size = sizeof(struct failing),
	.prepare = fail_prepare,
	.batch = accept_batch,
	.tail = fail_batch,
};

static void test_failure(const struct an_class *class)
{
	const struct al_settings failing = {
		.analysis = {{.class = class}},
		.n_analyses = 1,
	};
	struct al_stream *s = al_stream_new(&failing, symbols, AL_FIRST_LABEL);
	const struct failing *f;
	const void *state;
	uint64_t prepared;

	al_stream_parse_and_store_log(s, &block, sizeof(block));
	fill_chunk(0);
	for (unsigned n = 0; n < AL_MAX_IN_FLIGHT; n++)
		al_stream_process_chunk_in_this_thread(s, words[0], CHUNK, 0);
	al_stream_analysis_state_and_error(s, 0, 0, &state);
	f = state;
	prepared = f->prepared;
	for (unsigned n = 0; n < 8; n++)
		al_stream_process_chunk_in_this_thread(s, words[0], CHUNK, 0);
	is_u64(f->analysed, 1, "an analysis that fails is stopped");
	is_u64(f->prepared, prepared, "and no more is prepared for it");
	ok(al_stream_analysis_state_and_error(s, 0, 0, &state) == -ENOMEM,
	   "its error is kept");
	al_stream_free(s);
}

int main(void)
{
	start_test();
	test_stages();
	test_events();
	test_marks();
	test_fault();
	test_latest_counts();
	test_zero();
	test_unsound();
	test_children();
	test_failure(&failer);
	test_failure(&late_failer);
	end_test();
	return done_testing();
}

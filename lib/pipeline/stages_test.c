/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stages_test.c - tests an analysis in partitions, whose jobs run in any order
 */
#include <errno.h>

#include "lib/pipeline/stages.h"
#include "lib/pipeline/stream.h"
#include "tests/fixtures/random_schedule.h"
#include "tests/fixtures/toy_run.h"
#include "tests/tap.h"

/* State of an analysis that hashes addresses; each partition hashes some of
   them. */

struct parts {
	uint64_t n;
	uint64_t begun;			    /* chunks */
	uint64_t spread[AN_INFLIGHT_SLOTS]; /* executions */
	uint64_t done[AN_MAX_PARTITIONS];   /* chunks */
	uint64_t hash[AN_MAX_PARTITIONS];
	uint64_t joined; /* chunks */
	uint64_t tails;	 /* chunks */
	uint64_t execs;
	uint64_t wrong;
};

static unsigned set_n_partitions(void *state, unsigned parts)
{
	return (unsigned)(((struct parts *)state)->n = parts);
}

static enum an_chunk_mode chunk_mode(uint64_t which)
{
	if (which % 7 == 5)
		return AN_CHUNK_SERIAL;
	return which % 5 == 3 ? AN_CHUNK_BARRIER : AN_CHUNK_CONTINUE;
}

static enum an_chunk_mode begin_next_chunk(void *state,
					   const struct an_batch *b)
{
	struct parts *p = state;

	p->wrong += p->spread[b->inflight_slot] != 0 ||
		    b->inflight_slot != p->begun % AN_INFLIGHT_SLOTS;
	return chunk_mode(p->begun++);
}

static int prepare_nothing(void *state, const struct an_batch *b)
{
	(void)state;
	(void)b;
	return 0;
}

static int scatter_batch(void *state, const struct an_batch *b)
{
	struct parts *p = state;

	p->wrong += b->first_exec != p->spread[b->inflight_slot];
	p->spread[b->inflight_slot] += b->n_execs;
	return 0;
}

static int analyse_partition(void *state, const struct an_batch *b,
			     unsigned part)
{
	struct parts *p = state;
	uint64_t which = p->done[part];

	if (b->n_execs == 0)
		return 0;
	p->done[part]++;

	/* A chunk's number is in its addresses; see fill_chunk(). */
	p->wrong += an_exec_slot_value(b, b->exec[0], 0) != which ||
		    p->spread[b->inflight_slot] != b->n_execs;
	for (unsigned i = 0; i < p->n && chunk_mode(which) != AN_CHUNK_CONTINUE;
	     i++)
		p->wrong += p->done[i] < which;
	p->wrong += chunk_mode(which) == AN_CHUNK_SERIAL;
	for (size_t i = 0; i < b->n_execs; i++) {
		uint64_t addr = an_exec_slot_value(b, b->exec[i], 0);

		if (addr / 8 % p->n == part)
			p->hash[part] = p->hash[part] * 31 + addr;
	}
	return 0;
}

static int gather_batch(void *state, const struct an_batch *b)
{
	struct parts *p = state;

	if (b->n_execs == 0)
		return 0;
	for (unsigned i = 0; i < p->n; i++)
		p->wrong += p->done[i] <= p->joined;
	p->wrong += an_exec_slot_value(b, b->exec[0], 0) != p->joined;
	p->joined++;
	p->execs += p->spread[b->inflight_slot];
	p->spread[b->inflight_slot] = 0;
	return 0;
}

/* Analyse a batch of a chunk that is not scattered over partitions. */
static int analyse_serial_batch(void *state, const struct an_batch *b)
{
	struct parts *p = state;

	p->wrong += chunk_mode(p->joined) != AN_CHUNK_SERIAL ||
		    an_exec_slot_value(b, b->exec[0], 0) % 8 != p->joined % 8;
	for (unsigned i = 0; i < p->n; i++)
		p->wrong += p->done[i] != p->joined + (b->first_exec > 0);
	for (size_t i = 0; i < b->n_execs; i++) {
		uint64_t addr = an_exec_slot_value(b, b->exec[i], 0);
		uint64_t *hash = &p->hash[addr / 8 % p->n];

		*hash = *hash * 31 + addr;
	}
	for (unsigned i = 0; i < p->n && b->first_exec == 0; i++)
		p->done[i]++;
	p->execs += b->n_execs;
	p->joined += b->n_execs < AN_MAX_BATCH;
	return 0;
}

static int check_tail(void *state, const struct an_batch *b)
{
	struct parts *p = state;

	if (b->n_execs == 0)
		return 0;
	p->wrong += an_exec_slot_value(b, b->exec[0], 0) != p->tails ||
		    p->tails >= p->joined;
	p->tails++;
	return 0;
}

static const struct an_class parter = {
	.name = "parter",
	.state_size = sizeof(struct parts),
	.prepare = prepare_nothing,
	.batch = analyse_serial_batch,
	.init_partitions = set_n_partitions,
	.begin_chunk = begin_next_chunk,
	.scatter = scatter_batch,
	.run_partition = analyse_partition,
	.gather = gather_batch,
	.tail = check_tail,
};

enum { CHUNKS = 32 };

static uint64_t words[CHUNKS][CHUNK / 8];

/* Fill chunk @n. Its number is contained in its addresses. */
static void fill_chunk(unsigned n)
{
	start_chunk();
	for (uint64_t i = 0; used < CHUNK - 64; i++)
		execute(i * 8 + n);
	chunk[1] = used;
	memcpy(words[n], chunk, used);
}

static struct parts get_parts(const struct al_stream *s)
{
	const void *state;

	al_stream_analysis_state_and_error(s, 0, 0, &state);
	return *(const struct parts *)state;
}

static void test_parts(void)
{
	for (unsigned n = 2; n <= 8; n += 3) {
		const struct al_settings parting = {
			.analysis = {{.class = &parter}},
			.n_analyses = 1,
			.partitions = n,
		};
		struct al_stream *one = play(&parting, words[0], CHUNKS, 1);
		struct al_stream *many = play(&parting, words[0], CHUNKS, JOBS);
		struct parts p = get_parts(one), q = get_parts(many);

		is_u64(al_stream_largest_partition_count(many), n,
		       "an analysis works in parts");
		ok(memcmp(p.hash, q.hash, sizeof(p.hash)) == 0,
		   "each part sees the same, whatever is at once");
		is_u64(q.wrong, 0, "chunks and barriers are in order");
		is_u64(q.joined, CHUNKS, "every chunk is joined");
		is_u64(q.tails, CHUNKS, "and has its tail");
		is_u64(q.execs, al_stream_sum_latest_counts(many).blocks,
		       "with every execution");
		is_u64(al_stream_sum_latest_counts(one).blocks,
		       al_stream_sum_latest_counts(many).blocks,
		       "counts do not depend on who recovered what");
		al_stream_free(one);
		al_stream_free(many);
	}
}

/* Check that chunks after a faulty one are not analysed, even if they have been
   recovered already. */
static void test_fault(void)
{
	const struct al_settings parting = {
		.analysis = {{.class = &parter}},
		.n_analyses = 1,
		.partitions = 4,
	};
	struct al_stream *s;
	uint64_t want = 0;

	for (unsigned n = 0; n < CHUNKS; n++)
		want += n < 9 ? words[n][1] - PT_CHUNK_HEAD : 0;
	want = want / 12 + 5;
	((uint32_t *)words[9])[PT_CHUNK_HEAD / 4 + 5 * 3] = 4;
	s = play(&parting, words[0], CHUNKS, JOBS);
	ok(al_stream_error(s) == -EPROTO, "a contradiction breaks the stream");
	is_u64(get_parts(s).execs, want, "what came before it is analysed");
	is_u64(al_stream_sum_latest_counts(s).blocks, want,
	       "and counted, and no more");
	is_u64(get_parts(s).wrong, 0, "in order");
	al_stream_free(s);
}

/* Assign a job to @worker and finish it. Return the job's stage; AL_STAGES if
   there is none. */
static enum al_stage do_next_job(struct al_stages *s, unsigned worker)
{
	struct al_job job;

	if (!al_stages_assign_job(s, &job, worker))
		return AL_STAGES;
	al_stages_finish_job_return_chunk_ended(s, &job);
	return job.stage;
}

struct turn {
	unsigned worker;
	enum al_stage stage;
	const char *fact;
};

/* Jobs of four chunks, from recovery to the end of the analysis. */
static const struct turn turns[] = {
	{1, AL_RECOVER, "the first piece is recovered"},
	{2, AL_PREPARE, "prepared by who comes next"},
	{1, AL_GATHER, "and analysed"},
	{1, AL_RECOVER, "the second one is recovered"},
	{1, AL_RECOVER, "another worker prepares: so is the next"},
	{2, AL_PREPARE, "who prepared goes on with that"},
	{2, AL_PREPARE, "again, though one could be analysed"},
	{2, AL_RECOVER, "then with what has no order"},
	{1, AL_GATHER, "who analysed goes on with that"},
	{1, AL_GATHER, "again"},
	{1, AL_PREPARE, "and helps when there is nothing else"},
	{2, AL_GATHER, "as does the other one"},
	{1, AL_STAGES, "all is done"},
};

/* Jobs of two chunks that have a tail. */
static const struct turn tail_turns[] = {
	{1, AL_RECOVER, "the first piece is recovered"},
	{1, AL_PREPARE, "prepared"},
	{1, AL_GATHER, "and analysed, but for its tail"},
	{2, AL_TAIL, "which is for who comes next"},
	{2, AL_RECOVER, "the second one is recovered"},
	{1, AL_PREPARE, "prepared"},
	{1, AL_GATHER, "and analysed"},
	{1, AL_TAIL, "its tail is for who has nothing else"},
	{2, AL_STAGES, "all is done"},
};

static void check_jobs(struct al_stages *s, unsigned pieces,
		       const struct turn *turn, size_t n)
{
	for (unsigned i = 0; i < pieces; i++)
		al_stages_begin_chunk(s);
	for (size_t i = 0; i < n; i++)
		is_u64(do_next_job(s, turn[i].worker), turn[i].stage,
		       turn[i].fact);
	is_u64(s->n_ended, pieces, "every piece has come to its end");
}

static void test_workers(void)
{
	struct al_stages s = {.n_partitions = 1, .max_in_flight = 4};
	struct al_stages with_tails = {
		.n_partitions = 1, .max_in_flight = 4, .has_tail = true};

	check_jobs(&s, 4, turns, sizeof(turns) / sizeof(*turns));
	check_jobs(&with_tails, 2, tail_turns,
		   sizeof(tail_turns) / sizeof(*tail_turns));
}

/* Check that chunks are recovered in order, although the second one is loaded
   first. */
static void test_recovery_in_order(void)
{
	struct al_stages s = {
		.n_partitions = 1, .max_in_flight = 2, .has_load = true};
	struct al_job first, second, recovery;

	al_stages_begin_chunk(&s);
	al_stages_begin_chunk(&s);
	ok(al_stages_assign_job(&s, &first, 1) && first.stage == AL_LOAD &&
		   al_stages_assign_job(&s, &second, 2) &&
		   second.stage == AL_LOAD,
	   "two chunks are being loaded");
	al_stages_finish_job_return_chunk_ended(&s, &second);
	ok(!al_stages_assign_job(&s, &recovery, 2) &&
		   al_stages_count_runnable_jobs(&s) == 0,
	   "the second one waits for the first one");
	al_stages_finish_job_return_chunk_ended(&s, &first);
	is_u64(al_stages_count_runnable_jobs(&s), 1, "one can be recovered");
	ok(al_stages_assign_job(&s, &recovery, 1) &&
		   recovery.stage == AL_RECOVER && recovery.first_chunk == 0,
	   "the first one");
	ok(!al_stages_assign_job(&s, &second, 2), "while it is, no other one");
	al_stages_finish_job_return_chunk_ended(&s, &recovery);
	is_u64(do_next_job(&s, 1), AL_PREPARE, "it is prepared");
	is_u64(do_next_job(&s, 1), AL_GATHER, "and analysed");
	is_u64(do_next_job(&s, 1), AL_RECOVER, "the second one is recovered");
}

/* Begin a chunk and scatter it over the partitions. */
static void scatter_next_chunk(struct al_stages *s)
{
	al_stages_begin_chunk(s);
	is_u64(do_next_job(s, 3), AL_RECOVER, "a piece is recovered");
	is_u64(do_next_job(s, 3), AL_PREPARE, "prepared");
	is_u64(do_next_job(s, 3), AL_SCATTER, "and spread");
}

/* Check full partitions: one has analysed all chunks and the other none, so the
   place of the next chunk still holds the first one. */
static void test_full_lanes(void)
{
	struct al_stages s = {.n_partitions = 2, .max_in_flight = 2};
	struct al_job slow, fast, none;

	scatter_next_chunk(&s);
	ok(al_stages_assign_job(&s, &slow, 2) && slow.stage == AL_PARTITION,
	   "a part is slow");
	is_u64(do_next_job(&s, 1), AL_PARTITION, "the other one is done");
	scatter_next_chunk(&s);
	ok(al_stages_assign_job(&s, &fast, 1) && fast.stage == AL_PARTITION,
	   "and goes on");
	is_u64(fast.end_chunk, 2,
	       "with all pieces that there are, and no more");
	al_stages_finish_job_return_chunk_ended(&s, &fast);
	is_u64(al_stages_count_runnable_jobs(&s), 0, "nothing can begin");
	ok(!al_stages_assign_job(&s, &none, 1), "nor does");
	al_stages_finish_job_return_chunk_ended(&s, &slow);
	is_u64(do_next_job(&s, 2), AL_GATHER, "the first piece is joined");
	is_u64(do_next_job(&s, 2), AL_PARTITION, "the slow part goes on");
	is_u64(do_next_job(&s, 2), AL_GATHER, "the second piece is joined");
	is_u64(do_next_job(&s, 2), AL_STAGES, "all is done");
	is_u64(s.n_ended, 2, "each once");
}

int main(void)
{
	start_test();
	for (unsigned n = 0; n < CHUNKS; n++)
		fill_chunk(n);
	test_parts();
	test_fault();
	test_workers();
	test_recovery_in_order();
	test_full_lanes();
	end_test();
	return done_testing();
}

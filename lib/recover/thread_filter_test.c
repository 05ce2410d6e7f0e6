/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * thread_filter_test.c - tests thread classes, lanes and counts of windows
 */
#include "tests/tap.h"

#include "tests/fixtures/window_text.h"

#include "lib/config/window/plan/plan.h"
#include "lib/recover/thread_filter.h"
#include "tests/fixtures/toy_run.h"

enum { THREADS = 3, ROUNDS = 5, CHUNKS = 4 };

/* Lane 0 is for thread 1, lane 1 for thread 2, lane 2 for any but thread 2. */
static const char two[] = "windows:\n"
			  "- name: first\n"
			  "  profile: [threads: [thread: 1]]\n"
			  "- name: rest\n"
			  "  profile: [threads: [{thread: 2}, {}]]\n";

static void test_classes(void)
{
	struct pt_plan *plan = plan_of(two);
	struct al_lanes l;

	al_lanes_init(&l, plan);
	is_u64(l.n, 3, "threads that are named are classes of their own");
	ok(!al_lanes_class_of_thread_or_0(&l, 3) &&
		   !al_lanes_class_of_thread_or_0(&l, 4),
	   "the others are one");
	is_u64(l.class[al_lanes_class_of_thread_or_0(&l, 1)].lanes, 1 | 4,
	       "a thread is in its lanes and those for any");
	is_u64(l.class[al_lanes_class_of_thread_or_0(&l, 2)].lanes, 2,
	       "but not where its window has one for it");
	is_u64(l.class[0].lanes, 4, "others are in those for any");
	is_u64(al_lanes_windows_of_nonwarmup_lanes(&l, 2 | 4), 2,
	       "lanes are their windows'");
	is_u64(al_lanes_windows_of_nonwarmup_lanes(&l, UINT64_MAX), 3,
	       "those that there are");
	al_lanes_init(&l, NULL);
	ok(l.n == 1 && !l.n_windows && l.class[0].lanes == UINT64_MAX,
	   "without a plan everything is everybody's");
	free(plan);
}

static void test_warm(void)
{
	struct pt_plan *plan = plan_of("windows:\n"
				       "- warmup: 5\n"
				       "  profile:\n"
				       "  - threads: [{thread: 1}, {}]\n"
				       "- profile: [{}]\n");
	struct al_lanes l;

	al_lanes_init(&l, plan);
	is_u64(l.class[al_lanes_class_of_thread_or_0(&l, 1)].lanes, 1 | 16,
	       "warm lanes are not among a thread's");
	is_u64(l.class[al_lanes_class_of_thread_or_0(&l, 1)].warm, 4,
	       "but apart");
	is_u64(l.class[0].warm, 8, "by the same rules");
	is_u64(al_lanes_warmup_lane_bits_of_window(&l, 0), 4 | 8,
	       "a window has its own");
	is_u64(al_lanes_windows_of_nonwarmup_lanes(&l, 4 | 8), 0,
	       "and counts for none of them");
	free(plan);
}

/* ---- a stream ---- */

/* Log of two blocks. Lane 0 selects the first instruction of block 0 and all of
   block 1; lanes 1 and 2 select the second instruction of block 0, the load. */
static struct {
	struct pt_log_head of_first; /* head of a struct pt_log_lanes */
	uint64_t lanes_of_instr[2];
	struct block_record first;
	struct pt_log_head of_second;
	uint64_t all;
	struct block_record second;
} log_records;

static void make_log(void)
{
	log_records.of_first = (struct pt_log_head){PT_LOG_LANES, 8 + 16};
	log_records.lanes_of_instr[0] = 1;
	log_records.lanes_of_instr[1] = 2 | 4;
	log_records.first = log_records.second = block;
	log_records.of_second = (struct pt_log_head){PT_LOG_LANES, 8 + 8};
	log_records.all = 1;
	log_records.second.block.id = log_records.second.block.route = 1;
}

static void add_execution(uint32_t route)
{
	uint32_t header =
		pt_encode_block_unit_header(route, pt_block_unit_bytes(1));
	uint64_t address = 0x7000;

	put(&header, sizeof(header));
	put(&address, sizeof(address));
}

/* Add a fault at the load of block 0, after its first instruction. */
static void add_fault(void)
{
	const uint32_t unit[4] = {pt_encode_control_unit_header(PT_CUT, 16), 0,
				  0, 2};

	put(unit, sizeof(unit));
}

/* Fill a chunk in which each thread in turn executes both blocks and takes a
   fault. The thread that ended the last chunk runs first. */
static void fill_chunk(void)
{
	start_chunk();
	unit(PT_WINDOW_OPEN, 1, 0);
	for (unsigned i = 0; i < ROUNDS * THREADS; i++) {
		add_execution(0);
		add_execution(1);
		add_fault();
		unit(PT_THREAD, 1 + i % THREADS, 0);
	}
	chunk[1] = used;
}

static void check_counts(const struct al_window_counts *w, uint64_t openings,
			 uint64_t instructions, uint64_t reads,
			 const char *fact)
{
	ok(w->openings == openings && w->instructions == instructions &&
		   w->reads == reads && !w->writes && !w->modifies,
	   fact);
}

static void test_counts(void)
{
	/* Rounds of each thread. The first round is thread 1's, because it runs
	   at the beginning; each chunk ends with a round of thread 3. */
	uint64_t n = ROUNDS * CHUNKS, first = n + 1, third = n - 1;
	struct al_stream *s = al_stream_new(&settings, symbols, AL_FIRST_LABEL);
	struct pt_plan *plan = plan_of(two);
	const struct al_window_counts *w;
	struct al_counts c;

	al_stream_set_plan_add_window_consumers(s, plan);
	free(plan);
	make_log();
	is_u64((uint64_t)-al_stream_parse_and_store_log(s, &log_records,
							sizeof(log_records)),
	       0, "who wants what is in the log");
	for (unsigned i = 0; i < CHUNKS; i++) {
		fill_chunk();
		al_stream_process_chunk_in_this_thread(s, chunk, CHUNK, 0);
	}
	al_stream_finish_counts_and_analyses(s);
	c = al_stream_sum_latest_counts(s);
	w = al_stream_counts_by_window(s);
	/* Block 0, block 1, and the part of block 0 before the fault: its first
	   instruction and the one that was begun. */
	is_u64(c.instructions, first * 6 + n * 2 + third * 2,
	       "of each thread is recorded what its lanes want");
	is_u64(c.reads, first * 2 + n + third, "and so are accesses");
	check_counts(&w[0], 0, first * 4, first,
		     "a window has what its lanes want");
	check_counts(&w[1], CHUNKS, 2 * (first + n + third), first + n + third,
		     "another one shares some of it");
	al_stream_free(s);
}

static void test_contradictions(void)
{
	struct al_stream *s = al_stream_new(&settings, symbols, AL_FIRST_LABEL);
	struct pt_plan *plan = plan_of(two);

	al_stream_set_plan_add_window_consumers(s, plan);
	free(plan);
	start_chunk();
	unit(PT_WINDOW_OPEN, 2, 0);
	chunk[1] = used;
	is_u64((uint64_t)-al_stream_process_chunk_in_this_thread(s, chunk,
								 CHUNK, 0),
	       EPROTO, "a window that the plan has not is a contradiction");
	make_log();
	log_records.second.block.n_instrs = 1;
	log_records.of_second.bytes += 8;
	is_u64((uint64_t)-al_stream_parse_and_store_log(s, &log_records,
							sizeof(log_records)),
	       EPROTO, "so are more sets than instructions");
	al_stream_free(s);
}

int main(void)
{
	start_test();
	test_classes();
	test_warm();
	test_counts();
	test_contradictions();
	end_test();
	return done_testing();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * consumer_test.c - tests that a window's consumer receives the same as if its
 * window were the only one
 */
#include <errno.h>

#include "tests/tap.h"

#include "tests/fixtures/window_text.h"

#include "lib/config/window/plan/plan.h"
#include "tests/fixtures/toy_run.h"

enum { THREADS = 3, ROUNDS = 700, CHUNKS = 5, ALL = 0 };

/* ---- an analysis that notes everything in order ---- */

struct notes {
	const struct an_block *block[16]; /* blocks by their id */
	uint64_t n_blocks;
	uint64_t execs;
	uint64_t signals;
	uint64_t events;
	uint64_t hash; /* hash of instructions, slots and signals, in order */
	uint64_t difference; /* instructions that the counters count, less those
			  executed */
	uint64_t skips;
};

static void hash_number(struct notes *n, uint64_t what)
{
	n->hash = (n->hash ^ what) * 0x9e3779b97f4a7c15u;
	n->hash ^= n->hash >> 29;
}

static int note_block(void *state, const struct an_block *b)
{
	struct notes *n = state;

	if (b->id != n->n_blocks)
		return -EINVAL;
	n->block[n->n_blocks++] = b;
	return 0;
}

static void note_exec(struct notes *n, const struct an_batch *b,
		      struct an_exec e)
{
	const struct an_block *executed = n->block[e.block];
	const struct pt_exit *exit = &executed->exit[an_exec_exit_number(e)];

	for (unsigned i = 0; i < exit->n_instrs; i++)
		hash_number(n, executed->instr[i].addr);
	for (unsigned i = 0; i < exit->n_accesses; i++)
		hash_number(n,
			    an_exec_slot_value(b, e, executed->access[i].slot));
	n->difference -= exit->n_instrs;
	n->execs++;
}

static int note_batch(void *state, const struct an_batch *b)
{
	struct notes *n = state;
	size_t m = 0, event = 0;

	for (size_t i = 0; i <= b->n_execs; i++) {
		for (; event < b->n_events &&
		       b->event[event].before_exec <= b->first_exec + i;
		     event++) {
			hash_number(n, an_stream_event_word_or_0(
					       b, &b->event[event], 0));
			n->events++;
		}
		for (; m < b->n_marks && b->mark[m].before_exec <= i; m++)
			if (b->mark[m].kind == PT_SIGNAL) {
				hash_number(n, b->mark[m].id);
				n->signals++;
			}
		if (i < b->n_execs)
			note_exec(n, b, b->exec[i]);
	}
	return 0;
}

static int note_finish(void *state)
{
	struct notes *n = state;

	for (uint64_t i = 0; i < n->n_blocks; i++) {
		const struct an_block *b = n->block[i];

		for (unsigned e = 0; e < b->n_exits; e++)
			n->difference += b->exit_count[e] * b->exit[e].n_instrs;
		for (unsigned a = 0; b->skip_count && a < b->n_accesses; a++)
			n->skips += b->skip_count[a];
	}
	return 0;
}

static int note_merge(void *into, const void *from)
{
	((struct notes *)into)->hash += ((const struct notes *)from)->hash;
	return 0;
}

static void add_hash_to_model(const void *state, struct al_model *m)
{
	al_model_add_number(m, "hash", NULL, NULL,
			    ((const struct notes *)state)->hash);
}

static const struct an_class noter = {
	.name = "noter",
	.state_size = sizeof(struct notes),
	.block = note_block,
	.batch = note_batch,
	.finish = note_finish,
	.merge = note_merge,
	.result = add_hash_to_model,
};

static const struct al_settings noting = {
	.analysis = {{.class = &noter}},
	.n_analyses = 1,
};

/* ---- windows ---- */

#define FIRST                                                                  \
	"- name: first\n"                                                      \
	"  per_window_output: true\n"                                          \
	"  profile: [threads: [thread: 1]]\n"
#define REST                                                                   \
	"- name: rest\n"                                                       \
	"  per_window_output: true\n"                                          \
	"  profile: [threads: [{thread: 2}, {}]]\n"

/* ---- a stream ---- */

/* Log of three blocks with the lanes (a window's entries for some threads) that
   record them. The first instruction of block 0 is for lane 0; its second, a
   load that may not happen, for lanes 1 and 2. Block 1 is for lane 0, block 2
   for all lanes. */
static struct {
	struct pt_log_head head; /* head of a struct pt_log_lanes */
	uint64_t lanes[2];
	struct block_record block;
} log_records[3];

/* @shift: number of lanes to leave out at the beginning, whose windows are not
   in the plan. */
static void make_log(unsigned shift)
{
	static const uint64_t lanes[3][2] = {{1, 2 | 4}, {1, 1}, {7, 7}};

	for (unsigned i = 0; i < 3; i++) {
		log_records[i].head =
			(struct pt_log_head){PT_LOG_LANES, 8 + 16};
		log_records[i].lanes[0] = lanes[i][0] >> shift;
		log_records[i].lanes[1] = lanes[i][1] >> shift;
		log_records[i].block = block;
		log_records[i].block.block.id =
			log_records[i].block.block.route = i;
		log_records[i].block.instr[0].addr += 0x100 * i;
		log_records[i].block.instr[1].addr += 0x100 * i;
	}
	log_records[0].block.access.flags = PT_GUARDED;
}

static void add_execution(uint32_t route, uint64_t address)
{
	uint32_t header =
		pt_encode_block_unit_header(route, pt_block_unit_bytes(1));

	put(&header, sizeof(header));
	put(&address, sizeof(address));
}

/* Add a fault at the load of block 0. */
static void add_fault(void)
{
	const uint32_t unit[4] = {pt_encode_control_unit_header(PT_CUT, 16), 0,
				  0, 2};

	put(unit, sizeof(unit));
}

/* Fill a chunk in which each thread in turn executes the blocks and takes a
   fault. Some threads get signals. */
static void fill_chunk(unsigned number)
{
	start_chunk();
	for (unsigned i = 0; i < ROUNDS && used < CHUNK - 256; i++) {
		add_execution(0, i % 3 ? 8 * i + number : PT_NOT_DONE);
		add_execution(1, 24 * i);
		if (i % 7 == 0)
			unit(PT_SIGNAL, i, 0);
		if (i % 11 == 0)
			unit(PT_BORN, i, 80 * i + number);
		if (i % 5 == 0)
			add_fault();
		add_execution(2, 40 * i);
		unit(PT_THREAD, 1 + i % THREADS, 0);
	}
	unit(PT_SIGNAL, number, 0);
	unit(PT_DIED, number, 99);
	chunk[1] = used;
}

/* Return a stream that has analysed all chunks with the windows of @yaml.
   @shift: see make_log(). */
static struct al_stream *run_windows(const char *yaml, unsigned shift,
				     const struct al_settings *options)
{
	struct al_stream *s = al_stream_new(options, symbols, AL_FIRST_LABEL);
	struct pt_plan *plan = plan_of(yaml);

	al_stream_set_plan_add_window_consumers(s, plan);
	free(plan);
	make_log(shift);
	al_stream_parse_and_store_log(s, log_records, sizeof(log_records));
	for (unsigned i = 0; i < CHUNKS; i++) {
		fill_chunk(i);
		al_stream_process_chunk_in_this_thread(s, chunk, CHUNK, 0);
	}
	al_stream_finish_counts_and_analyses(s);
	return s;
}

static struct notes get_notes(const struct al_stream *s, unsigned consumer)
{
	const void *state = NULL;

	if (al_stream_analysis_state_and_error(s, consumer, 0, &state))
		printf("# the analysis of view %u was stopped\n", consumer);
	return *(const struct notes *)state;
}

static uint64_t get_hash_of_result(struct al_stream *s, unsigned consumer,
				   bool *is_new)
{
	struct al_model *m =
		al_stream_get_or_build_analysis_result(s, consumer, 0, is_new);

	return al_model_find_member(&m->root, "hash")->value.number;
}

/* Merge @s twice into @sum and check that the result of consumer 2 is built
   after each merge, and only then. */
static void test_result_of_merged_streams(struct al_stream *sum,
					  const struct al_stream *s)
{
	uint64_t hash = get_notes(s, 2).hash;
	bool first, second, again;

	al_stream_merge_counts_and_results(sum, s);
	is_u64(get_hash_of_result(sum, 2, &first), hash, "a result is built");
	al_stream_merge_counts_and_results(sum, s);
	is_u64(get_hash_of_result(sum, 2, &second), 2 * hash,
	       "results of a number are added up, in another result");
	is_u64(get_hash_of_result(sum, 2, &again), 2 * hash,
	       "which stays as it is");
	ok(first && second && !again, "and is built once");
}

static void check_same_notes(struct notes a, struct notes b, const char *whose)
{
	is_u64(a.hash, b.hash, whose);
	is_u64(a.execs, b.execs, "as many executions");
	is_u64(a.n_blocks, b.n_blocks, "of as many blocks");
	is_u64(a.signals, b.signals, "with all signals");
	is_u64(a.events, b.events, "and all events");
	is_u64(a.difference, 0, "counters count what was executed");
	is_u64(a.skips, b.skips, "and accesses that did not happen");
}

static void test_alone(void)
{
	struct al_stream *both =
		run_windows("windows:\n" FIRST REST, 0, &noting);
	struct al_stream *first = run_windows("windows:\n" FIRST, 0, &noting);
	struct al_stream *rest = run_windows("windows:\n" REST, 1, &noting);

	check_same_notes(get_notes(both, 1), get_notes(first, ALL),
			 "the first window");
	check_same_notes(get_notes(both, 2), get_notes(rest, ALL),
			 "the second window");
	check_same_notes(get_notes(rest, 1), get_notes(rest, ALL),
			 "one that is the only one");
	ok(get_notes(both, 1).hash != get_notes(both, 2).hash &&
		   get_notes(both, ALL).execs > get_notes(both, 2).execs &&
		   get_notes(both, 2).execs > get_notes(both, 1).execs &&
		   get_notes(both, 1).execs && get_notes(both, 2).skips,
	   "which are different");
	ok(!get_notes(both, 1).skips,
	   "what a window wants not, it does not skip");
	al_stream_free(both);
	al_stream_free(first);
	al_stream_free(rest);
}

static void test_views(void)
{
	struct al_settings whole = noting;
	struct al_stream *s, *sum = al_stream_new_without_symbols(&noting);
	struct pt_plan *plan = plan_of("windows:\n- profile: [{}]\n" REST);

	is_u64(al_stream_max_consumer_number_plus_1(sum), 1,
	       "a sum has the view of all");
	al_stream_add_consumer_per_window_output(sum, plan);
	al_stream_add_consumer_per_window_output(sum, plan);
	ok(al_stream_max_consumer_number_plus_1(sum) == 3 &&
		   !al_stream_has_consumer(sum, 1) &&
		   al_stream_has_consumer(sum, 2),
	   "and one for each window that has a report of its own");
	is_str(al_stream_consumer_window_name_or_number(sum, 2), "rest",
	       "of its name");
	is_str(al_stream_consumer_window_name_or_number(sum, ALL), "",
	       "that of all has none");
	s = run_windows("windows:\n- profile: [{}]\n" REST, 0, &noting);
	test_result_of_merged_streams(sum, s);
	al_stream_free(s);
	whole.no_per_window = true;
	s = run_windows("windows:\n" FIRST REST, 0, &whole);
	is_u64(al_stream_max_consumer_number_plus_1(s), 1,
	       "there are none if nobody wants them");
	al_stream_free(s);
	al_stream_free(sum);
	free(plan);
}

/* Check that a window's name is not used if it is a path: plans may be forged,
   and output files are named after windows. */
static void test_names(void)
{
	struct pt_plan *plan = plan_of("windows:\n" FIRST);
	struct al_stream *s = al_stream_new_without_symbols(&noting);
	char *name =
		(char *)plan + plan->strings.at +
		((struct pt_window *)((char *)plan + plan->windows.at))->name;

	name[2] = '/';
	al_stream_add_consumer_per_window_output(s, plan);
	is_str(al_stream_consumer_window_name_or_number(s, 1), "1",
	       "a path is no name of a window");
	al_stream_free(s);
	free(plan);
}

int main(void)
{
	start_test();
	test_alone();
	test_views();
	test_names();
	end_test();
	return done_testing();
}

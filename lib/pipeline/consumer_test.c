/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * consumer_test.c - a window's consumer is what there would be of it alone
 */
#include <errno.h>

#include "tests/tap.h"

#include "tests/fixtures/window_text.h"

#include "lib/config/window/plan/plan.h"
#include "tests/fixtures/toy_run.h"

enum { THREADS = 3, ROUNDS = 700, CHUNKS = 5, ALL = 0 };

/* ---- an analysis that notes everything in order ---- */

struct notes {
	const struct an_block *block[16]; /* by id */
	uint64_t n_blocks;
	uint64_t execs;
	uint64_t signals;
	uint64_t hash; /* of instructions, slots and signals, in order */
	uint64_t left; /* instructions by counters, less those executed */
	uint64_t skips;
};

static void note(struct notes *n, uint64_t what)
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
	const struct an_block *of = n->block[e.block];
	const struct pt_exit *exit = &of->exit[an_exit(e)];

	for (unsigned i = 0; i < exit->n_instrs; i++)
		note(n, of->instr[i].addr);
	for (unsigned i = 0; i < exit->n_accesses; i++)
		note(n, an_slot(b, e, of->access[i].slot));
	n->left -= exit->n_instrs;
	n->execs++;
}

static int note_batch(void *state, const struct an_batch *b)
{
	struct notes *n = state;
	size_t m = 0;

	for (size_t i = 0; i <= b->n_execs; i++) {
		for (; m < b->n_marks && b->mark[m].before_exec <= i; m++)
			if (b->mark[m].kind == PT_SIGNAL) {
				note(n, b->mark[m].id);
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
			n->left += b->exit_count[e] * b->exit[e].n_instrs;
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

static const struct an_class noter = {
	.name = "noter",
	.state_size = sizeof(struct notes),
	.block = note_block,
	.batch = note_batch,
	.finish = note_finish,
	.merge = note_merge,
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

/* Of block 0 the first instruction is for lane 0, the load, which may not
   happen, for the others; block 1 is for lane 0, block 2 for all. */
static struct {
	struct pt_log_head head; /* struct pt_log_lanes */
	uint64_t lanes[2];
	struct block_record block;
} wanted[3];

/* @shift: lanes before these are of windows that the plan has not. */
static void make_log(unsigned shift)
{
	static const uint64_t lanes[3][2] = {{1, 2 | 4}, {1, 1}, {7, 7}};

	for (unsigned i = 0; i < 3; i++) {
		wanted[i].head = (struct pt_log_head){PT_LOG_LANES, 8 + 16};
		wanted[i].lanes[0] = lanes[i][0] >> shift;
		wanted[i].lanes[1] = lanes[i][1] >> shift;
		wanted[i].block = block;
		wanted[i].block.block.id = wanted[i].block.block.route = i;
		wanted[i].block.instr[0].addr += 0x100 * i;
		wanted[i].block.instr[1].addr += 0x100 * i;
	}
	wanted[0].block.access.flags = PT_GUARDED;
}

static void leave(uint32_t route, uint64_t address)
{
	uint32_t header = pt_block_header(route, pt_block_bytes(1));

	put(&header, sizeof(header));
	put(&address, sizeof(address));
}

/* A fault at the load of block 0. */
static void fault(void)
{
	const uint32_t unit[4] = {pt_control_header(PT_CUT, 16), 0, 0, 2};

	put(unit, sizeof(unit));
}

/* Each thread in turn does the blocks, and takes a fault; some signals. */
static void fill(unsigned number)
{
	start_chunk();
	for (unsigned i = 0; i < ROUNDS && used < CHUNK - 256; i++) {
		leave(0, i % 3 ? 8 * i + number : PT_NOT_DONE);
		leave(1, 24 * i);
		if (i % 7 == 0)
			unit(PT_SIGNAL, i, 0);
		if (i % 5 == 0)
			fault();
		leave(2, 40 * i);
		unit(PT_THREAD, 1 + i % THREADS, 0);
	}
	unit(PT_SIGNAL, number, 0);
	chunk[1] = used;
}

/* What is recorded by windows, as far as these want it. */
static struct al_stream *play(const char *yaml, unsigned shift,
			      const struct al_settings *how)
{
	struct al_stream *s = al_stream_new(how, symbols, AL_FIRST_LABEL);
	struct pt_plan *plan = plan_of(yaml);

	al_stream_set_plan(s, plan);
	free(plan);
	make_log(shift);
	al_stream_add_log(s, wanted, sizeof(wanted));
	for (unsigned i = 0; i < CHUNKS; i++) {
		fill(i);
		al_stream_process_chunk(s, chunk, CHUNK, 0);
	}
	al_stream_finish(s);
	return s;
}

static struct notes notes_of(const struct al_stream *s, unsigned view)
{
	const void *state = NULL;

	if (al_stream_analysis_state(s, view, 0, &state))
		printf("# the analysis of view %u was stopped\n", view);
	return *(const struct notes *)state;
}

static void same(struct notes a, struct notes b, const char *whose)
{
	is_u64(a.hash, b.hash, whose);
	is_u64(a.execs, b.execs, "as many executions");
	is_u64(a.n_blocks, b.n_blocks, "of as many blocks");
	is_u64(a.signals, b.signals, "with all signals");
	is_u64(a.left, 0, "counters count what was executed");
	is_u64(a.skips, b.skips, "and accesses that did not happen");
}

static void test_alone(void)
{
	struct al_stream *both = play("windows:\n" FIRST REST, 0, &noting);
	struct al_stream *first = play("windows:\n" FIRST, 0, &noting);
	struct al_stream *rest = play("windows:\n" REST, 1, &noting);

	same(notes_of(both, 1), notes_of(first, ALL), "the first window");
	same(notes_of(both, 2), notes_of(rest, ALL), "the second window");
	same(notes_of(rest, 1), notes_of(rest, ALL),
	     "one that is the only one");
	ok(notes_of(both, 1).hash != notes_of(both, 2).hash &&
		   notes_of(both, ALL).execs > notes_of(both, 2).execs &&
		   notes_of(both, 2).execs > notes_of(both, 1).execs &&
		   notes_of(both, 1).execs && notes_of(both, 2).skips,
	   "which are different");
	ok(!notes_of(both, 1).skips,
	   "what a window wants not, it does not skip");
	al_stream_free(both);
	al_stream_free(first);
	al_stream_free(rest);
}

static void test_views(void)
{
	struct al_settings whole = noting;
	struct al_stream *s, *sum = al_stream_new_total(&noting);
	struct pt_plan *plan = plan_of("windows:\n- profile: [{}]\n" REST);

	is_u64(al_stream_consumers_end(sum), 1, "a sum has the view of all");
	al_stream_add_consumers(sum, plan);
	al_stream_add_consumers(sum, plan);
	ok(al_stream_consumers_end(sum) == 3 &&
		   !al_stream_has_consumer(sum, 1) &&
		   al_stream_has_consumer(sum, 2),
	   "and one for each window that has a report of its own");
	is_str(al_stream_window_name(sum, 2), "rest", "of its name");
	is_str(al_stream_window_name(sum, ALL), "", "that of all has none");
	s = play("windows:\n- profile: [{}]\n" REST, 0, &noting);
	al_stream_merge(sum, s);
	al_stream_merge(sum, s);
	is_u64(notes_of(sum, 2).hash, 2 * notes_of(s, 2).hash,
	       "views of a number are added up");
	al_stream_free(s);
	whole.no_per_window = true;
	s = play("windows:\n" FIRST REST, 0, &whole);
	is_u64(al_stream_consumers_end(s), 1,
	       "there are none if nobody wants them");
	al_stream_free(s);
	al_stream_free(sum);
	free(plan);
}

/* A plan may come from a stranger; names of files are made of its windows'. */
static void test_names(void)
{
	struct pt_plan *plan = plan_of("windows:\n" FIRST);
	struct al_stream *s = al_stream_new_total(&noting);
	char *name =
		(char *)plan + plan->strings.at +
		((struct pt_window *)((char *)plan + plan->windows.at))->name;

	name[2] = '/';
	al_stream_add_consumers(s, plan);
	is_str(al_stream_window_name(s, 1), "1",
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

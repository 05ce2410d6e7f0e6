/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loop_dependences_test.c - tests that runs and calls that begin and end
   between accesses are those that carry their dependences */
#include "tests/fixtures/toy_loops.h"

/* Return the count of flow dependences at distance 1 between two lines that the
   loop at @loop_line carries. @source_line: 0: in line 0 or another
   function. */
static uint64_t count_of_flow(uint32_t loop_line, uint32_t source_line,
			      uint32_t line)
{
	struct an_loop_row r = loop_at_line(loop_line);
	uint64_t n = 0;

	for (size_t i = 0; i < r.n_dependences; i++)
		if (r.dependence[i].kind == AN_DEPENDENCE_FLOW &&
		    r.dependence[i].source_line == source_line &&
		    r.dependence[i].line == line &&
		    r.dependence[i].distance == 1)
			n += r.dependence[i].count;
	return n;
}

/* Return a block of one instruction at @line, which loads address 8, and also
   stores there if @stores. */
static struct code block_at_line(unsigned line, bool stores)
{
	uint16_t n = stores ? 2 : 1;

	return (struct code){.addr = {0x1000 + 4 * line},
			     .n_accesses = n,
			     .lacks_slot = {true, true},
			     .exit = {{.n_instrs = 1, .n_accesses = n}}};
}

static void test_dependence_on_iteration_before(void)
{
	struct code code[] = {block_at_line(0, false), block_at_line(1, true)};

	analyze(code, 2, "ababababababab", "*");
	is_u64(loop_at_line(0).iterations, 7, "the loop iterates");
	is_u64(count_of_flow(0, 1, 0), 5,
	       "each load after the loop was found depends on a store");
	an_loops.close(&l);
}

/* Block b is an inner loop of three iterations; block c, after it, stores. */
static void test_dependence_on_ended_run(void)
{
	struct code code[] = {block_at_line(0, false), block_at_line(1, false),
			      block_at_line(2, true)};

	analyze(code, 3, "abbbcabbbcabbbcabbbc", "*");
	is_u64(count_of_flow(1, 2, 1), 0,
	       "the inner loop carries no dependence from outside");
	is_u64(count_of_flow(0, 2, 1), 6,
	       "the outer one carries those of all inner iterations");
	an_loops.close(&l);
}

/* Block a calls function c, which loads and stores, by block b. */
static void test_dependence_in_called_function(void)
{
	struct code code[] = {block_at_line(4, false), block_at_line(3, false),
			      block_at_line(7, true)};

	for (unsigned i = 0; i < 3; i++)
		set_bytes(&code[i]);
	analyze(code, 3, "abcabcabcabcabc", "*");
	is_u64(count_of_flow(4, 0, 3), 6,
	       "loads in it and by the call depend on stores in it");
	is_u64(count_of_flow(4, 0, 4), 3, "those before the call, too");
	is_u64(loop_at_line(4).n_dependences, 2, "and no others");
	an_loops.close(&l);
}

/* Follow the 20 executions of @order: of block a, which loads, and block b,
   which also stores, with marks between them. @code: 2 blocks, which are
   initialised. */
static void follow_loops_with_marks(struct code *code, const char *order,
				    const struct an_mark *mark, size_t n_marks)
{
	static struct an_env env = {.option = option, .symbol = set_symbol};
	struct an_batch batch = {.exec = exec,
				 .n_execs = 20,
				 .slots = slots,
				 .mark = mark,
				 .n_marks = n_marks};
	int err;

	env.host = (void *)(uintptr_t) "*";
	err = an_loops.open(&l, &env);
	n_execs = n_words = 0;
	for (uint32_t i = 0; i < 2 && !err; i++) {
		code[i] = block_at_line(i, i == 1);
		init_block(&code[i], i);
		err = an_loops.block(&l, &code[i].block);
	}
	for (const char *block = order; *block; block++)
		append_exec(&code[*block - 'a'], 0);
	ok(!err && an_loops.batch(&l, &batch) == 0 &&
		   an_loops.tail(&l, &batch) == 0,
	   "executions are followed");
}

/* Return the bytes of the shadow that are left after a mark. */
static size_t shadow_left_after_mark(uint32_t mark_kind)
{
	struct an_mark mark = {20, mark_kind, 0};
	struct code code[2];
	size_t left;

	follow_loops_with_marks(code, "aaaaabbbbbaaaaabbbbb", &mark,
				mark_kind != 0);
	left = l.dependences.shadow_bytes;
	an_loops.close(&l);
	return left;
}

static void test_release_of_shadow(void)
{
	ok(shadow_left_after_mark(0) > 0, "a thread has a shadow");
	is_u64(shadow_left_after_mark(PT_THREAD_END), 0,
	       "its end releases the shadow");
	is_u64(shadow_left_after_mark(PT_WINDOW_OPEN), 0,
	       "a window that opens, too");
}

/* Thread 0 executes the loop of block a, thread 1 that of block b. */
static void test_dependences_in_threads(void)
{
	struct an_mark mark[] = {
		{5, PT_THREAD, 1}, {10, PT_THREAD, 0}, {15, PT_THREAD, 1}};
	struct code code[2];

	follow_loops_with_marks(code, "aaaaabbbbbaaaaabbbbb", mark, 3);
	an_loops.finish(&l);
	is_u64(loop_at_line(0).iterations, 10, "thread 0 iterates");
	is_u64(loop_at_line(0).n_dependences, 0, "and depends on nothing");
	is_u64(count_of_flow(1, 1, 1), 8,
	       "loads of thread 1 depend on its stores");
	is_u64(loop_at_line(1).n_dependences, 1, "and no others");
	an_loops.close(&l);
}

/* Threads 0 and 1 execute the loop of block b by turns. */
static void test_loop_of_two_threads(void)
{
	struct an_mark mark[] = {
		{5, PT_THREAD, 1}, {10, PT_THREAD, 0}, {15, PT_THREAD, 1}};
	struct code code[2];

	follow_loops_with_marks(code, "bbbbbbbbbbbbbbbbbbbb", mark, 3);
	an_loops.finish(&l);
	is_u64(loop_at_line(1).entries, 2, "each thread has a run");
	/* Both accesses of the second execution, in which the loop is found,
	   have none before them. */
	is_u64(count_of_stride(loop_at_line(1), 1, 0), 2 * (8 + 9),
	       "strides of a run go on when its thread does");
	an_loops.close(&l);
}

int main(void)
{
	test_dependence_on_iteration_before();
	test_dependence_on_ended_run();
	test_dependence_in_called_function();
	test_release_of_shadow();
	test_dependences_in_threads();
	test_loop_of_two_threads();
	return done_testing();
}

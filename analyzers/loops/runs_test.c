/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * runs_test.c - tests that an execution which leaves its block early counts
 *               nothing after that exit, that a loop whose header is in the
 *               middle of a block counts each access once, and that random
 *               executions have the same strides whether or not dependences
 *               are counted, and the same dependences in chunks of any size,
 *               and if each block is listed anew, which takes other code
 */
#include "tests/fixtures/toy_loops.h"

enum { RANDOM_BLOCKS = 5 };

/* Both exits are after the only instruction, like those of a string instruction
   with a repeat prefix, which leaves before its accesses when it is done. */
static void test_exit_within_instruction(const char *chosen_functions)
{
	struct code repeat[] = {
		{.addr = {0x1000},
		 .n_accesses = 2,
		 .exit = {{.n_instrs = 1}, {.n_instrs = 1, .n_accesses = 2}}}};

	analyze(repeat, 1, "AAAAaaAaA", chosen_functions);
	is_u64(loop_at_line(0).iterations, 9, "each execution iterates");
	/* The accesses of the first execution are before the loop is known,
	   those of the second one have none before them. */
	is_u64(count_of_stride(loop_at_line(0), 0, INT64_MIN), 8,
	       "accesses after the exit have no strides");
	is_u64(count_of_stride(loop_at_line(0), 0, 8), 4,
	       "those before it have");
	is_u64(loop_at_line(0).n_dependences, 0, "they depend on nothing");
	an_loops.close(&l);
}

/* Block a is a string instruction with a rep prefix, and its first repetition;
   block b follows it. Exit 0 of block a is taken if it does not repeat. */
static void test_repetition(const char *chosen_functions)
{
	struct code code[] = {
		{.addr = {0x102c, 0x102c},
		 .instr_of_access = {0, 1},
		 .n_accesses = 2,
		 .exit = {{.n_instrs = 1}, {.n_instrs = 2, .n_accesses = 2}}},
		{.addr = {0x1030}, .exit = {{.n_instrs = 1}}}};
	struct an_loop_row r;

	set_bytes(&code[0]);
	analyze(code, 2, "AAAAab", chosen_functions);
	is_u64(l.rows.n + l.rows.irreducible, 0, "repetitions are no loop");
	an_loops.close(&l);

	analyze(code, 2, "AAabAabababAAAab", chosen_functions);
	r = loop_at_line(11);
	is_u64(r.iterations, 5, "if they begin a loop, they are no iterations");
	ok(r.entries == 1 && r.least == 5 && r.most == 5, "nor entries");
	is_u64(r.instructions, 6 * 2 + 5 + 5, "but executed instructions");
	an_loops.close(&l);
}

/* Exit 0 is the back edge, from the second of four instructions. */
static void test_exit_in_middle_of_block(const char *chosen_functions)
{
	struct code code[] = {{.addr = {0x1000, 0x1004, 0x1008, 0x100c},
			       .instr_of_access = {0, 2},
			       .n_accesses = 2,
			       .exit = {{.n_instrs = 2, .n_accesses = 1},
					{.n_instrs = 4, .n_accesses = 2}}},
			      {.addr = {0x1010}, .exit = {{.n_instrs = 1}}}};

	analyze(code, 2, "aaaaaAb", chosen_functions);
	is_u64(loop_at_line(0).instructions, 12,
	       "the body ends with the instruction before the exit");
	is_u64(count_of_stride(loop_at_line(0), 0, 8), 4, "it has strides");
	is_u64(loop_at_line(0).n_strides, 1, "nothing after it has");
	an_loops.close(&l);

	/* With both exits as back edges, all instructions are in the loop. */
	analyze(code, 1, "AAAaaAaA", chosen_functions);
	is_u64(loop_at_line(0).instructions, 8 * 2 + 5 * 2,
	       "instructions after the exit are not executed");
	is_u64(count_of_stride(loop_at_line(0), 0, 8), 6,
	       "each execution has the first access");
	is_u64(count_of_stride(loop_at_line(0), 2, INT64_MIN), 3,
	       "those by exit 1 have the second one");
	is_u64(loop_at_line(0).n_dependences, 0, "they depend on nothing");
	an_loops.close(&l);

	/* The second exit is a back edge later, so the block is listed anew. */
	analyze(code, 1, "aaaAaaAaA", chosen_functions);
	is_u64(count_of_stride(loop_at_line(0), 2, 16), 1,
	       "the second access is in the loop later");
	an_loops.close(&l);
}

/* The header is the second instruction of block a, which exit 0 leaves before
   it. */
static void test_header_in_middle_of_block(const char *chosen_functions)
{
	struct code code[] = {
		{.addr = {0x1010, 0x1000},
		 .instr_of_access = {1},
		 .n_accesses = 1,
		 .exit = {{.n_instrs = 1}, {.n_instrs = 2, .n_accesses = 1}}},
		{.addr = {0x1000},
		 .n_accesses = 1,
		 .exit = {{.n_instrs = 1, .n_accesses = 1}}},
		{.addr = {0x1014}, .exit = {{.n_instrs = 1}}},
	};
	struct an_loop_row r;

	analyze(code, 3, "AbbAbbacacAbb", chosen_functions);
	r = loop_at_line(0);
	is_u64(r.iterations, 9, "the header is in two blocks");
	ok(r.entries == 3 && r.least == 3 && r.most == 3,
	   "no run begins where it is not reached");
	is_u64(count_of_stride(r, 0, 8), 1 + 2 + 2,
	       "an access in it belongs to the run that begins there");
	is_u64(count_of_stride(r, 0, INT64_MIN), 5,
	       "there is no stride to another run");
	is_u64(loop_at_line(4).iterations, 5, "it is in a loop");
	an_loops.close(&l);
}

/* Blocks b and c are a cycle that is entered at c, and then at b, before it
   iterates. */
static void test_cycle_with_two_entries(void)
{
	struct code code[] = {{.addr = {0x1000}, .exit = {{.n_instrs = 1}}},
			      {.addr = {0x1014}, .exit = {{.n_instrs = 1}}},
			      {.addr = {0x1018}, .exit = {{.n_instrs = 1}}},
			      {.addr = {0x101c}, .exit = {{.n_instrs = 1}}}};
	struct an_loop_rows sum = {0};

	analyze(code, 4, "acdabcbcbcd", NULL);
	is_u64(l.rows.n, 1, "a loop around it is listed");
	is_u64(l.rows.irreducible, 1, "the cycle is counted");
	is_u64(l.rows.most_executed_irreducible.symbol.line, 5,
	       "with its first line");
	is_u64(l.rows.most_executed_irreducible.instructions, 7,
	       "and its instructions");
	for (int i = 0; i < 2; i++)
		ok(an_loop_rows_merge(&sum, &l.rows) == 0, "results add up");
	is_u64(sum.irreducible, 2, "the numbers of cycles, too");
	is_u64(sum.most_executed_irreducible.symbol.line, 5,
	       "with the line of one");
	an_loop_rows_release(&sum);
	an_loops.close(&l);

	analyze(code, 4, "abcbcdacbcd", NULL);
	is_u64(l.rows.irreducible, 1,
	       "one that iterated before the second entry counts once");
	an_loops.close(&l);
}

/* Block c is the end of the outer loop, with an access, and its header. The
   dependences of only the inner loop, in g, are counted. */
static void test_chosen_run_ends_inside_block(void)
{
	struct code code[] = {
		{.addr = {0x1000}, .exit = {{.n_instrs = 1}}},
		{.addr = {0x1004}, .exit = {{.n_instrs = 1}}},
		{.addr = {0x1008, 0x1000},
		 .n_accesses = 1,
		 .exit = {{.n_instrs = 2, .n_accesses = 1}}},
	};

	analyze(code, 3, "abbbcbbbcbbbcbbbc", "g");
	is_u64(loop_at_line(1).iterations, 12, "the inner loop iterates");
	is_u64(loop_at_line(0).iterations, 5, "the outer one, too");
	is_u64(count_of_stride(loop_at_line(0), 2, 32), 2,
	       "an access before its header has a stride");
	is_u64(count_of_stride(loop_at_line(0), 2, INT64_MIN), 2,
	       "and is counted once");
	an_loops.close(&l);
}

/* ---- random executions ---- */

static uint64_t random_state;

/* Return a number less than @end (Knuth, MMIX). */
static unsigned random_below(unsigned end)
{
	random_state = random_state * UINT64_C(6364136223846793005) +
		       UINT64_C(1442695040888963407);
	return (unsigned)(random_state >> 33) % end;
}

/* Block a has two iterations; exit 0 is after the first one. */
static void test_back_edge_inside_block(const char *chosen_functions)
{
	struct code code[] = {{.addr = {0x1000, 0x1004, 0x1000, 0x1004},
			       .instr_of_access = {0, 2},
			       .n_accesses = 2,
			       .exit = {{.n_instrs = 2, .n_accesses = 1},
					{.n_instrs = 4, .n_accesses = 2}}},
			      {.addr = {0x1010}, .exit = {{.n_instrs = 1}}}};
	struct an_loop_row r;

	analyze(code, 2, "bAAAAaAAa", chosen_functions);
	r = loop_at_line(0);
	is_u64(r.iterations, 14, "executions by exit 1 have two iterations");
	is_u64(r.entries, 1, "a back edge inside a block enters no loop");
	/* Access 0 is at 1000 + 8 i, the other one at 2000 + 8 i, in execution
	   i. */
	is_u64(count_of_stride(r, 0, 1000), 5,
	       "the strides inside an execution are counted");
	is_u64(count_of_stride(r, 0, -992), 6,
	       "those to the next execution, too");
	an_loops.close(&l);
}

/* Block b calls c, which returns to a, so the back edge comes from the call. */
static void test_back_edge_from_call(void)
{
	struct code code[] = {{.addr = {0x1010}, .exit = {{.n_instrs = 1}}},
			      {.addr = {0x100c}, .exit = {{.n_instrs = 1}}},
			      {.addr = {0x101c}, .exit = {{.n_instrs = 1}}}};

	for (unsigned i = 0; i < 3; i++)
		set_bytes(&code[i]);
	analyze(code, 3, "abcabcabcabc", NULL);
	is_u64(loop_at_line(4).iterations, 4, "each return iterates");
	is_u64(loop_at_line(4).entries, 1, "but enters no loop");
	an_loops.close(&l);
}

/* Set the instructions, exits and accesses of @c. Exit 1 is after the last
   instruction, exit 0 after any. */
static void set_random_code(struct code *c)
{
	unsigned n = 1 + random_below(MOST), instr = 0;

	*c = (struct code){.n_accesses = random_below(MOST + 1)};
	for (unsigned i = 0; i < n; i++)
		c->addr[i] = i > 0 && random_below(4)
				     ? c->addr[i - 1] + 4
				     : 0x1000 + 4 * random_below(12);
	set_bytes(c);
	c->exit[0].n_instrs = (uint16_t)(1 + random_below(n));
	c->exit[1].n_instrs = (uint16_t)n;
	c->exit[1].n_accesses = (uint16_t)c->n_accesses;
	for (unsigned i = 0; i < c->n_accesses; i++) {
		instr += random_below(n - instr);
		c->instr_of_access[i] = instr;
		c->is_guarded[i] = random_below(3) == 0;
		c->lacks_slot[i] = random_below(4) == 0;
		c->exit[0].n_accesses += instr < c->exit[0].n_instrs;
	}
}

/* Append executions, each of a block that one of two follows, with addresses in
   few places. */
static void append_random_execs(struct code *code)
{
	unsigned follower[RANDOM_BLOCKS][2], block = 0;

	for (unsigned i = 0; i < 2 * RANDOM_BLOCKS; i++)
		follower[i / 2][i % 2] = random_below(RANDOM_BLOCKS);
	for (unsigned i = 0; i < MAX_EXECS; i++) {
		size_t first = n_words;

		append_exec(&code[block], random_below(4) != 0);
		for (; first < n_words; first += 2) {
			slots[first] = 8 * random_below(random_below(14) + 1);
			if (random_below(5) == 0)
				slots[first] = slots[first + 1] = UINT32_MAX;
		}
		block = follower[block][random_below(5) == 0];
	}
}

/* Analyse random executions, in which two signals come, with @chunk_execs and
   @delay of follow_in_chunks(), and return the rows, with sorted lists; free
   them with an_loop_rows_release(). */
static struct an_loop_rows rows_of_random_execs(uint64_t seed,
						const char *chosen_functions,
						size_t chunk_execs,
						size_t delay)
{
	struct code code[RANDOM_BLOCKS];
	struct an_env env = {.host = (void *)(uintptr_t)chosen_functions,
			     .option = option,
			     .symbol = set_symbol};
	struct an_mark mark[] = {{100 + seed % 7, PT_SIGNAL, 10},
				 {300, PT_SIGNAL, 10}};
	struct an_loop_rows rows;

	random_state = seed;
	n_execs = n_words = 0;
	memset(slots, 0, sizeof(slots));
	an_loops.open(&l, &env);
	for (unsigned i = 0; i < RANDOM_BLOCKS; i++) {
		set_random_code(&code[i]);
		init_block(&code[i], i);
		an_loops.block(&l, &code[i].block);
	}
	append_random_execs(code);
	follow_in_chunks(chunk_execs, delay, mark, 2);
	rows = l.rows;
	l.rows = (struct an_loop_rows){0};
	an_loops.close(&l);
	for (size_t i = 0; i < rows.n; i++)
		an_loop_row_sort_lists(&rows.row[i]);
	return rows;
}

static bool are_rows_equal(const struct an_loop_row *a,
			   const struct an_loop_row *b)
{
	bool equal = a->address == b->address && a->entries == b->entries &&
		     a->iterations == b->iterations && a->least == b->least &&
		     a->most == b->most && a->instructions == b->instructions &&
		     a->n_strides == b->n_strides &&
		     a->n_dependences == b->n_dependences;

	for (size_t i = 0; equal && i < a->n_strides; i++)
		equal = a->stride[i].line == b->stride[i].line &&
			a->stride[i].stride == b->stride[i].stride &&
			a->stride[i].count == b->stride[i].count;
	for (size_t i = 0; equal && i < a->n_dependences; i++) {
		const struct an_loop_dependence *d = &a->dependence[i],
						*e = &b->dependence[i];

		equal = d->source_line == e->source_line &&
			d->line == e->line && d->kind == e->kind &&
			d->distance == e->distance && d->count == e->count;
	}
	return equal;
}

/* Return the number of rows, of @one, that differ from those of @other; release
   both. */
static uint64_t count_unequal_rows_and_release(struct an_loop_rows one,
					       struct an_loop_rows other)
{
	uint64_t unequal = one.n != other.n;

	for (size_t i = 0; i < one.n && i < other.n; i++)
		unequal += !are_rows_equal(&one.row[i], &other.row[i]);
	an_loop_rows_release(&one);
	an_loop_rows_release(&other);
	return unequal;
}

static void test_random_execs_and_dependences(void)
{
	uint64_t strides = 0, dependences = 0, unequal = 0;

	for (uint64_t seed = 1; seed <= 300; seed++) {
		struct an_loop_rows with =
			rows_of_random_execs(seed, "*", MAX_EXECS, 0);

		for (size_t i = 0; i < with.n; i++) {
			strides += with.row[i].n_strides;
			dependences += with.row[i].n_dependences;
			with.row[i].n_dependences = 0;
		}
		unequal += count_unequal_rows_and_release(
			with, rows_of_random_execs(seed, NULL, MAX_EXECS, 0));
	}
	is_u64(unequal, 0, "loops and strides are the same with dependences");
	ok(strides > 2000 && dependences > 2000, "there are many of both");
}

/* batch() lists accesses anew while tail() has not yet counted those of earlier
   chunks. @one_by_one: a chunk is one execution, of whose block all must be
   listed anew. */
static void test_random_execs_in_chunks(const char *chosen_functions,
					bool one_by_one)
{
	uint64_t unequal = 0;

	for (uint64_t seed = 1; seed <= 200; seed++) {
		struct an_loop_rows rows;

		lists_anew = one_by_one;
		rows = rows_of_random_execs(seed, chosen_functions,
					    one_by_one ? 1 : 1 + seed % 50,
					    seed % AN_INFLIGHT_SLOTS);
		lists_anew = false;
		unequal += count_unequal_rows_and_release(
			rows, rows_of_random_execs(seed, chosen_functions,
						   MAX_EXECS, 0));
	}
	is_u64(unequal, 0,
	       "chunks that are counted late do not change the result");
}

int main(void)
{
	test_back_edge_inside_block(NULL);
	test_back_edge_inside_block("*");
	test_back_edge_from_call();
	test_exit_within_instruction(NULL);
	test_exit_within_instruction("*");
	test_repetition(NULL);
	test_repetition("*");
	test_exit_in_middle_of_block(NULL);
	test_exit_in_middle_of_block("*");
	test_header_in_middle_of_block(NULL);
	test_header_in_middle_of_block("*");
	test_cycle_with_two_entries();
	test_chosen_run_ends_inside_block();
	test_random_execs_and_dependences();
	for (int one_by_one = 0; one_by_one < 2; one_by_one++) {
		test_random_execs_in_chunks(NULL, one_by_one);
		test_random_execs_in_chunks("*", one_by_one);
		test_random_execs_in_chunks("g", one_by_one);
	}
	return done_testing();
}

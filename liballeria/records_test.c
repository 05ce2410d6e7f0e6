/* SPDX-License-Identifier: GPL-2.0-or-later */
/* records_test.c - what records hold, events, branches, and what is refused */
#include "tests/fixtures/toy_rules.h"
#include "tests/tap.h"

/* ---- what records hold ---- */

static void test_records(void)
{
	static const uint8_t code[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
	struct alleria_cursor *c = open_cursor(ALLERIA_INSTRUCTIONS, NULL);
	const struct alleria_instruction *i;
	bool own = true, bytes = true;
	long n;

	while ((n = alleria_instructions(c, &i)) > 0)
		for (long k = 0; k < n; k++) {
			for (unsigned a = 0; a < i[k].n_accesses; a++)
				own &= i[k].access[a].number ==
				       i[k].first_access + a;
			bytes &= !memcmp(i[k].bytes, code + i[k].address % 0x10,
					 4);
		}
	ok(own && n == 0, "instructions have their accesses");
	ok(bytes, "and their code");
	alleria_cursor_close(c);
}

static void test_values(void)
{
	struct alleria_cursor *c = open_cursor(ALLERIA_ACCESSES, NULL);
	const struct alleria_access *a;
	unsigned with = 0;
	bool right = true;

	while (alleria_next_access(c, &a) > 0) {
		right &= !a->written && !a->read == !(a->flags & ALLERIA_VALUE);
		with += a->read != NULL;
	}
	ok(right && with > 0, "values are where they were recorded");
	alleria_cursor_close(c);
}

static void test_executions(void)
{
	struct alleria_cursor *c = open_cursor(ALLERIA_EXECUTIONS, NULL);
	struct alleria_access made[ALLERIA_MAX_ACCESSES];
	const struct alleria_execution *x;
	bool right = true, named = true;
	struct alleria_name name;
	long n;

	while ((n = alleria_executions(c, &x)) > 0)
		for (long k = 0; k < n; k++) {
			long m = alleria_execution_accesses(c, &x[k], made);

			right &= m == x[k].n_accesses;
			for (long a = 0; right && a < m; a++)
				right &= made[a].number == x[k].access + a &&
					 made[a].address ==
						 toy.access[made[a].number]
							 .address;
			named &= !alleria_name_block(profile, x[k].block, 0,
						     &name) &&
				 !strcmp(name.function,
					 toy_function(
						 x[k].block->code[0].address));
			named &= alleria_name_block(profile, x[k].block,
						    x[k].block->n_code,
						    &name) == ALLERIA_E_RANGE;
		}
	ok(right && n == 0, "executions make their accesses");
	ok(named, "and their code has names");
	alleria_cursor_close(c);
}

/* ---- events ---- */

static void test_events(void)
{
	struct alleria_cursor *c = open_cursor(ALLERIA_EVENTS, NULL);
	const struct alleria_event *e;
	size_t n = 0;
	bool right = true;

	while (right && alleria_next_event(c, &e) > 0) {
		struct alleria_event like = *e;

		like.time_ns = 0;
		right = n < toy.n_events &&
			!memcmp(&like, &toy.event[n], sizeof(like));
		if (!right)
			printf("# event %zu: kind %u, value %llu\n", n, e->kind,
			       (unsigned long long)e->value);
		n++;
	}
	ok(right && n == toy.n_events, "events are those that happened");
	alleria_cursor_close(c);
	right = true;
	for (uint64_t from = 0; from < toy.n_instructions; from += 3) {
		const struct alleria_filter f = {.instruction_from = from,
						 .instruction_to = from + 9};

		c = open_cursor(ALLERIA_EVENTS, &f);
		for (n = 0; right && n < toy.n_events; n++)
			if (toy.event[n].instruction >= from &&
			    toy.event[n].instruction < from + 9)
				right = alleria_next_event(c, &e) == 1 &&
					e->kind == toy.event[n].kind &&
					e->instruction ==
						toy.event[n].instruction;
		right &= alleria_next_event(c, &e) == 0;
		alleria_cursor_close(c);
	}
	ok(right, "and those between two instructions");
}

/* ---- branches ---- */

static void test_branches(void)
{
	struct alleria_cursor *c = open_cursor(ALLERIA_BRANCHES, NULL);
	const struct alleria_branch *b;
	uint64_t previous = 0, n = 0, calls = 0, returns = 0, starts = 0;
	bool right = true;

	while (right && alleria_next_branch(c, &b) > 0) {
		const struct alleria_instruction *to =
			&toy.instruction[b->number];

		right = b->number >= previous && b->to == to->address &&
			b->thread == to->thread && b->process == to->process &&
			b->access == to->first_access;
		if (b->from_number != ALLERIA_NOT)
			right &= b->from_number < b->number &&
				 toy.instruction[b->from_number].address ==
					 b->from &&
				 toy.instruction[b->from_number].thread ==
					 b->thread;
		if (b->kind == ALLERIA_CALL)
			right &= b->from == 0x3000;
		if (b->kind == ALLERIA_RETURN)
			right &= b->from == 0x2008;
		calls += b->kind == ALLERIA_CALL;
		returns += b->kind == ALLERIA_RETURN;
		starts += b->kind == ALLERIA_START;
		previous = b->number;
		n++;
	}
	ok(right && n > 20, "branches lead from where a thread was");
	ok(calls > 0 && returns > 0, "there are calls and returns");
	is_u64(starts, 3 + 1 + 2 + 1, "each thread starts once");
	alleria_cursor_close(c);
}

/* All branches, from a cursor without a filter. */
static struct alleria_branch all[TOY_MAX_RECORDS];
static size_t n_all;

static bool returns_branches(struct alleria_cursor *c,
			     const struct alleria_filter *f, uint64_t from)
{
	const struct alleria_branch *b;

	for (size_t i = 0; i < n_all; i++) {
		const struct alleria_instruction like = {
			.number = all[i].number,
			.address = all[i].from,
			.thread = all[i].thread,
			.process = all[i].process,
		};

		if (all[i].number < from || !place_passes(f, &like) ||
		    ((f->code_from || f->code_to || f->function) &&
		     !all[i].from))
			continue;
		if (alleria_next_branch(c, &b) != 1 ||
		    memcmp(b, &all[i], sizeof(*b)) != 0)
			return false;
	}
	return alleria_next_branch(c, &b) == 0;
}

static void test_branch_places(void)
{
	static const uint32_t second = 2;
	static const struct alleria_filter none,
		some[] = {{.thread = &second, .n_threads = 1},
			  {.process = &second, .n_processes = 1},
			  {.function = "far"},
			  {.code_from = 0x2000, .code_to = 0x3000}};
	struct alleria_cursor *c = open_cursor(ALLERIA_BRANCHES, NULL);
	const struct alleria_branch *b;
	bool sought = true, filtered = true;

	while (alleria_next_branch(c, &b) > 0)
		all[n_all++] = *b;
	for (size_t i = 0; sought && i < toy.n_instructions; i++) {
		size_t to = i * 31 % toy.n_instructions;

		sought = alleria_seek_instruction(c, to) == 0 &&
			 returns_branches(c, &none, to);
	}
	alleria_cursor_close(c);
	ok(sought, "after a seek branches come from where they came before");
	for (unsigned i = 0; i < 4; i++) {
		c = open_cursor(ALLERIA_BRANCHES, &some[i]);
		filtered &= returns_branches(c, &some[i], 0);
		alleria_cursor_close(c);
	}
	for (uint64_t n = 0; filtered && n < toy.n_instructions; n++) {
		const struct alleria_filter f = {
			.instruction_from = n,
			.instruction_to = n + 1 + n % 20,
			.thread = &second,
			.n_threads = n % 2,
		};

		c = open_cursor(ALLERIA_BRANCHES, &f);
		filtered = returns_branches(c, &f, 0);
		alleria_cursor_close(c);
	}
	ok(filtered, "and under a filter");
}

/* ---- what cannot be asked ---- */

static int opened(enum alleria_what what, const struct alleria_filter *f)
{
	struct alleria_cursor *c;
	int err = alleria_cursor_open(profile, what, f, &c);

	if (err && c)
		return 1;
	alleria_cursor_close(c);
	return err;
}

static void test_refused(void)
{
	static const uint32_t none = 0, beyond = TOY_PROCESSES + 1;
	static const struct alleria_filter bad[] = {
		{.code_from = 2, .code_to = 1},
		{.data_from = 2, .data_to = 1},
		{.access_from = 2, .access_to = 1},
		{.instruction_from = 2, .instruction_to = 1},
		{.time_from = 2, .time_to = 1},
		{.n_processes = 1},
		{.n_threads = 1},
		{.thread = &none, .n_threads = 1},
	};
	static const struct alleria_filter data[] = {
		{.kinds = 1}, {.data_from = 1}, {.data_to = 1}};
	static const struct alleria_filter code[] = {{.object = "toy"},
						     {.function = "main"},
						     {.code_from = 1},
						     {.code_to = 1}};
	bool right = true;

	for (unsigned i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		right &=
			opened(ALLERIA_ACCESSES, &bad[i]) == ALLERIA_E_ARGUMENT;
	ok(right, "conditions that contradict themselves are refused");
	right = true;
	for (unsigned i = 0; i < sizeof(data) / sizeof(*data); i++)
		right &= opened(ALLERIA_EVENTS, &data[i]) ==
				 ALLERIA_E_ARGUMENT &&
			 opened(ALLERIA_BRANCHES, &data[i]) ==
				 ALLERIA_E_ARGUMENT;
	ok(right, "so are those on accesses, for events and branches");
	right = true;
	for (unsigned i = 0; i < sizeof(code) / sizeof(*code); i++)
		right &= opened(ALLERIA_EVENTS, &code[i]) ==
				 ALLERIA_E_ARGUMENT &&
			 opened(ALLERIA_BRANCHES, &code[i]) == 0;
	ok(right, "and for events those on the instruction");
	ok(opened(0, NULL) == ALLERIA_E_ARGUMENT &&
		   opened(ALLERIA_EVENTS + 1, NULL) == ALLERIA_E_ARGUMENT,
	   "there are five kinds of cursors");
	ok(opened(ALLERIA_ACCESSES,
		  &(struct alleria_filter){.process = &none,
					   .n_processes = 1}) ==
			   ALLERIA_E_RANGE &&
		   opened(ALLERIA_ACCESSES,
			  &(struct alleria_filter){.process = &beyond,
						   .n_processes = 1}) ==
			   ALLERIA_E_RANGE,
	   "processes are numbered from 1");
}

/* Check that a cursor of one kind returns no records of another. */
static void test_kinds(void)
{
	struct alleria_cursor *c = open_cursor(ALLERIA_ACCESSES, NULL);
	struct alleria_access made[ALLERIA_MAX_ACCESSES];
	const struct alleria_instruction *i;
	const struct alleria_execution *x;
	const struct alleria_branch *b;
	const struct alleria_event *e;

	ok(alleria_instructions(c, &i) == ALLERIA_E_ARGUMENT &&
		   alleria_executions(c, &x) == ALLERIA_E_ARGUMENT &&
		   alleria_branches(c, &b) == ALLERIA_E_ARGUMENT &&
		   alleria_events(c, &e) == ALLERIA_E_ARGUMENT,
	   "a cursor is for one kind");
	ok(alleria_execution_accesses(c, toy.execution, made) ==
		   ALLERIA_E_ARGUMENT,
	   "accesses are of executions that it gave");
	alleria_cursor_close(c);
}

int main(void)
{
	toy_write();
	profile = toy_open();
	test_records();
	test_values();
	test_executions();
	test_events();
	test_branches();
	test_branch_places();
	test_refused();
	test_kinds();
	alleria_close(profile);
	toy_remove();
	return done_testing();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * places.c - what liballeria gives after seeks and through filters is what it
 * gives of all: places PROFILE
 */
#include "tests/tools/api.h"

/* ---- places ---- */

static uint64_t some(uint64_t below)
{
	static uint64_t x = 88172645463325252u;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return below ? x % below : 0;
}

static void test_seek_access(void)
{
	struct alleria_cursor *c = cursor(ALLERIA_ACCESSES, NULL);
	const struct alleria_access *a;
	uint64_t most = 0;
	bool right = true;

	for (int i = 0; i < 200; i++) {
		uint64_t to = some(n_accesses);
		uint64_t before = alleria_blocks_read(profile);

		right &= alleria_seek_access(c, to) == 0 &&
			 alleria_next_access(c, &a) == 1 &&
			 same(a, &access_of[to]);
		if (alleria_blocks_read(profile) - before > most)
			most = alleria_blocks_read(profile) - before;
	}
	ok(right, "access by access, forward and back");
	ok(most <= 1, "for each one block is read");
	ok(alleria_seek_access(c, n_accesses) == 0 &&
		   alleria_next_access(c, &a) == 0,
	   "the end is a place");
	ok(alleria_seek_access(c, n_accesses + 1) == ALLERIA_E_RANGE,
	   "behind it there is none");
	alleria_cursor_close(c);
}

static void test_seek_instruction(void)
{
	struct alleria_cursor *c = cursor(ALLERIA_INSTRUCTIONS, NULL);
	const struct alleria_instruction *in;
	bool right = true, timed = true, made = true;

	for (int i = 0; i < 200; i++) {
		uint64_t to = some(n_instructions), ns, number;
		uint32_t process = instruction_of[to].process;

		right &= alleria_seek_instruction(c, to) == 0 &&
			 alleria_next_instruction(c, &in) == 1 &&
			 in->number == to &&
			 in->address == instruction_of[to].address;
		ns = alleria_time_of(profile, to);
		timed &= alleria_seek_time(c, process, ns) == 0 &&
			 alleria_next_instruction(c, &in) == 1 &&
			 in->number <= to &&
			 alleria_time_of(profile, in->number) == ns;
		number = some(n_accesses);
		made &= alleria_seek_access(c, number) == 0 &&
			alleria_next_instruction(c, &in) == 1 &&
			in->number == access_of[number].instruction;
	}
	ok(right, "instruction by instruction");
	ok(timed, "and by time");
	ok(made, "the place of an access is its instruction");
	alleria_cursor_close(c);
}

/* ---- filters ---- */

static bool wanted(const struct alleria_filter *f,
		   const struct alleria_access *a)
{
	struct alleria_name name;
	uint64_t ns = alleria_time_of(profile, a->instruction);

	if ((f->access_from && a->number < f->access_from) ||
	    (f->access_to && a->number >= f->access_to) ||
	    (f->instruction_from && a->instruction < f->instruction_from) ||
	    (f->instruction_to && a->instruction >= f->instruction_to) ||
	    (f->time_from && ns < f->time_from) ||
	    (f->time_to && ns >= f->time_to) ||
	    (f->code_from && a->code < f->code_from) ||
	    (f->code_to && a->code >= f->code_to) ||
	    (f->data_from && a->address + a->size <= f->data_from) ||
	    (f->data_to && a->address >= f->data_to) ||
	    (f->kinds && !(f->kinds >> a->kind & 1)) ||
	    (f->n_threads && a->thread != f->thread[0]) ||
	    (f->n_processes && a->process != f->process[0]))
		return false;
	if (!f->function)
		return true;
	alleria_name(profile, a->process, a->code, a->instruction, &name);
	return !strcmp(name.function, f->function);
}

static void test_filter(const struct alleria_filter *f, bool some_pass,
			const char *fact)
{
	struct alleria_cursor *c = cursor(ALLERIA_ACCESSES, f);
	const struct alleria_access *a;
	size_t index = 0, n = 0;
	bool right = true;

	while (right && alleria_next_access(c, &a) > 0) {
		while (index < n_accesses && !wanted(f, &access_of[index]))
			index++;
		right = index < n_accesses && same(a, &access_of[index]);
		index++;
		n++;
	}
	while (right && index < n_accesses)
		right = !wanted(f, &access_of[index++]);
	ok(right && (!some_pass || n > 0), fact);
	if (!right)
		printf("# at access %zu, the %zuth that passes\n", index, n);
	alleria_cursor_close(c);
}

/* Instructions with conditions on accesses: those that make one that passes. */
static void test_makers(const struct alleria_filter *f, const char *fact)
{
	struct alleria_cursor *c = cursor(ALLERIA_INSTRUCTIONS, f);
	const struct alleria_instruction *in;
	size_t index = 0;
	bool right = true;

	while (right && alleria_next_instruction(c, &in) > 0) {
		while (index < n_accesses && !wanted(f, &access_of[index]))
			index++;
		right = index < n_accesses &&
			access_of[index].instruction == in->number;
		while (index < n_accesses &&
		       access_of[index].instruction == in->number)
			index++;
	}
	while (right && index < n_accesses)
		right = !wanted(f, &access_of[index++]);
	ok(right, fact);
	alleria_cursor_close(c);
}

static void test_filters(void)
{
	const struct alleria_access *a = &access_of[n_accesses / 2];
	const struct alleria_access *z = &access_of[n_accesses - 1];
	uint32_t thread = z->thread, process = z->process;
	struct alleria_name name;
	struct alleria_filter stores = {.kinds = 1 << ALLERIA_WRITE};
	struct alleria_filter line = {.data_from = a->address & ~63ull,
				      .data_to = (a->address | 63) + 1};

	alleria_name(profile, a->process, a->code, a->instruction, &name);
	test_filter(&stores, true, "by kind");
	test_makers(&stores, "and who makes them");
	test_filter(&line, true, "by address");
	test_makers(&line, "and who goes there");
	test_filter(&(struct alleria_filter){.code_from = a->code,
					     .code_to = a->code + 100},
		    true, "by code");
	test_filter(&(struct alleria_filter){.access_from = n_accesses / 3,
					     .access_to = n_accesses / 2},
		    true, "by number");
	test_filter(
		&(struct alleria_filter){.instruction_from = n_instructions / 3,
					 .instruction_to = n_instructions / 2,
					 .kinds = 1 << ALLERIA_READ |
						  1 << ALLERIA_MODIFY},
		false, "by number of the instruction, and kind");
	test_filter(
		&(struct alleria_filter){
			.process = &a->process,
			.n_processes = 1,
			.time_from = alleria_time_of(profile, a->instruction),
			.time_to = alleria_time_of(profile, a->instruction) +
				   1000000},
		true, "by time");
	test_filter(&(struct alleria_filter){.thread = &thread,
					     .n_threads = 1,
					     .process = &process,
					     .n_processes = 1},
		    true, "by process and thread");
	test_filter(&(struct alleria_filter){.function = name.function}, true,
		    "by function");
}

/* ---- branches ---- */

static struct alleria_branch *branch_of; /* all */
static size_t n_branches;

static void take_branches(void)
{
	struct alleria_cursor *c = cursor(ALLERIA_BRANCHES, NULL);
	const struct alleria_branch *b;
	long n;

	while ((n = alleria_branches(c, &b)) > 0) {
		branch_of = grow(branch_of, n_branches, (size_t)n, sizeof(*b));
		for (long i = 0; i < n; i++)
			branch_of[n_branches++] = b[i];
	}
	alleria_cursor_close(c);
}

static bool same_branch(const struct alleria_branch *a,
			const struct alleria_branch *b)
{
	return !memcmp(a, b, sizeof(*a));
}

/* Return a random position, half of the time the start of a thread or image. */
static uint64_t some_place(void)
{
	size_t index = some(2 * n_branches);

	while (index < n_branches && branch_of[index].kind != ALLERIA_START)
		index++;
	return index < n_branches ? branch_of[index].number
				  : some(n_instructions);
}

static void test_seek_branch(void)
{
	struct alleria_cursor *c = cursor(ALLERIA_BRANCHES, NULL);
	const struct alleria_branch *b;
	bool right = true;

	for (int i = 0; right && i < 200; i++) {
		uint64_t to = some_place();
		size_t index = 0, end;

		while (index < n_branches && branch_of[index].number < to)
			index++;
		end = index + 5000 < n_branches ? index + 5000 : n_branches;
		right = alleria_seek_instruction(c, to) == 0;
		for (; right && index < end; index++)
			right = alleria_next_branch(c, &b) == 1 &&
				same_branch(b, &branch_of[index]);
	}
	ok(right, "branches after a seek come from where they came");
	alleria_cursor_close(c);
}

static bool branch_passes(const struct alleria_filter *f,
			  const struct alleria_branch *b)
{
	uint64_t ns = alleria_time_of(profile, b->number);

	return b->number >= f->instruction_from &&
	       (!f->instruction_to || b->number < f->instruction_to) &&
	       ns >= f->time_from && (!f->time_to || ns < f->time_to) &&
	       (!f->n_threads || b->thread == f->thread[0]) &&
	       (!f->code_to ||
		(b->from >= f->code_from && b->from < f->code_to));
}

static void test_some_branches(const struct alleria_filter *f, const char *fact)
{
	struct alleria_cursor *c = cursor(ALLERIA_BRANCHES, f);
	const struct alleria_branch *b;
	bool right = true;

	for (size_t index = 0; right && index < n_branches; index++)
		if (branch_passes(f, &branch_of[index]))
			right = alleria_next_branch(c, &b) == 1 &&
				same_branch(b, &branch_of[index]);
	ok(right && alleria_next_branch(c, &b) == 0, fact);
	alleria_cursor_close(c);
}

static void test_branches(void)
{
	const struct alleria_branch *b = &branch_of[n_branches / 2];
	uint64_t code = branch_of[n_branches - 1].from;
	uint32_t thread = b->thread;

	for (int i = 1; i < 20; i++)
		test_some_branches(
			&(struct alleria_filter){
				.instruction_from = n_instructions * i / 20},
			"branches from a number on");
	test_some_branches(
		&(struct alleria_filter){.instruction_from = n_instructions / 3,
					 .thread = &thread,
					 .n_threads = 1},
		"of a thread");
	test_some_branches(
		&(struct alleria_filter){.time_from = alleria_time_of(
						 profile, n_instructions / 2)},
		"from a time on");
	test_some_branches(
		&(struct alleria_filter){.instruction_from = n_instructions / 2,
					 .code_from = code & ~4095ull,
					 .code_to = (code | 4095) + 1},
		"and from some code");
}

int main(int argc, char **argv)
{
	if (open_profile(argc, argv))
		return 99;
	take_accesses();
	take_instructions();
	test_seek_access();
	test_seek_instruction();
	test_filters();
	take_branches();
	test_seek_branch();
	test_branches();
	free(branch_of);
	return close_profile();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cursor_test.c - cursors return the records that were written, under every
   filter */
#include "tests/fixtures/toy_rules.h"
#include "tests/tap.h"

static const char *const kind_names[] = {
	"", "accesses", "instructions", "executions", "branches", "events"};

/* ---- a batch's records against what was written ---- */

/* Return the number of the cursor's next record; -1 at the end; -2 on an error
   or if the record differs from the one written. */
static long next(struct alleria_cursor *c, enum alleria_what what)
{
	const struct alleria_access *a;
	const struct alleria_instruction *i;
	const struct alleria_execution *x;
	struct alleria_access aa;
	struct alleria_instruction ii;
	struct alleria_execution xx;
	int got;

	switch (what) {
	case ALLERIA_ACCESSES:
		got = alleria_next_access(c, &a);
		if (got <= 0 || a->number >= toy.n_accesses)
			return got == 0 ? -1 : -2;
		aa = *a;
		aa.read = aa.written = NULL;
		return memcmp(&aa, &toy.access[a->number], sizeof(aa))
			       ? -2
			       : (long)a->number;
	case ALLERIA_INSTRUCTIONS:
		got = alleria_next_instruction(c, &i);
		if (got <= 0 || i->number >= toy.n_instructions)
			return got == 0 ? -1 : -2;
		ii = *i;
		ii.access = NULL;
		ii.bytes = NULL;
		return memcmp(&ii, &toy.instruction[i->number], sizeof(ii))
			       ? -2
			       : (long)i->number;
	case ALLERIA_EXECUTIONS:
		got = alleria_next_execution(c, &x);
		if (got <= 0)
			return got == 0 ? -1 : -2;
		xx = *x;
		xx.block = NULL;
		for (size_t n = 0; n < toy.n_executions; n++)
			if (!memcmp(&xx, &toy.execution[n], sizeof(xx)))
				return (long)n;
		return -2;
	default:
		return -2;
	}
}

static size_t count_all(enum alleria_what what)
{
	return what == ALLERIA_ACCESSES	      ? toy.n_accesses
	       : what == ALLERIA_INSTRUCTIONS ? toy.n_instructions
					      : toy.n_executions;
}

/* Whether the cursor's remaining records are exactly the records from @n on
   that pass @f. */
static bool returns_rest(struct alleria_cursor *c, enum alleria_what what,
			 const struct alleria_filter *f, size_t n)
{
	for (; n < count_all(what); n++)
		if (passes(f, what, n) && next(c, what) != (long)n)
			return false;
	return next(c, what) == -1;
}

static unsigned tried, differ;

/* Whether the three kinds of cursors return exactly the records that pass
   @f. */
static bool is_right(const struct alleria_filter *f)
{
	bool right = true;

	for (unsigned what = ALLERIA_ACCESSES; what <= ALLERIA_EXECUTIONS;
	     what++) {
		struct alleria_cursor *c = open_cursor(what, f);

		if (!returns_rest(c, what, f, 0)) {
			if (!differ++)
				printf("# %s differ first\n", kind_names[what]);
			right = false;
		}
		alleria_cursor_close(c);
		tried++;
	}
	return right;
}

/* ---- filters ---- */

static void test_numbers(void)
{
	bool from = true, to = true, both = true;

	for (uint64_t n = 0; from && n <= toy.n_accesses; n++)
		from = is_right(&(struct alleria_filter){.access_from = n});
	for (uint64_t n = 0; to && n <= toy.n_accesses; n++)
		to = is_right(&(struct alleria_filter){.access_to = n});
	for (uint64_t n = 0; both && n < toy.n_accesses; n++)
		both = is_right(&(struct alleria_filter){
			.access_from = n, .access_to = n + 1 + n % 7});
	ok(from, "from each access on");
	ok(to, "before each access");
	ok(both, "between two accesses");
	from = to = both = true;
	for (uint64_t n = 0; from && n <= toy.n_instructions; n++)
		from = is_right(
			&(struct alleria_filter){.instruction_from = n});
	for (uint64_t n = 0; to && n <= toy.n_instructions; n++)
		to = is_right(&(struct alleria_filter){.instruction_to = n});
	for (uint64_t n = 0; both && n < toy.n_instructions; n++)
		both = is_right(&(struct alleria_filter){
			.instruction_from = n,
			.instruction_to = n + 1 + n % 5});
	ok(from, "from each instruction on");
	ok(to, "before each instruction");
	ok(both, "between two instructions");
}

static void test_times(void)
{
	bool from = true, to = true, both = true, exact = true;

	for (uint64_t ns = 0; from && ns < toy.now; ns += 17)
		from = is_right(&(struct alleria_filter){.time_from = ns});
	for (uint64_t ns = 0; to && ns < toy.now; ns += 17)
		to = is_right(&(struct alleria_filter){.time_to = ns});
	for (uint64_t ns = 0; both && ns < toy.now; ns += 13)
		both = is_right(&(struct alleria_filter){.time_from = ns,
							 .time_to = ns + 90});
	ok(from, "from a time on");
	ok(to, "before a time");
	ok(both, "between two times");
	for (uint64_t n = 0; exact && n < toy.n_instructions; n++)
		exact = alleria_time_of(profile, n) == toy.ns[n];
	ok(exact, "each instruction has its time");
	is_u64(alleria_time_of(profile, toy.n_instructions), ALLERIA_NOT,
	       "what was not executed has none");
}

static void test_memory(void)
{
	static const uint64_t edge[] = {
		0x7000, 0x7004,	 0x8ffc,  0x8fff,     0x9000,	  0x9004,
		0x9007, 0x20000, 0x20004, 0x7ffe0010, 0x7ffe001c, 0x80000000};
	static const unsigned n = sizeof(edge) / sizeof(*edge);
	bool from = true, to = true, both = true;

	for (unsigned i = 0; i < n; i++) {
		for (int d = -1; d <= 1; d++) {
			uint64_t address = edge[i] + (uint64_t)d;

			from &= is_right(
				&(struct alleria_filter){.data_from = address});
			to &= is_right(
				&(struct alleria_filter){.data_to = address});
		}
		for (unsigned k = i; k < n; k++)
			both &= is_right(&(struct alleria_filter){
				.data_from = edge[i], .data_to = edge[k]});
	}
	ok(from, "from an address on");
	ok(to, "below an address");
	ok(both, "between two addresses");
	from = true;
	for (uint32_t kinds = 0; kinds < 8; kinds++)
		from &= is_right(&(struct alleria_filter){.kinds = kinds});
	ok(from, "by kind");
}

static void test_code(void)
{
	static const char *const function[] = {"main", "work", "far",
					       "???",  "none", ""};
	static const char *const object[] = {"/bin/toy",       "toy",
					     "libtoy.so",      "/lib/libtoy.so",
					     "/bin/libtoy.so", "???"};
	bool by_name = true, by_object = true, by_address = true;

	for (unsigned i = 0; i < sizeof(function) / sizeof(*function); i++)
		by_name &= is_right(
			&(struct alleria_filter){.function = function[i]});
	for (unsigned i = 0; i < sizeof(object) / sizeof(*object); i++)
		by_object &=
			is_right(&(struct alleria_filter){.object = object[i]});
	for (uint64_t from = 0xffc; from < 0x4010;
	     from += from < 0x1010 ? 2 : 0x3fe)
		for (uint64_t to = from + 2; to < 0x4010; to += 0x7fe)
			by_address &= is_right(&(struct alleria_filter){
				.code_from = from, .code_to = to});
	ok(by_name, "by function");
	ok(by_object, "by object, with and without its folder");
	ok(by_address, "by code");
}

static void test_who(void)
{
	static const uint32_t list[] = {1, 2, 3, 1, 3};
	static const uint32_t nobody = 64;
	bool process = true, thread = true;

	for (unsigned from = 0; from < 5; from++)
		for (unsigned n = 1; from + n <= 5; n++) {
			process &= is_right(&(struct alleria_filter){
				.process = list + from, .n_processes = n});
			thread &= is_right(&(struct alleria_filter){
				.thread = list + from, .n_threads = n});
		}
	ok(process, "by process");
	ok(thread, "by thread");
	ok(is_right(
		   &(struct alleria_filter){.thread = &nobody, .n_threads = 1}),
	   "by a thread that there is not");
}

static void test_together(void)
{
	static const char *const function[] = {NULL, "main", "work"};
	bool right = true;

	for (unsigned i = 0; right && i < 300; i++) {
		const uint32_t process = 1 + i % 3, thread = 1 + i % 2;
		uint64_t from = toy_random((uint32_t)toy.n_instructions);
		struct alleria_filter f = {
			.process = &process,
			.n_processes = i % 2,
			.thread = &thread,
			.n_threads = i / 2 % 2,
			.kinds = toy_random(8),
			.function = function[i % 3],
			.data_from = i % 5 ? 0 : 0x7004,
			.data_to = i % 7 ? 0 : 0x20004,
			.instruction_from = i % 3 ? from : 0,
			.instruction_to = i % 4 ? 0 : from + toy_random(30),
			.access_from = i % 6 ? 0 : toy_random(40),
		};

		right = is_right(&f);
	}
	ok(right, "by all of these together");
}

/* ---- seeking ---- */

static void test_seek(void)
{
	static const struct alleria_filter none;
	bool access = true, instruction = true, execution = true;

	for (unsigned what = ALLERIA_ACCESSES; what <= ALLERIA_INSTRUCTIONS;
	     what++) {
		struct alleria_cursor *c = open_cursor(what, NULL);
		size_t n = toy.n_accesses;

		for (size_t i = 0; access && i < n; i++) {
			size_t to = i * 31 % n; /* forth and back */

			access = alleria_seek_access(c, to) == 0 &&
				 returns_rest(
					 c, what, &none,
					 what == ALLERIA_ACCESSES
						 ? to
						 : toy.access[to].instruction);
		}
		access &= alleria_seek_access(c, n) == 0 &&
			  next(c, what) == -1 &&
			  alleria_seek_access(c, n + 1) == ALLERIA_E_RANGE;
		n = toy.n_instructions;
		for (size_t i = 0; instruction && i < n; i++) {
			size_t to = i * 31 % n;

			instruction =
				alleria_seek_instruction(c, to) == 0 &&
				returns_rest(c, what, &none,
					     what == ALLERIA_ACCESSES
						     ? toy.instruction[to]
							       .first_access
						     : to);
		}
		instruction &=
			alleria_seek_instruction(c, n) == 0 &&
			next(c, what) == -1 &&
			alleria_seek_instruction(c, n + 1) == ALLERIA_E_RANGE;
		alleria_cursor_close(c);
	}
	ok(access, "the place of an access is that of its instruction");
	ok(instruction, "and each instruction is a place");
	for (size_t i = 0; execution && i < toy.n_executions; i++) {
		const struct alleria_execution *x = &toy.execution[i];
		struct alleria_cursor *c =
			open_cursor(ALLERIA_EXECUTIONS, NULL);

		if (x->n_accesses)
			execution =
				alleria_seek_access(
					c, x->access + x->n_accesses - 1) ==
					0 &&
				returns_rest(c, ALLERIA_EXECUTIONS, &none, i);
		execution &= alleria_seek_instruction(c, x->instruction) == 0 &&
			     returns_rest(c, ALLERIA_EXECUTIONS, &none, i);
		alleria_cursor_close(c);
	}
	ok(execution, "as the place of an execution is that of all it does");
}

static void test_seek_time(void)
{
	static const struct alleria_filter none;
	struct alleria_cursor *c = open_cursor(ALLERIA_INSTRUCTIONS, NULL);
	bool right = true;

	for (uint64_t ns = 0; right && ns < toy.now; ns += 7)
		for (uint32_t p = 1; right && p <= TOY_PROCESSES; p++) {
			const struct alleria_process *a =
				alleria_process(profile, p);
			size_t n = a->first_instruction;
			int err = alleria_seek_time(c, p, ns);

			if (ns > a->end_ns) {
				right = err == ALLERIA_E_RANGE;
				continue;
			}
			while (n < a->first_instruction +
					       a->counts.instructions &&
			       toy.ns[n] < ns)
				n++;
			right = err == 0 &&
				returns_rest(c, ALLERIA_INSTRUCTIONS, &none, n);
		}
	ok(right, "each time of a process is a place");
	ok(alleria_seek_time(c, 0, 0) == ALLERIA_E_RANGE &&
		   alleria_seek_time(c, TOY_PROCESSES + 1, 0) ==
			   ALLERIA_E_RANGE,
	   "processes are numbered from 1");
	alleria_cursor_close(c);
}

/* Check seeks of a cursor that has a filter. */
static void test_seek_filtered(void)
{
	static const uint32_t second = 2;
	static const struct alleria_filter f = {.process = &second,
						.n_processes = 1};
	struct alleria_cursor *c = open_cursor(ALLERIA_ACCESSES, &f);
	bool right = true;

	for (size_t to = 0; right && to < toy.n_accesses; to++)
		right = alleria_seek_access(c, to) == 0 &&
			returns_rest(c, ALLERIA_ACCESSES, &f, to);
	ok(right, "after a seek the filter holds");
	alleria_cursor_close(c);
}

int main(void)
{
	toy_write();
	profile = toy_open();
	ok(is_right(&(struct alleria_filter){0}),
	   "without conditions everything is given");
	test_numbers();
	test_times();
	test_memory();
	test_code();
	test_who();
	test_together();
	test_seek();
	test_seek_time();
	test_seek_filtered();
	ok(tried > 1000, "by many filters");
	alleria_close(profile);
	toy_remove();
	return done_testing();
}

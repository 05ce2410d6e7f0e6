/* SPDX-License-Identifier: GPL-2.0-or-later */
/* calls_test.c - calls of a profile: their order, ends, code and damage */
#include <alleria/alleria.h>

#include "lib/config/window/plan/plan.h"
#include "liballeria/calls/calls.h"
#include "tests/fixtures/toy_profile.h"
#include "tests/tap.h"

#include "tests/fixtures/window_text.h"

enum {
	PID = 100,   /* of tests/fixtures/toy_profile.h's first process */
	OTHER = 101, /* a process that forked it */
	MANY = 200,  /* calls within each other */
};

static const char windows[] =
	"windows: [{profile: [{threads: [{images: [{functions: [\n"
	"{name: open, intercept: {return: s4, params: [{name: flags, index: 1,"
	" type: s4}]}},\n"
	"{name: hash, intercept: {pure: true}}]}]}]}]}]\n";

static struct alleria_profile *profile;

static struct pt_log_call record(uint32_t kind, uint32_t interceptor,
				 uint64_t serial)
{
	return (struct pt_log_call){
		.head = {(uint16_t)kind, sizeof(struct pt_log_call)},
		.interceptor = interceptor,
		.thread = 2,
		.pid = PID,
		.serial = serial,
		.entry = 0x1000 * interceptor,
		.back = 0x77,
	};
}

static void put_call(unsigned block, uint32_t interceptor, uint64_t serial)
{
	struct pt_log_call r = record(PT_LOG_CALL, interceptor, serial);

	add(block, &r, sizeof(r));
}

static void put_end(unsigned block, uint32_t interceptor, uint64_t serial,
		    uint32_t flags)
{
	struct pt_log_call r = record(PT_LOG_RETURN, interceptor, serial);

	r.flags = flags;
	add(block, &r, sizeof(r));
}

static struct pt_log_body body_of(uint32_t interceptor, uint32_t size)
{
	return (struct pt_log_body){
		.head = {PT_LOG_BODY, sizeof(struct pt_log_body) + 8},
		.interceptor = interceptor,
		.pid = PID,
		.entry = 0x1000 * interceptor,
		.bytes = 5,
		.size = size,
	};
}

static void put_body(unsigned block, const struct pt_log_body *b,
		     const char *code)
{
	char padded[8] = {0};

	memcpy(padded, code, strlen(code));
	add(block, b, sizeof(*b));
	add(block, padded, sizeof(padded));
}

/* Give process 1 the interceptors, and a log of two blocks without calls. */
static void make_calls(void)
{
	struct pt_plan *plan = plan_of(windows);

	make();
	pf_records_append_raw_to_fact(begin(IMAGE, PF_PLAN), plan, plan->bytes);
	free(plan);
	made[UNITS] = (struct made){.left_out = true};
	made[MORE] = (struct made){.head = {.kind = PF_LOG}};
	made[LOG].bytes = 0;
}

static struct alleria_calls *open_calls(const char *function)
{
	char message[ALLERIA_MESSAGE];
	struct alleria_calls *c;

	write_profile();
	if (alleria_open(toy_profile_path, &profile, message) ||
	    alleria_calls_open(profile, 1, function, &c)) {
		printf("Bail out! %s\n", message);
		exit(99);
	}
	return c;
}

static void close_calls(struct alleria_calls *c)
{
	alleria_calls_close(c);
	alleria_close(profile);
}

/* Whether the next call has serial number @serial and flags @flags. */
static bool is_next(struct alleria_calls *c, uint64_t serial, uint32_t flags)
{
	const struct alleria_call *call;

	return alleria_next_call(c, &call) == 1 && call->serial == serial &&
	       call->flags == flags;
}

static bool is_over(struct alleria_calls *c)
{
	const struct alleria_call *call;

	return alleria_next_call(c, &call) == 0 && !call;
}

static void test_description(void)
{
	const struct alleria_intercepted *function;
	const struct alleria_call *call;
	struct alleria_calls *c;

	make_calls();
	put_call(LOG, 1, 1);
	put_call(LOG, 2, 2);
	c = open_calls(NULL);
	ok(alleria_next_call(c, &call) == 1 && call->entry == 0x1000 &&
		   call->back == 0x77 && call->thread == 2 &&
		   call->process == 1 && call->image == 0,
	   "a call has its place, thread and process");
	function = call->of;
	ok(!strcmp(function->function, "open") && function->n_parameters == 1 &&
		   !strcmp(function->parameter[0].name, "flags") &&
		   !strcmp(function->parameter[0].type, "s4") &&
		   function->parameter[0].index == 1 &&
		   !strcmp(function->result, "s4") && !function->pure,
	   "its function has the parameters of the window file");
	ok(alleria_next_call(c, &call) == 1 &&
		   !strcmp(call->of->function, "hash") && call->of->pure &&
		   !call->of->n_parameters && !*call->of->result,
	   "another one has none, and is pure");
	ok(is_over(c), "and there are no other calls");
	close_calls(c);
}

static void test_ends(void)
{
	struct alleria_calls *c;

	make_calls();
	put_call(LOG, 1, 1);
	put_call(LOG, 2, 2);
	put_end(LOG, 2, 2, PT_CALL_LEFT);
	put_call(LOG, 1, 3);
	put_call(LOG, 2, 3);
	put_call(MORE, 1, 4);
	put_end(MORE, 2, 3, 0);
	put_end(MORE, 1, 1, 0);
	c = open_calls(NULL);
	ok(is_next(c, 1, ALLERIA_CALL_RETURNED),
	   "a call that returns in the next block of the log");
	ok(is_next(c, 2, ALLERIA_CALL_LEFT), "one that longjmp() ends");
	ok(is_next(c, 3, 0) && is_next(c, 3, ALLERIA_CALL_RETURNED),
	   "two interceptors of one call, of which one returns");
	ok(is_next(c, 4, 0) && is_over(c), "one that does not end");
	close_calls(c);
	c = open_calls("hash");
	ok(is_next(c, 2, ALLERIA_CALL_LEFT) &&
		   is_next(c, 3, ALLERIA_CALL_RETURNED) && is_over(c),
	   "calls of one function alone");
	close_calls(c);
	c = open_calls("none");
	ok(is_over(c), "a function that nobody intercepts has none");
	close_calls(c);
}

static void test_parents(void)
{
	struct pt_log_call r = record(PT_LOG_CALL, 77, 9);
	struct alleria_calls *c;

	make_calls();
	r.pid = OTHER;
	add(LOG, &r, sizeof(r));
	put_call(LOG, 1, 1);
	c = open_calls(NULL);
	ok(is_next(c, 1, 0) && is_over(c),
	   "calls that a parent made before it forked are not the child's");
	close_calls(c);
}

/* Whether the only call of the log has @bytes of code. */
static bool has_code(size_t bytes)
{
	struct alleria_calls *c = open_calls(NULL);
	const struct alleria_call *call;
	bool has;

	has = alleria_next_call(c, &call) == 1 && call->n_body == bytes &&
	      !call->body == !bytes &&
	      (!bytes || !memcmp(call->body, "right", bytes));
	close_calls(c);
	return has;
}

static void test_code(void)
{
	struct pt_log_body b = body_of(2, 5), other = b;

	make_calls();
	other.interceptor = 1;
	put_body(LOG, &other, "wrong");
	other = b;
	other.entry++;
	put_body(LOG, &other, "wrong");
	other = b;
	other.pid = OTHER;
	put_body(LOG, &other, "wrong");
	put_body(LOG, &b, "right");
	put_call(LOG, 2, 1);
	ok(has_code(5), "a call has the code of its function");
	make_calls();
	b.size = 6;
	put_body(LOG, &b, "right");
	put_call(LOG, 2, 1);
	ok(has_code(0), "but not a part of it");
	make_calls();
	b.size = b.bytes = 0;
	put_body(LOG, &b, "right");
	put_call(LOG, 2, 1);
	ok(has_code(0), "nor code of no bytes");
}

/* ---- damage ---- */

/* Check a log that is damaged after call 1: this call is returned first, then
   the damage once, and then the end. */
static bool is_reported(const char *fact)
{
	struct alleria_calls *c = open_calls(NULL);
	const struct alleria_call *call;
	bool good = is_next(c, 1, 0);
	int more;

	while ((more = alleria_next_call(c, &call)) > 0)
		;
	good &= more == ALLERIA_E_DAMAGED && !call && is_over(c);
	close_calls(c);
	return ok(good, fact);
}

static void begin_damage(void)
{
	make_calls();
	put_call(LOG, 1, 1);
}

static void test_damage(void)
{
	struct pt_log_body b = body_of(2, 5);
	struct pt_log_call r;

	begin_damage();
	put_call(LOG, 0, 2);
	is_reported("a call of interceptor 0 is damage");
	begin_damage();
	put_call(LOG, 3, 2);
	is_reported("one behind the last, too");
	begin_damage();
	put_call(LOG, 1, 1);
	is_reported("or a second one with the same serial");
	begin_damage();
	put_call(LOG, 2, 0);
	is_reported("or a smaller one");
	begin_damage();
	put_end(LOG, 2, 1, 0);
	is_reported("or the end of a call that has not begun");
	begin_damage();
	r = record(PT_LOG_CALL, 1, 2);
	r.head.bytes -= 8;
	add(LOG, &r, r.head.bytes);
	is_reported("or a short record");
	begin_damage();
	r.head.bytes = sizeof(r) + 8;
	add(LOG, &r, sizeof(r));
	is_reported("or one longer than the block");
	begin_damage();
	r.head.bytes = sizeof(r) - 4;
	add(LOG, &r, sizeof(r));
	is_reported("or one whose length is no multiple of 8");
	begin_damage();
	r.head.bytes = 0;
	add(LOG, &r, sizeof(r));
	is_reported("or one of no length");
	begin_damage();
	b.bytes = 9;
	put_body(LOG, &b, "");
	is_reported("or code that is longer than its record");
}

/* ---- many calls ---- */

/* Write @n calls, each within the one before, and then their ends, of which the
   first @here are in the first block. Return whether each has its end. */
static bool has_ends(uint32_t n, uint32_t here)
{
	static struct pt_log_call call[2 * MANY];
	struct pt_plan *plan = plan_of(windows);
	struct ap_intercepts by;
	struct ap_call_log l;
	struct ap_call out;
	size_t first = (n + here) * sizeof(*call), all = 2 * n * sizeof(*call);
	bool good = true;

	for (uint32_t i = 0; i < n; i++) {
		call[i] = record(PT_LOG_CALL, 1, i + 1);
		call[n + i] = record(PT_LOG_RETURN, 1, n - i);
	}
	if (ap_intercepts_init_from_plan(&by, plan))
		abort();
	ap_call_log_init(&l, &by, PID);
	good = !ap_call_log_pair_calls_in_first_pass(&l, call, first) &&
	       !ap_call_log_pair_calls_in_first_pass(&l, (char *)call + first,
						     all - first);
	ap_call_log_end_first_pass_sort_returns(&l);
	good = good && l.later_returns.n == n - here &&
	       !ap_call_log_open_block_and_list_returns(&l, call, first);
	for (uint32_t i = 0; good && i < n; i++)
		good = ap_call_log_read_next_call_if_any(&l, &out) == 1 &&
		       out.pub.serial == i + 1 && out.end &&
		       out.end->serial == i + 1;
	good = good && ap_call_log_read_next_call_if_any(&l, &out) == 0;
	ap_call_log_release(&l);
	ap_intercepts_release(&by);
	free(plan);
	return good;
}

int main(void)
{
	toy_profile_begin();
	test_description();
	test_ends();
	test_parents();
	test_code();
	test_damage();
	ok(has_ends(MANY, 0) && has_ends(MANY, 77) && has_ends(MANY, MANY),
	   "many calls within each other have each its own end");
	toy_profile_end();
	return done_testing();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan_test.c - tests plans of processes, and invalid plans
 */
#include "tests/tap.h"

#include "lib/config/window/plan/plan.h"
#include "lib/config/window/plan/process_plan.h"
#include "tests/fixtures/window_text.h"

static const char tree[] =
	"windows:\n"
	"- name: all\n"
	"  on: {call: {function: f, process: 2}}\n"
	"  till: {all: [termination: {process: 3}, time: 3ms]}\n"
	"  profile: [{threads: []}, {process: 4, threads: [{thread: 1}, {}]}]\n"
	"- name: fourth\n"
	"  on: {call: g}\n"
	"  profile: [process: 4, process: 5]\n";

/* Return the plan of process @process of @w. */
static struct pt_plan *make_plan(const struct al_windows *w, uint32_t process,
				 struct al_windows *view)
{
	size_t bytes;
	void *plan;

	if (al_plan_make(w, process, &plan, &bytes) ||
	    al_plan_check(plan, bytes)) {
		printf("Bail out! no plan\n");
		exit(1);
	}
	al_plan_view_as_windows(plan, view);
	return plan;
}

static void test_processes(void)
{
	struct al_windows *w = good(tree), first, fourth;
	struct pt_plan *a = make_plan(w, 1, &first),
		       *b = make_plan(w, 4, &fourth);

	ok(a->version == PT_PLAN_VERSION && a->process == 1 && b->process == 4,
	   "a plan tells its process");
	ok(first.n[AL_WINDOWS] == 2 && fourth.n[AL_WINDOWS] == 2,
	   "all windows are in the plan of each");
	ok(first.n[AL_EVENTS] == w->n[AL_EVENTS] &&
		   fourth.n[AL_EVENTS] == w->n[AL_EVENTS] &&
		   !memcmp(first.event, fourth.event,
			   w->n[AL_EVENTS] * sizeof(*w->event)),
	   "and all events, with the same numbers");
	ok(!first.n[AL_LANES] && !first.window[0].n_lanes &&
		   !first.window[1].n_lanes,
	   "a process that is only followed has no lanes");
	ok(fourth.n[AL_LANES] == 3 && fourth.window[0].n_lanes == 2 &&
		   fourth.window[1].first_lane == 2 &&
		   fourth.lane[0].thread == 1 && !fourth.lane[1].thread &&
		   fourth.lane[2].window == 1,
	   "a process with an entry of its own has its lanes");
	ok(fourth.image[fourth.lane[2].first_image].kind == PT_IMAGE_ANY,
	   "and what they record");
	is_str(fourth.string + fourth.event[fourth.window[0].on].name, "f",
	       "and names");
	free(a);
	free(b);
	al_windows_free(w);
}

static void test_nobody(void)
{
	struct al_windows *w = good("windows: [{profile: [process: 2]}]"), view;
	struct pt_plan *plan = make_plan(w, 1, &view);

	ok(view.n[AL_WINDOWS] == 1 && !view.n[AL_LANES],
	   "a process that nobody follows has a plan for nothing");
	free(plan);
	al_windows_free(w);
}

/* ---- plans that are wrong ---- */

static struct al_windows view;
static struct pt_plan *plan;

/* Whether the plan is refused with @value in @field, which is restored
   after. */
static bool is_plan_refused(uint32_t *field, uint32_t value)
{
	uint32_t was = *field;
	int rc;

	*field = value;
	rc = al_plan_check(plan, plan->bytes);
	*field = was;
	if (al_plan_check(plan, plan->bytes))
		return false;
	return rc == -EINVAL;
}

static void test_heads(void)
{
	ok(is_plan_refused(&plan->version, PT_PLAN_VERSION + 1),
	   "another version");
	is_u64((uint64_t)al_plan_check(plan, plan->bytes - 8),
	       (uint64_t)-EINVAL, "its end is missing");
	is_u64((uint64_t)al_plan_check(plan, sizeof(*plan) - 1),
	       (uint64_t)-EINVAL, "all but the head is missing");
	ok(is_plan_refused(&plan->lanes.at, plan->bytes + 8),
	   "an array behind its end");
	ok(is_plan_refused(&plan->intervals.at, plan->intervals.at + 4),
	   "an array aside");
	ok(is_plan_refused(&plan->selects.n, 1 << 30),
	   "an array that is too long");
	ok(is_plan_refused(&plan->selects.n, 0xffffffff), "the longest array");
	ok(is_plan_refused(&plan->strings.n, 0), "no strings");
	ok(is_plan_refused(&plan->strings.n, plan->strings.n - 1),
	   "a last string that does not end");
	view.string[0] = 'x';
	is_u64((uint64_t)al_plan_check(plan, plan->bytes), (uint64_t)-EINVAL,
	       "a first string that is not empty");
	view.string[0] = '\0';
}

static void test_windows(void)
{
	struct pt_window *w = view.window;

	ok(is_plan_refused(&w->name, view.n[AL_STRINGS]), "a window's name");
	ok(is_plan_refused(&w->on, view.n[AL_EVENTS]) &&
		   is_plan_refused(&w->till, view.n[AL_EVENTS]),
	   "a window's event");
	ok(is_plan_refused(&w->n_lanes, view.n[AL_LANES] + 1) &&
		   is_plan_refused(&w->first_lane, 0xffffffff),
	   "a window's lanes");
	ok(is_plan_refused(&w->n_lanes, view.n[AL_LANES]),
	   "the lanes of another");
	ok(is_plan_refused(&w->n_intervals, 1), "a window's intervals");
	ok(is_plan_refused(&w->sample_unit, 3), "an unknown unit");
}

static void test_warm(void)
{
	struct al_windows *w =
		good("windows:\n"
		     "- profile: [{}]\n"
		     "- warmup: 10\n"
		     "  profile:\n"
		     "  - threads: [{thread: 1}, {thread: 2}]\n");
	struct pt_window *x;

	plan = make_plan(w, 1, &view);
	x = &view.window[1];
	ok(!view.window[0].n_warm && x->n_lanes == 2 && x->n_warm == 2 &&
		   view.n[AL_LANES] == 5,
	   "a window with a warmup has its lanes twice");
	ok(!memcmp(&view.lane[1], &view.lane[3], 2 * sizeof(*view.lane)),
	   "with the same threads and images");
	ok(is_plan_refused(&x->n_warm, 1) &&
		   is_plan_refused(&x->n_warm, 0xffffffff) &&
		   is_plan_refused(&x->n_lanes, 1) &&
		   is_plan_refused(&x->n_lanes, 0xfffffffe),
	   "as many warm ones as others");
	ok(is_plan_refused(&view.lane[3].thread, 3) &&
		   is_plan_refused(&view.lane[4].first_image, 0) &&
		   is_plan_refused(&view.lane[4].window, 0),
	   "which are like them");
	x->warmup = PT_MAX_WARMUP;
	ok(al_plan_check(plan, plan->bytes) == 0, "the longest warmup");
	x->warmup++;
	ok(al_plan_check(plan, plan->bytes) == -EINVAL, "no longer one");
	x->warmup = 0;
	ok(al_plan_check(plan, plan->bytes) == -EINVAL,
	   "none without a warmup");
	free(plan);
	al_windows_free(w);
}

static void test_rest(void)
{
	uint32_t n = view.window[0].till;

	ok(is_plan_refused(&view.event[n].first, n) &&
		   is_plan_refused(&view.event[n].first, 0),
	   "an event that has itself");
	ok(is_plan_refused(&view.image[0].first_function,
			   view.image[1].first_function),
	   "functions of two images");
	ok(is_plan_refused(&view.event[n].n, view.n[AL_EVENTS]),
	   "events behind the last");
	ok(is_plan_refused(&view.event[0].n, 1),
	   "an event of one that has none");
	ok(is_plan_refused(&view.event[0].image, view.n[AL_STRINGS]) &&
		   is_plan_refused(&view.event[0].name, view.n[AL_STRINGS]),
	   "an event's names");
	view.event[0].kind = PT_EVENT_MONITOR + 1;
	is_u64((uint64_t)al_plan_check(plan, plan->bytes), (uint64_t)-EINVAL,
	       "an unknown event");
	view.event[0].kind = PT_EVENT_CALL;
	ok(is_plan_refused(&view.lane[0].window, 2) &&
		   is_plan_refused(&view.lane[0].window, 1),
	   "a lane of another window");
	ok(is_plan_refused(&view.lane[0].n_images, view.n[AL_IMAGES] + 1),
	   "a lane's images");
	ok(is_plan_refused(&view.image[0].kind, 0) &&
		   is_plan_refused(&view.image[0].kind, 6),
	   "an unknown image");
	ok(is_plan_refused(&view.image[0].name, view.n[AL_STRINGS]),
	   "an image's name");
	ok(is_plan_refused(&view.image[0].n_functions,
			   view.n[AL_FUNCTIONS] + 1),
	   "an image's functions");
	ok(is_plan_refused(&view.function[0].kind, 4) &&
		   is_plan_refused(&view.function[0].name,
				   view.n[AL_STRINGS]) &&
		   is_plan_refused(&view.function[0].first_select, 1 << 20),
	   "a function's fields");
	ok(is_plan_refused(&view.select[0].kind, 8) &&
		   is_plan_refused(&view.select[0].name, view.n[AL_STRINGS]),
	   "an instruction's fields");
}

/* Whether the plan of one window with the instructions @kinds records the
   instructions @want, and all addresses exactly if @addresses. */
static bool plan_records(const char *kinds, enum al_instructions want,
			 bool addresses)
{
	char yaml[200];
	struct pt_plan *p;
	bool same;

	snprintf(yaml, sizeof(yaml),
		 "windows:\n- profile: [{threads: [{images: [{functions: "
		 "[{name: f}, {instructions: %s}]}]}]}]\n",
		 kinds);
	p = plan_of(yaml);
	same = al_plan_smallest_function_instr_set(p) == want &&
	       al_plan_has_address_in_each_record(p) == addresses;
	free(p);
	return same;
}

static void test_recorded(void)
{
	ok(al_plan_smallest_function_instr_set(NULL) == AL_ALL_INSTRUCTIONS &&
		   al_plan_has_address_in_each_record(NULL),
	   "without a plan all is recorded");
	ok(plan_records("[{category: any}]", AL_ALL_INSTRUCTIONS, true) &&
		   plan_records("[]", AL_ALL_INSTRUCTIONS, true),
	   "all instructions of what is wanted");
	ok(plan_records("[{category: any_mem}]", AL_MEMORY_INSTRUCTIONS, true),
	   "those that access memory");
	ok(plan_records("[{class: MOV}]", AL_CHOSEN_INSTRUCTIONS, true),
	   "those of a class");
	ok(plan_records("[{category: any_mem, record: []}, {category: any}]",
			AL_ALL_INSTRUCTIONS, false),
	   "of some without an address");
}

int main(void)
{
	struct al_windows *w;

	test_processes();
	test_nobody();
	test_recorded();
	w = good(tree);
	plan = make_plan(w, 4, &view);
	test_heads();
	test_windows();
	test_rest();
	free(plan);
	test_warm();
	al_windows_free(w);
	return done_testing();
}

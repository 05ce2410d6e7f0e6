/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dependences_test.c - compares the dependences of random lists of groups and
 *                      events with those of a reference
 *
 * The reference stores the last accesses of each byte, and the time of each
 * iteration of a run.
 */
#include "analyzers/loops/dependences.h"

#include <stdlib.h>

#include "base/tables/array.h"
#include "tests/fixtures/random_below.h"
#include "tests/tap.h"

enum {
	THREADS = 2,
	LOOPS = 4,
	LOOP_STEP = 722, /* loops whose indices differ by this share elements of
			    an_dependence_state.recent */
	MOST_RUNS = 6,
	MOST_CALLS = 4,
	ITERATIONS = 2000, /* more than all steps */
	STEPS = 1500,
	SITES = 16,
	FIRST_PAGE = 5,
	BYTES = 3 * AN_SHADOW_PAGE,
	FIRST_HEADER = 100, /* node of the header of loop 0 */
	CALL_NODE = 200,
	DEPENDENCES = 4000,
};

/* ---- reference ---- */

struct last_access {
	uint64_t time; /* 0: none */
	uint32_t node;
};

struct reference_run {
	uint32_t loop, call;
	uint64_t number, iterations;
	uint64_t begin[ITERATIONS]; /* time of each iteration */
	uint64_t first;		    /* iteration with which it began */
};

struct reference_thread {
	struct reference_run run[MOST_RUNS];
	unsigned n_runs;
	unsigned runs_before_call[MOST_CALLS], n_calls;
	uint64_t time;
	struct last_access store[BYTES], load[BYTES];
};

struct reference_dependence {
	uint32_t loop, source, sink;
	unsigned kind;
	uint64_t least, distance[AN_COUNTED_VALUES], count[AN_COUNTED_VALUES];
};

static struct reference_thread thread[THREADS];
static struct reference_dependence dependence[DEPENDENCES];
static unsigned n_dependences;
static uint64_t run_numbers;

static uint32_t function_of(uint32_t node)
{
	return node % 3;
}

static void count_distance(struct reference_dependence *d, uint64_t distance)
{
	if (d->least == 0 || distance < d->least)
		d->least = distance;
	for (unsigned i = 0; i < AN_COUNTED_VALUES; i++) {
		if (d->count[i] == 0)
			d->distance[i] = distance;
		if (d->distance[i] == distance) {
			d->count[i]++;
			return;
		}
	}
}

static void count_in_run(const struct reference_run *r,
			 struct last_access source, uint32_t sink,
			 unsigned kind)
{
	uint64_t iteration = r->iterations;
	struct reference_dependence new = {
		.loop = r->loop,
		.source = function_of(source.node) ==
					  function_of(FIRST_HEADER +
						      r->loop / LOOP_STEP)
				  ? source.node
				  : AN_NO_NODE,
		.sink = r->call == AN_NO_NODE ? sink : r->call,
		.kind = kind};
	unsigned i = 0;

	while (r->begin[iteration] > source.time)
		iteration--;
	for (; i < n_dependences; i++)
		if (dependence[i].loop == new.loop &&
		    dependence[i].source == new.source &&dependence[i].sink ==
			    new.sink &&dependence[i].kind == new.kind)
			break;
	if (i == n_dependences)
		dependence[n_dependences++] = new;
	count_distance(&dependence[i], r->iterations - iteration);
}

static bool is_before_iteration(const struct reference_run *r, uint64_t time)
{
	return time >= r->begin[r->first] && time < r->begin[r->iterations];
}

static void count_flow(const struct reference_thread *t,
		       struct last_access store, uint32_t sink)
{
	unsigned i = t->n_runs;

	while (i > 0 && store.time < t->run[i - 1].begin[t->run[i - 1].first])
		i--;
	if (i > 0 && is_before_iteration(&t->run[i - 1], store.time))
		count_in_run(&t->run[i - 1], store, sink, AN_DEPENDENCE_FLOW);
}

static bool are_equal(struct last_access a, struct last_access b)
{
	return a.time == b.time && a.node == b.node;
}

/* Count an access, of which the anti and output dependences are carried by run
   number @run_number_or_0. */
static void count_access(struct reference_thread *t,
			 const struct an_loop_access *a, uint64_t address,
			 uint64_t run_number_or_0)
{
	struct last_access store = {0}, load = {0}, now = {t->time, a->node};
	const struct reference_run *r = NULL;
	uint64_t at = address - FIRST_PAGE * AN_SHADOW_PAGE;

	for (unsigned i = 0; i < t->n_runs; i++)
		if (t->run[i].number == run_number_or_0)
			r = &t->run[i];
	for (uint64_t i = at; i < at + a->size; i++) {
		bool new_store = !are_equal(t->store[i], store),
		     new_load = !are_equal(t->load[i], load);

		store = t->store[i];
		load = t->load[i];
		if (a->kind != PT_STORE && new_store)
			count_flow(t, store, a->node);
		if (a->kind != PT_LOAD && r != NULL && new_load &&
		    is_before_iteration(r, load.time))
			count_in_run(r, load, a->node, AN_DEPENDENCE_ANTI);
		if (a->kind != PT_LOAD && r != NULL && new_store &&
		    is_before_iteration(r, store.time))
			count_in_run(r, store, a->node, AN_DEPENDENCE_OUTPUT);
		if (a->kind != PT_STORE)
			t->load[i] = now;
		if (a->kind != PT_LOAD)
			t->store[i] = now;
	}
}

/* ---- random lists ---- */

static struct an_loop_inflight list;
static uint32_t slots[STEPS * 2 * SITES];
static struct an_strides strides[SITES];
/* by the number of a thread, which is the lane of its runs */
static uint64_t last_address[THREADS][SITES], last_run[THREADS][SITES];
static struct an_loop_access site[SITES];

static void append(struct an_loop_access_group g)
{
	an_loops_append_event(&list, g);
}

static void make_sites(void)
{
	static const uint16_t size[] = {1, 2, 3, 4, 4, 8, 8, 8, 16, 40};

	memset(strides, 0, sizeof(strides));
	memset(last_run, 0, sizeof(last_run));
	for (unsigned i = 0; i < SITES; i++) {
		struct pt_access a = {.slot = (uint16_t)i,
				      .size = size[random_below(10)],
				      .kind = (uint8_t)random_below(3),
				      .flags = random_below(4) == 0 ? PT_GUARDED
								    : 0};

		site[i] = an_loops_make_access(
			random_below(4) == 0 ? NULL : &strides[i], &a, i);
	}
}

static uint64_t random_address(unsigned size)
{
	uint64_t address = (FIRST_PAGE + 1 + random_below(2)) * AN_SHADOW_PAGE +
			   random_below(48) - 24;

	return random_below(6) == 0 ? address : address & ~(uint64_t)(size - 1);
}

/* Append a group of accesses, in run number @run_number_or_0, which begins an
   iteration before it if @iterates. */
static void append_accesses(struct reference_thread *t, unsigned step,
			    uint64_t run_number_or_0, bool iterates)
{
	unsigned first = (unsigned)random_below(SITES - 3), n = 3;
	uint32_t words = step * 2 * SITES;
	uint16_t lane = (uint16_t)(t - thread);

	append((struct an_loop_access_group){
		.access = &site[first],
		.run = run_number_or_0,
		.lane = lane,
		.first_slot_word = words,
		.n_accesses = (uint16_t)n,
		.event = iterates ? AN_LOOP_ITERATES : AN_LOOP_NO_EVENT});
	for (unsigned i = first; i < first + n; i++) {
		uint64_t address = random_below(3) == 0
					   ? last_address[lane][i]
					   : random_address(site[i].size);
		bool moved = false;

		if (address == 0 || (site[i].is_guarded && random_below(2)))
			address = site[i].is_guarded
					  ? PT_NOT_DONE
					  : random_address(site[i].size);
		memcpy(&slots[words + 2 * i], &address, sizeof(address));
		if (address == PT_NOT_DONE)
			continue;
		if (site[i].strides != NULL && run_number_or_0 != 0) {
			moved = last_run[lane][i] != 0 &&
				last_address[lane][i] != address;
			last_run[lane][i] = run_number_or_0;
			last_address[lane][i] = address;
		}
		if (t->n_runs > 0)
			count_access(t, &site[i], address,
				     moved ? run_number_or_0 : 0);
	}
}

static void begin_run(struct reference_thread *t)
{
	struct reference_run *r = &t->run[t->n_runs];

	if (t->n_runs == MOST_RUNS)
		return;
	t->n_runs++;
	r->loop = LOOP_STEP * (uint32_t)random_below(LOOPS);
	r->call = AN_NO_NODE;
	r->number = ++run_numbers;
	r->first = r->iterations = 1 + random_below(2);
	r->begin[r->first] = ++t->time;
	append((struct an_loop_access_group){
		.event = AN_LOOP_RUN_BEGINS,
		.value = FIRST_HEADER + r->loop / LOOP_STEP,
		.run = r->number,
		.index = r->loop,
		.n_accesses = (uint16_t)r->iterations});
}

static void set_call_of_top_runs(struct reference_thread *t, uint32_t node)
{
	unsigned i = t->n_calls == 0 ? 0 : t->runs_before_call[t->n_calls - 1];

	for (; i < t->n_runs; i++)
		t->run[i].call = node;
}

static void begin_call(struct reference_thread *t)
{
	uint32_t node = random_below(5) ? CALL_NODE + (uint32_t)random_below(3)
					: AN_NO_NODE;

	if (t->n_calls == MOST_CALLS || t->n_runs == 0)
		return;
	set_call_of_top_runs(t, node);
	t->runs_before_call[t->n_calls++] = t->n_runs;
	append((struct an_loop_access_group){.event = AN_LOOP_CALL,
					     .index = node});
}

static void end_runs(struct reference_thread *t, unsigned left)
{
	if (left < t->n_runs)
		append((struct an_loop_access_group){
			.event = AN_LOOP_RUNS_END,
			.index = (uint32_t)(t - thread),
			.value = left});
	t->n_runs = left;
}

/* End the last call, or runs of the top frame. */
static void end_calls_or_runs(struct reference_thread *t)
{
	unsigned first =
		t->n_calls == 0 ? 0 : t->runs_before_call[t->n_calls - 1];

	if (t->n_calls == 0 || random_below(2)) {
		end_runs(t,
			 first + (unsigned)random_below(t->n_runs - first + 1));
		return;
	}
	end_runs(t, first);
	t->n_calls--;
	set_call_of_top_runs(t, AN_NO_NODE);
	append((struct an_loop_access_group){.event = AN_LOOP_CALLS_END,
					     .index = (uint32_t)(t - thread),
					     .value = t->n_calls});
}

static void reset(struct reference_thread *t)
{
	end_runs(t, 0);
	t->n_calls = 0;
	memset(t->store, 0, sizeof(t->store));
	memset(t->load, 0, sizeof(t->load));
	append((struct an_loop_access_group){.event = AN_LOOP_THREAD_RESET,
					     .index = (uint32_t)(t - thread)});
}

/* Iterate the newest run if it is one of the top frame. Return: whether it
   is. */
static bool iterate(struct reference_thread *t)
{
	struct reference_run *r;

	if (t->n_runs == 0 ||
	    (t->n_calls > 0 &&
	     t->runs_before_call[t->n_calls - 1] == t->n_runs))
		return false;
	r = &t->run[t->n_runs - 1];
	r->begin[++r->iterations] = ++t->time;
	return true;
}

static void append_random_step(unsigned step, unsigned *running)
{
	struct reference_thread *t = &thread[*running];
	unsigned what = (unsigned)random_below(40);

	if (what < 3) {
		begin_run(t);
	} else if (what < 5) {
		begin_call(t);
	} else if (what < 8) {
		end_calls_or_runs(t);
	} else if (what == 8) {
		*running = (unsigned)random_below(THREADS);
		append((struct an_loop_access_group){
			.event = AN_LOOP_THREAD_SWITCH, .index = *running});
	} else if (what == 9 && random_below(8) == 0) {
		reset(&thread[random_below(THREADS)]);
	} else {
		bool iterates = what < 20 && iterate(t);
		uint64_t run = random_below(8) == 0 ? ++run_numbers
			       : t->n_runs == 0 || random_below(8) == 0
				       ? 0
				       : t->run[t->n_runs - 1].number;

		append_accesses(t, step,
				iterates ? t->run[t->n_runs - 1].number : run,
				iterates);
	}
}

/* ---- comparison ---- */

static bool is_counted_equally(const struct an_dependence *d)
{
	const struct reference_dependence *r = dependence;
	unsigned equal = 0, want = 0;

	while (r < dependence + n_dependences &&
	       (r->loop != d->loop || r->source != d->source ||
		r->sink != d->sink || r->kind != d->kind))
		r++;
	if (r == dependence + n_dependences)
		return false;
	for (unsigned i = 0; i < AN_COUNTED_VALUES; i++) {
		want += r->count[i] > 0;
		for (unsigned k = 0; k < AN_COUNTED_VALUES; k++)
			equal +=
				r->count[i] > 0 &&
				d->distances.found[k].value == r->distance[i] &&
				d->distances.found[k].count == r->count[i];
	}
	return equal == want && d->least == r->least;
}

/* Count a random list of events and accesses. Return: the number of dependences
   that are not equal to those of the reference. */
static unsigned count_unequal_dependences_of_random_list(void)
{
	static struct an_dependence_state d;
	unsigned unequal, running = 0;

	memset(thread, 0, sizeof(thread));
	n_dependences = 0;
	make_sites();
	for (uint32_t node = 0; node < CALL_NODE + 3; node++)
		append((struct an_loop_access_group){
			.event = AN_LOOP_NODE_FUNCTION,
			.index = node,
			.value = function_of(node)});
	append((struct an_loop_access_group){.event = AN_LOOP_THREAD_SWITCH,
					     .index = THREADS - 1});
	append((struct an_loop_access_group){.event = AN_LOOP_THREAD_SWITCH});
	for (unsigned i = 0; i < STEPS; i++)
		append_random_step(i, &running);
	unequal = an_dependences_count_of_access_groups(&d, &list, slots) != 0;
	unequal += d.keys.n != n_dependences;
	for (uint32_t i = 0; i < d.keys.n; i++)
		unequal += !is_counted_equally(&d.dependence[i]);
	an_dependences_release(&d);
	return unequal;
}

static void test_random_lists(void)
{
	unsigned unequal = 0, most = 0;

	for (unsigned i = 0; i < 60; i++) {
		unequal += count_unequal_dependences_of_random_list();
		if (n_dependences > most)
			most = n_dependences;
	}
	is_u64(unequal, 0,
	       "random lists have the dependences of the reference");
	ok(most > 200, "which are many");
}

/* ---- iterations that are no longer stored ---- */

/* Append a group of one access of 8 bytes at @address, before which
   run number @run_number begins an iteration. */
static void append_one(struct an_loop_access *a, uint64_t address,
		       uint64_t run_number, unsigned kind)
{
	*a = (struct an_loop_access){.delta = address,
				     .node = kind,
				     .size = 8,
				     .kind = (uint8_t)kind,
				     .max_cell_shift = 3};
	append((struct an_loop_access_group){.access = a,
					     .run = run_number,
					     .n_accesses = 1,
					     .event = AN_LOOP_ITERATES});
}

/* In each of 5000 iterations of an outer loop, an inner one iterates. */
static void test_forgotten_iterations(void)
{
	static struct an_dependence_state d;
	static struct an_loop_access a[4];
	struct an_loop_access_group outer = {.event = AN_LOOP_RUN_BEGINS,
					     .run = 1,
					     .n_accesses = 1},
				    inner = {.event = AN_LOOP_RUN_BEGINS,
					     .run = 2,
					     .index = 1,
					     .n_accesses = 1},
				    end = {.event = AN_LOOP_RUNS_END,
					   .value = 1};

	for (uint32_t node = 0; node < 3; node++)
		append((struct an_loop_access_group){
			.event = AN_LOOP_NODE_FUNCTION, .index = node});
	append(outer);
	for (unsigned i = 2; i <= 5000; i++) {
		if (i == 10)
			append_one(&a[0], 0x8000, 1, PT_STORE);
		else if (i == 1000)
			append_one(&a[1], 0x9000, 1, PT_STORE);
		else
			append((struct an_loop_access_group){
				.event = AN_LOOP_ITERATES, .run = 1});
		append(inner);
		append(end);
	}
	append_one(&a[2], 0x8000, 1, PT_LOAD);
	append_one(&a[3], 0x9000, 1, PT_LOAD);
	ok(an_dependences_count_of_access_groups(&d, &list, slots) == 0 &&
		   d.keys.n == 1,
	   "a dependence on an iteration that is not stored is not counted");
	ok(d.keys.n == 1 && d.dependence[0].least == 4002,
	   "one on an iteration that is stored is");
	an_dependences_release(&d);
}

static void test_bound_of_shadow(void)
{
	static struct an_dependence_state d;
	static struct an_loop_access a;

	append((struct an_loop_access_group){
		.event = AN_LOOP_RUN_BEGINS, .run = 1, .n_accesses = 1});
	append_one(&a, 0x8000, 1, PT_LOAD);
	d.shadow_bytes = AN_MAX_SHADOW;
	is_u64((uint64_t)-an_dependences_count_of_access_groups(&d, &list,
								slots),
	       ENOMEM, "no cells are allocated beyond AN_MAX_SHADOW");
	d.shadow_bytes = 0;
	an_dependences_release(&d);
}

static void test_bound_of_time(void)
{
	static struct an_dependence_state d;

	append((struct an_loop_access_group){
		.event = AN_LOOP_RUN_BEGINS, .run = 1, .n_accesses = 1});
	is_u64((uint64_t)an_dependences_count_of_access_groups(&d, &list,
							       slots),
	       0, "a run begins");
	d.thread[0].time = (UINT64_C(1) << (64 - AN_SHADOW_TIME_SHIFT)) - 1;
	append((struct an_loop_access_group){.event = AN_LOOP_ITERATES,
					     .run = 1});
	is_u64((uint64_t)-an_dependences_count_of_access_groups(&d, &list,
								slots),
	       EOVERFLOW, "a time that no cell can have is an error");
	an_dependences_release(&d);
}

int main(void)
{
	test_random_lists();
	test_forgotten_iterations();
	test_bound_of_shadow();
	test_bound_of_time();
	free(list.group);
	return done_testing();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * api.c - what liballeria tells about a profile in one way is what it tells in
 * another: api PROFILE
 *
 * Links liballeria.so, and knows nothing but its header.
 */
#include "tests/tools/api.h"

static bool is_block(const struct alleria_execution *e)
{
	bool right = e->n_instructions <= e->block->n_code &&
		     e->exit < e->block->n_exits &&
		     e->n_instructions == e->block->exit[e->exit].n_code;

	for (unsigned i = 0; right && i < e->n_instructions; i++) {
		const struct alleria_instruction *in =
			&instruction_of[e->instruction + i];

		right = in->address == e->block->code[i].address &&
			in->bytes == e->block->code[i].bytes &&
			in->size == e->block->code[i].size;
	}
	return right;
}

static void take_executions(void)
{
	static struct alleria_access made[ALLERIA_MAX_ACCESSES];
	struct alleria_cursor *c = cursor(ALLERIA_EXECUTIONS, NULL);
	const struct alleria_execution *e;
	bool right = true, equal = true;
	size_t index = 0, instruction = 0;
	int got;

	while ((got = alleria_next_execution(c, &e)) > 0) {
		long n = alleria_execution_accesses(c, e, made);

		right &= e->instruction == instruction && is_block(e) &&
			 n == e->n_accesses && e->access == index;
		for (long i = 0; i < n; i++, index++)
			equal &= same(&made[i], &access_of[index]);
		instruction += e->n_instructions;
	}
	ok(got == 0 && right && instruction == n_instructions,
	   "executions are all instructions, in order");
	ok(equal && index == n_accesses, "and make all accesses");
	alleria_cursor_close(c);
}

/* Compare the names of executed instructions, by position and by block. */
static void take_names(void)
{
	struct alleria_cursor *c = cursor(ALLERIA_EXECUTIONS, NULL);
	const struct alleria_execution *e;
	struct alleria_name one, other;
	bool equal = true;
	size_t n = 0;

	while (n < 20000 && alleria_next_execution(c, &e) > 0) {
		unsigned last = e->n_instructions - 1u;

		equal &= !alleria_name_block(profile, e->block, last, &one) &&
			 !alleria_name(profile, e->process,
				       e->block->code[last].address,
				       e->instruction, &other) &&
			 one.object == other.object &&
			 one.function == other.function &&
			 one.value == other.value && one.line == other.line;
		n++;
	}
	ok(n > 0 && equal, "what lies at an address is what was executed");
	alleria_cursor_close(c);
}

static void take_branches(void)
{
	struct alleria_cursor *c = cursor(ALLERIA_BRANCHES, NULL);
	const struct alleria_branch *b;
	bool arrive = true, leave = true, turn = true;
	size_t n = 0, turns = 0;

	for (; alleria_next_branch(c, &b) > 0; n++) {
		const struct alleria_instruction *to =
			&instruction_of[b->number];
		const struct alleria_instruction *from;

		arrive &= to->address == b->to && to->thread == b->thread &&
			  to->first_access == b->access;
		if (b->from_number == ALLERIA_NOT)
			continue;
		from = &instruction_of[b->from_number];
		leave &= from->address == b->from && from->thread == b->thread;
		turn &= b->kind != ALLERIA_JUMP ||
			from->address + from->size != to->address;
	}
	ok(n > 0 && arrive, "branches arrive where they say");
	ok(leave, "and come from where they say");
	ok(turn, "jumps go elsewhere");
	for (size_t i = 1; i < n_instructions; i++) {
		const struct alleria_instruction *in = &instruction_of[i];

		turns += in->thread == in[-1].thread &&
			 in->process == in[-1].process &&
			 in[-1].address + in[-1].size != in->address &&
			 in[-1].address != in->address; /* no rep iteration */
	}
	ok(n >= turns, "none is missing");
	alleria_cursor_close(c);
}

static void take_events(void)
{
	struct alleria_cursor *c = cursor(ALLERIA_EVENTS, NULL);
	const struct alleria_event *e;
	uint64_t begins = 0, starts = 0, signals = 0, images = 0;
	bool right = true;

	while (alleria_next_event(c, &e) > 0) {
		begins += e->kind == ALLERIA_IMAGE_BEGIN;
		starts += e->kind == ALLERIA_THREAD_START;
		signals += e->kind == ALLERIA_SIGNAL;
		if (e->kind == ALLERIA_THREAD_SWITCH &&
		    e->instruction < n_instructions)
			right &= instruction_of[e->instruction].thread ==
					 e->thread ||
				 instruction_of[e->instruction].process !=
					 e->process;
	}
	for (uint32_t i = 1; i <= alleria_run(profile)->processes; i++)
		images += alleria_process(profile, i)->images;
	is_u64(begins, images, "each image begins");
	is_u64(signals, alleria_run(profile)->counts.signals,
	       "signals are as many as the run counted");
	ok(starts >= alleria_run(profile)->counts.threads,
	   "and threads are no fewer");
	ok(right, "who is switched to executes next");
	alleria_cursor_close(c);
}

/* ---- executors ---- */

struct heard {
	uint64_t executed;
	uint64_t instructions;
	uint64_t accesses;
	uint64_t events;
	bool in_order;
	bool ended;
};

static int hear_executions(void *state, const struct alleria_execution *e,
			   long n)
{
	struct heard *h = state;

	for (long i = 0; i < n; i++) {
		h->in_order &= e[i].instruction == h->executed;
		h->executed += e[i].n_instructions;
	}
	return 0;
}

static int hear_instructions(void *state, const struct alleria_instruction *i,
			     long n)
{
	struct heard *h = state;

	h->in_order &= i->number == h->instructions;
	h->instructions += (uint64_t)n;
	h->in_order &= h->instructions <= h->executed;
	return 0;
}

static int hear_accesses(void *state, const struct alleria_access *a, long n)
{
	struct heard *h = state;

	h->in_order &= a->number == h->accesses &&
		       a[n - 1].instruction < h->instructions;
	h->accesses += (uint64_t)n;
	return 0;
}

static int hear_event(void *state, const struct alleria_event *e)
{
	struct heard *h = state;

	h->in_order &= e->instruction == h->instructions &&
		       e->access == h->accesses &&
		       h->executed == e->instruction;
	h->events++;
	return 0;
}

static int stop(void *state, const struct alleria_access *a, long n)
{
	(void)a;
	(void)n;
	++*(int *)state;
	return -7;
}

static int end(void *state, int error)
{
	((struct heard *)state)->ended = true;
	return error;
}

static void test_replay(void)
{
	struct heard h = {.in_order = true};
	int stopped = 0, results[2];
	const struct alleria_executor all[2] = {
		{.state = &stopped, .accesses = stop},
		{
			.state = &h,
			.executions = hear_executions,
			.instructions = hear_instructions,
			.accesses = hear_accesses,
			.event = hear_event,
			.end = end,
		},
	};

	ok(alleria_replay(profile, NULL, &all[1], 1, results) == 0,
	   "a profile is replayed");
	ok(h.ended && h.executed == n_instructions &&
		   h.instructions == n_instructions && h.accesses == n_accesses,
	   "all of it");
	ok(h.in_order && h.events > 0, "in order, events in their places");
	h = (struct heard){.in_order = true};
	ok(alleria_replay(profile, NULL, all, 2, results) == ALLERIA_E_STOPPED,
	   "an executor may fail");
	ok(stopped == 1 && results[0] == -7, "then it is not called again");
	ok(h.accesses == n_accesses && results[1] == 0, "but others are");
}

/* ---- names, threads, objects ---- */

static void test_names(void)
{
	struct alleria_cursor *c = cursor(ALLERIA_EXECUTIONS, NULL);
	const struct alleria_execution *e;
	struct alleria_name of_block, of_address;
	bool equal = true;
	size_t named = 0;

	for (int i = 0; i < 2000 && alleria_next_execution(c, &e) > 0; i++) {
		const struct alleria_code *code = e->block->code;

		equal &= !alleria_name_block(profile, e->block, 0, &of_block) &&
			 !alleria_name(profile, e->process, code->address,
				       e->instruction, &of_address) &&
			 of_block.function == of_address.function &&
			 of_block.line == of_address.line &&
			 of_block.file == of_address.file &&
			 of_block.value == of_address.value;
		named += strcmp(of_block.function, "???") != 0;
	}
	ok(equal, "a block's names are those of its addresses");
	ok(named > 0, "and there are some");
	alleria_cursor_close(c);
}

/* Whether the counts of the thread equal those of its records. */
static bool did(const struct alleria_thread *t)
{
	const struct alleria_process *p = alleria_process(profile, t->process);
	const struct alleria_image *image =
		alleria_image(profile, t->process, t->image);
	uint64_t instructions = 0, accesses = 0;

	for (uint64_t i = 0; i < image->counts.instructions; i++) {
		const struct alleria_instruction *in =
			&instruction_of[image->first_instruction + i];

		instructions += in->thread == t->number;
		accesses += in->thread == t->number ? in->n_accesses : 0;
	}
	return p && instructions == t->instructions && accesses == t->accesses;
}

static void test_threads(void)
{
	const struct alleria_object *const *object;
	const struct alleria_thread *thread;
	bool right = true, mapped = true;

	for (uint32_t i = 1; i <= alleria_run(profile)->processes; i++) {
		long n = alleria_threads(profile, i, &thread);

		right &= n >= 1 &&
			 (uint64_t)n >=
				 alleria_process(profile, i)->counts.threads;
		for (long k = 0; k < n; k++)
			right &= thread[k].begin_instruction <=
					 thread[k].end_instruction &&
				 did(&thread[k]);
		n = alleria_objects(profile, i, &object);
		mapped &= n > 0;
		for (long k = 0; k < n; k++)
			mapped &= object[k]->size > 0 && object[k]->path[0];
	}
	ok(right, "processes have their threads");
	ok(mapped, "and objects");
}

int main(int argc, char **argv)
{
	if (open_profile(argc, argv))
		return 99;
	take_accesses();
	take_instructions();
	take_executions();
	take_names();
	take_branches();
	take_events();
	test_replay();
	test_names();
	test_threads();
	ok(alleria_refresh(profile) == 0, "nothing comes behind the end");
	return close_profile();
}

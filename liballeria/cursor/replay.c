/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay.c - passes the records of a profile to executors, sets of functions of
 * the caller
 */
#include <stdlib.h>

#include "liballeria/cursor/cursor.h"

/* An executor, whose functions the replay calls with records, and the last
   result of these functions. */
struct player {
	const struct alleria_executor *executor;
	int result; /* result of the last call; not 0: of the executor only
		       end() is called after it */
};

struct replay {
	struct alleria_cursor *cursor;
	struct player *player;
	unsigned n;
	/* index of the last process that was passed to the executors, from 1;
	   0: none */
	uint32_t process;
};

/* Return the kinds of records for which executor @e has functions, as OR of 1
   << enum alleria_what; 0: none. */
static unsigned record_kinds_of_executor(const struct alleria_executor *e)
{
	return (e->executions ? 1u << ALLERIA_EXECUTIONS : 0) |
	       (e->instructions ? 1u << ALLERIA_INSTRUCTIONS : 0) |
	       (e->accesses ? 1u << ALLERIA_ACCESSES : 0) |
	       (e->branches ? 1u << ALLERIA_BRANCHES : 0) |
	       (e->event ? 1u << ALLERIA_EVENTS : 0);
}

/* Call @function of each executor that has this function and for which no
   earlier call returned a value other than 0; store what it returns. */
#define CALL_ALL(r, function, ...)                                             \
	for (unsigned i_ = 0; i_ < (r)->n; i_++) {                             \
		const struct alleria_executor *e_ = (r)->player[i_].executor;  \
		if (e_->function && (r)->player[i_].result == 0)               \
			(r)->player[i_].result =                               \
				e_->function(e_->state, __VA_ARGS__);          \
	}

static bool has_executor_not_stopped(const struct replay *r)
{
	for (unsigned i = 0; i < r->n; i++)
		if (r->player[i].result == 0)
			return true;
	return false;
}

static void call_process_functions_if_new(struct replay *r)
{
	struct alleria_cursor *c = r->cursor;
	const struct alleria_process *p = &c->stream->process->pub;

	if (p->index == r->process)
		return;
	r->process = p->index;
	CALL_ALL(r, process, p);
}

/* Call process() of the executors if the process is new, then their functions
   for the records in all batches of the cursor, in the order that alleria.h
   documents. */
static void pass_current_batches_to_executors(struct replay *r)
{
	const struct ap_batch *b = r->cursor->batch;

	call_process_functions_if_new(r);
	if (b[ALLERIA_EXECUTIONS].n)
		CALL_ALL(r, executions, b[ALLERIA_EXECUTIONS].record,
			 (long)b[ALLERIA_EXECUTIONS].n);
	if (b[ALLERIA_INSTRUCTIONS].n)
		CALL_ALL(r, instructions, b[ALLERIA_INSTRUCTIONS].record,
			 (long)b[ALLERIA_INSTRUCTIONS].n);
	if (b[ALLERIA_ACCESSES].n)
		CALL_ALL(r, accesses, b[ALLERIA_ACCESSES].record,
			 (long)b[ALLERIA_ACCESSES].n);
	if (b[ALLERIA_BRANCHES].n)
		CALL_ALL(r, branches, b[ALLERIA_BRANCHES].record,
			 (long)b[ALLERIA_BRANCHES].n);
	for (size_t i = 0; i < b[ALLERIA_EVENTS].n; i++) {
		const struct alleria_event *e = b[ALLERIA_EVENTS].record;

		CALL_ALL(r, event, e + i);
	}
}

/* Replay until the end, until an error other than damage, or until all
   executors have stopped. Return: 0; ALLERIA_E_DAMAGED if some records were
   damaged; another error. */
static int replay_until_end_or_all_stopped(struct replay *r)
{
	int damaged = 0, got = 1;

	while (has_executor_not_stopped(r) &&
	       (got > 0 || got == ALLERIA_E_DAMAGED)) {
		got = ap_cursor_fill_record_batches_0_at_end(r->cursor);
		if (got > 0)
			pass_current_batches_to_executors(r);
		if (got == ALLERIA_E_DAMAGED)
			damaged = got;
	}
	return got < 0 ? got : damaged;
}

/* Call end() of each executor that has it. Its argument is @replay_error, or
   the executor's own result if that is negative; a negative result remains the
   executor's result. @results: NULL, or [n] receives the result of each
   executor. Return: @replay_error, or ALLERIA_E_STOPPED if an executor failed
   and @replay_error is 0 or ALLERIA_E_DAMAGED. */
static int end_all_executors(struct replay *r, int replay_error, int *results)
{
	bool failed = false;

	for (unsigned i = 0; i < r->n; i++) {
		const struct alleria_executor *e = r->player[i].executor;
		int result = r->player[i].result;
		int error = result < 0 ? result : replay_error;
		int at_end = e->end ? e->end(e->state, error) : result;

		if (result >= 0)
			result = at_end;
		if (results)
			results[i] = result;
		failed |= result < 0;
	}
	return failed && (replay_error == 0 ||
			  replay_error == ALLERIA_E_DAMAGED)
		       ? ALLERIA_E_STOPPED
		       : replay_error;
}

int alleria_replay(struct alleria_profile *p,
		   const struct alleria_filter *filter,
		   const struct alleria_executor *executor, unsigned n,
		   int *results)
{
	struct replay r = {
		.n = n,
	};
	unsigned kinds = 0;
	int err = 0;

	r.player = calloc(n + 1u, sizeof(*r.player));
	if (!r.player)
		return ALLERIA_E_MEMORY;
	for (unsigned i = 0; i < n; i++) {
		r.player[i].executor = &executor[i];
		kinds |= record_kinds_of_executor(&executor[i]);
	}
	if (!kinds)
		kinds = 1u << ALLERIA_EVENTS;
	err = ap_cursor_open_for_kinds(p, kinds, filter, &r.cursor);
	if (!err) {
		CALL_ALL(&r, begin, p);
		err = end_all_executors(&r, replay_until_end_or_all_stopped(&r),
					results);
	}
	alleria_cursor_close(r.cursor);
	free(r.player);
	return err;
}

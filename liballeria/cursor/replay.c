/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay.c - a profile, told to executors
 */
#include <stdlib.h>

#include "liballeria/cursor/cursor.h"

/* An executor at work. */
struct player {
	const struct alleria_executor *executor;
	int result; /* not 0: it wants no more */
};

struct replay {
	struct alleria_cursor *cursor;
	struct player *player;
	unsigned n;
	uint32_t process; /* last process that was announced; 0: none */
};

static unsigned wants_of(const struct alleria_executor *e)
{
	return (e->executions ? 1u << ALLERIA_EXECUTIONS : 0) |
	       (e->instructions ? 1u << ALLERIA_INSTRUCTIONS : 0) |
	       (e->accesses ? 1u << ALLERIA_ACCESSES : 0) |
	       (e->branches ? 1u << ALLERIA_BRANCHES : 0) |
	       (e->event ? 1u << ALLERIA_EVENTS : 0);
}

/* Calls a function of all executors that have it and want more. */
#define TELL(r, function, ...)                                                 \
	for (unsigned i_ = 0; i_ < (r)->n; i_++) {                             \
		const struct alleria_executor *e_ = (r)->player[i_].executor;  \
		if (e_->function && (r)->player[i_].result == 0)               \
			(r)->player[i_].result =                               \
				e_->function(e_->state, __VA_ARGS__);          \
	}

static bool anybody(const struct replay *r)
{
	for (unsigned i = 0; i < r->n; i++)
		if (r->player[i].result == 0)
			return true;
	return false;
}

static void tell_process(struct replay *r)
{
	struct alleria_cursor *c = r->cursor;
	const struct alleria_process *p = &c->stream->process->pub;

	if (p->index == r->process)
		return;
	r->process = p->index;
	TELL(r, process, p);
}

/* In the order that alleria.h tells. */
static void tell_batches(struct replay *r)
{
	const struct ap_batch *b = r->cursor->batch;

	tell_process(r);
	if (b[ALLERIA_EXECUTIONS].n)
		TELL(r, executions, b[ALLERIA_EXECUTIONS].record,
		     (long)b[ALLERIA_EXECUTIONS].n);
	if (b[ALLERIA_INSTRUCTIONS].n)
		TELL(r, instructions, b[ALLERIA_INSTRUCTIONS].record,
		     (long)b[ALLERIA_INSTRUCTIONS].n);
	if (b[ALLERIA_ACCESSES].n)
		TELL(r, accesses, b[ALLERIA_ACCESSES].record,
		     (long)b[ALLERIA_ACCESSES].n);
	if (b[ALLERIA_BRANCHES].n)
		TELL(r, branches, b[ALLERIA_BRANCHES].record,
		     (long)b[ALLERIA_BRANCHES].n);
	for (size_t i = 0; i < b[ALLERIA_EVENTS].n; i++) {
		const struct alleria_event *e = b[ALLERIA_EVENTS].record;

		TELL(r, event, e + i);
	}
}

static int play(struct replay *r)
{
	int damaged = 0, got = 1;

	while (anybody(r) && (got > 0 || got == ALLERIA_E_DAMAGED)) {
		got = ap_walk_fill(r->cursor);
		if (got > 0)
			tell_batches(r);
		if (got == ALLERIA_E_DAMAGED)
			damaged = got;
	}
	return got < 0 ? got : damaged;
}

/* Each is told the error that it met, if it has not stopped by itself. */
static int finish(struct replay *r, int error, int *results)
{
	for (unsigned i = 0; i < r->n; i++) {
		const struct alleria_executor *e = r->player[i].executor;
		int result = r->player[i].result;

		if (e->end)
			result = e->end(e->state, result < 0 ? result : error);
		if (results)
			results[i] = result;
		if (result < 0 && (error == 0 || error == ALLERIA_E_DAMAGED))
			error = ALLERIA_E_STOPPED;
	}
	return error;
}

int alleria_replay(struct alleria_profile *p,
		   const struct alleria_filter *filter,
		   const struct alleria_executor *executor, unsigned n,
		   int *results)
{
	struct replay r = {
		.n = n,
	};
	unsigned want = 0;
	int err = 0;

	r.player = calloc(n + 1u, sizeof(*r.player));
	if (!r.player)
		return ALLERIA_E_MEMORY;
	for (unsigned i = 0; i < n; i++) {
		r.player[i].executor = &executor[i];
		want |= wants_of(&executor[i]);
	}
	if (!want)
		want = 1u << ALLERIA_EVENTS;
	err = ap_cursor_new(p, want, filter, &r.cursor);
	if (!err) {
		TELL(&r, begin, p);
		err = finish(&r, play(&r), results);
	}
	alleria_cursor_close(r.cursor);
	free(r.player);
	return err;
}

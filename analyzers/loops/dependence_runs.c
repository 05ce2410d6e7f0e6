/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dependence_runs.c - active runs of chosen loops, and the times of their
   iterations; see dependences.h */

#include <errno.h>
#include <stdlib.h>

#include "analyzers/loops/dependences.h"
#include "base/tables/array.h"

/* ---- times ---- */

/* Append a piece (successive iterations at successive times) that begins with
   the current iteration of @r and its time. If AN_LOOP_PIECES are stored, it
   replaces the oldest. Return: 0 or -ENOMEM. */
static int append_piece_begun_at_current_iteration(struct an_chosen_run *r)
{
	size_t i = r->n_pieces % AN_LOOP_PIECES;

	if (i >= r->max_pieces &&
	    al_array_reserve(r->piece, r->max_pieces, i + 1) != 0)
		return -ENOMEM;
	r->newest = (struct an_loop_piece){r->iteration_time, r->iterations};
	r->piece[i] = r->newest;
	r->n_pieces++;
	return 0;
}

/* Add 1 to the time of @t. Return: 0; -EOVERFLOW: a cell of the shadow cannot
   have the time. */
static int advance_time_fail_if_too_large(struct an_dependence_thread *t)
{
	return ++t->time >> (64 - AN_SHADOW_TIME_SHIFT) == 0 ? 0 : -EOVERFLOW;
}

/* Begin the next iteration of the newest run of @t. Return: 0; -ENOMEM;
   -EOVERFLOW. */
static int begin_iteration_of_newest_loop_run(struct an_dependence_thread *t)
{
	struct an_chosen_run *r = &t->run[t->n_runs - 1];
	bool is_next = r->iteration_time == t->time;
	int err = advance_time_fail_if_too_large(t);

	r->iteration_time = t->time;
	r->iterations++;
	return is_next || err ? err
			      : append_piece_begun_at_current_iteration(r);
}

/* Return the number of the stored piece of @r from which on a search finds the
   one with @time, if it is stored: the times of two successive pieces differ by
   at least 2. @time is before the newest piece. */
static size_t first_piece_to_search(const struct an_chosen_run *r,
				    uint64_t time)
{
	size_t stored =
		r->n_pieces < AN_LOOP_PIECES ? r->n_pieces : AN_LOOP_PIECES;
	uint64_t later = (r->newest.time - time - 1) / 2 + 1;

	return r->n_pieces - (later + 1 < stored ? later + 1 : stored);
}

static const struct an_loop_piece *
piece_of_number_in_ring(const struct an_chosen_run *r, size_t number)
{
	return &r->piece[number % AN_LOOP_PIECES];
}

/* Whether the piece that a search found last has @time. If the piece was
   replaced, the next one was replaced, too, or has a smaller time. */
static bool is_time_in_piece_found_last(const struct an_chosen_run *r,
					uint64_t time)
{
	return piece_of_number_in_ring(r, r->found)->time <= time &&
	       time < piece_of_number_in_ring(r, r->found + 1)->time;
}

/* Search the piece with @time, which is before the newest piece, and set
   r->found to its number. The search has no jump that depends on a piece, which
   could not be predicted. Return: false: it is not stored. */
static bool find_piece(struct an_chosen_run *r, uint64_t time)
{
	size_t at = first_piece_to_search(r, time);

	if (piece_of_number_in_ring(r, at)->time > time)
		return false;
	for (size_t n = r->n_pieces - 1 - at; n > 1; n -= n / 2)
		at += piece_of_number_in_ring(r, at + n / 2)->time <= time
			      ? n / 2
			      : 0;
	r->found = at;
	return true;
}

uint64_t an_chosen_run_iterations_since(struct an_chosen_run *r, uint64_t time)
{
	const struct an_loop_piece *p;
	uint64_t since, last;

	if (time >= r->newest.time)
		return r->iteration_time - time;
	if (!is_time_in_piece_found_last(r, time) && !find_piece(r, time))
		return 0;
	p = piece_of_number_in_ring(r, r->found);
	since = time - p->time;
	last = piece_of_number_in_ring(r, r->found + 1)->iteration - 1;
	return r->iterations -
	       (since < last - p->iteration ? p->iteration + since : last);
}

/* ---- events ---- */

static int begin_chosen_loop_run(struct an_dependence_thread *t,
				 const struct an_loop_access_group *event)
{
	struct an_chosen_run *r;
	int err = al_array_reserve_zeroed(t->run, t->max_runs, t->n_runs + 1);

	if (!err)
		err = an_shadow_add_cache_if_missing(&t->shadow);
	if (!err)
		err = advance_time_fail_if_too_large(t);
	if (err)
		return err;
	r = &t->run[t->n_runs++];
	r->number = event->run;
	r->loop = event->index;
	r->header = (uint32_t)event->value;
	r->call = AN_NO_NODE;
	r->iterations = event->n_accesses;
	r->begin_time = r->iteration_time = t->time;
	r->n_pieces = r->found = 0;
	return append_piece_begun_at_current_iteration(r);
}

/* Set the call by which the function of the newest runs of @t has been left:
   those that began after its last call. */
static void set_call_of_runs_after_last_call(struct an_dependence_thread *t,
					     uint32_t call_node)
{
	size_t first =
		t->n_calls == 0 ? 0 : t->runs_before_call[t->n_calls - 1];

	for (; first < t->n_runs; first++)
		t->run[first].call = call_node;
}

static int begin_call(struct an_dependence_thread *t, uint32_t call_node)
{
	set_call_of_runs_after_last_call(t, call_node);
	if (al_array_reserve(t->runs_before_call, t->max_calls,
			     t->n_calls + 1) != 0)
		return -ENOMEM;
	t->runs_before_call[t->n_calls++] = (uint32_t)t->n_runs;
	return 0;
}

static void end_calls(struct an_dependence_thread *t, size_t remaining_count)
{
	t->n_calls = remaining_count;
	set_call_of_runs_after_last_call(t, AN_NO_NODE);
}

static int set_function_of_node(struct an_dependence_state *d, uint32_t node,
				uint32_t function)
{
	if (al_array_reserve_zeroed(d->function, d->max_functions, node + 1u) !=
	    0)
		return -ENOMEM;
	d->function[node] = function;
	return 0;
}

static void reset_thread(struct an_dependence_state *d,
			 struct an_dependence_thread *t)
{
	t->n_runs = t->n_calls = 0;
	an_shadow_release(&t->shadow, &d->shadow_bytes);
}

static int switch_thread(struct an_dependence_state *d, uint32_t thread)
{
	d->running = thread;
	return al_array_reserve_zeroed(d->thread, d->n_threads, thread + 1u);
}

static int
follow_loop_call_or_thread_event(struct an_dependence_state *d,
				 const struct an_loop_access_group *event)
{
	switch (event->event) {
	case AN_LOOP_ITERATES:
		return begin_iteration_of_newest_loop_run(
			&d->thread[d->running]);
	case AN_LOOP_RUN_BEGINS:
		return begin_chosen_loop_run(&d->thread[d->running], event);
	case AN_LOOP_RUNS_END:
		d->thread[event->index].n_runs = event->value;
		return 0;
	case AN_LOOP_CALL:
		return begin_call(&d->thread[d->running], event->index);
	case AN_LOOP_CALLS_END:
		end_calls(&d->thread[event->index], event->value);
		return 0;
	case AN_LOOP_THREAD_SWITCH:
		return switch_thread(d, event->index);
	case AN_LOOP_THREAD_RESET:
		if (event->index < d->n_threads)
			reset_thread(d, &d->thread[event->index]);
		return 0;
	case AN_LOOP_NODE_FUNCTION:
		return set_function_of_node(d, event->index,
					    (uint32_t)event->value);
	default:
		return -EINVAL;
	}
}

void an_dependences_apply_event(struct an_dependence_state *d,
				const struct an_loop_access_group *event)
{
	int err = follow_loop_call_or_thread_event(d, event);

	if (err)
		d->error = err;
}

static void free_thread(struct an_dependence_state *d,
			struct an_dependence_thread *t)
{
	for (size_t i = 0; i < t->max_runs; i++)
		free(t->run[i].piece);
	free(t->run);
	free(t->runs_before_call);
	an_shadow_release(&t->shadow, &d->shadow_bytes);
}

void an_dependences_free_threads(struct an_dependence_state *d)
{
	for (size_t i = 0; i < d->n_threads; i++)
		free_thread(d, &d->thread[i]);
	free(d->thread);
	d->thread = NULL;
	d->n_threads = 0;
}

void an_dependences_release(struct an_dependence_state *d)
{
	an_dependences_free_threads(d);
	free(d->function);
	free(d->dependence);
	an_arena_free_all_and_reset(&d->lanes);
	al_key_table_release(&d->keys);
	*d = (struct an_dependence_state){0};
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stream_work.c - does the stages of a stream; see stream.h
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/clock.h"
#include "lib/pipeline/stream_state.h"
#include "lib/record/recording.h"
#include "lib/recover/chunk_counts.h"
#include "lib/recover/memory_bounds.h"
#include "lib/recover/page_index.h"
#include "proto/unit.h"

/* Limits on how often the counts of the status line are updated. */
enum {
	COUNTS_EVERY_NS = 300000000, /* shortest interval */
	COUNTS_SHARE = 64,	     /* at most 1/64 of a recoverer's time */
};

/* Return piece @number, which is in flight or begins now. */
static struct al_piece *piece_of(struct al_stream *s, uint64_t number)
{
	return &s->piece[number % s->stages.lanes];
}

unsigned al_stream_ahead(const struct al_stream *s)
{
	return s->stages.lanes;
}

void al_stream_begin(struct al_stream *s, const uint64_t *words, size_t bytes,
		     size_t end)
{
	struct al_piece *p = piece_of(s, s->stages.begun);

	p->lane = s->stages.begun % s->stages.lanes;
	p->base = (const uint32_t *)words;
	p->bytes = bytes;
	p->end = end;
	p->come_ns = s->track ? al_now_ns() : 0;
	al_stream_lock(s);
	p->broken = s->log_error;
	al_stream_unlock(s);
	al_stages_begin(&s->stages);
}

void al_stream_loads(struct al_stream *s)
{
	s->stages.loads = true;
}

void al_stream_begin_load(struct al_stream *s, const uint64_t *words,
			  size_t bytes, al_load_fn *load, void *arg)
{
	struct al_piece *p = piece_of(s, s->stages.begun);

	p->load = load;
	p->load_arg = arg;
	al_stream_begin(s, words, bytes, 0);
}

bool al_stream_next(struct al_stream *s, struct al_job *job, unsigned worker)
{
	return al_stages_next(&s->stages, job, worker);
}

unsigned al_stream_ready(const struct al_stream *s)
{
	return al_stages_ready(&s->stages);
}

int al_stream_error(const struct al_stream *s)
{
	return s->error;
}

unsigned al_stream_parts(const struct al_stream *s)
{
	return s->stages.parts;
}

/* ---- recovery ---- */

static void do_load(struct al_piece *p)
{
	if (!p->broken)
		p->broken = p->load(p->load_arg);
}

/* Return an idle recoverer, or a new one; NULL when memory is short. */
static struct al_recoverer *pop_recoverer(struct al_stream *s)
{
	struct al_recoverer *r;
	struct al_worker *w;

	al_stream_lock(s);
	r = s->idle;
	if (r != NULL)
		s->idle = r->next;
	al_stream_unlock(s);
	if (r != NULL)
		return r;
	w = calloc(1, sizeof(*w));
	if (w == NULL)
		return NULL;
	w->recoverer.recovery = &s->recovery;
	al_stream_lock(s);
	w->next = s->workers;
	s->workers = w;
	al_stream_unlock(s);
	return &w->recoverer;
}

/* Make a recoverer idle. Publish its counts if an update is due. */
static void push_recoverer(struct al_stream *s, struct al_recoverer *r)
{
	uint64_t start = al_now_ns(), pause;
	struct al_worker *w = (struct al_worker *)r;
	struct al_counts c = {0};
	bool count = start >= w->count_at_ns;

	if (count) {
		al_counts_met(&c, r);
		pause = COUNTS_SHARE * (al_now_ns() - start);
		w->count_at_ns =
			start +
			(pause > COUNTS_EVERY_NS ? pause : COUNTS_EVERY_NS);
	}
	al_stream_lock(s);
	if (count)
		w->counts = c;
	r->next = s->idle;
	s->idle = r;
	al_stream_unlock(s);
}

/* Lend a piece the copy that was used last, which is likely still in the
   processor's cache. */
static void lend_copy(struct al_stream *s, struct al_piece *p)
{
	al_stream_lock(s);
	p->copy = s->copies;
	if (p->copy != NULL)
		s->copies = p->copy->next;
	al_stream_unlock(s);
}

static void return_copy(struct al_stream *s, struct al_piece *p)
{
	if (p->copy == NULL)
		return;
	al_stream_lock(s);
	p->copy->next = s->copies;
	s->copies = p->copy;
	al_stream_unlock(s);
	p->copy = NULL;
}

/* Recover a piece. @copies: read its units from a copy of the chunk. Return: 0;
   -errno. */
static int recover(struct al_recoverer *r, struct al_piece *p, bool copies)
{
	uint64_t committed = p->end ? p->end : pt_slot(p->base + 2);
	struct al_cursor c = {NULL, PT_CHUNK_HEAD / 4, committed / 4};
	int err = al_piece_start(p);

	if (err || p->broken)
		return p->broken ? p->broken : err;
	/* An execution may read one slot more than it has. */
	if (pt_half(p->base) != pt_control_header(PT_CHUNK, PT_CHUNK_HEAD) ||
	    committed % 4 != 0 || committed < PT_CHUNK_HEAD ||
	    committed > p->bytes - 8)
		return -EPROTO;
	if (copies)
		err = al_piece_copy(p, committed);
	if (err)
		return err;
	c.base = p->base;
	err = al_recover(r, &c, p);
	p->taken = c.at * 4;
	return err;
}

static void do_recover(struct al_stream *s, struct al_piece *p)
{
	struct al_recoverer *r = pop_recoverer(s);

	if (r == NULL) {
		al_piece_start(p);
		p->broken = -ENOMEM;
		return;
	}
	if (s->track != NULL)
		lend_copy(s, p);
	p->broken = recover(r, p, s->track != NULL);
	if (s->track != NULL && al_tally(r, p) != 0)
		p->broken = -ENOMEM;
	push_recoverer(s, r);
}

/* ---- preparation ---- */

static int append_children(struct al_stream *s, const struct al_piece *p)
{
	size_t n = s->n_children + p->n_children;
	void *child;

	if (p->n_children == 0)
		return 0;
	if (n > AL_MOST_CHILDREN)
		return -AL_E_CHILDREN;
	child = realloc(s->child, n * sizeof(*s->child));
	if (child == NULL)
		return -ENOMEM;
	s->child = child;
	memcpy(s->child + s->n_children, p->child,
	       p->n_children * sizeof(*p->child));
	s->n_children = n;
	return 0;
}

/* Store the piece's executions in the history, then add the warm-up of view 0.
   View 0 comes before the piece's new blocks are listed, because its warm-up
   adds blocks to the stream's. Return: 0; -ENOMEM. */
static int warm_up(struct al_stream *s, const struct al_piece *p)
{
	int err = al_past_take(s->past, p);

	return err ? err : al_view_warm(s->view[0], p, s->past);
}

/* Process what a piece has besides executions: children, warm-ups, marks and
   new blocks. After a contradiction later pieces are emptied. */
static void register_piece(struct al_stream *s, struct al_piece *p)
{
	if (s->broken) {
		al_recovery_undo(&s->recovery, p);
		p->taken = 0;
	}
	if (!s->broken)
		s->broken = p->broken;
	if (!s->broken)
		s->broken = append_children(s, p);
	if (!s->broken && s->past)
		s->broken = warm_up(s, p);
	if (p->n_execs > 0)
		s->last = p->exec[p->n_execs - 1];
	al_stream_lock(s);
	for (size_t i = 0; i < p->n_marks; i++) {
		s->published.threads += p->mark[i].kind == PT_THREAD_START;
		s->published.signals += p->mark[i].kind == PT_SIGNAL;
		if (p->mark[i].kind == PT_WINDOW_OPEN)
			s->window[p->mark[i].id].openings++;
	}
	s->published.unit_bytes += p->taken;
	p->n_blocks = al_executed_take(&s->recovery.executed, &p->block);
	al_stream_unlock(s);
}

static enum an_course do_prepare(struct al_stream *s, struct al_piece *p)
{
	enum an_course strictest = AN_ON;

	register_piece(s, p);
	for (unsigned i = 0; i < s->n_views; i++) {
		int err = al_view_take(s->view[i], p, s->past);
		enum an_course course = al_view_prepare(s->view[i], p->lane);

		if (!s->broken)
			s->broken = err;
		if (course > strictest)
			strictest = course;
		if (al_view_is_warm(s->view[i], p->lane) && s->stages.parts > 1)
			strictest = AN_WHOLE;
	}
	if (s->past)
		al_past_forget(s->past);
	for (unsigned i = 0; i < s->n_views; i++)
		al_view_set_whole(s->view[i], p->lane, strictest == AN_WHOLE);
	return strictest;
}

/* ---- storing in a profile ---- */

static void do_store(struct al_stream *s, struct al_piece *p)
{
	struct al_recoverer *r = pop_recoverer(s);
	int err;

	if (r != NULL && r->touch == NULL)
		r->touch = al_touch_new(r->recovery);
	err = al_track_pack(s->track, r ? r->touch : NULL, p, &p->packing);
	if (r != NULL)
		push_recoverer(s, r);
	if (!err)
		return;
	al_stream_lock(s);
	s->store_error = err;
	al_stream_unlock(s);
}

static void write_block(struct al_stream *s, struct al_piece *p)
{
	al_track_put(s->track, p, p->packing);
	p->packing = NULL;
}

/* ---- analysis ---- */

static void do_spread(struct al_stream *s, struct al_piece *p)
{
	for (unsigned i = 0; i < s->n_views; i++)
		al_view_spread(s->view[i], p->lane);
}

static void do_part(struct al_stream *s, struct al_piece *p, unsigned part)
{
	for (unsigned i = 0; i < s->n_views; i++)
		al_view_part(s->view[i], p->lane, part);
}

static void do_join(struct al_stream *s, struct al_piece *p)
{
	if (s->track != NULL)
		write_block(s, p);
	for (unsigned i = 0; i < s->n_views; i++)
		al_view_join(s->view[i], p->lane);
}

static void do_tail(struct al_stream *s, struct al_piece *p)
{
	for (unsigned i = 0; i < s->n_views; i++)
		al_view_tail(s->view[i], p->lane);
}

static void do_one(struct al_stream *s, struct al_job *job, uint64_t number)
{
	struct al_piece *p = piece_of(s, number);

	switch (job->stage) {
	case AL_LOAD:
		do_load(p);
		break;
	case AL_RECOVER:
		do_recover(s, p);
		break;
	case AL_PREPARE:
		job->course = do_prepare(s, p);
		break;
	case AL_STORE:
		do_store(s, p);
		break;
	case AL_SPREAD:
		do_spread(s, p);
		break;
	case AL_PART:
		do_part(s, p, job->part);
		break;
	case AL_JOIN:
		do_join(s, p);
		break;
	case AL_TAIL:
		do_tail(s, p);
		break;
	case AL_STAGES:
		break;
	}
}

void al_stream_do(struct al_stream *s, struct al_job *job)
{
	uint64_t ns = al_now_ns();

	for (uint64_t n = job->piece; n < job->end; n++)
		do_one(s, job, n);
	ns = al_now_ns() - ns;
	al_stream_lock(s);
	s->published.stage_ns[job->stage] += ns;
	if (job->stage == AL_RECOVER)
		s->published.recovery_ns += ns;
	else if (job->stage != AL_LOAD && job->stage != AL_STORE)
		s->published.analysis_ns += ns;
	al_stream_unlock(s);
}

static int store_error(struct al_stream *s)
{
	int err;

	al_stream_lock(s);
	err = s->store_error;
	al_stream_unlock(s);
	return err;
}

bool al_stream_done(struct al_stream *s, const struct al_job *job)
{
	if (job->stage == AL_PREPARE && !s->error)
		s->error = s->broken;
	if (job->stage == AL_STORE && !s->error)
		s->error = store_error(s);
	if (!al_stages_done(&s->stages, job))
		return false;
	return_copy(s, piece_of(s, job->piece));
	return true;
}

int al_stream_chunk(struct al_stream *s, const uint64_t *words, size_t bytes,
		    size_t end)
{
	struct al_job job;

	al_stream_begin(s, words, bytes, end);
	while (al_stream_next(s, &job, 1)) {
		al_stream_do(s, &job);
		al_stream_done(s, &job);
	}
	return s->error;
}

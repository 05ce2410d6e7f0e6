/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * thread_position.c - tracks the position of each thread, for branches
 *
 * A cursor that seeks or skips chunks does not know the last instruction of the
 * threads that run in the next chunk. The mask of threads in the heads shows in
 * which chunk each ran last; that chunk is decoded only to recall
 * positions.
 * Threads from 64 on share a bit of the mask: for them, all skipped chunks are
 * decoded.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "liballeria/cursor/cursor.h"

enum { MAX_THREADS = 1 << 20 };

/* The bit of a mask that threads from 64 on share. */
#define SHARED (1ull << 63)

/* ---- positions ---- */

static int grow_trails(struct ap_trails *t, uint32_t n)
{
	void *bigger = reallocarray(t->of, n, sizeof(*t->of));

	if (!bigger)
		return -ENOMEM;
	t->of = bigger;
	memset(t->of + t->n, 0, (n - t->n) * sizeof(*t->of));
	t->n = n;
	return 0;
}

int ap_trail_of(struct alleria_cursor *c, uint32_t thread,
		struct ap_trail **out)
{
	struct ap_trails *t = &c->trails;
	int err = 0;

	if (thread > MAX_THREADS)
		return -EPROTO;
	if (thread >= t->n)
		err = grow_trails(t, thread + 16);
	if (err)
		return err;
	*out = t->recalled && !(t->recalled & pf_thread_bit(thread))
		       ? &t->other
		       : &t->of[thread];
	return 0;
}

int ap_trail_start(struct alleria_cursor *c, uint32_t thread)
{
	struct ap_trail *t;
	int err = ap_trail_of(c, thread, &t);

	if (!err)
		*t = (struct ap_trail){.fresh = true};
	return err;
}

int ap_trail_signal(struct alleria_cursor *c, uint32_t thread)
{
	struct ap_trail *t;
	int err = ap_trail_of(c, thread, &t);

	if (!err)
		t->handler = true;
	return err;
}

static void forget(struct ap_trails *t, uint64_t threads)
{
	for (uint32_t i = 1; i < t->n; i++)
		if (threads & pf_thread_bit(i))
			t->of[i] = (struct ap_trail){0};
}

void ap_trail_forget(struct alleria_cursor *c)
{
	forget(&c->trails, UINT64_MAX);
	c->trails.unread = 0;
}

void ap_trail_forget_some(struct alleria_cursor *c, const struct pf_head *h)
{
	forget(&c->trails, h->threads);
	c->trails.unread &= ~h->threads | SHARED;
}

static bool is_known(const struct ap_trail *t)
{
	return t->block || t->fresh;
}

/* Any thread may have run in the skipped chunks. Known positions of threads
   outside @h->threads stay valid; all others become unread. */
void ap_trail_pass_over(struct alleria_cursor *c, const struct pf_head *h)
{
	struct ap_trails *t = &c->trails;

	if (!h)
		t->shared_to = 0;
	else if (!(t->unread & SHARED))
		t->shared_to = c->chunk;
	forget(t, h ? h->threads & ~SHARED : UINT64_MAX);
	t->unread = UINT64_MAX;
	for (uint32_t i = 1; i < t->n && i < 64; i++)
		if (is_known(&t->of[i]))
			t->unread &= ~pf_thread_bit(i);
}

void ap_trail_release(struct alleria_cursor *c)
{
	free(c->trails.of);
}

/* ---- recall from skipped chunks ---- */

/* Set the positions of @threads to those at the end of a chunk, by decoding it.
   Return: as ap_walk_open(). */
static int read_chunk(struct alleria_cursor *c, uint32_t chunk,
		      uint64_t threads)
{
	int err;

	c->trails.recalled = threads;
	err = ap_walk_open(c, chunk);
	while (!err && c->at < c->end)
		err = ap_units(c);
	c->trails.recalled = 0;
	c->at = c->end;
	if (err)
		forget(&c->trails, threads);
	return err;
}

/* Return the first chunk from which no chunk is missing up to the cursor's next
   one. */
static uint32_t first_in_row(const struct alleria_cursor *c)
{
	uint32_t i = c->chunk;

	while (i > 0 && ap_chunk(c->stream, i - 1)->position + 1 ==
				ap_chunk(c->stream, i)->position)
		i--;
	return i;
}

/* Mark @threads as started: they ran in no chunk before the next one. */
static int start_threads(struct alleria_cursor *c, uint64_t threads)
{
	int err = 0;

	for (uint32_t i = 1; !err && i < 64; i++)
		if (threads & pf_thread_bit(i))
			err = ap_trail_start(c, i);
	return err;
}

/* Return those of @threads whose positions are known now. A thread
   may have run in a chunk only to receive a signal: such threads are added to
   @handlers, and the signal is stored with the position found in an earlier
   chunk. */
static uint64_t recalled_threads(struct ap_trails *t, uint64_t threads,
				 uint64_t *handlers)
{
	uint64_t found = 0;

	for (uint32_t i = 1; i < t->n && i < 64; i++) {
		struct ap_trail *of = &t->of[i];
		uint64_t bit = threads & pf_thread_bit(i);

		if (bit && of->handler)
			*handlers |= bit;
		of->handler |= (*handlers & bit) != 0;
		if (is_known(of))
			found |= bit;
	}
	return found;
}

/* Decode skipped chunks backwards to chunk @first until the positions of all
   @threads, numbered below 64, are known. */
static int go_back(struct alleria_cursor *c, uint32_t first, uint64_t threads)
{
	uint64_t handlers = 0;
	int err = 0;

	for (uint32_t i = c->chunk; !err && threads && i > first; i--) {
		uint64_t here = ap_chunk(c->stream, i - 1)->threads & threads;

		if (here)
			err = read_chunk(c, i - 1, here);
		threads &= ~recalled_threads(&c->trails, here, &handlers);
	}
	if (!err && first == 0 && ap_chunk(c->stream, 0)->position == 0)
		err = start_threads(c, threads);
	return err;
}

/* Decode all skipped chunks from @first on, for the threads from 64 on. */
static int read_for_shared(struct alleria_cursor *c, uint32_t first)
{
	uint32_t i = c->trails.shared_to;
	int err = 0;

	if (i < first) {
		forget(&c->trails, SHARED);
		i = first;
	}
	for (; !err && i < c->chunk; i++)
		err = read_chunk(c, i, SHARED);
	return err;
}

static int recall_threads(struct alleria_cursor *c, uint64_t threads)
{
	uint32_t first = first_in_row(c);
	int err = threads & SHARED ? read_for_shared(c, first) : 0;

	return err ? err : go_back(c, first, threads & ~SHARED);
}

/* Recall the positions of @threads, and restore the cursor's own position. */
static int recall_and_return(struct alleria_cursor *c, uint64_t threads)
{
	const struct alleria_cursor was = *c;
	int err;

	c->want = 1u << ALLERIA_BRANCHES;
	c->inside = false;
	c->bounds = (struct ap_bounds){.access_from = UINT64_MAX,
				       .access_to = UINT64_MAX,
				       .instruction_from = UINT64_MAX,
				       .instruction_to = UINT64_MAX};
	err = recall_threads(c, threads);
	c->want = was.want;
	c->inside = was.inside;
	c->bounds = was.bounds;
	c->head = was.head;
	c->instruction = was.instruction;
	c->access = was.access;
	c->thread = was.thread;
	return err;
}

int ap_trail_recall(struct alleria_cursor *c)
{
	const struct pf_head *h = ap_chunk(c->stream, c->chunk);
	uint64_t threads = c->trails.unread & h->threads;
	int err;

	if (c->filter.threads)
		threads &= c->filter.threads;
	if (!threads || !ap_wants(c, ALLERIA_BRANCHES))
		return 0;
	c->trails.unread &= ~threads;
	err = recall_and_return(c, threads);
	/* After damage the positions stay unknown, which is no error. */
	return err == -EBADMSG || err == -EPROTO ? 0 : err;
}

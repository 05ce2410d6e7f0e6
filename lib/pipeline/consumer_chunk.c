/* SPDX-License-Identifier: GPL-2.0-or-later */
/* consumer_chunk.c - what the analyses of a view get of a piece; see
   consumer_chunk.h */

#include "lib/pipeline/consumer_chunk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/recover/recovered_chunk.h"

void al_share_all(struct al_share *s, const struct al_piece *p)
{
	s->base = p->base;
	s->lane = p->lane;
	s->block = p->block;
	s->n_blocks = p->n_blocks;
	s->exec = p->exec;
	s->n_execs = p->n_execs;
	s->mark = p->mark;
	s->n_marks = p->n_marks;
	s->done = (struct al_share_at){0};
	s->marks_done = 0;
}

void al_share_none(struct al_share *s)
{
	s->n_blocks = 0;
	s->n_execs = s->n_marks = 0;
	al_share_cool(s);
}

/* Room for all of the piece; what is there need not stay. */
static int make_room(struct al_share *s, const struct al_piece *p)
{
	if (p->n_execs > s->execs_size) {
		free(s->own_exec);
		s->own_exec = malloc(p->execs_size * sizeof(*s->own_exec));
		s->execs_size = s->own_exec ? p->execs_size : 0;
	}
	if (p->n_marks > s->marks_size) {
		free(s->own_mark);
		s->own_mark = malloc(p->marks_size * sizeof(*s->own_mark));
		s->marks_size = s->own_mark ? p->marks_size : 0;
	}
	return p->n_execs > s->execs_size || p->n_marks > s->marks_size
		       ? -ENOMEM
		       : 0;
}

/* Marks up to @end go before execution @before of the share. */
static void take_marks(struct al_share *s, const struct al_piece *p, size_t end,
		       size_t before)
{
	while (s->n_marks < p->n_marks && p->mark[s->n_marks].before <= end) {
		s->own_mark[s->n_marks] = p->mark[s->n_marks];
		s->own_mark[s->n_marks++].before = (uint32_t)before;
	}
}

int al_share_some(struct al_share *s, const struct al_piece *p,
		  const uint32_t *own)
{
	size_t n = 0;

	if (make_room(s, p) != 0)
		return -ENOMEM;
	al_share_all(s, p);
	s->exec = s->own_exec;
	s->mark = s->own_mark;
	s->n_marks = 0;
	for (size_t i = 0; i < p->n_execs; i++) {
		uint32_t number = own[p->exec[i].block];

		take_marks(s, p, i, n);
		s->own_exec[n] = (struct an_exec){number - 1, p->exec[i].where};
		n += number != 0;
	}
	take_marks(s, p, p->n_execs, n);
	s->n_execs = n;
	return 0;
}

/* ---- warm batches ---- */

static void free_stretch(struct al_stretch *t)
{
	if (t != NULL)
		free(t->words);
	free(t);
}

static int add_stretch(struct al_share *s, size_t before)
{
	size_t size = s->warm_size ? 2 * s->warm_size : 16;
	struct al_stretch *t;

	if (s->n_warm == s->warm_size) {
		void *p = realloc(s->warm, size * sizeof(struct al_stretch *));

		if (p == NULL)
			return -ENOMEM;
		s->warm = p;
		s->warm_size = size;
	}
	t = malloc(sizeof(*t));
	if (t == NULL)
		return -ENOMEM;
	t->before = before;
	t->n = t->n_words = t->words_size = 0;
	t->words = NULL;
	s->warm[s->n_warm++] = t;
	return 0;
}

/* An execution may read one slot more than it has. */
static int add_slots(struct al_stretch *t, const uint32_t *slots, size_t n)
{
	size_t size = t->words_size ? t->words_size : 4096;
	void *p;

	while (size < t->n_words + n + 2)
		size *= 2;
	if (size > t->words_size) {
		p = realloc(t->words, size * sizeof(*t->words));
		if (p == NULL)
			return -ENOMEM;
		t->words = p;
		t->words_size = size;
	}
	memcpy(t->words + t->n_words, slots, n * sizeof(*slots));
	t->n_words += n;
	memset(t->words + t->n_words, 0, 2 * sizeof(*slots));
	return 0;
}

int al_share_warm(struct al_share *s, size_t before, uint32_t block,
		  const uint32_t *slots, size_t n)
{
	struct al_stretch *t = s->n_warm ? s->warm[s->n_warm - 1] : NULL;

	if (t == NULL || t->before != before || t->n == AN_BATCH) {
		if (add_stretch(s, before) != 0)
			return -ENOMEM;
		t = s->warm[s->n_warm - 1];
	}
	t->exec[t->n] = an_exec(block, 0, (uint32_t)t->n_words);
	if (add_slots(t, slots, n) != 0)
		return -ENOMEM;
	t->n++;
	return 0;
}

void al_share_cool(struct al_share *s)
{
	for (size_t i = 0; i < s->n_warm; i++)
		free_stretch(s->warm[i]);
	s->n_warm = 0;
}

/* ---- all batches ---- */

struct an_batch al_share_whole(const struct al_share *s)
{
	return (struct an_batch){
		.exec = s->exec,
		.n_execs = s->n_execs,
		.base = s->base,
		.lane = s->lane,
	};
}

static void give_warm(const struct al_share *s, const struct al_stretch *t,
		      struct an_batch *batch)
{
	*batch = (struct an_batch){
		.exec = t->exec,
		.n_execs = t->n,
		.base = t->words,
		.lane = s->lane,
		.warm = true,
	};
}

bool al_share_next(const struct al_share *s, struct al_share_at *at,
		   struct an_batch *batch)
{
	const struct al_stretch *t =
		at->warm < s->n_warm ? s->warm[at->warm] : NULL;
	size_t end = t ? t->before : s->n_execs, left = end - at->execs;

	if (t && left == 0) {
		give_warm(s, t, batch);
		at->warm++;
		return true;
	}
	*batch = al_share_whole(s);
	batch->exec += at->execs;
	batch->first = at->execs;
	batch->n_execs = left < AN_BATCH ? left : AN_BATCH;
	at->execs += batch->n_execs;
	return batch->n_execs > 0;
}

bool al_share_batch(struct al_share *s, struct an_batch *batch)
{
	size_t start = s->done.execs, left = s->n_execs - start;
	size_t m = s->marks_done, n;

	if (left == 0 && m == s->n_marks && s->done.warm == s->n_warm)
		return false;
	al_share_next(s, &s->done, batch);
	if (batch->warm)
		return true;
	n = batch->n_execs;
	/* Marks behind the last execution have no other batch to go to. */
	while (m < s->n_marks && (n == left || s->mark[m].before < start + n))
		s->mark[m++].before -= (uint32_t)start;
	batch->mark = s->mark ? s->mark + s->marks_done : NULL;
	batch->n_marks = m - s->marks_done;
	s->marks_done = m;
	return true;
}

void al_share_release(struct al_share *s)
{
	al_share_cool(s);
	free(s->warm);
	free(s->own_exec);
	free(s->own_mark);
	*s = (struct al_share){0};
}

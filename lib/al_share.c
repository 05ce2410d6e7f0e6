/* SPDX-License-Identifier: GPL-2.0-or-later */
/* al_share.c - what the analyses of a view get of a piece; see al_share.h */

#include "lib/al_share.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/al_piece.h"

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
	s->execs_done = s->marks_done = 0;
}

void al_share_none(struct al_share *s)
{
	s->n_blocks = 0;
	s->n_execs = s->n_marks = 0;
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

struct an_batch al_share_whole(const struct al_share *s)
{
	return (struct an_batch){
		.exec = s->exec,
		.n_execs = s->n_execs,
		.base = s->base,
		.lane = s->lane,
	};
}

bool al_share_next(const struct al_share *s, size_t *at, struct an_batch *batch)
{
	size_t left = s->n_execs - *at;

	*batch = al_share_whole(s);
	batch->exec += *at;
	batch->first = *at;
	batch->n_execs = left < AN_BATCH ? left : AN_BATCH;
	*at += batch->n_execs;
	return batch->n_execs > 0;
}

bool al_share_batch(struct al_share *s, struct an_batch *batch)
{
	size_t start = s->execs_done, left = s->n_execs - start;
	size_t m = s->marks_done, n;

	if (left == 0 && m == s->n_marks)
		return false;
	al_share_next(s, &s->execs_done, batch);
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
	free(s->own_exec);
	free(s->own_mark);
	*s = (struct al_share){0};
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* al_piece.c - a recovered chunk; see al_piece.h */

#include "lib/al_piece.h"

#include <errno.h>
#include <stdlib.h>

/* Pages that no execution reaches are never touched, so the worst case costs
   address space only. */
static int make_room(struct al_piece *p, size_t execs)
{
	struct an_exec *exec;

	if (execs <= p->execs_size)
		return 0;
	exec = malloc(execs * sizeof(*exec));
	if (exec == NULL)
		return -ENOMEM;
	free(p->exec);
	p->exec = exec;
	p->execs_size = execs;
	return 0;
}

int al_piece_start(struct al_piece *p)
{
	al_piece_empty(p);
	p->taken = 0;
	return make_room(p, p->bytes / 4);
}

void al_piece_empty(struct al_piece *p)
{
	p->n_execs = p->execs_done = 0;
	p->n_marks = p->marks_done = 0;
	p->n_children = 0;
	p->n_cuts = 0;
}

int al_piece_mark(struct al_piece *p, unsigned kind, uint32_t id)
{
	if (p->n_marks == p->marks_size) {
		size_t size = p->marks_size ? p->marks_size * 2 : 64;
		void *mark = realloc(p->mark, size * sizeof(*p->mark));

		if (mark == NULL)
			return -ENOMEM;
		p->mark = mark;
		p->marks_size = size;
	}
	p->mark[p->n_marks++] =
		(struct an_mark){(uint32_t)p->n_execs, kind, id};
	return 0;
}

int al_piece_child(struct al_piece *p, uint32_t pid, uint32_t status)
{
	if (p->n_children == p->children_size) {
		size_t size = p->children_size ? p->children_size * 2 : 8;
		void *child = realloc(p->child, size * sizeof(*p->child));

		if (child == NULL)
			return -ENOMEM;
		p->child = child;
		p->children_size = size;
	}
	p->child[p->n_children++] = (struct al_child_exit){pid, status};
	return 0;
}

struct an_batch al_piece_whole(const struct al_piece *p)
{
	return (struct an_batch){
		.exec = p->exec,
		.n_execs = p->n_execs,
		.base = p->base,
		.lane = p->lane,
	};
}

bool al_piece_next(const struct al_piece *p, size_t *at, struct an_batch *batch)
{
	size_t left = p->n_execs - *at;

	*batch = al_piece_whole(p);
	batch->exec += *at;
	batch->first = *at;
	batch->n_execs = left < AN_BATCH ? left : AN_BATCH;
	*at += batch->n_execs;
	return batch->n_execs > 0;
}

bool al_piece_batch(struct al_piece *p, struct an_batch *batch)
{
	size_t start = p->execs_done, left = p->n_execs - start;
	size_t m = p->marks_done, n;

	if (left == 0 && m == p->n_marks)
		return false;
	al_piece_next(p, &p->execs_done, batch);
	n = batch->n_execs;
	/* Marks behind the last execution have no other batch to go to. */
	while (m < p->n_marks && (n == left || p->mark[m].before < start + n))
		p->mark[m++].before -= (uint32_t)start;
	batch->mark = p->mark ? p->mark + p->marks_done : NULL;
	batch->n_marks = m - p->marks_done;
	p->marks_done = m;
	return true;
}

void al_piece_release(struct al_piece *p)
{
	free(p->exec);
	free(p->far);
	free(p->mark);
	free(p->child);
	*p = (struct al_piece){0};
}

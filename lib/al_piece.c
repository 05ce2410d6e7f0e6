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

int al_piece_start(struct al_piece *p, const uint32_t *base, size_t bytes)
{
	p->base = base;
	p->block = NULL;
	p->last_block = &p->block;
	p->n_execs = p->execs_done = 0;
	p->n_marks = p->marks_done = 0;
	return make_room(p, bytes / 4);
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

/* Executions from @*start on. */
static struct an_batch next_execs(const struct al_piece *p, size_t *start)
{
	size_t left = p->n_execs - *start;
	struct an_batch b = {
		.exec = p->exec + *start,
		.n_execs = left < AN_BATCH ? left : AN_BATCH,
		.base = p->base,
		.lane = p->lane,
	};

	*start += b.n_execs;
	return b;
}

bool al_piece_prepare(struct al_piece *p, struct an_batch *batch)
{
	*batch = next_execs(p, &p->execs_prepared);
	return batch->n_execs > 0;
}

bool al_piece_batch(struct al_piece *p, struct an_batch *batch)
{
	size_t start = p->execs_done, left = p->n_execs - start;
	size_t m = p->marks_done, n;

	if (left == 0 && m == p->n_marks)
		return false;
	*batch = next_execs(p, &p->execs_done);
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
	free(p->mark);
	*p = (struct al_piece){0};
}

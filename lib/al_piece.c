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
	p->n_execs = 0;
	p->n_marks = 0;
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

void al_piece_release(struct al_piece *p)
{
	free(p->exec);
	free(p->far);
	free(p->mark);
	free(p->child);
	*p = (struct al_piece){0};
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* recovered_chunk.c - stores a recovered chunk; see recovered_chunk.h */

#include "lib/recover/recovered_chunk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Allocate room for @execs executions. Pages that no execution is written to
   stay unmapped, so the worst case costs address space only. */
static int reserve_execs(struct al_piece *p, size_t execs)
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
	return reserve_execs(p, p->bytes / 4);
}

void al_piece_empty(struct al_piece *p)
{
	p->n_execs = 0;
	p->n_marks = 0;
	p->n_children = 0;
	p->n_warm = p->n_takings = 0;
	p->n_cuts = 0;
}

int al_piece_copy(struct al_piece *p, size_t bytes)
{
	size_t size = bytes + 8;
	struct al_copy *copy = p->copy;

	if (copy == NULL || copy->size < size) {
		copy = malloc(sizeof(*copy) + size);
		if (copy == NULL)
			return -ENOMEM;
		copy->size = size;
		free(p->copy);
		p->copy = copy;
	}
	memcpy(copy->words, p->base, bytes);
	memset((char *)copy->words + bytes, 0, 8);
	p->base = (const uint32_t *)copy->words;
	return 0;
}

/* Enlarge *@array, which has room for *@size items of @item bytes, if @n fill
   it. */
static int grow(void *array, size_t n, size_t *size, size_t item)
{
	size_t bigger = *size ? *size * 2 : 64;
	void **old = array, *new;

	if (n < *size)
		return 0;
	new = realloc(*old, bigger * item);
	if (new == NULL)
		return -ENOMEM;
	*old = new;
	*size = bigger;
	return 0;
}

int al_piece_mark(struct al_piece *p, unsigned kind, uint32_t id)
{
	int err = grow(&p->mark, p->n_marks, &p->marks_size, sizeof(*p->mark));

	if (!err)
		p->mark[p->n_marks++] =
			(struct an_mark){(uint32_t)p->n_execs, kind, id};
	return err;
}

int al_piece_child(struct al_piece *p, uint32_t pid, uint32_t status)
{
	int err = grow(&p->child, p->n_children, &p->children_size,
		       sizeof(*p->child));

	if (!err)
		p->child[p->n_children++] = (struct al_child_exit){pid, status};
	return err;
}

int al_piece_warm(struct al_piece *p, const struct al_warm *warm)
{
	int err = grow(&p->warm, p->n_warm, &p->warm_size, sizeof(*p->warm));

	if (!err)
		p->warm[p->n_warm++] = *warm;
	return err;
}

int al_piece_taking(struct al_piece *p, uint32_t window, uint64_t far)
{
	int err = grow(&p->taking, p->n_takings, &p->takings_size,
		       sizeof(*p->taking));

	if (!err)
		p->taking[p->n_takings++] =
			(struct al_taking){(uint32_t)p->n_execs, window, far};
	return err;
}

void al_piece_release(struct al_piece *p)
{
	free(p->copy);
	free(p->exec);
	free(p->far);
	free(p->mark);
	free(p->child);
	free(p->warm);
	free(p->taking);
	*p = (struct al_piece){0};
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* arena.c - memory for many small things; see arena.h */

#include "analyzers/arena.h"

#include <stdlib.h>

enum {
	LINE = 64,	  /* [bytes] of a cache, at least; pieces are aligned */
	PIECE = 64 << 10, /* [bytes] */
};

struct an_arena_piece {
	struct an_arena_piece *next;
};

/* Begins a piece that has room for @bytes. */
static int grow(struct an_arena *a, size_t bytes)
{
	size_t size = (LINE + bytes + PIECE - 1) / PIECE * PIECE;
	struct an_arena_piece *p = aligned_alloc(LINE, size);

	if (p == NULL)
		return -1;
	p->next = a->piece;
	a->piece = p;
	a->used = sizeof(*p);
	a->size = size;
	return 0;
}

void *an_arena_take(struct an_arena *a, size_t bytes)
{
	void *taken;

	bytes = (bytes + 7) / 8 * 8;
	if (a->size - a->used < bytes && grow(a, bytes) != 0)
		return NULL;
	taken = (char *)a->piece + a->used;
	a->used += bytes;
	return taken;
}

void an_arena_release(struct an_arena *a)
{
	while (a->piece != NULL) {
		struct an_arena_piece *next = a->piece->next;

		free(a->piece);
		a->piece = next;
	}
	*a = (struct an_arena){0};
}

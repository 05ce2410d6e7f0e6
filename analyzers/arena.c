/* SPDX-License-Identifier: GPL-2.0-or-later */
/* arena.c - allocates many small objects; see arena.h */

#include "analyzers/arena.h"

#include <stdlib.h>

enum {
	LINE = 64,	  /* [bytes] alignment and header size of a piece */
	PIECE = 64 << 10, /* [bytes] */
};

struct an_arena_piece {
	struct an_arena_piece *next;
};

/* Add a piece with room for @bytes. Return: 0 or -1. */
static int add_piece(struct an_arena *a, size_t bytes)
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

void *an_arena_alloc(struct an_arena *a, size_t bytes)
{
	void *memory;

	bytes = (bytes + 7) / 8 * 8;
	if (a->size - a->used < bytes && add_piece(a, bytes) != 0)
		return NULL;
	memory = (char *)a->piece + a->used;
	a->used += bytes;
	return memory;
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

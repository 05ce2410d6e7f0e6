/* SPDX-License-Identifier: GPL-2.0-or-later */
/* arena.c - allocates many small objects; see arena.h */

#include "analyzers/arena.h"

#include <stdlib.h>

enum {
	HOST_LINE = 64,	      /* [bytes] alignment of a slab; its size includes
				 as many for its header */
	SLAB_UNIT = 64 << 10, /* [bytes] a slab's size is a multiple of this */
};

struct an_arena_slab {
	struct an_arena_slab *next;
};

/* Allocate a slab with space for at least @payload_bytes, and make it the first
   of the list, from which objects are allocated. Return: 0, or -1 if memory is
   short. */
static int allocate_and_prepend_slab(struct an_arena *a, size_t payload_bytes)
{
	size_t size = (HOST_LINE + payload_bytes + SLAB_UNIT - 1) / SLAB_UNIT *
		      SLAB_UNIT;
	struct an_arena_slab *p = aligned_alloc(HOST_LINE, size);

	if (p == NULL)
		return -1;
	p->next = a->slab;
	a->slab = p;
	a->used = sizeof(*p);
	a->size = size;
	return 0;
}

void *an_arena_alloc(struct an_arena *a, size_t bytes)
{
	void *memory;

	bytes = (bytes + 7) / 8 * 8;
	if (a->size - a->used < bytes &&
	    allocate_and_prepend_slab(a, bytes) != 0)
		return NULL;
	memory = (char *)a->slab + a->used;
	a->used += bytes;
	return memory;
}

void an_arena_free_all_and_reset(struct an_arena *a)
{
	while (a->slab != NULL) {
		struct an_arena_slab *next = a->slab->next;

		free(a->slab);
		a->slab = next;
	}
	*a = (struct an_arena){0};
}

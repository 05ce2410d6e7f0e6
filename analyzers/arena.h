/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * arena.h - allocates many small objects that are freed together
 *
 * Objects of one arena lie close together, and never share a line of the host's
 * cache with another arena's objects.
 */
#ifndef ANALYZERS_ARENA_H
#define ANALYZERS_ARENA_H

#include <stddef.h>

/* An arena that is all zeros is valid and empty. */
struct an_arena {
	struct an_arena_slab *slab; /* list of allocated slabs of memory,
					 newest first */
	size_t used;		    /* [bytes] used of the newest slab, with its
				       header */
	size_t size;
};

/* Return @bytes of uninitialised memory aligned to 8, valid until
   an_arena_free_all_and_reset(); NULL if memory is short. */
void *an_arena_alloc(struct an_arena *, size_t bytes);

void an_arena_free_all_and_reset(struct an_arena *);

#endif

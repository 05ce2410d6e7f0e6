/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * arena.h - memory for many small things that live equally long
 *
 * Things of one arena lie close together, and share no line of this machine's
 * cache with another arena's.
 */
#ifndef ANALYZERS_ARENA_H
#define ANALYZERS_ARENA_H

#include <stddef.h>

/* Zeroed: empty. */
struct an_arena {
	struct an_arena_piece *piece; /* the newest first */
	size_t used;		      /* of it [bytes] */
	size_t size;
};

/* @bytes aligned to 8, alive until release; NULL when memory is short. */
void *an_arena_take(struct an_arena *, size_t bytes);

void an_arena_release(struct an_arena *);

#endif

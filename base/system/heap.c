/* SPDX-License-Identifier: GPL-2.0-or-later */
/* heap.c - sets options of malloc(), and returns free memory to the system; see
   heap.h */

#include "base/system/heap.h"

#include <malloc.h>

enum {
	LARGE_BLOCK = 256 << 10 /* size from which malloc() maps a block by
				   itself [bytes] */
};

void al_heap_set_one_arena_and_mmap_limit(void)
{
	mallopt(M_ARENA_MAX, 1);
	mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK);
}

void al_heap_trim(void)
{
	malloc_trim(0);
}

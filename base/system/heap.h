/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * heap.h - where memory comes from
 *
 * Threads: before the others start, where nothing else is said.
 */
#ifndef BASE_SYSTEM_HEAP_H
#define BASE_SYSTEM_HEAP_H

/*
 * Memory comes from one heap: with one for each thread, what one of them has
 * freed is of no use to the others. The size from which blocks are mapped is
 * fixed, or the first large one that is freed raises it, and what many programs
 * at once needed is never given back.
 */
void al_heap_keep_together(void);

/* What is free goes back to the system, wherever in the heap it lies. Takes
   milliseconds, of a large heap tens, while nobody else can allocate. Context:
   any thread. */
void al_heap_give_back(void);

#endif

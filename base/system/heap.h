/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * heap.h - sets options of malloc(), and returns free memory to the system
 */
#ifndef BASE_SYSTEM_HEAP_H
#define BASE_SYSTEM_HEAP_H

/*
 * Use one heap for all threads. With a heap for each thread, memory freed by
 * one could not be used by the others. Also fix the size from which malloc()
 * maps blocks separately from the heap. Otherwise glibc raises it when the
 * first large block is freed, and large blocks are then not returned to the
 * system. Context: before other threads start.
 */
void al_heap_set_one_arena_and_mmap_limit(void);

/* Return the free pages of the heap to the system, also those in its middle.
   Takes milliseconds, tens of them for a large heap, during which no thread can
   allocate. Context: any thread. */
void al_heap_trim(void);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * elements.h - stores the elements that live: blocks of allocators that the
 * user names, and of pools that the program announces
 *
 * An element can lie in a heap block. A forked child records those that it
 * inherits. An operation takes O(log n) time for n elements, and for each one
 * that it removes, moves to another pool or writes.
 */
#ifndef VGTOOL_HEAP_ELEMENTS_H
#define VGTOOL_HEAP_ELEMENTS_H

#include "vgtool/core/prelude.h"

struct vt_element {
	Addr addr;
	SizeT bytes;
	UInt site;	 /* number of the element's site, or 0 */
	Bool is_of_pool; /* the element is of a pool, else a block of an
			    allocator */
	Addr pool;	 /* address that stands for the element's pool, or 0 */
	Addr wrapper;	 /* address of the block of malloc() that has the
			    element as its only content and is not recorded; can
			    equal the element's own address; 0: none */
};

/* Add a copy of @e. Remove the elements that begin in its addresses. */
void vt_elements_add_copy_remove_in_its_range(const struct vt_element *e);

Bool vt_elements_is_element_start(Addr addr);

/* Remove the element (a block of a pool or of an allocator that the user names)
   at @addr. Return: whether there was one; then *@removed is a copy of it. */
Bool vt_elements_remove(Addr addr, struct vt_element *removed);

/* Remove the elements that begin in [@start, @start + @size). */
void vt_elements_remove_blocks_in_range(Addr start, SizeT size);

/* Return the first element, by address, that begins at @addr or after it; NULL:
   none. Valid until the set changes. */
const struct vt_element *vt_elements_find_first_from(Addr addr);

/* Return the first element in the list of the elements of pool @pool, or the
   element after @e in the list of its pool. NULL: none. Valid until the element
   is removed. An element that is added becomes the first of its pool's list. */
const struct vt_element *vt_elements_find_newest_of_pool(Addr pool);
const struct vt_element *
vt_elements_find_next_of_pool(const struct vt_element *e);

/* Move all elements of pool @from_pool to pool @to_pool. */
void vt_elements_move_all_to_pool(Addr from_pool, Addr to_pool);

/* Write a PT_ELEMENT_BORN unit to the ring for each element (a block of a pool
   or of an allocator that the user names) that lives, by address. Waits for
   room in the ring. */
void vt_elements_write_all_births(void);

/* Fill in @word with the words of the PT_ELEMENT_BORN unit of @e. Return: their
   number. @array_element_bytes: [bytes] of each part if @e is an array, or
   0. */
UInt vt_elements_fill_birth_words(const struct vt_element *e,
				  SizeT array_element_bytes, ULong word[4]);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * allocators.h - finds the allocator functions of mapped object files
 *
 * Functions are found by their symbols, in any object: those of the malloc
 * family, with the prefixes of common allocators, and C++'s operators new and
 * delete. Several names at one address are one function.
 */
#ifndef VGTOOL_HEAP_ALLOCATORS_H
#define VGTOOL_HEAP_ALLOCATORS_H

#include <pub_tool_debuginfo.h>

#include "vgtool/core/prelude.h"

enum vt_allocator_kind {
	VT_ALLOCATES,	    /* returns a new block of `size` bytes */
	VT_ALLOCATES_ARRAY, /* returns a new block of `count` elements of `size`
			       bytes */
	VT_ALLOCATES_OUT, /* returns 0 and stores the new block's address where
			     argument `pointer` points to */
	VT_RESIZES,	  /* returns the block at `pointer`, perhaps moved,
			     with the new size `size` */
	VT_RESIZES_ARRAY, /* returns the block at `pointer`, perhaps moved,
			     with `count` elements of `size` bytes */
	VT_FREES,	  /* frees the block at `pointer` */
};

/* An allocator function, and the indexes of its arguments, from 0. */
struct vt_allocator {
	const HChar *name;
	UChar kind;    /* enum vt_allocator_kind */
	UChar pointer; /* argument with a block's address */
	UChar size;    /* argument with the size [bytes], or of an element */
	UChar count;   /* argument with the number of elements */
};

/* Add the allocator functions of an object that was mapped. */
void vt_allocators_add_from_object(const DebugInfo *);

/* Remove the functions that begin in [@start, @start + @size), which was
   unmapped. */
void vt_allocators_remove_in_range(Addr start, SizeT size);

/* Return the number of functions that begin in [@start, @start + @size). */
UInt vt_allocators_count_in_range(Addr start, SizeT size);

/* Return the allocator function whose first instruction is at @pc; NULL if
   there is none. */
const struct vt_allocator *vt_allocators_find_by_entry(Addr pc);

#endif

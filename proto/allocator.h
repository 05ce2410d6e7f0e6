/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * allocator.h - allocator functions that the user names
 *
 * The daemon sends them in a PT_MSG_ALLOCATORS packet after the welcome and the
 * plan. The packet's data consist of
 *
 *   struct pt_allocators | pt_allocator[n] | strings
 *
 * Strings are NUL-terminated; they are referred to by their offset in the array
 * of strings, and offset 0 is the empty string. The last byte of the strings is
 * a NUL.
 */
#ifndef PROTO_ALLOCATOR_H
#define PROTO_ALLOCATOR_H

#include <stdint.h>

enum {
	PT_MAX_ALLOCATORS = 512,
	PT_MAX_ALLOCATOR_STRINGS = 32 << 10, /* [bytes] of all strings */
	PT_MAX_ARGUMENTS = 6,  /* integer arguments that are passed in
				   registers */
	PT_NO_ARGUMENT = 0xff, /* index that stands for no argument */
};

enum pt_allocator_kind {
	PT_ALLOCATES,	    /* returns a new block of `size` bytes */
	PT_ALLOCATES_ARRAY, /* returns a new block of `count` elements of `size`
			       bytes */
	PT_ALLOCATES_OUT,   /* returns 0 and stores the new block's address
			       where argument `pointer` points to */
	PT_STORES,	    /* stores the new block's address, or 0, where
			       argument `pointer` points to */
	PT_RESIZES,	    /* returns the block at `pointer`, perhaps moved,
			       with the new size `size` */
	PT_RESIZES_ARRAY,   /* returns the block at `pointer`, perhaps moved,
			       with `count` elements of `size` bytes */
	PT_FREES,	    /* frees the block at `pointer` */
	PT_ALLOCATOR_KINDS
};

/* A function; `pointer`, `size` and `count` are indexes of its arguments. */
struct pt_allocator {
	uint32_t name;	/* string: the linker's symbol, or a C++ name with or
			   without parameters */
	uint32_t image; /* string: name or path of the object file; "": any */
	uint8_t kind;	/* enum pt_allocator_kind */
	uint8_t pointer;
	uint8_t size;  /* PT_NO_ARGUMENT: each block, or element, has `bytes` */
	uint8_t count; /* PT_NO_ARGUMENT: a block is no array */
	uint8_t pad[4];
	uint64_t bytes;
};

enum pt_allocators_flags {
	PT_NO_STANDARD_ALLOCATORS = 1u << 0, /* only the functions listed here
						are allocators */
};

struct pt_allocators {
	uint32_t flags; /* enum pt_allocators_flags */
	uint32_t n;
	uint32_t string_bytes;
	uint32_t pad;
};

#endif

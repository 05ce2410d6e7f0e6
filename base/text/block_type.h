/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * block_type.h - chooses the type of heap blocks among those that accesses
 *                imply
 *
 * Code can access a part of a structure more often than the whole: a base
 * class, or the list head at its start. The size of the blocks distinguishes
 * the structure from its parts.
 */
#ifndef BASE_TEXT_BLOCK_TYPE_H
#define BASE_TEXT_BLOCK_TYPE_H

#include <stdint.h>

/* Size of the elements of heap blocks that have several sizes. */
#define AL_BLOCK_SIZE_MIXED UINT64_MAX

enum {
	/* [bytes] blocks with larger elements have the type that most accesses
	   imply, whatever its size */
	AL_MAX_BLOCK_SIZE_TO_CHOOSE_TYPE = 4096,
};

/* Heap blocks that share one type. Zero: no blocks. */
struct al_typed_blocks {
	uint64_t n; /* number of blocks; a resized one counts again */
	uint64_t element_bytes; /* [bytes] size of each block or, of an array
				   as from calloc(), of its elements; 0: not
				   known; AL_BLOCK_SIZE_MIXED */
};

/* Add the blocks of @from. If their elements have another size than those of
   the blocks before, the size is AL_BLOCK_SIZE_MIXED from then on. */
void al_typed_blocks_add(struct al_typed_blocks *,
			 const struct al_typed_blocks *from);

/* A type that accesses to heap blocks imply. */
struct al_implied_type {
	uint64_t bytes;	     /* [bytes] size of the type */
	uint64_t n_accesses; /* number of accesses that imply it */
};

/* Compare two types as the type of the blocks. Return: above 0 if @a precedes
   @b, below 0 if it follows @b, 0 if neither does. If the elements of all
   blocks have one size, of at most AL_MAX_BLOCK_SIZE_TO_CHOOSE_TYPE, a type of
   this size that at least as many accesses imply as there are blocks precedes
   other types, and one that is larger follows them. Of others the one that more
   accesses imply precedes. */
int al_compare_types_by_block_fit(const struct al_typed_blocks *,
				  const struct al_implied_type *a,
				  const struct al_implied_type *b);

#endif

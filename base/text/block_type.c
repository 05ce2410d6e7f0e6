/* SPDX-License-Identifier: GPL-2.0-or-later */
/* block_type.c - chooses the type of heap blocks; see block_type.h */

#include "base/text/block_type.h"

void al_typed_blocks_add(struct al_typed_blocks *to,
			 const struct al_typed_blocks *from)
{
	if (to->n == 0)
		to->element_bytes = from->element_bytes;
	else if (from->n > 0 && to->element_bytes != from->element_bytes)
		to->element_bytes = AL_BLOCK_SIZE_MIXED;
	to->n += from->n;
}

/* How a type fits the blocks; a greater value is preferred. */
enum fit {
	LARGER, /* it is larger than an element of the blocks */
	OTHER,
	WHOLE, /* it is as large as an element, and at least as many accesses
		  imply it as there are blocks */
};

static enum fit fit_of_type(const struct al_typed_blocks *blocks,
			    const struct al_implied_type *type)
{
	if (blocks->element_bytes == 0 ||
	    blocks->element_bytes > AL_MAX_BLOCK_SIZE_TO_CHOOSE_TYPE)
		return OTHER;
	if (type->bytes > blocks->element_bytes)
		return LARGER;
	return type->bytes == blocks->element_bytes &&
			       type->n_accesses >= blocks->n
		       ? WHOLE
		       : OTHER;
}

int al_compare_types_by_block_fit(const struct al_typed_blocks *blocks,
				  const struct al_implied_type *a,
				  const struct al_implied_type *b)
{
	int difference =
		(int)fit_of_type(blocks, a) - (int)fit_of_type(blocks, b);

	return difference ? difference
			  : (a->n_accesses > b->n_accesses) -
				    (a->n_accesses < b->n_accesses);
}

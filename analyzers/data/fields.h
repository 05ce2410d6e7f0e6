/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fields.h - counts accesses and misses by offset in an element of data
 *
 * The data objects of a group are arrays of elements of one size, or single
 * elements. Elements of up to AN_MAX_EXACT_ELEMENT bytes have a cell for each
 * byte, and an access counts for the cell of its first byte. Longer elements
 * have at most AN_MAX_CELLS equal cells. If single elements have different
 * sizes, the first size is the element size, and the offsets that cells stand
 * for are exact modulo the greatest common divisor of all sizes (the period):
 * a type whose size divides it can be the type of all of them.
 *
 * Threads: one at a time.
 */
#ifndef ANALYZERS_DATA_FIELDS_H
#define ANALYZERS_DATA_FIELDS_H

#include <stdbool.h>

#include "analyzers/analyzer.h"
#include "base/text/block_type.h"

enum {
	AN_MAX_EXACT_ELEMENT = AL_MAX_BLOCK_SIZE_TO_CHOOSE_TYPE, /* [bytes] */
	AN_MAX_CELLS = 512,
	AN_MAX_CELL_NUMBERS = 1 << 26, /* in all groups; further groups are not
					  divided */
	AN_MAX_UNTYPED_SIZES = 2, /* births of elements of other sizes than the
				     first; with so many, a group is not divided
				     any more unless a type divides its sizes */
	AN_MAX_TYPE_VOTES = 8,	  /* types of a group; further ones are not
					  counted */
};

/* Element size of a group that is not divided into fields: its elements have
   different sizes or are too long, or there is no room for their cells. */
#define AN_ELEMENT_MIXED AL_BLOCK_SIZE_MIXED

struct an_field_counts {
	/* by level, then 0: reads and modifies, 1: writes */
	uint64_t misses[AN_MAX_LEVELS][2];
	uint64_t reads, writes; /* a modify is both */
	uint64_t bytes;		/* [bytes] that all accesses read and write */
	uint64_t longest;	/* [bytes] size of the longest access */
};

/* Number of accesses whose instructions imply that the data is of a type. */
struct an_type_vote {
	const struct an_type *type;
	uint64_t n; /* number of accesses that imply `type` */
};

/* Fields of a group. Initialise with zeros. */
struct an_group_fields {
	uint64_t element;    /* [bytes]; 0: not known yet; AN_ELEMENT_MIXED */
	uint64_t period;     /* [bytes] greatest common divisor of `element` and
				the other sizes of elements */
	uint32_t cell_bytes; /* [bytes] */
	uint32_t n_cells;
	uint32_t *cell; /* [n_cells] number in the pool of the counts of each
			   cell; 0: none. NULL: no cell has counts */
	uint32_t rest;	/* number in the pool of the counts from before the
			   element size was set to that of a type; 0: none */
	bool has_several_sizes; /* elements have other sizes than `element`, and
				   members only if a type divides `period` */
	uint8_t n_untyped_sizes;   /* births of elements of other sizes while no
				    type was known that divides all of them */
	bool has_type_element;	   /* `element` is, in a group or one that was
				      merged into it, the size of a type */
	struct an_type_vote *vote; /* [AN_MAX_TYPE_VOTES] or NULL */
};

/* Counts of all groups. Initialise with zeros. */
struct an_field_pool {
	struct an_field_counts *counts; /* [n]; 0 is not used */
	uint32_t n, size;
	uint64_t n_cell_numbers;
	uint64_t n_undivided; /* groups that are not divided because there was
				 no room for their cells */
};

/* Record that the group has an element of @bytes bytes. The first one sets the
   element size. If a later one has another size, the group has several sizes,
   unless the element size is that of a type. If the period becomes 1 byte, or
   AN_MAX_UNTYPED_SIZES is reached, or if the element size is that of a type and
   does not divide @bytes, the elements are mixed and no longer divided. */
void an_group_fields_set_or_mix_element_size(struct an_group_fields *,
					     uint64_t bytes);

/* Whether the element size is above AN_MAX_EXACT_ELEMENT bytes, and elements
   were not yet divided by the size of a type. */
bool an_group_fields_has_long_untyped_element(const struct an_group_fields *);

/* Whether @type has no flexible member and its size divides the sizes of all
   elements. */
bool an_group_fields_can_divide_sizes_by_type(const struct an_group_fields *,
					      const struct an_type *type);

/* Set the size of the group's elements to that of @type and move the counts of
   all cells to `rest`. No-op unless an_group_fields_has_long_untyped_element()
   and an_group_fields_can_divide_sizes_by_type(). Return: 0; -ENOMEM. */
int an_group_fields_set_element_size_to_type(struct an_field_pool *,
					     struct an_group_fields *,
					     const struct an_type *type);

/* Return the counts of the cell at @offset bytes in a data object of the group,
   after adding them with value 0 if the cell has none. NULL if the group is not
   divided or memory is short. Valid until the next call. */
struct an_field_counts *
an_group_fields_find_or_add_counts(struct an_field_pool *,
				   struct an_group_fields *, uint64_t offset);

/* Count @vote_count accesses by instructions that imply @type. No-op if the
   group has AN_MAX_TYPE_VOTES other types, or if memory is short. */
void an_group_fields_add_votes_for_type(struct an_group_fields *,
					const struct an_type *type,
					uint64_t vote_count);

/* Return the type that al_compare_types_by_block_fit() puts first for @n_blocks
   blocks with the sizes of the group's elements, with its votes; of equal
   types, the first by name, then by declaration. NULL: there are no votes. */
const struct an_type_vote *
an_group_fields_choose_type_of_blocks(const struct an_group_fields *,
				      uint64_t n_blocks);

/* Return the votes for the type with the name, size and members of @type; NULL:
   there are none. */
const struct an_type_vote *
an_group_fields_find_votes_for_type(const struct an_group_fields *,
				    const struct an_type *type);

/* Add the counts and votes of group @from, whose counts are in @from_pool, to
   another group. If the two have different element sizes, the group has several
   sizes; if one of them is above AN_MAX_EXACT_ELEMENT bytes, or if the period
   becomes 1 byte, the elements are mixed and no longer divided. Return: 0;
   -ENOMEM. */
int an_group_fields_merge(struct an_field_pool *, struct an_group_fields *,
			  const struct an_field_pool *from_pool,
			  const struct an_group_fields *from);

void an_group_fields_release(struct an_group_fields *);
void an_field_pool_release(struct an_field_pool *);

void an_field_counts_add(struct an_field_counts *,
			 const struct an_field_counts *);

#endif

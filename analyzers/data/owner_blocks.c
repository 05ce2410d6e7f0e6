/* SPDX-License-Identifier: GPL-2.0-or-later */
/* owner_blocks.c - applies events of heap blocks and elements; see
   owner_blocks.h */

#include "analyzers/data/owner_blocks.h"

#include <errno.h>

#include "analyzers/data/owner_mappings.h"
#include "analyzers/data/owner_variables.h"

/* A block that an event allocates or resizes. */
struct block {
	bool is_element; /* else it is a heap block */
	bool is_of_pool;
	uint32_t site; /* number of its site */
	uint64_t start, size;
	uint64_t part_bytes; /* [bytes] size of an element if the block is an
				array; else 0 */
};

static struct an_ranges *blocks_of_layer(struct an_owners *o, bool is_element)
{
	return is_element ? &o->elements : &o->heap;
}

/* Return the number of the group of the blocks of the site of @b or, if the
   site is not known, of all blocks without a known site. The group is added if
   it is new. Return AN_UNKNOWN_GROUP if there are too many groups; -ENOMEM if
   memory is short. */
static int64_t find_or_add_group_of_site(struct an_owners *o,
					 const struct block *b)
{
	uint32_t *group = an_sites_allocation_group_or_unknown(
		&o->sites, b->site, b->is_of_pool);
	int64_t new;

	if (*group != 0)
		return *group;
	new = an_owners_add_group(
		o, &(struct an_data_group){
			   .kind = b->is_of_pool ? AN_DATA_POOL : AN_DATA_HEAP,
			   .site = an_sites_has_site_with_number(&o->sites,
								 b->site)
					   ? b->site
					   : 0});
	if (new > 0)
		*group = (uint32_t) new;
	return new;
}

/* Add a group for a single block, which gets the next number of the blocks of
   group @site_group_number. Return: number of the new group; @site_group_number
   if there are too many groups; -ENOMEM. */
static int64_t add_data_group_of_single_block(struct an_owners *o,
					      uint32_t site_group_number)
{
	struct an_data_group group = {.kind = o->group[site_group_number].kind,
				      .site = o->group[site_group_number].site,
				      .is_single_block = true};
	int64_t added;

	if (o->n_single_blocks == AN_MAX_SINGLE_BLOCKS)
		return site_group_number;
	group.number = ++o->group[site_group_number].number;
	added = an_owners_add_group(o, &group);
	if (added <= 0)
		return added < 0 ? added : site_group_number;
	o->n_single_blocks++;
	return added;
}

/* Remove the blocks of @ranges that overlap the addresses from @start to @last,
   inclusive. Return: their number. */
static uint64_t
remove_overlapping_blocks_return_number(struct an_owners *o,
					struct an_ranges *ranges,
					uint64_t start, uint64_t last)
{
	struct an_range old;
	uint64_t n = 0;

	for (; an_ranges_remove_last_overlapping(ranges, start, last, &old);
	     n++)
		an_owners_subtract_live_bytes(o, &old);
	return n;
}

uint64_t an_owners_remove_elements_return_number(struct an_owners *o,
						 uint64_t start, uint64_t last)
{
	return remove_overlapping_blocks_return_number(o, &o->elements, start,
						       last);
}

/* Remove the regions, elements and thread-local variables in the memory from
   @start to @last, inclusive, of a heap block that was allocated or freed. */
static void remove_objects_in_heap_block(struct an_owners *o, uint64_t start,
					 uint64_t last)
{
	an_owners_cut_out_of_regions(o, start, last);
	an_owners_remove_elements_return_number(o, start, last);
	an_owners_remove_tls_variables(o, start, last);
}

/* Add a block to @group and count it; if memory is short, only count it as
   unrecorded. First remove the blocks of its kind (heap block, or element:
   block of a pool or of an allocator that the user names) that it overlaps,
   because their end was not recorded; for a heap block, also remove the
   regions, elements and thread-local variables in its memory. Return: 0;
   -ENOMEM, if memory is short for the extent of the added block. */
static int add_block_remove_overlapped(struct an_owners *o, uint32_t group,
				       const struct block *b)
{
	struct an_ranges *ranges = blocks_of_layer(o, b->is_element);
	uint64_t last = an_owners_last_address(b->start, b->size);
	const struct an_range range = {.start = b->start,
				       .last = last,
				       .value = group,
				       .is_empty = b->size == 0};
	int err;

	o->overlaps += remove_overlapping_blocks_return_number(o, ranges,
							       b->start, last);
	if (!b->is_element)
		remove_objects_in_heap_block(o, b->start, last);
	err = b->size == 0 ? an_ranges_insert_empty_unchecked(ranges, b->start,
							      group)
			   : an_ranges_insert_unchecked(ranges, b->start, last,
							group);
	if (err != 0) {
		o->unrecorded++;
		return 0;
	}
	an_owners_count_birth_invalidate_hints(o, &range);
	if (o->has_fields)
		an_group_fields_set_or_mix_element_size(
			&o->group[group].fields,
			b->part_bytes ? b->part_bytes : b->size);
	return an_owners_add_extent_of_born_block(o, &range);
}

static int apply_block_birth(struct an_owners *o, const struct block *b)
{
	int64_t group = find_or_add_group_of_site(o, b);

	if (group > 0 && o->has_single_blocks)
		group = add_data_group_of_single_block(o, (uint32_t)group);
	return group < 0 ? (int)group
			 : add_block_remove_overlapped(o, (uint32_t)group, b);
}

/* Remove the block of one layer that begins at @start, with the regions,
   elements and thread-local variables in it if it is a heap block, and copy its
   range to @old. Return: false if there is none. */
static bool try_remove_block_of_layer(struct an_owners *o, bool is_element,
				      uint64_t start, struct an_range *old)
{
	if (!an_ranges_remove_by_exact_start(blocks_of_layer(o, is_element),
					     start, old))
		return false;
	an_owners_subtract_live_bytes(o, old);
	if (!is_element)
		remove_objects_in_heap_block(o, old->start, old->last);
	return true;
}

/* Remove the block that begins at @start, and copy its range to @old. If a heap
   block and an element begin there, *@is_element selects one of them; it is set
   to the kind of the one that was removed. Return: false, and count a bad free,
   if there is none. */
static bool remove_block_or_count_bad_free(struct an_owners *o, uint64_t start,
					   bool *is_element,
					   struct an_range *old)
{
	if (try_remove_block_of_layer(o, *is_element, start, old))
		return true;
	if (try_remove_block_of_layer(o, !*is_element, start, old)) {
		*is_element = !*is_element;
		return true;
	}
	o->bad_frees++;
	return false;
}

static int apply_block_death(struct an_owners *o, uint64_t start,
			     bool is_element)
{
	struct an_range old;

	if (!remove_block_or_count_bad_free(o, start, &is_element, &old) ||
	    is_element)
		return 0;
	return an_owners_add_extent_of_dead_block(o, &old);
}

/* Replace the block at @old_start by the resized one @b, which remains in its
   group, and remains a heap block or an element. If there is none, count a bad
   free and add @b. Return: 0; -ENOMEM. */
static int apply_block_resizing_or_move(struct an_owners *o, uint64_t old_start,
					struct block b)
{
	struct an_range old;

	return remove_block_or_count_bad_free(o, old_start, &b.is_element, &old)
		       ? add_block_remove_overlapped(o, old.value, &b)
		       : apply_block_birth(o, &b);
}

/* ---- events ---- */

int an_owners_apply_heap_block_event(struct an_owners *o,
				     const struct an_batch *b,
				     const struct an_stream_event *e)
{
	uint64_t first = an_stream_event_word_or_0(b, e, 0);
	uint64_t second = an_stream_event_word_or_0(b, e, 1);
	uint64_t third = an_stream_event_word_or_0(b, e, 2);
	bool is_element = e->kind >= PT_ELEMENT_BORN;

	switch (e->kind) {
	case PT_BORN:
	case PT_ELEMENT_BORN:
		return apply_block_birth(
			o,
			&(struct block){.is_element = is_element,
					.is_of_pool = is_element &&
						      an_stream_event_word_or_0(
							      b, e, 3) != 0,
					.site = e->id,
					.start = first,
					.size = second,
					.part_bytes = third});
	case PT_DIED:
	case PT_ELEMENT_DIED:
		return apply_block_death(o, first, is_element);
	default: /* PT_RESIZED or PT_ELEMENT_RESIZED */
		return apply_block_resizing_or_move(
			o, first,
			(struct block){.is_element = is_element,
				       .site = e->id,
				       .start = second,
				       .size = third});
	}
}

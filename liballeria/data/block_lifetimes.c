/* SPDX-License-Identifier: GPL-2.0-or-later */
/* block_lifetimes.c - applies events of heap blocks and elements; see
   block_lifetimes.h */

#include "liballeria/data/block_lifetimes.h"
#include "liballeria/data/memory_lifetimes.h"

#include "proto/unit.h"

/* A heap block or element that is to be added. */
struct block {
	enum alleria_data_kind kind;
	bool is_element;
	uint32_t site;
	uint64_t address, size;
	uint64_t part_bytes; /* [bytes] size of an element if the block is an
				array; else 0 */
};

/* Return the size of one block for the choice of its type. @element_bytes_or_0:
   as part_bytes of struct block. */
static struct al_typed_blocks
make_typed_blocks_of_one_block(uint64_t size, uint64_t element_bytes_or_0)
{
	uint64_t element_bytes = element_bytes_or_0 ? element_bytes_or_0 : size;

	return (struct al_typed_blocks){1, element_bytes ? element_bytes : 1};
}

static int add_block_and_end_objects_inside(struct ap_lifetimes *x,
					    const struct block *b,
					    const struct ap_data_event *e)
{
	int err = b->is_element ? 0
				: ap_lifetimes_end_objects_inside(
					  x, b->address,
					  ap_last_address_of_size_saturated(
						  b->address, b->size),
					  e);

	if (err)
		return err;
	return ap_lifetimes_add_object_and_begin(
		x,
		(struct ap_data_object){
			.kind = (uint16_t)b->kind,
			.is_element = b->is_element,
			.address = b->address,
			.size = b->size,
			.sizes = make_typed_blocks_of_one_block(b->size,
								b->part_bytes),
			.thread = e->thread,
			.site = b->site <= x->n_sites ? b->site : 0},
		e);
}

int ap_lifetimes_add_allocated_block(struct ap_lifetimes *x,
				     const struct ap_data_event *e)
{
	bool is_element = e->kind == PT_ELEMENT_BORN;
	bool is_of_pool = is_element && ap_data_event_word_or_0(e, 3) != 0;

	return add_block_and_end_objects_inside(
		x,
		&(struct block){.kind = is_of_pool ? ALLERIA_DATA_POOL
						   : ALLERIA_DATA_HEAP,
				.is_element = is_element,
				.site = e->id,
				.address = ap_data_event_word_or_0(e, 0),
				.size = ap_data_event_word_or_0(e, 1),
				.part_bytes = ap_data_event_word_or_0(e, 2)},
		e);
}

/* Return the live heap block or element, by @rank, that begins at
   @start_address; NULL: none. */
static struct ap_live_range *
find_live_block_of_rank_by_start(struct ap_lifetimes *x, enum ap_data_rank rank,
				 uint64_t start_address)
{
	struct ap_live_range *range = ap_lifetimes_find_overlapping_live(
		x, rank, start_address, start_address);

	return range && range->start == start_address ? range : NULL;
}

/* Return the live block that begins at @address; NULL: none. If both a heap
   block and an element begin there, return the one of rank
   *@preferred_and_found_rank. Set *@preferred_and_found_rank to the rank of the
   returned block. */
static struct ap_live_range *
find_live_block_by_start(struct ap_lifetimes *x,
			 enum ap_data_rank *preferred_and_found_rank,
			 uint64_t address)
{
	enum ap_data_rank other = *preferred_and_found_rank == AP_RANK_HEAP
					  ? AP_RANK_ELEMENT
					  : AP_RANK_HEAP;
	struct ap_live_range *range = find_live_block_of_rank_by_start(
		x, *preferred_and_found_rank, address);

	if (range)
		return range;
	range = find_live_block_of_rank_by_start(x, other, address);
	if (range)
		*preferred_and_found_rank = other;
	return range;
}

/* End a block; if it is a heap block, also end the data objects inside it.
   Return: 0; -ENOMEM. */
static int end_block_and_objects_inside(struct ap_lifetimes *x,
					enum ap_data_rank rank,
					struct ap_live_range *range,
					const struct ap_data_event *e)
{
	int err = rank == AP_RANK_HEAP
			  ? ap_lifetimes_end_objects_inside(x, range->start,
							    range->last, e)
			  : 0;

	ap_lifetimes_end_range_and_object(x, rank, range, e);
	return err;
}

/* Replace the lifetime of a block by one of @size bytes from the same address
   on, and raise the size of its data object to @size if it was less. If it is a
   heap block, end the data objects inside its old and its new range. Return: 0;
   -ENOMEM. */
static int replace_lifetime_of_resized_block(struct ap_lifetimes *x,
					     enum ap_data_rank rank,
					     struct ap_live_range *range,
					     uint64_t size,
					     const struct ap_data_event *e)
{
	uint64_t start = range->start;
	uint64_t last = ap_last_address_of_size_saturated(start, size);
	struct al_typed_blocks resized =
		make_typed_blocks_of_one_block(size, 0);
	uint32_t object;
	int err = 0;

	if (rank == AP_RANK_HEAP)
		err = ap_lifetimes_end_objects_inside(
			x, start, last > range->last ? last : range->last, e);
	if (err)
		return err;
	object = ap_lifetimes_end_range(x, rank, range, e);
	if (size > x->object[object].size)
		x->object[object].size = size;
	al_typed_blocks_add(&x->object[object].sizes, &resized);
	return ap_lifetimes_begin_and_end_overlapping(x, object, start, last,
						      e);
}

int ap_lifetimes_resize_move_or_add_block(struct ap_lifetimes *x,
					  const struct ap_data_event *e)
{
	uint64_t old = ap_data_event_word_or_0(e, 0);
	enum ap_data_rank rank =
		e->kind == PT_ELEMENT_RESIZED ? AP_RANK_ELEMENT : AP_RANK_HEAP;
	struct ap_live_range *range = find_live_block_by_start(x, &rank, old);
	struct block b = {.kind = ALLERIA_DATA_HEAP,
			  .is_element = rank == AP_RANK_ELEMENT,
			  .site = e->id,
			  .address = ap_data_event_word_or_0(e, 1),
			  .size = ap_data_event_word_or_0(e, 2)};
	int err;

	if (range && old == b.address)
		return replace_lifetime_of_resized_block(x, rank, range, b.size,
							 e);
	if (range) {
		const struct ap_data_object *o =
			&x->object[ap_lifetimes_object_index_of_range(x, rank,
								      range)];

		b.site = o->site;
		b.kind = (enum alleria_data_kind)o->kind;
		err = end_block_and_objects_inside(x, rank, range, e);
		if (err)
			return err;
	}
	return add_block_and_end_objects_inside(x, &b, e);
}

int ap_lifetimes_end_block_if_live(struct ap_lifetimes *x,
				   const struct ap_data_event *e)
{
	enum ap_data_rank rank =
		e->kind == PT_ELEMENT_DIED ? AP_RANK_ELEMENT : AP_RANK_HEAP;
	struct ap_live_range *range = find_live_block_by_start(
		x, &rank, ap_data_event_word_or_0(e, 0));

	return range ? end_block_and_objects_inside(x, rank, range, e) : 0;
}

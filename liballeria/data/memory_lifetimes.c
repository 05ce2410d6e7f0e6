/* SPDX-License-Identifier: GPL-2.0-or-later */
/* memory_lifetimes.c - applies events of mapped memory; see
   memory_lifetimes.h */

#include "liballeria/data/memory_lifetimes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "proto/unit.h"

enum {
	FLAGS_WORD = 2,
	EXTENDED_WORD = 3,
	PATH_WORD = 4,
};

/* Return the data object that has mapped memory at @address now; NULL if there
   is none. */
static struct ap_data_object *
find_mapped_memory_object_at(struct ap_lifetimes *x, uint64_t address)
{
	const struct ap_live_range *range = ap_lifetimes_find_overlapping_live(
		x, AP_RANK_MAPPED, address, address);

	return range ? &x->object[ap_lifetimes_object_index_of_range(
			       x, AP_RANK_MAPPED, range)]
		     : NULL;
}

/* End the lifetime of @range, of rank @rank, at event @e and free @range. The
   parts of it outside the bytes @start_address to @last_address, both
   inclusive, begin new lifetimes of the same data object, which dies if none of
   its lifetimes is live any more. Return: 0; -ENOMEM. */
static int
cut_range_out_of_lifetime(struct ap_lifetimes *x, enum ap_data_rank rank,
			  struct ap_live_range *range, uint64_t start_address,
			  uint64_t last_address, const struct ap_data_event *e)
{
	const struct ap_live_range old = *range;
	uint32_t object = ap_lifetimes_end_range(x, rank, range, e);
	int err = 0;

	if (old.start < start_address)
		err = ap_lifetimes_begin_and_end_overlapping(
			x, object, old.start, start_address - 1, e);
	if (!err && old.last > last_address)
		err = ap_lifetimes_begin_and_end_overlapping(
			x, object, last_address + 1, old.last, e);
	ap_lifetimes_set_death_unless_live(x, object, e);
	return err;
}

/* Cut the bytes @start_address to @last_address, both included, out of the
   lifetimes of rank @rank at event @e. Return: 0; -ENOMEM. */
static int cut_range_out_of_rank(struct ap_lifetimes *x, enum ap_data_rank rank,
				 uint64_t start_address, uint64_t last_address,
				 const struct ap_data_event *e)
{
	struct ap_live_range *range;
	int err = 0;

	while (!err && (range = ap_lifetimes_find_overlapping_live(
				x, rank, start_address, last_address)))
		err = cut_range_out_of_lifetime(x, rank, range, start_address,
						last_address, e);
	return err;
}

int ap_lifetimes_end_objects_inside(struct ap_lifetimes *x,
				    uint64_t start_address,
				    uint64_t last_address,
				    const struct ap_data_event *e)
{
	ap_lifetimes_end_overlapping(x, AP_RANK_ELEMENT, start_address,
				     last_address, e);
	ap_lifetimes_end_overlapping(x, AP_RANK_TLS, start_address,
				     last_address, e);
	return cut_range_out_of_rank(x, AP_RANK_REGION, start_address,
				     last_address, e);
}

/* Unmap the bytes @start_address to @last_address, both included, at event @e:
   end the data objects inside, and reduce mappings to their parts outside.
   Return: 0; -ENOMEM. */
static int cut_range_out_of_mapped_memory(struct ap_lifetimes *x,
					  uint64_t start_address,
					  uint64_t last_address,
					  const struct ap_data_event *e)
{
	int err = ap_lifetimes_end_objects_inside(x, start_address,
						  last_address, e);

	return err ? err
		   : cut_range_out_of_rank(x, AP_RANK_MAPPED, start_address,
					   last_address, e);
}

/* Unmap the address range of @object, then add @object as a new data object
   that is born at event @e. @object.name is owned by @x from then on, also on
   error. Return: 0; -ENOMEM, also if the name is NULL. */
static int cut_range_and_add_object(struct ap_lifetimes *x,
				    struct ap_data_object object,
				    const struct ap_data_event *e)
{
	uint64_t last =
		ap_last_address_of_size_saturated(object.address, object.size);

	if (!object.name)
		return -ENOMEM;
	if (cut_range_out_of_mapped_memory(x, object.address, last, e)) {
		free(object.name);
		return -ENOMEM;
	}
	return ap_lifetimes_add_object_and_begin(x, object, e);
}

/* Unmap the @size bytes at @address, then add a data object there. Its kind,
   site, thread and name are copied from @copied_object. Return: 0; -ENOMEM. */
static int cut_range_and_add_object_like(
	struct ap_lifetimes *x, const struct ap_data_object *copied_object,
	uint64_t address, uint64_t size, const struct ap_data_event *e)
{
	return cut_range_and_add_object(
		x,
		(struct ap_data_object){
			.kind = copied_object->kind,
			.address = address,
			.size = size,
			.name = strdup(copied_object->name),
			.site = copied_object->site,
			.thread = copied_object->thread,
		},
		e);
}

/* ---- events ---- */

/* Return the data object that PT_MEMORY event @e describes; the caller frees
   its name, which is NULL if memory is short. Its site is 0 if a file is
   mapped, unless an allocator maps it. */
static struct ap_data_object
object_described_by_memory_event(const struct ap_lifetimes *x,
				 const struct ap_data_event *e)
{
	uint64_t flags = ap_data_event_word_or_0(e, FLAGS_WORD);
	bool is_of_allocator = flags & PT_MEMORY_OF_ALLOCATOR;
	char *path = ap_data_event_copy_text(e, PATH_WORD);
	bool has_site = (is_of_allocator || (path && *path != '/')) &&
			e->id <= x->n_sites;

	return (struct ap_data_object){
		.kind = is_of_allocator		       ? ALLERIA_DATA_ALLOCATOR
			: flags & PT_MEMORY_EXECUTABLE ? ALLERIA_DATA_CODE
						       : ALLERIA_DATA_MAPPING,
		.address = ap_data_event_word_or_0(e, 0),
		.size = ap_data_event_word_or_0(e, 1),
		.name = path,
		.site = has_site ? e->id : 0,
		.thread = e->thread,
	};
}

/* Whether @address lies in data object @o or directly after its last byte. */
static bool is_address_in_or_right_after_object(const struct ap_data_object *o,
						uint64_t address)
{
	return address >= o->address && address - o->address <= o->size;
}

/* Map the @size bytes at @address as a part of data object number
   @object_index. If they begin neither in it nor directly after it, or replace
   all of its mapped memory, add a new data object of its kind, site, thread and
   name instead. Return: 0; -ENOMEM. */
static int extend_object_or_add_one_like(struct ap_lifetimes *x,
					 uint32_t object_index,
					 uint64_t address, uint64_t size,
					 const struct ap_data_event *e)
{
	uint64_t last = ap_last_address_of_size_saturated(address, size);
	struct ap_data_object *o = &x->object[object_index];
	int err = cut_range_out_of_mapped_memory(x, address, last, e);

	if (err)
		return err;
	if (o->n_live == 0 || !is_address_in_or_right_after_object(o, address))
		return cut_range_and_add_object_like(x, o, address, size, e);
	if (last - o->address + 1 > o->size)
		o->size = last - o->address + 1;
	return ap_lifetimes_begin_and_end_overlapping(x, object_index, address,
						      last, e);
}

int ap_lifetimes_add_or_extend_memory(struct ap_lifetimes *x,
				      const struct ap_data_event *e)
{
	uint64_t extended = ap_data_event_word_or_0(e, EXTENDED_WORD);
	const struct ap_data_object *o =
		extended ? find_mapped_memory_object_at(x, extended) : NULL;

	return o ? extend_object_or_add_one_like(x, (uint32_t)(o - x->object),
						 ap_data_event_word_or_0(e, 0),
						 ap_data_event_word_or_0(e, 1),
						 e)
		 : cut_range_and_add_object(
			   x, object_described_by_memory_event(x, e), e);
}

int ap_lifetimes_remove_memory(struct ap_lifetimes *x,
			       const struct ap_data_event *e)
{
	uint64_t start = ap_data_event_word_or_0(e, 0);

	return cut_range_out_of_mapped_memory(
		x, start,
		ap_last_address_of_size_saturated(
			start, ap_data_event_word_or_0(e, 1)),
		e);
}

int ap_lifetimes_end_and_add_moved_memory(struct ap_lifetimes *x,
					  const struct ap_data_event *e)
{
	uint64_t from = ap_data_event_word_or_0(e, 0);
	uint64_t size = ap_data_event_word_or_0(e, 2);
	const struct ap_data_object *o = find_mapped_memory_object_at(x, from);
	uint32_t object;
	int err;

	if (!o)
		return 0;
	object = (uint32_t)(o - x->object);
	err = cut_range_out_of_mapped_memory(
		x, from, ap_last_address_of_size_saturated(from, size), e);
	return err ? err
		   : cut_range_and_add_object_like(
			     x, &x->object[object],
			     ap_data_event_word_or_0(e, 1), size, e);
}

int ap_lifetimes_add_or_end_named_region(struct ap_lifetimes *x,
					 const struct ap_data_event *e)
{
	uint64_t start = ap_data_event_word_or_0(e, 0);
	uint64_t size = ap_data_event_word_or_0(e, 1);
	struct ap_data_object region = {
		.kind = ALLERIA_DATA_REGION, .address = start, .size = size};
	int err;

	if (size == 0) {
		ap_lifetimes_end_overlapping(x, AP_RANK_REGION, start, start,
					     e);
		return 0;
	}
	err = cut_range_out_of_rank(
		x, AP_RANK_REGION, start,
		ap_last_address_of_size_saturated(start, size), e);
	if (err)
		return err;
	region.name = ap_data_event_copy_text(e, 2);
	return region.name ? ap_lifetimes_add_object_and_begin(x, region, e)
			   : -ENOMEM;
}

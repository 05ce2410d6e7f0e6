/* SPDX-License-Identifier: GPL-2.0-or-later */
/* owner_mappings.c - applies events of mapped and named memory; see
   owner_mappings.h */

#include "analyzers/data/owner_mappings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyzers/data/owner_blocks.h"
#include "analyzers/data/owner_variables.h"

enum {
	FLAGS_WORD = 2,
	EXTENDED_WORD = 3,
	PATH_WORD = 4,
};

static uint64_t hash_text_to_64_bits(const char *text)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (; *text; text++)
		h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return h;
}

/* ---- ranges ---- */

/* Add the bytes @start to @last, both inclusive, to @ranges, those of mappings
   or of regions, with group number @group, and to the group's live and peak
   bytes; its count of data objects does not change. If memory is short, only
   count the range as unrecorded. */
static void insert_range_and_add_its_bytes(struct an_owners *o,
					   struct an_ranges *ranges,
					   uint64_t start, uint64_t last,
					   uint32_t group)
{
	an_owners_invalidate_hints_of_range(o, start, last);
	if (an_ranges_insert_unchecked(ranges, start, last, group) != 0) {
		o->unrecorded++;
		return;
	}
	an_owners_add_live_bytes(o, group, last - start + 1);
}

/* Cut the bytes @start to @last, both inclusive, out of @ranges, those of
   mappings or of regions. Each range that overlaps them is removed, and its
   bytes are subtracted from the live bytes of its group and kind; its parts
   outside are inserted and added again. */
static void cut_out_of_ranges_subtract_live_bytes(struct an_owners *o,
						  struct an_ranges *ranges,
						  uint64_t start, uint64_t last)
{
	struct an_range old;

	while (an_ranges_remove_last_overlapping(ranges, start, last, &old)) {
		an_owners_subtract_live_bytes(o, &old);
		if (old.start < start)
			insert_range_and_add_its_bytes(o, ranges, old.start,
						       start - 1, old.value);
		if (old.last > last)
			insert_range_and_add_its_bytes(o, ranges, last + 1,
						       old.last, old.value);
	}
}

/* ---- groups ---- */

/* Return a number that is equal for groups whose sites have equal names: those
   of the callers or, for an allocator, that of its function. */
static uint32_t
get_id_shared_by_sites_with_equal_names(const struct an_owners *o,
					const struct an_data_group *g)
{
	if (g->site == 0)
		return 0;
	return g->kind == AN_DATA_ALLOCATOR
		       ? o->sites.site[g->site - 1].function + 1
		       : an_sites_first_site_with_same_callers(&o->sites,
							       g->site);
}

/* Return the number of the group that has the kind, name and names of the site
   of @like. If there is no such group, add a copy of @like; if there are too
   many groups, return AN_UNKNOWN_GROUP. Return -ENOMEM if memory is short. */
static int64_t
find_or_add_group_by_kind_site_name(struct an_owners *o,
				    const struct an_data_group *like)
{
	uint32_t *number = an_owners_find_or_add_group_number(
		o, &(struct al_key){
			   {like->kind,
			    get_id_shared_by_sites_with_equal_names(o, like),
			    hash_text_to_64_bits(like->name)}});
	int64_t added;

	if (number == NULL)
		return -ENOMEM;
	if (*number != 0 && strcmp(o->group[*number].name, like->name) == 0)
		return *number;
	added = an_owners_add_group(o, like);
	if (added > 0 && *number == 0)
		*number = (uint32_t)added;
	return added;
}

/* Return a group that has the kind, the site and the name of the memory that
   PT_MEMORY event @e maps. The site is 0 (none) if a file is mapped, unless an
   allocator maps it. */
static struct an_data_group
kind_site_and_name_of_memory_event(struct an_owners *o,
				   const struct an_batch *b,
				   const struct an_stream_event *e)
{
	uint64_t flags = an_stream_event_word_or_0(b, e, FLAGS_WORD);
	bool is_of_allocator = flags & PT_MEMORY_OF_ALLOCATOR;
	const char *path =
		an_owners_copy_event_text_or_empty(o, b, e, PATH_WORD);

	return (struct an_data_group){
		.kind = is_of_allocator		       ? AN_DATA_ALLOCATOR
			: flags & PT_MEMORY_EXECUTABLE ? AN_DATA_CODE
						       : AN_DATA_MAPPING,
		.site = (is_of_allocator || *path != '/') &&
					an_sites_has_site_with_number(&o->sites,
								      e->id)
				? e->id
				: 0,
		.name = is_of_allocator ? "" : path,
	};
}

/* ---- events ---- */

/* Map the bytes @start to @last, both inclusive, in the group of the mapping
   that contains @extended_addr. Return false, and change nothing, if
   @extended_addr is 0 or no mapping contains it. */
static bool map_range_in_group_of_mapping_if_any_at(struct an_owners *o,
						    uint64_t extended_addr,
						    uint64_t start,
						    uint64_t last)
{
	const struct an_range *r =
		an_ranges_find_and_cache(&o->mappings, extended_addr);
	uint32_t group = r ? r->value : 0;

	if (extended_addr == 0 || r == NULL)
		return false;
	cut_out_of_ranges_subtract_live_bytes(o, &o->mappings, start, last);
	insert_range_and_add_its_bytes(o, &o->mappings, start, last, group);
	o->group[group].counts.bytes += last - start + 1;
	return true;
}

/* If @g is an executable file, mapped at @start, store its path as the
   program's, unless one at a lower address is stored: Valgrind loads the
   program below all other code. */
static void store_program_path_if_lowest_code(struct an_owners *o,
					      const struct an_data_group *g,
					      uint64_t start)
{
	if (g->kind != AN_DATA_CODE || *g->name != '/' ||
	    (o->program != NULL && o->program_start < start))
		return;
	o->program = g->name;
	o->program_start = start;
}

static void cut_out_named_regions_elements_and_tls(struct an_owners *o,
						   uint64_t start,
						   uint64_t last)
{
	an_owners_cut_out_of_regions(o, start, last);
	an_owners_remove_elements_return_number(o, start, last);
	an_owners_remove_tls_variables(o, start, last);
}

int an_owners_add_mapping_end_objects_there(struct an_owners *o,
					    const struct an_batch *b,
					    const struct an_stream_event *e)
{
	uint64_t start = an_stream_event_word_or_0(b, e, 0);
	uint64_t last = an_owners_last_address(
		start, an_stream_event_word_or_0(b, e, 1));
	struct an_data_group like;
	int64_t group;

	cut_out_named_regions_elements_and_tls(o, start, last);
	if (map_range_in_group_of_mapping_if_any_at(
		    o, an_stream_event_word_or_0(b, e, EXTENDED_WORD), start,
		    last))
		return 0;
	like = kind_site_and_name_of_memory_event(o, b, e);
	store_program_path_if_lowest_code(o, &like, start);
	group = find_or_add_group_by_kind_site_name(o, &like);
	if (group < 0)
		return (int)group;
	cut_out_of_ranges_subtract_live_bytes(o, &o->mappings, start, last);
	if (group == AN_UNKNOWN_GROUP)
		return 0;
	insert_range_and_add_its_bytes(o, &o->mappings, start, last,
				       (uint32_t)group);
	o->group[group].counts.objects++;
	o->group[group].counts.bytes += last - start + 1;
	return 0;
}

void an_owners_unmap_range(struct an_owners *o, uint64_t start, uint64_t size)
{
	uint64_t last = an_owners_last_address(start, size);

	cut_out_named_regions_elements_and_tls(o, start, last);
	cut_out_of_ranges_subtract_live_bytes(o, &o->mappings, start, last);
}

void an_owners_move_mapping(struct an_owners *o, uint64_t from, uint64_t to,
			    uint64_t size)
{
	const struct an_range *r = an_ranges_find_and_cache(&o->mappings, from);
	uint64_t last = an_owners_last_address(to, size);
	uint32_t group;

	if (r == NULL)
		return;
	group = r->value;
	an_owners_unmap_range(o, from, size);
	an_owners_unmap_range(o, to, size);
	insert_range_and_add_its_bytes(o, &o->mappings, to, last, group);
}

/* ---- regions ---- */

void an_owners_cut_out_of_regions(struct an_owners *o, uint64_t start,
				  uint64_t last)
{
	cut_out_of_ranges_subtract_live_bytes(o, &o->regions, start, last);
}

/* End the region, or unbroken part of one, that contains @addr, if there is
   one. */
static void remove_region_at_address_if_any(struct an_owners *o, uint64_t addr)
{
	struct an_range old;

	if (an_ranges_remove_last_overlapping(&o->regions, addr, addr, &old))
		an_owners_subtract_live_bytes(o, &old);
}

int an_owners_add_region_cut_other_regions(struct an_owners *o,
					   const struct an_batch *b,
					   const struct an_stream_event *e)
{
	uint64_t start = an_stream_event_word_or_0(b, e, 0);
	uint64_t size = an_stream_event_word_or_0(b, e, 1);
	uint64_t last = an_owners_last_address(start, size);
	int64_t group;

	if (size == 0) {
		remove_region_at_address_if_any(o, start);
		return 0;
	}
	an_owners_cut_out_of_regions(o, start, last);
	group = find_or_add_group_by_kind_site_name(
		o, &(struct an_data_group){
			   .kind = AN_DATA_REGION,
			   .name = an_owners_copy_event_text_or_empty(o, b, e,
								      2)});
	if (group <= 0)
		return (int)group;
	o->has_regions = true;
	insert_range_and_add_its_bytes(o, &o->regions, start, last,
				       (uint32_t)group);
	o->group[group].counts.objects++;
	o->group[group].counts.bytes += last - start + 1;
	return 0;
}

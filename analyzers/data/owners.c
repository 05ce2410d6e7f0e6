/* SPDX-License-Identifier: GPL-2.0-or-later */
/* owners.c - finds the data object of an address, and applies events; see
   owners.h */

#include "analyzers/data/owners.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyzers/data/owner_blocks.h"
#include "analyzers/data/owner_mappings.h"
#include "analyzers/data/owner_variables.h"

int an_owners_double_array_if_full(void *array, uint32_t items_in_use,
				   uint32_t *size, size_t item_bytes)
{
	uint32_t bigger = *size ? *size * 2 : 64;
	void **old = array, *new;

	if (items_in_use < *size)
		return 0;
	new = reallocarray(*old, bigger, item_bytes);
	if (new == NULL)
		return -ENOMEM;
	*old = new;
	*size = bigger;
	return 0;
}

/* ---- groups ---- */

void an_data_counts_add(struct an_data_counts *to,
			const struct an_data_counts *c)
{
	for (int i = 0; i < AN_MAX_LEVELS; i++)
		for (int write = 0; write < 2; write++)
			to->misses[i][write] += c->misses[i][write];
	for (int i = 0; i < AN_MAX_LEVELS; i++)
		to->write_backs[i] += c->write_backs[i];
	to->reads += c->reads;
	to->writes += c->writes;
	to->read_bytes += c->read_bytes;
	to->written_bytes += c->written_bytes;
	to->objects += c->objects;
	to->bytes += c->bytes;
	to->live_bytes += c->live_bytes;
	if (c->peak_bytes > to->peak_bytes)
		to->peak_bytes = c->peak_bytes;
}

int64_t an_owners_add_group(struct an_owners *o,
			    const struct an_data_group *group)
{
	if (o->n_groups == AN_MAX_DATA_GROUPS)
		return AN_UNKNOWN_GROUP;
	if (an_owners_double_array_if_full(&o->group, o->n_groups + 1,
					   &o->groups_size,
					   sizeof(*o->group)) != 0)
		return -ENOMEM;
	if (o->n_groups == 0)
		o->group[o->n_groups++] = (struct an_data_group){0};
	o->group[o->n_groups] = *group;
	return o->n_groups++;
}

uint32_t *an_owners_find_or_add_group_number(struct an_owners *o,
					     const struct al_key *group_key)
{
	int64_t number =
		al_key_table_find_or_add_index(&o->group_keys, group_key);
	uint32_t size = o->keyed_group_size;
	uint32_t *p;

	if (number < 0)
		return NULL;
	if (number >= size) {
		size = size ? 2 * size : 64;
		p = reallocarray(o->keyed_group, size, sizeof(*p));
		if (p == NULL)
			return NULL;
		memset(p + o->keyed_group_size, 0,
		       (size - o->keyed_group_size) * sizeof(*p));
		o->keyed_group = p;
		o->keyed_group_size = size;
	}
	return &o->keyed_group[number];
}

void an_owners_invalidate_hints_of_range(struct an_owners *o, uint64_t start,
					 uint64_t last)
{
	if (o->spans != NULL)
		an_owner_spans_invalidate(o->spans, start, last);
	if (o->extents != NULL)
		an_owner_extents_suspend_overlapping(o->extents, start, last);
}

void an_owners_add_live_bytes(struct an_owners *o, uint32_t group,
			      uint64_t bytes)
{
	struct an_data_counts *c = &o->group[group].counts;
	struct an_kind_bytes *kind = &o->kind[o->group[group].kind];

	c->live_bytes += bytes;
	if (c->live_bytes > c->peak_bytes)
		c->peak_bytes = c->live_bytes;
	kind->live += bytes;
	if (kind->live > kind->peak)
		kind->peak = kind->live;
}

static uint64_t number_of_bytes(const struct an_range *range)
{
	return range->is_empty ? 0 : range->last - range->start + 1;
}

void an_owners_count_birth_invalidate_hints(struct an_owners *o,
					    const struct an_range *range)
{
	struct an_data_counts *c = &o->group[range->value].counts;
	uint64_t bytes = number_of_bytes(range);

	an_owners_invalidate_hints_of_range(o, range->start, range->last);
	c->objects++;
	c->bytes += bytes;
	an_owners_add_live_bytes(o, range->value, bytes);
}

void an_owners_subtract_live_bytes(struct an_owners *o,
				   const struct an_range *range)
{
	struct an_data_group *group = &o->group[range->value];
	uint64_t bytes = number_of_bytes(range);

	an_owners_invalidate_hints_of_range(o, range->start, range->last);
	group->counts.live_bytes -= bytes;
	o->kind[group->kind].live -= bytes;
}

uint64_t an_owners_last_address(uint64_t start, uint64_t size)
{
	uint64_t last = start + (size ? size - 1 : 0);

	return last < start ? UINT64_MAX : last;
}

/* ---- events ---- */

const char *an_owners_copy_event_text_or_empty(struct an_owners *o,
					       const struct an_batch *b,
					       const struct an_stream_event *e,
					       unsigned text_first_word)
{
	size_t bytes = e->n_words > text_first_word
			       ? 8 * (e->n_words - text_first_word)
			       : 0;
	char *text = an_arena_alloc(&o->names, bytes + 1);

	if (text == NULL)
		return "";
	if (bytes > 0)
		memcpy(text, b->event_word + e->first_word + text_first_word,
		       bytes);
	text[bytes] = 0;
	return text;
}

/* Apply an event about an allocator function that the user names: add the
   function if its number is the next; if it is known, set whether an object
   file has it; else ignore the event. Return: 0; -ENOMEM. */
static int
add_named_allocator_or_update_is_found(struct an_owners *o,
				       const struct an_batch *b,
				       const struct an_stream_event *e)
{
	bool is_found = an_stream_event_word_or_0(b, e, 0) != 0;

	if (e->id == 0 || e->id > AN_MAX_NAMED_ALLOCATORS ||
	    e->id > o->n_named + 1)
		return 0;
	if (e->id <= o->n_named) {
		o->named[e->id - 1].is_found = is_found;
		return 0;
	}
	if (an_owners_double_array_if_full(&o->named, o->n_named,
					   &o->named_size,
					   sizeof(*o->named)) != 0)
		return -ENOMEM;
	o->named[o->n_named++] = (struct an_named_allocator){
		an_owners_copy_event_text_or_empty(o, b, e, 1), is_found};
	return 0;
}

static bool is_heap_block_or_element_event(uint32_t kind)
{
	return kind == PT_BORN || kind == PT_DIED || kind == PT_RESIZED ||
	       kind == PT_ELEMENT_BORN || kind == PT_ELEMENT_DIED ||
	       kind == PT_ELEMENT_RESIZED;
}

int an_owners_apply_event(struct an_owners *o, const struct an_batch *b,
			  const struct an_stream_event *e)
{
	uint64_t first = an_stream_event_word_or_0(b, e, 0);
	uint64_t second = an_stream_event_word_or_0(b, e, 1);
	uint64_t third = an_stream_event_word_or_0(b, e, 2);

	if (!is_heap_block_or_element_event(e->kind))
		o->has_beneath_blocks = false;
	switch (e->kind) {
	case PT_BORN:
	case PT_DIED:
	case PT_RESIZED:
	case PT_ELEMENT_BORN:
	case PT_ELEMENT_DIED:
	case PT_ELEMENT_RESIZED:
		return an_owners_apply_heap_block_event(o, b, e);
	case PT_SITE:
		return an_sites_add_if_event_number_is_next(&o->sites, b, e);
	case PT_STACK:
		if (second == 0) {
			an_owners_remove_stack_at(o, first);
			return 0;
		}
		return an_owners_add_stack_remove_overlapped(o, e->id, first,
							     second);
	case PT_MAPPED:
		return an_owners_add_object_file(o, b, e);
	case PT_UNMAPPED:
		o->sites.names.n_unmapped++;
		an_owners_remove_variables_of_file(o, e->id);
		return 0;
	case PT_MEMORY:
		return an_owners_add_mapping_end_objects_there(o, b, e);
	case PT_MEMORY_UNMAPPED:
		an_owners_unmap_range(o, first, second);
		return 0;
	case PT_MEMORY_MOVED:
		an_owners_move_mapping(o, first, second, third);
		return 0;
	case PT_REGION:
		return an_owners_add_region_cut_other_regions(o, b, e);
	case PT_VARIABLE:
		return an_owners_add_variable_unless_overlap(o, b, e);
	case PT_THREAD_VARIABLE:
		return an_owners_add_thread_variable(o, b, e);
	case PT_THREAD_VARIABLES_END:
		an_owners_remove_tls_variables(
			o, first, an_owners_last_address(first, second));
		return 0;
	case PT_ALLOCATORS:
		o->has_allocators = true;
		return 0;
	case PT_NAMED_ALLOCATOR:
		return add_named_allocator_or_update_is_found(o, b, e);
	default: /* an event of a later version */
		return 0;
	}
}

/* ---- search ---- */

/* Search the ranges of @layer, by precedence, for the owner of @addr, and
   return the addresses around @addr, from @first to @last at most, that have
   the same owner. */
static struct an_owner_extent
search_layers_for_owner_extent(struct an_ranges *const layer[], unsigned n,
			       uint64_t addr, uint64_t first, uint64_t last)
{
	const struct an_range *range = NULL;

	for (unsigned i = 0; i < n && range == NULL; i++)
		range = an_ranges_find_or_narrow_to_gap(layer[i], addr, &first,
							&last);
	if (range != NULL && range->start > first)
		first = range->start;
	if (range != NULL && range->last < last)
		last = range->last;
	return (struct an_owner_extent){
		.first = first,
		.last = last,
		.object_start = range ? range->start : first,
		.group = range ? range->value : AN_UNKNOWN_GROUP,
		.is_unknown = range == NULL,
	};
}

/* Search for the owner of @addr, and return the addresses around @addr, from
   @first to @last at most, that have the same owner. */
static struct an_owner_extent
search_owner_extent_clipped_to_range(struct an_owners *o, uint64_t addr,
				     uint64_t first, uint64_t last)
{
	return search_layers_for_owner_extent(
		(struct an_ranges *const[]){
			&o->regions, &o->elements, &o->thread_variables,
			&o->heap, &o->statics, &o->stacks, &o->mappings},
		7, addr, first, last);
}

/* Return the addresses around @addr that have the same owner, regions, blocks
   and thread-local variables aside. One search serves consecutive events of the
   blocks of a mapping. */
static struct an_owner_extent
find_owner_extent_beneath_blocks(struct an_owners *o, uint64_t addr)
{
	struct an_owner_extent *e = &o->beneath_blocks;

	if (!o->has_beneath_blocks || addr < e->first || addr > e->last)
		*e = search_layers_for_owner_extent(
			(struct an_ranges *const[]){&o->statics, &o->stacks,
						    &o->mappings},
			3, addr, 0, UINT64_MAX);
	o->has_beneath_blocks = true;
	return *e;
}

static const uint64_t area_mask = (UINT64_C(1) << AN_OWNER_AREA_BITS) - 1;

/* Return the part of extent @e that is in the area (aligned memory of 1 <<
   AN_OWNER_AREA_BITS bytes) of @addr, which @e contains. */
static struct an_owner_span span_of_extent(const struct an_owners *o,
					   const struct an_owner_extent *e,
					   uint64_t addr)
{
	uint64_t area_start = addr & ~area_mask, area_last = addr | area_mask;
	uint64_t first = e->first > area_start ? e->first : area_start;
	uint64_t last = e->last < area_last ? e->last : area_last;

	return (struct an_owner_span){
		.first = first,
		.extent = (uint16_t)(last - first),
		.object_start = e->object_start,
		.stamp = an_owner_spans_area_change_count(o->spans, addr),
		.group = e->group,
		.is_unknown = e->is_unknown,
	};
}

/* Search for the owner of @addr, and return the addresses around @addr, in its
   area (aligned memory of 1 << AN_OWNER_AREA_BITS bytes), that have the same
   owner. */
static struct an_owner_span search_owner_span(struct an_owners *o,
					      uint64_t addr)
{
	struct an_owner_extent found = search_owner_extent_clipped_to_range(
		o, addr, addr & ~area_mask, addr | area_mask);

	return span_of_extent(o, &found, addr);
}

/* Add the group "unknown" and allocate o->spans (the cached owners of
   addresses), if that was not yet done. Return: 0; -ENOMEM. */
static int alloc_unknown_group_and_spans(struct an_owners *o)
{
	if (o->n_groups == 0 &&
	    an_owners_add_group(o, &(struct an_data_group){0}) < 0)
		return -ENOMEM;
	if (o->spans != NULL)
		return 0;
	o->spans = calloc(1, sizeof(*o->spans));
	if (o->spans == NULL)
		return -ENOMEM;
	an_owner_spans_init(o->spans);
	return 0;
}

const struct an_owner_span *
an_owners_find_span_or_null_if_no_memory(struct an_owners *o, uint64_t addr)
{
	const struct an_owner_span *cached;
	struct an_owner_span found;

	if ((o->spans == NULL || o->n_groups == 0) &&
	    alloc_unknown_group_and_spans(o) != 0)
		return NULL;
	cached = an_owner_spans_find_by_address(o->spans, addr);
	if (cached != NULL)
		return cached;
	found = search_owner_span(o, addr);
	return an_owner_spans_store_by_address(o->spans, addr, &found);
}

int an_owners_alloc_extents(struct an_owners *o,
			    void (*suspend_use)(struct an_extent_user *),
			    void (*resume_use)(struct an_extent_user *))
{
	if (o->extents != NULL)
		return 0;
	o->extents = calloc(1, sizeof(*o->extents));
	if (o->extents == NULL)
		return -ENOMEM;
	o->extents->suspend_use = suspend_use;
	o->extents->resume_use = resume_use;
	return 0;
}

struct an_owner_extent *an_owners_find_or_add_extent(struct an_owners *o,
						     uint64_t addr)
{
	const uint64_t half = UINT64_C(1) << 63; /* keeps lengths below 2^64 */
	struct an_owner_extent *stored =
		an_owner_extents_find(o->extents, addr);
	struct an_owner_extent found;

	if (stored != NULL)
		return stored;
	found = search_owner_extent_clipped_to_range(o, addr, addr & half,
						     addr | (half - 1));
	return an_owner_extents_add_or_resume(o->extents, &found);
}

/* Whether a block from @start to @last has one extent: something uses extents,
   no region can lie in the block, and no extent is so long that its length is
   2^64, since none contains the bytes on both sides of address 2^63. */
static bool can_block_be_one_extent(const struct an_owners *o, uint64_t start,
				    uint64_t last)
{
	return o->extents != NULL && !o->has_regions &&
	       (start ^ last) >> 63 == 0;
}

static int add_extent_known_not_to_overlap(struct an_owners *o,
					   const struct an_owner_extent *e)
{
	return an_owner_extents_add_or_resume_unchecked(o->extents, e) != NULL
		       ? 0
		       : -ENOMEM;
}

int an_owners_add_extent_of_born_block(struct an_owners *o,
				       const struct an_range *block)
{
	if (!can_block_be_one_extent(o, block->start, block->last))
		return 0;
	return add_extent_known_not_to_overlap(
		o, &(struct an_owner_extent){.first = block->start,
					     .last = block->last,
					     .object_start = block->start,
					     .group = block->value});
}

int an_owners_add_extent_of_dead_block(struct an_owners *o,
				       const struct an_range *block)
{
	struct an_owner_extent e;

	if (!can_block_be_one_extent(o, block->start, block->last))
		return 0;
	e = find_owner_extent_beneath_blocks(o, block->start);
	if (e.last < block->last)
		return 0;
	e.first = block->start;
	e.last = block->last;
	return add_extent_known_not_to_overlap(o, &e);
}

/* Return the addresses around @addr that have the same owner, as
   an_owners_find_span_or_null_if_no_memory(); those that the last search with
   @hint_key found if they contain @addr. */
static const struct an_owner_span *
find_span_by_key_or_null_if_no_memory(struct an_owners *o, uint64_t addr,
				      uint32_t hint_key)
{
	const struct an_owner_span *found;
	struct an_owner_span *hint =
		o->spans ? &o->spans->by_key[hint_key % AN_SPANS_BY_KEY] : NULL;

	if (hint != NULL && an_owner_span_contains(o->spans, hint, addr))
		return hint;
	found = an_owners_find_span_or_null_if_no_memory(o, addr);
	if (found != NULL)
		o->spans->by_key[hint_key % AN_SPANS_BY_KEY] = *found;
	return found;
}

/* Store the part of extent @e that is in the area of @addr as a span. */
static void store_span_of_extent(struct an_owners *o,
				 const struct an_owner_extent *e, uint64_t addr)
{
	struct an_owner_span span = span_of_extent(o, e, addr);

	an_owner_spans_store_by_address(o->spans, addr, &span);
}

/* Return the group of the extent that contains @addr, as
   an_owners_find_group(). Without fields, the extent is also stored as a span,
   in which the cursor finds the next line. */
static struct an_data_group *
find_group_or_unknown_by_extent(struct an_owners *o, uint64_t addr,
				uint64_t *offset_out)
{
	const struct an_owner_extent *e;

	if ((o->spans == NULL || o->n_groups == 0) &&
	    alloc_unknown_group_and_spans(o) != 0)
		return NULL;
	e = an_owners_find_or_add_extent(o, addr);
	if (e == NULL)
		return NULL;
	if (!o->has_fields)
		store_span_of_extent(o, e, addr);
	*offset_out = e->is_unknown ? 0 : addr - e->object_start;
	return &o->group[e->group];
}

struct an_data_group *an_owners_find_group(struct an_owners *o, uint64_t addr,
					   uint32_t hint_key,
					   uint64_t *offset_in_object_out)
{
	const struct an_owner_span *span;

	if (o->extents != NULL) /* accesses use them: most are known */
		return find_group_or_unknown_by_extent(o, addr,
						       offset_in_object_out);
	span = find_span_by_key_or_null_if_no_memory(o, addr, hint_key);
	if (span == NULL)
		return NULL;
	*offset_in_object_out =
		span->is_unknown ? 0 : addr - span->object_start;
	return &o->group[span->group];
}

void an_owners_release(struct an_owners *o)
{
	an_ranges_release(&o->regions);
	an_ranges_release(&o->elements);
	an_ranges_release(&o->heap);
	an_ranges_release(&o->statics);
	an_ranges_release(&o->thread_variables);
	an_ranges_release(&o->stacks);
	an_ranges_release(&o->mappings);
	al_key_table_release(&o->group_keys);
	free(o->keyed_group);
	an_sites_release(&o->sites);
	an_arena_free_all_and_reset(&o->names);
	free(o->spans);
	if (o->extents != NULL)
		an_owner_extents_release(o->extents);
	free(o->extents);
	for (uint32_t i = 0; i < o->n_groups; i++)
		an_group_fields_release(&o->group[i].fields);
	an_field_pool_release(&o->fields);
	free(o->group);
	free(o->file);
	free(o->variable);
	free(o->named);
	*o = (struct an_owners){0};
}

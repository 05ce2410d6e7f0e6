/* SPDX-License-Identifier: GPL-2.0-or-later */
/* owners.c - finds the data object of an address; see owners.h */

#include "analyzers/data/owners.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

int64_t
an_owners_add_group_or_unknown_if_too_many(struct an_owners *o,
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
}

void an_owners_count_birth_invalidate_hints(struct an_owners *o, uint32_t group,
					    uint64_t start, uint64_t last)
{
	struct an_data_counts *c = &o->group[group].counts;
	uint64_t bytes = last - start + 1;

	an_owners_invalidate_hints_of_range(o, start, last);
	c->objects++;
	c->bytes += bytes;
	c->live_bytes += bytes;
	if (c->live_bytes > c->peak_bytes)
		c->peak_bytes = c->live_bytes;
}

void an_owners_subtract_bytes_invalidate_hints(struct an_owners *o,
					       const struct an_range *range)
{
	an_owners_invalidate_hints_of_range(o, range->start, range->last);
	o->group[range->value].counts.live_bytes -=
		range->last - range->start + 1;
}

/* ---- blocks: heap blocks and elements ---- */

/* A block that an event allocates or resizes. */
struct block {
	bool is_element; /* else it is a heap block */
	bool is_of_pool;
	uint32_t site; /* number of its site */
	uint64_t start, size;
	uint64_t part_bytes; /* [bytes] of an element of an array; 0: it is
				none */
};

static struct an_ranges *blocks_of_layer(struct an_owners *o, bool is_element)
{
	return is_element ? &o->elements : &o->heap;
}

/* Return the number of the group of the blocks of the site of @b or, if the
   site is not known, of all blocks without a known site. The group is added if
   it is new. Return -ENOMEM if memory is short. */
static int64_t find_or_add_group_of_site(struct an_owners *o,
					 const struct block *b)
{
	uint32_t *group =
		an_sites_allocation_group_or_unknown(&o->sites, b->site);
	int64_t new;

	if (*group != 0)
		return *group;
	new = an_owners_add_group_or_unknown_if_too_many(
		o,
		&(struct an_data_group){
			.kind = b->is_of_pool ? AN_DATA_POOL : AN_DATA_HEAP,
			.site = an_sites_has_allocation_site(&o->sites, b->site)
					? b->site
					: 0});
	if (new > 0)
		*an_sites_allocation_group_or_unknown(&o->sites, b->site) =
			(uint32_t) new;
	return new;
}

/* Add a group for a single block, which gets the next number of the blocks of
   group @site_group_number. Return: number of the new group; @site_group_number
   if there are too many groups; -ENOMEM. */
static int64_t add_single_block_group(struct an_owners *o,
				      uint32_t site_group_number)
{
	struct an_data_group group = {.kind = o->group[site_group_number].kind,
				      .site = o->group[site_group_number].site};
	int64_t added;

	if (o->n_single_blocks == AN_MAX_SINGLE_BLOCKS)
		return site_group_number;
	group.number = ++o->group[site_group_number].number;
	added = an_owners_add_group_or_unknown_if_too_many(o, &group);
	if (added <= 0)
		return added < 0 ? added : site_group_number;
	o->n_single_blocks++;
	return added;
}

uint64_t an_owners_last_address(uint64_t start, uint64_t size)
{
	uint64_t last = start + (size ? size - 1 : 0);

	return last < start ? UINT64_MAX : last;
}

/* Remove the blocks of @ranges that overlap the addresses from @start to @last,
   inclusive. Return: their number. */
static uint64_t remove_overlapping_blocks(struct an_owners *o,
					  struct an_ranges *ranges,
					  uint64_t start, uint64_t last)
{
	struct an_range old;
	uint64_t n = 0;

	for (; an_ranges_remove_last_overlapping(ranges, start, last, &old);
	     n++)
		an_owners_subtract_bytes_invalidate_hints(o, &old);
	return n;
}

uint64_t an_owners_remove_elements_in_range(struct an_owners *o, uint64_t start,
					    uint64_t last)
{
	return remove_overlapping_blocks(o, &o->elements, start, last);
}

/* Remove the elements and thread-local variables in the memory from @start to
   @last, inclusive, of a heap block that was allocated or freed. */
static void remove_contents_of_heap_block(struct an_owners *o, uint64_t start,
					  uint64_t last)
{
	an_owners_remove_elements_in_range(o, start, last);
	an_owners_remove_thread_variables_in_range(o, start, last);
}

/* Add a block to @group and count it. Remove blocks of its kind that it
   overlaps: that they were freed was not recorded. Return: 0. */
static int add_block_remove_overlapped(struct an_owners *o, uint32_t group,
				       const struct block *b)
{
	struct an_ranges *ranges = blocks_of_layer(o, b->is_element);
	uint64_t last = an_owners_last_address(b->start, b->size);

	o->overlaps += remove_overlapping_blocks(o, ranges, b->start, last);
	if (!b->is_element)
		remove_contents_of_heap_block(o, b->start, last);
	if (an_ranges_insert_unchecked(ranges, b->start, last, group) != 0) {
		o->unrecorded++;
		return 0;
	}
	an_owners_count_birth_invalidate_hints(o, group, b->start, last);
	if (o->has_fields)
		an_group_fields_set_or_mix_element_size(
			&o->group[group].fields,
			b->part_bytes ? b->part_bytes : b->size);
	return 0;
}

static int apply_block_birth(struct an_owners *o, const struct block *b)
{
	int64_t group = find_or_add_group_of_site(o, b);

	if (group > 0 && o->has_single_blocks)
		group = add_single_block_group(o, (uint32_t)group);
	return group < 0 ? (int)group
			 : add_block_remove_overlapped(o, (uint32_t)group, b);
}

/* Remove the block of one layer that begins at @start, with the elements of a
   heap block, and copy its range to @old. Return: false if there is none. */
static bool try_remove_block_of_layer(struct an_owners *o, bool is_element,
				      uint64_t start, struct an_range *old)
{
	if (!an_ranges_remove_by_exact_start(blocks_of_layer(o, is_element),
					     start, old))
		return false;
	an_owners_subtract_bytes_invalidate_hints(o, old);
	if (!is_element)
		remove_contents_of_heap_block(o, old->start, old->last);
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

	remove_block_or_count_bad_free(o, start, &is_element, &old);
	return 0;
}

/* Replace the block at @old_start by the resized one @b, which remains in its
   group, a heap block or an element. If there is none, count a bad free and add
   @b. Return: 0; -ENOMEM. */
static int apply_block_resizing(struct an_owners *o, uint64_t old_start,
				struct block b)
{
	struct an_range old;

	return remove_block_or_count_bad_free(o, old_start, &b.is_element, &old)
		       ? add_block_remove_overlapped(o, old.value, &b)
		       : apply_block_birth(o, &b);
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

/* Apply the birth, death or resizing of a heap block or an element. */
static int apply_block_event(struct an_owners *o, const struct an_batch *b,
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
		return apply_block_resizing(
			o, first,
			(struct block){.is_element = is_element,
				       .site = e->id,
				       .start = second,
				       .size = third});
	}
}

int an_owners_apply_event(struct an_owners *o, const struct an_batch *b,
			  const struct an_stream_event *e)
{
	uint64_t first = an_stream_event_word_or_0(b, e, 0);
	uint64_t second = an_stream_event_word_or_0(b, e, 1);
	uint64_t third = an_stream_event_word_or_0(b, e, 2);

	switch (e->kind) {
	case PT_BORN:
	case PT_DIED:
	case PT_RESIZED:
	case PT_ELEMENT_BORN:
	case PT_ELEMENT_DIED:
	case PT_ELEMENT_RESIZED:
		return apply_block_event(o, b, e);
	case PT_SITE:
		return an_sites_add_from_event_if_next(&o->sites, b, e);
	case PT_STACK:
		return an_owners_add_stack_remove_overlapped(o, e->id, first,
							     second);
	case PT_MAPPED:
		return an_owners_add_object_file_if_number_is_next(o, b, e);
	case PT_UNMAPPED:
		an_owners_remove_variables_of_file(o, e->id);
		return 0;
	case PT_MEMORY:
		return an_owners_add_or_extend_mapping(o, b, e);
	case PT_MEMORY_UNMAPPED:
		an_owners_remove_mapping(o, first, second);
		return 0;
	case PT_MEMORY_MOVED:
		an_owners_move_mapping(o, first, second, third);
		return 0;
	case PT_VARIABLE:
		return an_owners_add_variable_unless_overlap(o, b, e);
	case PT_THREAD_VARIABLE:
		return an_owners_add_thread_variable_end_overlapped(o, b, e);
	case PT_THREAD_VARIABLES_END:
		an_owners_remove_thread_variables_in_range(
			o, first, an_owners_last_address(first, second));
		return 0;
	case PT_ALLOCATORS:
		o->has_allocators = true;
		return 0;
	default: /* an event of a later version */
		return 0;
	}
}

/* ---- search ---- */

/* Search for the owner of @addr, and return the addresses around @addr, in its
   area, that have the same owner. */
static struct an_owner_span search_owner_span(struct an_owners *o,
					      uint64_t addr)
{
	struct an_ranges *const by_precedence[] = {
		&o->elements, &o->thread_variables, &o->heap,
		&o->statics,  &o->stacks,	    &o->mappings};
	const uint64_t mask = (UINT64_C(1) << AN_OWNER_AREA_BITS) - 1;
	uint64_t first = addr & ~mask, last = addr | mask;
	const struct an_range *range = NULL;
	unsigned n = sizeof(by_precedence) / sizeof(*by_precedence);

	for (unsigned i = 0; i < n && range == NULL; i++)
		range = an_ranges_find_or_narrow_to_gap(by_precedence[i], addr,
							&first, &last);
	if (range != NULL && range->start > first)
		first = range->start;
	if (range != NULL && range->last < last)
		last = range->last;
	return (struct an_owner_span){
		.first = first,
		.extent = (uint32_t)(last - first),
		.object_start = range ? range->start : first,
		.stamp = o->spans->stamp[an_owner_spans_area_index(addr)],
		.group = range ? range->value : AN_UNKNOWN_GROUP,
		.area = an_owner_spans_area_index(addr),
		.is_unknown = range == NULL,
	};
}

/* Add the group "unknown" and allocate the spans, if that was not yet done.
   Return: 0; -ENOMEM. */
static int alloc_unknown_group_and_spans(struct an_owners *o)
{
	if (o->n_groups == 0 && an_owners_add_group_or_unknown_if_too_many(
					o, &(struct an_data_group){0}) < 0)
		return -ENOMEM;
	if (o->spans != NULL)
		return 0;
	o->spans = calloc(1, sizeof(*o->spans));
	if (o->spans == NULL)
		return -ENOMEM;
	an_owner_spans_init(o->spans);
	return 0;
}

const struct an_owner_span *an_owners_find_span_of_address(struct an_owners *o,
							   uint64_t addr)
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

struct an_data_group *
an_owners_find_group_or_unknown_of_address(struct an_owners *o, uint64_t addr,
					   uint32_t hint_key,
					   uint64_t *offset_out)
{
	const struct an_owner_span *found;
	struct an_owner_span *hint =
		o->spans ? &o->spans->by_key[hint_key % AN_SPANS_BY_KEY] : NULL;

	if (hint == NULL || !an_owner_span_contains(o->spans, hint, addr)) {
		found = an_owners_find_span_of_address(o, addr);
		if (found == NULL)
			return NULL;
		hint = &o->spans->by_key[hint_key % AN_SPANS_BY_KEY];
		*hint = *found;
	}
	*offset_out = hint->is_unknown ? 0 : addr - hint->object_start;
	return &o->group[hint->group];
}

void an_owners_release(struct an_owners *o)
{
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
	for (uint32_t i = 0; i < o->n_groups; i++)
		an_group_fields_release(&o->group[i].fields);
	an_field_pool_release(&o->fields);
	free(o->group);
	free(o->file);
	free(o->variable);
	*o = (struct an_owners){0};
}

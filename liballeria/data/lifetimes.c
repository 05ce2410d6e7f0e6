/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lifetimes.c - turns events into data objects; see lifetimes.h */

#include "liballeria/data/lifetimes.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/array.h"
#include "liballeria/data/block_lifetimes.h"
#include "liballeria/data/memory_lifetimes.h"
#include "proto/unit.h"

/* Compare ranges; those that overlap are equal. */
static int compare_ranges_equal_if_overlapping(const void *a, const void *b)
{
	const struct ap_live_range *x = a, *y = b;

	return x->last < y->start ? -1 : x->start > y->last;
}

uint64_t ap_last_address_of_size_saturated(uint64_t start, uint64_t size)
{
	uint64_t last = start + (size ? size - 1 : 0);

	return last < start ? UINT64_MAX : last;
}

static enum ap_data_rank rank_of_object(const struct ap_data_object *o)
{
	switch (o->kind) {
	case ALLERIA_DATA_HEAP:
	case ALLERIA_DATA_POOL:
		return o->is_element ? AP_RANK_ELEMENT : AP_RANK_HEAP;
	case ALLERIA_DATA_STATIC:
		return AP_RANK_STATIC;
	case ALLERIA_DATA_TLS:
		return AP_RANK_TLS;
	case ALLERIA_DATA_STACK:
		return AP_RANK_STACK;
	case ALLERIA_DATA_REGION:
		return AP_RANK_REGION;
	default:
		return AP_RANK_MAPPED;
	}
}

struct ap_live_range *ap_lifetimes_find_overlapping_live(struct ap_lifetimes *x,
							 enum ap_data_rank rank,
							 uint64_t start_address,
							 uint64_t last_address)
{
	const struct ap_live_range key = {.start = start_address,
					  .last = last_address};
	struct ap_live_range **found =
		tfind(&key, &x->of_rank[rank].live,
		      compare_ranges_equal_if_overlapping);

	return found ? *found : NULL;
}

uint32_t ap_lifetimes_object_index_of_range(const struct ap_lifetimes *x,
					    enum ap_data_rank rank,
					    const struct ap_live_range *range)
{
	return x->of_rank[rank].lifetime[range->lifetime].object;
}

uint32_t ap_lifetimes_end_range(struct ap_lifetimes *x, enum ap_data_rank rank,
				struct ap_live_range *range,
				const struct ap_data_event *e)
{
	struct ap_rank_lifetimes *k = &x->of_rank[rank];
	struct ap_lifetime *l = &k->lifetime[range->lifetime];

	l->end_access = e->access;
	x->object[l->object].n_live--;
	tdelete(range, &k->live, compare_ranges_equal_if_overlapping);
	free(range);
	return l->object;
}

void ap_lifetimes_set_death_unless_live(struct ap_lifetimes *x,
					uint32_t object_index,
					const struct ap_data_event *e)
{
	struct ap_data_object *o = &x->object[object_index];

	if (o->n_live > 0)
		return;
	o->died_instruction = e->instruction;
	o->died_access = e->access;
}

void ap_lifetimes_end_range_and_object(struct ap_lifetimes *x,
				       enum ap_data_rank rank,
				       struct ap_live_range *range,
				       const struct ap_data_event *e)
{
	ap_lifetimes_set_death_unless_live(
		x, ap_lifetimes_end_range(x, rank, range, e), e);
}

void ap_lifetimes_end_overlapping(struct ap_lifetimes *x,
				  enum ap_data_rank rank,
				  uint64_t start_address, uint64_t last_address,
				  const struct ap_data_event *e)
{
	struct ap_live_range *range;

	while ((range = ap_lifetimes_find_overlapping_live(
			x, rank, start_address, last_address)))
		ap_lifetimes_end_range_and_object(x, rank, range, e);
}

int ap_lifetimes_begin_and_end_overlapping(struct ap_lifetimes *x,
					   uint32_t object_index,
					   uint64_t start_address,
					   uint64_t last_address,
					   const struct ap_data_event *e)
{
	enum ap_data_rank rank = rank_of_object(&x->object[object_index]);
	struct ap_rank_lifetimes *k = &x->of_rank[rank];
	struct ap_live_range *range;

	ap_lifetimes_end_overlapping(x, rank, start_address, last_address, e);
	range = malloc(sizeof(*range));
	if (!range || al_array_reserve(k->lifetime, k->size, k->n + 1)) {
		free(range);
		return -ENOMEM;
	}
	*range = (struct ap_live_range){start_address, last_address, k->n};
	k->lifetime[k->n++] = (struct ap_lifetime){.start = start_address,
						   .last = last_address,
						   .first_access = e->access,
						   .end_access = UINT64_MAX,
						   .object = object_index};
	if (!tsearch(range, &k->live, compare_ranges_equal_if_overlapping)) {
		free(range);
		return -ENOMEM;
	}
	x->object[object_index].n_live++;
	return 0;
}

int ap_lifetimes_add_object_and_begin(struct ap_lifetimes *x,
				      struct ap_data_object object,
				      const struct ap_data_event *e)
{
	if (al_array_reserve(x->object, x->objects_size, x->n_objects + 1)) {
		free(object.name);
		return -ENOMEM;
	}
	object.born_instruction = e->instruction;
	object.born_access = e->access;
	object.died_instruction = object.died_access = ALLERIA_NOT;
	x->object[x->n_objects++] = object;
	return ap_lifetimes_begin_and_end_overlapping(
		x, x->n_objects - 1, object.address,
		ap_last_address_of_size_saturated(object.address, object.size),
		e);
}

/* ---- sites ---- */

/* Add a site (a call stack of an allocation): words from 2 on are return
   addresses, the innermost first. Ignore a site whose number does not follow
   that of the last site. Return: 0; -ENOMEM. */
static int add_site_or_ignore_wrong_number(struct ap_lifetimes *x,
					   const struct ap_data_event *e)
{
	enum { LOG_OFFSET = 0, ALLOCATOR = 1, FIRST_CALLER = 2 };
	uint32_t n = e->n_words > FIRST_CALLER ? e->n_words - FIRST_CALLER : 0;

	if (e->id != x->n_sites + 1)
		return 0;
	if (al_array_reserve(x->site, x->sites_size, x->n_sites + 1) ||
	    al_array_reserve(x->caller, x->callers_size, x->n_callers + n + 1))
		return -ENOMEM;
	x->site[x->n_sites++] = (struct ap_data_site){
		.log_offset = ap_data_event_word_or_0(e, LOG_OFFSET),
		.allocator = ap_data_event_word_or_0(e, ALLOCATOR),
		.first_caller = x->n_callers,
		.n_callers = n};
	for (uint32_t i = 0; i < n; i++)
		x->caller[x->n_callers++] =
			ap_data_event_word_or_0(e, FIRST_CALLER + i);
	return 0;
}

/* ---- variables and stacks ---- */

/* Add an object file. Ignore a file whose number does not follow that of the
   last file. Return: 0; -ENOMEM. */
static int append_object_file_if_number_is_next(struct ap_lifetimes *x,
						const struct ap_data_event *e)
{
	char *path;

	if (e->id != x->n_files + 1)
		return 0;
	path = ap_data_event_copy_text(e, 2);
	if (!path || al_array_reserve(x->file, x->files_size, x->n_files + 1)) {
		free(path);
		return -ENOMEM;
	}
	x->file[x->n_files++] = (struct ap_data_file){
		.path = path,
		.code_start = ap_data_event_word_or_0(e, 0),
		.first_static = x->of_rank[AP_RANK_STATIC].n};
	return 0;
}

/* Add a variable. Ignore it if it overlaps a live variable or its file is
   unknown. Return: 0; -ENOMEM. */
static int add_variable_unless_overlapping(struct ap_lifetimes *x,
					   const struct ap_data_event *e)
{
	uint64_t start = ap_data_event_word_or_0(e, 0);
	uint64_t size = ap_data_event_word_or_0(e, 1);
	char *name;

	if (e->id == 0 || e->id > x->n_files ||
	    ap_lifetimes_find_overlapping_live(
		    x, AP_RANK_STATIC, start,
		    ap_last_address_of_size_saturated(start, size)))
		return 0;
	name = ap_data_event_copy_text(e, 2);
	return name ? ap_lifetimes_add_object_and_begin(
			      x,
			      (struct ap_data_object){
				      .kind = ALLERIA_DATA_STATIC,
				      .address = start,
				      .size = size,
				      .name = name,
				      .file = e->id},
			      e)
		    : -ENOMEM;
}

/* End the live variables of the object file that was unmapped. */
static void end_variables_of_object_file(struct ap_lifetimes *x,
					 const struct ap_data_event *e)
{
	struct ap_rank_lifetimes *k = &x->of_rank[AP_RANK_STATIC];
	struct ap_live_range *range;

	if (e->id == 0 || e->id > x->n_files)
		return;
	for (uint32_t i = x->file[e->id - 1].first_static; i < k->n; i++) {
		const struct ap_lifetime *l = &k->lifetime[i];

		if (x->object[l->object].file != e->id)
			continue;
		range = ap_lifetimes_find_overlapping_live(x, AP_RANK_STATIC,
							   l->start, l->last);
		if (range && range->lifetime == i)
			ap_lifetimes_end_range_and_object(x, AP_RANK_STATIC,
							  range, e);
	}
	x->file[e->id - 1].first_static = k->n;
}

static int
add_tls_object_and_end_those_it_overlaps(struct ap_lifetimes *x,
					 const struct ap_data_event *e)
{
	uint64_t offset = ap_data_event_word_or_0(e, 3);
	char *name;

	if (e->id == 0 || e->id > x->n_files || offset > UINT32_MAX)
		return 0;
	name = ap_data_event_copy_text(e, 4);
	return name ? ap_lifetimes_add_object_and_begin(
			      x,
			      (struct ap_data_object){
				      .kind = ALLERIA_DATA_TLS,
				      .address = ap_data_event_word_or_0(e, 0),
				      .size = ap_data_event_word_or_0(e, 1),
				      .thread = (uint32_t)
					      ap_data_event_word_or_0(e, 2),
				      .tls_offset = (uint32_t)offset,
				      .name = name,
				      .file = e->id},
			      e)
		    : -ENOMEM;
}

static int add_or_end_stack_data_object(struct ap_lifetimes *x,
					const struct ap_data_event *e)
{
	uint64_t start = ap_data_event_word_or_0(e, 0);

	if (ap_data_event_word_or_0(e, 1) == 0) {
		ap_lifetimes_end_overlapping(x, AP_RANK_STACK, start, start, e);
		return 0;
	}
	return ap_lifetimes_add_object_and_begin(
		x,
		(struct ap_data_object){.kind = ALLERIA_DATA_STACK,
					.address =
						ap_data_event_word_or_0(e, 0),
					.size = ap_data_event_word_or_0(e, 1),
					.thread = e->id},
		e);
}

int ap_lifetimes_apply_event(struct ap_lifetimes *x,
			     const struct ap_data_event *e)
{
	switch (e->kind) {
	case PT_SITE:
		return add_site_or_ignore_wrong_number(x, e);
	case PT_BORN:
	case PT_ELEMENT_BORN:
		return ap_lifetimes_add_allocated_block(x, e);
	case PT_DIED:
	case PT_ELEMENT_DIED:
		return ap_lifetimes_end_block_if_live(x, e);
	case PT_RESIZED:
	case PT_ELEMENT_RESIZED:
		return ap_lifetimes_resize_move_or_add_block(x, e);
	case PT_STACK:
		return add_or_end_stack_data_object(x, e);
	case PT_MAPPED:
		return append_object_file_if_number_is_next(x, e);
	case PT_UNMAPPED:
		end_variables_of_object_file(x, e);
		return 0;
	case PT_VARIABLE:
		return add_variable_unless_overlapping(x, e);
	case PT_THREAD_VARIABLE:
		return add_tls_object_and_end_those_it_overlaps(x, e);
	case PT_THREAD_VARIABLES_END:
		ap_lifetimes_end_overlapping(
			x, AP_RANK_TLS, ap_data_event_word_or_0(e, 0),
			ap_last_address_of_size_saturated(
				ap_data_event_word_or_0(e, 0),
				ap_data_event_word_or_0(e, 1)),
			e);
		return 0;
	case PT_REGION:
		return ap_lifetimes_add_or_end_named_region(x, e);
	case PT_MEMORY:
		return ap_lifetimes_add_or_extend_memory(x, e);
	case PT_MEMORY_UNMAPPED:
		return ap_lifetimes_remove_memory(x, e);
	case PT_MEMORY_MOVED:
		return ap_lifetimes_end_and_add_moved_memory(x, e);
	default: /* an event of a later version */
		return 0;
	}
}

void ap_lifetimes_free_live_ranges(struct ap_lifetimes *x)
{
	for (unsigned rank = 0; rank < AP_DATA_RANKS; rank++) {
		tdestroy(x->of_rank[rank].live, free);
		x->of_rank[rank].live = NULL;
	}
}

void ap_lifetimes_release(struct ap_lifetimes *x)
{
	ap_lifetimes_free_live_ranges(x);
	for (uint32_t i = 0; i < x->n_objects; i++)
		free(x->object[i].name);
	for (uint32_t i = 0; i < x->n_files; i++)
		free(x->file[i].path);
	for (unsigned rank = 0; rank < AP_DATA_RANKS; rank++)
		free(x->of_rank[rank].lifetime);
	free(x->object);
	free(x->site);
	free(x->caller);
	free(x->file);
	*x = (struct ap_lifetimes){.stream = x->stream};
}

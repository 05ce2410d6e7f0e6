/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan_check.c - checks that a plan refers to nothing outside itself, that all
 *                kinds in it are known, and that no entry belongs to two others
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/config/window/plan/arrays.h"
#include "lib/config/window/plan/plan.h"

/* A recording plan that is being checked. */
struct plan_checker {
	struct al_windows w;
	bool *is_owned[AL_PLAN_ARRAYS]; /* for each entry of each array: whether
					   a checked entry contains it, as a
					   window contains its lanes */
};

/* Mark entries [@first_index, @first_index + @entry_count) of an array as
   owned, which means that some entry contains them. Return: false if they are
   not all in the array, or if one is owned already: a traversal would visit it
   twice. */
static bool try_mark_entries_owned(struct plan_checker *c,
				   enum al_array_kind kind,
				   uint32_t first_index, uint32_t entry_count)
{
	bool *owned = c->is_owned[kind];

	if (first_index > c->w.n[kind] ||
	    entry_count > c->w.n[kind] - first_index)
		return false;
	owned += first_index;
	for (uint32_t i = 0; i < entry_count; i++) {
		if (owned[i])
			return false;
		owned[i] = true;
	}
	return true;
}

static bool is_offset_inside_strings(const struct al_windows *w,
				     uint32_t offset)
{
	return offset < w->n[AL_STRINGS];
}

static bool is_in_inclusive_range(uint32_t value, uint32_t first, uint32_t last)
{
	return value >= first && value <= last;
}

static bool is_event_index_or_none(const struct al_windows *w,
				   uint32_t event_index)
{
	return event_index == PT_NO_EVENT || event_index < w->n[AL_EVENTS];
}

/* Whether each lane (thread filter) of a window's warm-up equals the window's
   normal lane with the same index. */
static bool
do_warmup_filters_equal_window_filters(const struct plan_checker *c,
				       const struct pt_window *window)
{
	const struct pt_lane *lane = c->w.lane + window->first_lane;

	for (uint32_t k = 0; k < window->n_warm; k++)
		if (memcmp(&lane[k], &lane[window->n_lanes + k], sizeof(*lane)))
			return false;
	return true;
}

/* Whether the normal lanes (thread filters) of window @window_index name this
   window, and the lanes of its warm-up equal them. Mark the images (object
   files) of the normal lanes as owned by an entry; return false, too, if one is
   not in the plan or is owned already. */
static bool check_lanes_and_mark_images_owned(struct plan_checker *c,
					      uint32_t window_index)
{
	const struct pt_window *x = &c->w.window[window_index];
	const struct pt_lane *lane = c->w.lane + x->first_lane;

	for (uint32_t k = 0; k < x->n_lanes; k++)
		if (lane[k].window != window_index ||
		    !try_mark_entries_owned(c, AL_IMAGES, lane[k].first_image,
					    lane[k].n_images))
			return false;
	return do_warmup_filters_equal_window_filters(c, x);
}

static bool is_window_warmup_valid(const struct pt_window *window)
{
	return !window->n_warm ||
	       (window->warmup && window->warmup <= PT_MAX_WARMUP &&
		window->n_warm == window->n_lanes &&
		window->n_lanes <= PT_MAX_LANES / 2);
}

static bool check_window_and_mark_members_owned(struct plan_checker *c,
						uint32_t window_index)
{
	const struct pt_window *x = &c->w.window[window_index];

	if (!is_offset_inside_strings(&c->w, x->name) ||
	    !is_event_index_or_none(&c->w, x->on) ||
	    !is_event_index_or_none(&c->w, x->till) ||
	    !is_window_warmup_valid(x) ||
	    !try_mark_entries_owned(c, AL_LANES, x->first_lane,
				    x->n_lanes + x->n_warm) ||
	    !try_mark_entries_owned(c, AL_INTERVALS, x->first_interval,
				    x->n_intervals) ||
	    x->sample_unit > PT_COUNT_NS || x->sample_for > x->sample_every)
		return false;
	return check_lanes_and_mark_images_owned(c, window_index);
}

/* Whether event @event_index is valid. Only events of kind ALL and ANY may have
   member events, which must have higher indices than the event itself; mark
   the members as owned. */
static bool check_event_and_mark_members_owned(struct plan_checker *c,
					       uint32_t event_index)
{
	const struct pt_event *e = &c->w.event[event_index];

	return is_in_inclusive_range(e->kind, PT_EVENT_ALL, PT_EVENT_MONITOR) &&
	       is_offset_inside_strings(&c->w, e->image) &&
	       is_offset_inside_strings(&c->w, e->name) &&
	       try_mark_entries_owned(c, AL_EVENTS, e->first, e->n) &&
	       (!e->n || (e->first > event_index && e->kind <= PT_EVENT_ANY));
}

static bool is_lane_window_and_images_in_bounds(struct plan_checker *c,
						uint32_t lane_index)
{
	const struct pt_lane *l = &c->w.lane[lane_index];

	return l->window < c->w.n[AL_WINDOWS] &&
	       l->first_image <= c->w.n[AL_IMAGES] &&
	       l->n_images <= c->w.n[AL_IMAGES] - l->first_image;
}

static bool check_image_and_mark_functions_owned(struct plan_checker *c,
						 uint32_t image_index)
{
	const struct pt_image *x = &c->w.image[image_index];

	return is_in_inclusive_range(x->kind, PT_IMAGE_PATH, PT_IMAGE_ANY) &&
	       is_offset_inside_strings(&c->w, x->name) &&
	       try_mark_entries_owned(c, AL_FUNCTIONS, x->first_function,
				      x->n_functions);
}

/* Whether the kind and name of function @function_index are valid. Mark its
   selects and its intercept as owned by an entry; return false, too, if one is
   not in the plan or is owned already. */
static bool check_function_and_mark_members_owned(struct plan_checker *c,
						  uint32_t function_index)
{
	const struct pt_function *f = &c->w.function[function_index];

	return is_in_inclusive_range(f->kind, PT_FUNCTION_DECORATED,
				     PT_FUNCTION_ANY) &&
	       is_offset_inside_strings(&c->w, f->name) &&
	       try_mark_entries_owned(c, AL_SELECTS, f->first_select,
				      f->n_selects) &&
	       (!f->intercept ||
		try_mark_entries_owned(c, AL_INTERCEPTS, f->intercept - 1, 1));
}

static bool is_select_kind_and_name_valid(struct plan_checker *c,
					  uint32_t select_index)
{
	return is_in_inclusive_range(c->w.select[select_index].kind,
				     PT_SELECT_FORM, PT_SELECT_ANY) &&
	       is_offset_inside_strings(&c->w, c->w.select[select_index].name);
}

/* Whether the start plus the duration of an interval is below 2^64. */
static bool is_interval_end_within_64_bits(struct plan_checker *c,
					   uint32_t interval_index)
{
	const struct pt_interval *x = &c->w.interval[interval_index];
	uint64_t end;

	return !__builtin_add_overflow(x->start, x->duration, &end);
}

static bool is_type_index_in_bounds(const struct plan_checker *c,
				    uint32_t type_index)
{
	return type_index < c->w.n[AL_TYPES];
}

/* Whether the places @where[0] and @where[1], of the first and the next 8 bytes
   of a value, exist and can hold a value of type @t. @slot_count_by_place:
   number of slots, by enum pt_value_place. */
static bool
is_value_location_valid(const struct pt_type *t, const struct pt_where *where,
			const uint32_t slot_count_by_place[PT_IN_MEMORY + 1])
{
	for (int i = 0; i < 2; i++)
		if (where[i].place > PT_IN_MEMORY ||
		    (where[i].place &&
		     where[i].slot >= slot_count_by_place[where[i].place]))
			return false;
	if (where[0].place > PT_IN_VECTOR)
		return !where[1].place &&
		       (where[0].place != PT_IN_X87 || t->size == PT_X87_BYTES);
	return where[0].place && where[1].place <= PT_IN_VECTOR &&
	       t->size <= (where[1].place ? 16u : 8u);
}

static bool check_intercept_and_mark_params_owned(struct plan_checker *c,
						  uint32_t intercept_index)
{
	static const uint32_t slots[PT_IN_MEMORY + 1] = {0, 2, 2, 0, 1, 1};
	const struct pt_intercept *x = &c->w.intercept[intercept_index];

	return (x->result == PT_NO_TYPE ||
		(is_type_index_in_bounds(c, x->result) &&
		 is_value_location_valid(&c->w.type[x->result], x->where,
					 slots))) &&
	       x->n_parameters <= PT_MAX_PARAMETERS &&
	       try_mark_entries_owned(c, AL_PARAMETERS, x->first_parameter,
				      x->n_parameters);
}

static bool is_parameter_entry_valid(struct plan_checker *c,
				     uint32_t parameter_index)
{
	static const uint32_t slots[PT_IN_MEMORY + 1] = {
		0, 6, 8, PT_MAX_PARAMETERS * (PT_MAX_TYPE / 8 + 1), 0, 0};
	const struct pt_parameter *p = &c->w.parameter[parameter_index];

	return is_offset_inside_strings(&c->w, p->name) &&
	       is_type_index_in_bounds(c, p->type) &&
	       is_value_location_valid(&c->w.type[p->type], p->where, slots);
}

enum { BUSY = UINT8_MAX };

/* Return how many structs deep a type is nested by value, the type included: 1
   for a struct without structs; 0 if the type is no struct; BUSY if the depth
   exceeds PT_MAX_NESTED, or a struct contains itself. @depth_of_types: depths
   computed so far, by type, 0: not computed; receives new ones. */
static uint8_t
struct_nesting_depth_or_busy_if_too_deep(const struct plan_checker *c,
					 uint32_t type_index,
					 uint8_t *depth_of_types)
{
	const struct pt_type *t = &c->w.type[type_index];
	uint8_t deepest = 0;

	if (t->kind != PT_TYPE_STRUCT || depth_of_types[type_index])
		return depth_of_types[type_index];
	depth_of_types[type_index] = BUSY;
	for (uint32_t i = 0; i < t->n; i++) {
		uint8_t n = struct_nesting_depth_or_busy_if_too_deep(
			c, c->w.field[t->first + i].type, depth_of_types);

		if (n > deepest)
			deepest = n;
	}
	if (deepest < PT_MAX_NESTED)
		depth_of_types[type_index] = (uint8_t)(deepest + 1);
	return depth_of_types[type_index];
}

static bool
is_nesting_of_struct_types_within_limit(const struct plan_checker *c)
{
	uint8_t nested[PT_MAX_TYPES] = {0};

	for (uint32_t i = 0; i < c->w.n[AL_TYPES]; i++)
		if (struct_nesting_depth_or_busy_if_too_deep(c, i, nested) ==
		    BUSY)
			return false;
	return true;
}

static bool is_field_type_and_offset_valid(const struct plan_checker *c,
					   const struct pt_type *struct_type,
					   uint32_t field_index)
{
	const struct pt_field *f = &c->w.field[field_index];

	return is_type_index_in_bounds(c, f->type) &&
	       f->offset < struct_type->size &&
	       c->w.type[f->type].size <= struct_type->size - f->offset;
}

static bool check_type_and_mark_fields_owned(struct plan_checker *c,
					     uint32_t type_index)
{
	const struct pt_type *t = &c->w.type[type_index];

	if (!is_in_inclusive_range(t->kind, PT_TYPE_UNSIGNED,
				   PT_TYPE_POINTER) ||
	    !is_offset_inside_strings(&c->w, t->name) ||
	    !is_offset_inside_strings(&c->w, t->variable) || !t->size ||
	    t->size > PT_MAX_TYPE)
		return false;
	if (t->kind == PT_TYPE_POINTER)
		return !t->n && t->size == 8 &&
		       is_type_index_in_bounds(c, t->element) &&
		       is_in_inclusive_range(t->bound, PT_BOUND_COUNT,
					     PT_BOUND_START_VAR);
	if (t->kind != PT_TYPE_STRUCT)
		return !t->n && !(t->size & (t->size - 1)) &&
		       t->size <= (t->kind == PT_TYPE_FLOAT ? 16u : 8u);
	if (!t->n || !try_mark_entries_owned(c, AL_FIELDS, t->first, t->n))
		return false;
	for (uint32_t k = 0; k < t->n; k++)
		if (!is_field_type_and_offset_valid(c, t, t->first + k))
			return false;
	return true;
}

static bool is_field_name_offset_valid(struct plan_checker *c,
				       uint32_t field_index)
{
	return is_offset_inside_strings(&c->w, c->w.field[field_index].name);
}

/* Whether the header has the right version and the size @bytes, each array
   begins at a multiple of 8 and lies inside the plan, and the numbers of
   windows, lanes, events, interceptors and types do not exceed their limits. */
static bool is_header_and_array_bounds_valid(const void *plan, size_t bytes)
{
	const struct pt_plan *head = plan;
	const struct pt_array *a = &head->windows;

	if (bytes < sizeof(*head) || bytes > PT_MAX_PLAN ||
	    head->version != PT_PLAN_VERSION || head->bytes != bytes)
		return false;
	for (int i = 0; i < AL_PLAN_ARRAYS; i++, a++)
		if (a->at % 8 || a->at > bytes ||
		    a->n > (bytes - a->at) / al_array_entry_size(i))
			return false;
	return head->windows.n <= PT_MAX_WINDOWS &&
	       head->lanes.n <= PT_MAX_LANES &&
	       head->events.n <= PT_MAX_EVENTS &&
	       head->intercepts.n <= PT_MAX_INTERCEPTS &&
	       head->types.n <= PT_MAX_TYPES;
}

static bool is_first_and_last_string_byte_nul(const struct al_windows *w)
{
	uint32_t n = w->n[AL_STRINGS];

	return n && !*w->string && !w->string[n - 1];
}

/* Whether each entry of the plan is valid, and none is owned by two others. */
static bool check_plan_entries(struct plan_checker *c)
{
	static bool (*const check[])(struct plan_checker *, uint32_t) = {
		[AL_WINDOWS] = check_window_and_mark_members_owned,
		[AL_EVENTS] = check_event_and_mark_members_owned,
		[AL_LANES] = is_lane_window_and_images_in_bounds,
		[AL_IMAGES] = check_image_and_mark_functions_owned,
		[AL_FUNCTIONS] = check_function_and_mark_members_owned,
		[AL_SELECTS] = is_select_kind_and_name_valid,
		[AL_INTERVALS] = is_interval_end_within_64_bits,
		[AL_INTERCEPTS] = check_intercept_and_mark_params_owned,
		[AL_PARAMETERS] = is_parameter_entry_valid,
		[AL_TYPES] = check_type_and_mark_fields_owned,
		[AL_FIELDS] = is_field_name_offset_valid,
	};

	for (int kind = 0; kind < AL_STRINGS; kind++)
		for (uint32_t i = 0; i < c->w.n[kind]; i++)
			if (!check[kind](c, i))
				return false;
	return true;
}

/* This function is not in plan.c, so that programs that only read plans need
   not link plan.c. */
void al_plan_view_as_windows(const void *plan, struct al_windows *view)
{
	const struct pt_array *a = &((const struct pt_plan *)plan)->windows;

	memset(view, 0, sizeof(*view));
	for (int i = 0; i < AL_PLAN_ARRAYS; i++) {
		view->item[i] = (char *)(uintptr_t)plan + a[i].at;
		view->n[i] = a[i].n;
	}
}

int al_plan_check(const void *plan, size_t bytes)
{
	struct plan_checker c;
	size_t entries = 1;
	bool *owned;
	int rc = 0;

	if (!is_header_and_array_bounds_valid(plan, bytes))
		return -EINVAL;
	al_plan_view_as_windows(plan, &c.w);
	for (int kind = 0; kind < AL_PLAN_ARRAYS; kind++)
		entries += c.w.n[kind];
	owned = calloc(entries, sizeof(*owned));
	if (!owned)
		return -ENOMEM;
	c.is_owned[0] = owned;
	for (int kind = 1; kind < AL_PLAN_ARRAYS; kind++)
		c.is_owned[kind] = c.is_owned[kind - 1] + c.w.n[kind - 1];
	if (!is_first_and_last_string_byte_nul(&c.w) ||
	    !check_plan_entries(&c) ||
	    !is_nesting_of_struct_types_within_limit(&c))
		rc = -EINVAL;
	free(owned);
	return rc;
}

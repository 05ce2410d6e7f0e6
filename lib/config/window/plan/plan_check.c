/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan_check.c - checks that a plan refers to nothing outside itself
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/config/window/plan/arrays.h"
#include "lib/config/window/plan/plan.h"

/* A plan that is being checked. */
struct checked {
	struct al_windows w;
	bool *is_owned[AL_PLAN_ARRAYS]; /* of each entry: another one owns it */
};

/* Mark entries [first, first + n) of a part as owned. Return: false if they
   are not in the plan, or one is owned already: a traversal would visit it
   twice. */
static bool mark_owned(struct checked *c, enum al_array_kind part,
		       uint32_t first, uint32_t n)
{
	bool *taken = c->is_owned[part];

	if (first > c->w.n[part] || n > c->w.n[part] - first)
		return false;
	taken += first;
	for (uint32_t i = 0; i < n; i++) {
		if (taken[i])
			return false;
		taken[i] = true;
	}
	return true;
}

static bool is_string(const struct al_windows *w, uint32_t at)
{
	return at < w->n[AL_STRINGS];
}

static bool is_between(uint32_t kind, uint32_t first, uint32_t last)
{
	return kind >= first && kind <= last;
}

static bool is_event_or_none(const struct al_windows *w, uint32_t event)
{
	return event == PT_NO_EVENT || event < w->n[AL_EVENTS];
}

/* Whether the warm lanes of a window equal its other lanes. */
static bool are_warm_lanes_equal(const struct checked *c,
				 const struct pt_window *x)
{
	const struct pt_lane *lane = c->w.lane + x->first_lane;

	for (uint32_t k = 0; k < x->n_warm; k++)
		if (memcmp(&lane[k], &lane[x->n_lanes + k], sizeof(*lane)))
			return false;
	return true;
}

/* Check the lanes of window @i. Lanes that are not warm own the images. */
static bool check_lanes(struct checked *c, uint32_t i)
{
	const struct pt_window *x = &c->w.window[i];
	const struct pt_lane *lane = c->w.lane + x->first_lane;

	for (uint32_t k = 0; k < x->n_lanes; k++)
		if (lane[k].window != i ||
		    !mark_owned(c, AL_IMAGES, lane[k].first_image,
				lane[k].n_images))
			return false;
	return are_warm_lanes_equal(c, x);
}

static bool may_be_warm(const struct pt_window *x)
{
	return !x->n_warm ||
	       (x->warmup && x->warmup <= PT_MAX_WARMUP &&
		x->n_warm == x->n_lanes && x->n_lanes <= PT_MAX_LANES / 2);
}

static bool check_window(struct checked *c, uint32_t i)
{
	const struct pt_window *x = &c->w.window[i];

	if (!is_string(&c->w, x->name) || !is_event_or_none(&c->w, x->on) ||
	    !is_event_or_none(&c->w, x->till) || !may_be_warm(x) ||
	    !mark_owned(c, AL_LANES, x->first_lane, x->n_lanes + x->n_warm) ||
	    !mark_owned(c, AL_INTERVALS, x->first_interval, x->n_intervals) ||
	    x->sample_unit > PT_COUNT_NS || x->sample_for > x->sample_every)
		return false;
	return check_lanes(c, i);
}

/* Check event @i. The events of a group come after it. */
static bool check_event(struct checked *c, uint32_t i)
{
	const struct pt_event *e = &c->w.event[i];

	return is_between(e->kind, PT_EVENT_ALL, PT_EVENT_MONITOR) &&
	       is_string(&c->w, e->image) && is_string(&c->w, e->name) &&
	       mark_owned(c, AL_EVENTS, e->first, e->n) &&
	       (!e->n || (e->first > i && e->kind <= PT_EVENT_ANY));
}

static bool check_lane(struct checked *c, uint32_t i)
{
	const struct pt_lane *l = &c->w.lane[i];

	return l->window < c->w.n[AL_WINDOWS] &&
	       l->first_image <= c->w.n[AL_IMAGES] &&
	       l->n_images <= c->w.n[AL_IMAGES] - l->first_image;
}

static bool check_image(struct checked *c, uint32_t i)
{
	const struct pt_image *x = &c->w.image[i];

	return is_between(x->kind, PT_IMAGE_PATH, PT_IMAGE_ANY) &&
	       is_string(&c->w, x->name) &&
	       mark_owned(c, AL_FUNCTIONS, x->first_function, x->n_functions);
}

static bool check_function(struct checked *c, uint32_t i)
{
	const struct pt_function *f = &c->w.function[i];

	return is_between(f->kind, PT_FUNCTION_DECORATED, PT_FUNCTION_ANY) &&
	       is_string(&c->w, f->name) &&
	       mark_owned(c, AL_SELECTS, f->first_select, f->n_selects) &&
	       (!f->intercept ||
		mark_owned(c, AL_INTERCEPTS, f->intercept - 1, 1));
}

static bool check_select(struct checked *c, uint32_t i)
{
	return is_between(c->w.select[i].kind, PT_SELECT_FORM, PT_SELECT_ANY) &&
	       is_string(&c->w, c->w.select[i].name);
}

static bool check_interval(struct checked *c, uint32_t i)
{
	const struct pt_interval *x = &c->w.interval[i];
	uint64_t end;

	return !__builtin_add_overflow(x->start, x->duration, &end);
}

static bool is_type(const struct checked *c, uint32_t type)
{
	return type < c->w.n[AL_TYPES];
}

/* Whether @where is valid and has as many bytes as a value of type @t. @slots:
   number of slots for each enum pt_place. */
static bool has_places(const struct pt_type *t, const struct pt_where *where,
		       const uint32_t slots[PT_IN_MEMORY + 1])
{
	for (int i = 0; i < 2; i++)
		if (where[i].place > PT_IN_MEMORY ||
		    (where[i].place && where[i].slot >= slots[where[i].place]))
			return false;
	if (where[0].place > PT_IN_VECTOR)
		return !where[1].place &&
		       (where[0].place != PT_IN_X87 || t->size == PT_X87_BYTES);
	return where[0].place && where[1].place <= PT_IN_VECTOR &&
	       t->size <= (where[1].place ? 16u : 8u);
}

static bool check_intercept(struct checked *c, uint32_t i)
{
	static const uint32_t slots[PT_IN_MEMORY + 1] = {0, 2, 2, 0, 1, 1};
	const struct pt_intercept *x = &c->w.intercept[i];

	return (x->result == PT_NO_TYPE ||
		(is_type(c, x->result) &&
		 has_places(&c->w.type[x->result], x->where, slots))) &&
	       x->n_parameters <= PT_MAX_PARAMETERS &&
	       mark_owned(c, AL_PARAMETERS, x->first_parameter,
			  x->n_parameters);
}

static bool check_parameter(struct checked *c, uint32_t i)
{
	static const uint32_t slots[PT_IN_MEMORY + 1] = {
		0, 6, 8, PT_MAX_PARAMETERS * (PT_MAX_TYPE / 8 + 1), 0, 0};
	const struct pt_parameter *p = &c->w.parameter[i];

	return is_string(&c->w, p->name) && is_type(c, p->type) &&
	       has_places(&c->w.type[p->type], p->where, slots);
}

enum { BUSY = UINT8_MAX };

/* Return the depth of structs nested by value in a type, the type included; 0:
   it is no struct; BUSY: too deep, or a struct contains itself. @nested: by
   type, depths computed so far, else 0. */
static uint8_t nested_in(const struct checked *c, uint32_t type,
			 uint8_t *nested)
{
	const struct pt_type *t = &c->w.type[type];
	uint8_t most = 0;

	if (t->kind != PT_TYPE_STRUCT || nested[type])
		return nested[type];
	nested[type] = BUSY;
	for (uint32_t i = 0; i < t->n; i++) {
		uint8_t n = nested_in(c, c->w.field[t->first + i].type, nested);

		if (n > most)
			most = n;
	}
	if (most < PT_MAX_NESTED)
		nested[type] = (uint8_t)(most + 1);
	return nested[type];
}

static bool are_types_finite(const struct checked *c)
{
	uint8_t nested[PT_MAX_TYPES] = {0};

	for (uint32_t i = 0; i < c->w.n[AL_TYPES]; i++)
		if (nested_in(c, i, nested) == BUSY)
			return false;
	return true;
}

static bool check_field(const struct checked *c, const struct pt_type *t,
			uint32_t field)
{
	const struct pt_field *f = &c->w.field[field];

	return is_type(c, f->type) && f->offset < t->size &&
	       c->w.type[f->type].size <= t->size - f->offset;
}

static bool check_type(struct checked *c, uint32_t i)
{
	const struct pt_type *t = &c->w.type[i];

	if (!is_between(t->kind, PT_TYPE_UNSIGNED, PT_TYPE_POINTER) ||
	    !is_string(&c->w, t->name) || !is_string(&c->w, t->variable) ||
	    !t->size || t->size > PT_MAX_TYPE)
		return false;
	if (t->kind == PT_TYPE_POINTER)
		return !t->n && t->size == 8 && is_type(c, t->element) &&
		       is_between(t->bound, PT_BOUND_COUNT, PT_BOUND_START_VAR);
	if (t->kind != PT_TYPE_STRUCT)
		return !t->n && !(t->size & (t->size - 1)) &&
		       t->size <= (t->kind == PT_TYPE_FLOAT ? 16u : 8u);
	if (!t->n || !mark_owned(c, AL_FIELDS, t->first, t->n))
		return false;
	for (uint32_t k = 0; k < t->n; k++)
		if (!check_field(c, t, t->first + k))
			return false;
	return true;
}

static bool check_name(struct checked *c, uint32_t i)
{
	return is_string(&c->w, c->w.field[i].name);
}

/* Check the header, and that the arrays are inside the plan. */
static bool check_arrays(const void *plan, size_t bytes)
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

static bool check_strings(const struct al_windows *w)
{
	uint32_t n = w->n[AL_STRINGS];

	return n && !*w->string && !w->string[n - 1];
}

static bool check_parts(struct checked *c)
{
	static bool (*const check[])(struct checked *, uint32_t) = {
		[AL_WINDOWS] = check_window,
		[AL_EVENTS] = check_event,
		[AL_LANES] = check_lane,
		[AL_IMAGES] = check_image,
		[AL_FUNCTIONS] = check_function,
		[AL_SELECTS] = check_select,
		[AL_INTERVALS] = check_interval,
		[AL_INTERCEPTS] = check_intercept,
		[AL_PARAMETERS] = check_parameter,
		[AL_TYPES] = check_type,
		[AL_FIELDS] = check_name,
	};

	for (int part = 0; part < AL_STRINGS; part++)
		for (uint32_t i = 0; i < c->w.n[part]; i++)
			if (!check[part](c, i))
				return false;
	return true;
}

/* This is not in plan.c, so that programs that only read plans link without
   it. */
void al_plan_view(const void *plan, struct al_windows *view)
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
	struct checked c;
	size_t entries = 1;
	bool *taken;
	int rc = 0;

	if (!check_arrays(plan, bytes))
		return -EINVAL;
	al_plan_view(plan, &c.w);
	for (int part = 0; part < AL_PLAN_ARRAYS; part++)
		entries += c.w.n[part];
	taken = calloc(entries, sizeof(*taken));
	if (!taken)
		return -ENOMEM;
	c.is_owned[0] = taken;
	for (int part = 1; part < AL_PLAN_ARRAYS; part++)
		c.is_owned[part] = c.is_owned[part - 1] + c.w.n[part - 1];
	if (!check_strings(&c.w) || !check_parts(&c) || !are_types_finite(&c))
		rc = -EINVAL;
	free(taken);
	return rc;
}

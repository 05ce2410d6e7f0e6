/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plan_outcome.c - stores which events and names of a plan were found, and
   finds similar names for the others; see plan_outcome.h */

#include "lib/recover/plan_outcome.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/array.h"
#include "base/tables/intern.h"
#include "base/text/path.h"
#include "lib/config/window/plan/process_plan.h"
#include "lib/recover/mappings.h"
#include "lib/recover/marks.h"
#include "proto/shared/suggest.h"

enum { MAX_OUTCOMES = PT_MAX_EVENTS + PT_MAX_MISSED };

int al_plan_outcomes_add_record(
	struct al_plan_outcomes *o, struct al_intern *strings,
	const struct pt_log_outcome *plan_outcome_record)
{
	const char *near = (const char *)(plan_outcome_record + 1);

	if (plan_outcome_record->head.bytes <= sizeof(*plan_outcome_record) ||
	    !memchr(near, 0,
		    plan_outcome_record->head.bytes -
			    sizeof(*plan_outcome_record)))
		return -EPROTO;
	if (plan_outcome_record->what == PT_OUTCOME_ALL) {
		o->n = 0;
		o->is_received = true;
		return 0;
	}
	if (!o->is_received || o->n == MAX_OUTCOMES)
		return -EPROTO;
	if (al_array_reserve(o->outcome, o->size, o->n + 1))
		return -ENOMEM;
	o->outcome[o->n++] = (struct al_plan_outcome){
		.count = plan_outcome_record->count,
		.suggestion = *near ? al_intern_question_marks_if_no_memory(
					      strings, near)
				    : NULL,
		.kind = plan_outcome_record->what,
		.number = plan_outcome_record->number,
		.flags = plan_outcome_record->flags,
	};
	return 0;
}

const struct al_plan_outcome *
al_plan_outcomes_find(const struct al_plan_outcomes *o,
		      enum pt_outcome outcome_kind, uint32_t plan_index)
{
	/* The Valgrind tool usually sends the outcomes of all events first, in
	   the order of the plan. */
	if (plan_index < o->n && o->outcome[plan_index].kind == outcome_kind &&
	    o->outcome[plan_index].number == plan_index)
		return &o->outcome[plan_index];
	for (uint32_t i = 0; i < o->n; i++)
		if (o->outcome[i].kind == outcome_kind &&
		    o->outcome[i].number == plan_index)
			return &o->outcome[i];
	return NULL;
}

void al_plan_outcomes_release(struct al_plan_outcomes *o)
{
	free(o->outcome);
	*o = (struct al_plan_outcomes){0};
}

/* ---- similar names ---- */

/* Return the mapped file whose last path component is most similar to that of
   @name, or NULL if none is similar. @return_path: return the file's whole
   path; else its last component. */
static const char *find_most_similar_mapped_file(const struct al_mappings *m,
						 const char *name,
						 bool return_path)
{
	struct pt_suggestion_search nearest =
		pt_suggestion_start_search(al_path_base_name(name));
	const char *found = NULL;

	for (size_t i = 0; i < m->n; i++) {
		const char *path = m->mapping[i]->path;
		const char *file = al_path_base_name(path);

		if (pt_suggestion_store_distance_if_nearer(
			    &nearest, file, (uint32_t)strlen(file)))
			found = return_path ? path : file;
	}
	return found;
}

/* Return the name of the program's client request that is most similar to
   @name, or NULL. */
static const char *
find_most_similar_client_request_name(const struct al_marks *m,
				      const char *name)
{
	struct pt_suggestion_search nearest = pt_suggestion_start_search(name);
	const char *found = NULL;

	for (uint32_t i = 0; i < m->n; i++) {
		const struct al_mark *x = &m->mark[i];

		if ((x->kind == PT_NAMED_EVENT || x->kind == PT_NAMED_BEGIN) &&
		    pt_suggestion_store_distance_if_nearer(
			    &nearest, x->name, (uint32_t)strlen(x->name)))
			found = x->name;
	}
	return found;
}

/* Return the name of the client request or mapped file that is most similar to
   the name in an event of the plan: a request for an event of kind
   PT_EVENT_REQUEST, else a file. NULL: none is similar, or the event names no
   file. */
static const char *find_suggestion_for_event(const struct pt_plan *plan,
					     uint32_t event_index,
					     const struct al_mappings *mappings,
					     const struct al_marks *marks)
{
	const struct pt_event *e = pt_plan_events(plan) + event_index;
	const char *image = pt_plan_string(plan, e->image);

	if (e->kind == PT_EVENT_REQUEST)
		return find_most_similar_client_request_name(
			marks, pt_plan_string(plan, e->name));
	return *image ? find_most_similar_mapped_file(
				mappings, image, e->flags & PT_EVENT_BY_PATH)
		      : NULL;
}

/* Return the mapped file whose name is most similar to that of image (an object
   file) @image_index of the plan; NULL if none is similar or this image has no
   name. */
static const char *find_suggestion_for_image(const struct pt_plan *plan,
					     uint32_t image_index,
					     const struct al_mappings *mappings)
{
	const struct pt_image *image = pt_plan_images(plan) + image_index;
	const char *name = pt_plan_string(plan, image->name);

	return *name ? find_most_similar_mapped_file(
			       mappings, name, image->kind == PT_IMAGE_PATH)
		     : NULL;
}

void al_plan_outcomes_set_suggestions(struct al_plan_outcomes *o,
				      const struct pt_plan *plan,
				      const struct al_mappings *mappings,
				      const struct al_marks *marks)
{
	const uint32_t not_missing =
		PT_OUTCOME_HAPPENED | PT_OUTCOME_MAPPED | PT_OUTCOME_FOUND;

	for (uint32_t i = 0; i < o->n; i++) {
		struct al_plan_outcome *x = &o->outcome[i];

		if (x->flags & not_missing)
			continue;
		if (x->kind == PT_OUTCOME_EVENT && x->number < plan->events.n)
			x->suggestion = find_suggestion_for_event(
				plan, x->number, mappings, marks);
		if (x->kind == PT_OUTCOME_IMAGE && x->number < plan->images.n)
			x->suggestion = find_suggestion_for_image(
				plan, x->number, mappings);
	}
}

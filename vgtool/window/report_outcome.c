/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report_outcome.c - logs which parts of the plan have taken effect; see
   windows.h */

#include "vgtool/window/windows.h"

#include "proto/shared/suggest.h"
#include "vgtool/core/plan_view.h"
#include "vgtool/core/valgrind_core.h"
#include "vgtool/transport/objects.h"
#include "vgtool/transport/ring.h"
#include "vgtool/window/events.h"
#include "vgtool/window/filter.h"
#include "vgtool/window/functions.h"

/* Functions for which a similar name is searched among all names of their
   images, which takes milliseconds each. For further functions the names are
   only counted. */
enum { MAX_SEARCHES = 16 };

static UInt n_searches, n_missing;

/* Append record @r and the string @similar_name_or_empty to the log; wait for
   room. @similar_name_or_empty: a name that resembles the one not found, or ""
   if there is none. */
static void log_outcome_and_similar_name(struct pt_log_outcome r,
					 const HChar *similar_name_or_empty)
{
	UInt len = VG_(strlen)(similar_name_or_empty);
	union {
		struct pt_log_outcome r;
		HChar bytes[sizeof(r) + PT_MAX_NAME + 8];
	} u;

	len = len > PT_MAX_NAME ? 0 : len;
	VG_(memset)(&u, 0, sizeof(u));
	r.head.kind = PT_LOG_OUTCOME;
	r.head.bytes = vt_record_bytes_padded_to_8(sizeof(r) + len + 1);
	u.r = r;
	VG_(memcpy)(u.bytes + sizeof(r), similar_name_or_empty, len);
	vt_ring_await_room_and_append_log(&u, r.head.bytes);
}

/* ---- search for a similar name, for a function that was not found ---- */

/* State of a search for a similar name among the symbols of all object files
   that match an image of the plan. */
struct search {
	struct pt_suggestion_search nearest;
	const struct vt_named_function *sought;
	Bool with_parameters;	      /* the plan's name has parameters */
	HChar found[PT_MAX_NAME + 1]; /* most similar name so far, or "" */
	ULong names;		      /* number of names seen */
};

/* Return the length [bytes] of @name up to the version that the linker adds
   ("@...") and, unless with_parameters of @s is set, up to its parameters
   ("(..."). */
static UInt length_without_version_or_params(const struct search *s,
					     const HChar *name)
{
	UInt n = 0;

	while (name[n] && name[n] != '@' &&
	       (name[n] != '(' || s->with_parameters))
		n++;
	return n;
}

/* Whether @name is a part that a compiler has split off the function, such as
   "f.part.0". */
static Bool is_split_off_by_compiler(const struct search *s, const HChar *name)
{
	return VG_(strncmp)(name, s->nearest.word, s->nearest.n) == 0 &&
	       name[s->nearest.n] == '.';
}

/* Count @symbol in @s, and store its name if that is more similar to the sought
   name than all names before. */
static void count_symbol_store_name_if_most_similar(struct search *s,
						    const HChar *symbol)
{
	const HChar *name = symbol;
	UInt n;

	s->names++;
	if (s->nearest.least_distance == 0)
		return;
	if (!s->sought->decorated && symbol[0] == '_' && symbol[1] == 'Z')
		VG_(demangle)(True, False, symbol, &name);
	n = length_without_version_or_params(s, name);
	if (n == 0 || n > PT_MAX_NAME)
		return;
	if (is_split_off_by_compiler(s, name))
		s->nearest.least_distance = 0;
	else if (!pt_suggestion_store_distance_if_nearer(&s->nearest, name, n))
		return;
	VG_(memcpy)(s->found, name, n);
	s->found[n] = 0;
}

/* Count the names of the functions of object @di, and store in @s the one most
   similar to the sought name. */
static void count_names_find_most_similar_in_object(struct search *s,
						    const DebugInfo *di)
{
	Int i, n = VG_(DebugInfo_syms_howmany)(di);

	for (i = 0; i < n; i++) {
		const HChar *primary, **secondary;
		struct vt_symbol_address address;
		Bool is_text, is_ifunc, is_global;
		UInt size;

		VG_(DebugInfo_syms_getidx)
		(di, i, &address, &size, &primary, &secondary, &is_text,
		 &is_ifunc, &is_global);
		if (!is_text || is_ifunc)
			continue;
		count_symbol_store_name_if_most_similar(s, primary);
		for (; secondary && *secondary; secondary++)
			count_symbol_store_name_if_most_similar(s, *secondary);
	}
}

/* Search the object files that are mapped now and match the image of @sought
   for the function name most similar to its name. Set @s to the result. After
   MAX_SEARCHES searches only count the names. */
static void search_similar_name(struct search *s,
				const struct vt_named_function *sought)
{
	const DebugInfo *di;

	*s = (struct search){
		.nearest = pt_suggestion_start_search(sought->name),
		.sought = sought,
		.with_parameters = VG_(strchr)(sought->name, '(') != NULL,
	};
	if (n_searches++ >= MAX_SEARCHES)
		s->nearest.least_distance = 0;
	for (di = VG_(next_DebugInfo)(NULL); di; di = VG_(next_DebugInfo)(di))
		if (vt_functions_does_path_match_image(
			    VG_(DebugInfo_get_filename)(di), sought->image_kind,
			    sought->image))
			count_names_find_most_similar_in_object(s, di);
}

/* Log the record @r of an event or a function of the plan, which stands for
   function @function_number (functions.h), with a similar name if an object of
   its image was mapped but does not have the function. */
static void log_plan_outcome_of_sought_function(struct pt_log_outcome r,
						UInt function_number)
{
	const struct vt_named_function *sought;
	static struct search s;
	UInt flags;

	sought = vt_functions_get_name_and_search_outcome(function_number,
							  &flags);
	r.flags |= flags;
	s.found[0] = 0;
	if ((flags & PT_OUTCOME_MAPPED) && !(flags & PT_OUTCOME_FOUND)) {
		search_similar_name(&s, sought);
		r.count = s.names;
	}
	log_outcome_and_similar_name(r, s.found);
}

/* ---- events ---- */

static Bool is_event_image_mapped_now(const struct pt_event *e)
{
	const HChar *name = vt_plan_string_at_offset_in_strings(e->image);
	UInt kind = e->flags & PT_EVENT_BY_PATH ? PT_IMAGE_PATH : PT_IMAGE_NAME;
	const DebugInfo *di;

	for (di = VG_(next_DebugInfo)(NULL); di; di = VG_(next_DebugInfo)(di))
		if (vt_functions_does_path_match_image(
			    VG_(DebugInfo_get_filename)(di), kind, name))
			return True;
	return False;
}

static void log_whether_event_happened(UInt event)
{
	const struct pt_event *e = vt_plan_event(event);
	struct pt_log_outcome r = {
		.what = PT_OUTCOME_EVENT,
		.number = event,
		.flags = vt_event_has_happened(event) ? PT_OUTCOME_HAPPENED : 0,
		.count = vt_event_count_or_ns_for_log(event),
	};

	if (e->kind == PT_EVENT_UNLOAD && is_event_image_mapped_now(e))
		r.flags |= PT_OUTCOME_MAPPED;
	if (vt_event_function_number_or_none(event) != ~0u)
		log_plan_outcome_of_sought_function(
			r, vt_event_function_number_or_none(event));
	else
		log_outcome_and_similar_name(r, "");
}

/* ---- images and functions of lanes ---- */

/* Count a missing image (object file) or function. Return: whether it may be
   logged: fewer than PT_MAX_MISSED were counted before. */
static Bool count_missing_image_or_function_in_limit(void)
{
	return n_missing++ < PT_MAX_MISSED;
}

static void log_functions_not_found_in_image(const struct pt_image *image)
{
	UInt i, flags;

	for (i = image->first_function;
	     i < image->first_function + image->n_functions; i++) {
		if (vt_plan_function(i)->kind == PT_FUNCTION_ANY)
			continue;
		vt_functions_get_name_and_search_outcome(
			vt_filter_function_number(i), &flags);
		if (!(flags & PT_OUTCOME_FOUND) &&
		    count_missing_image_or_function_in_limit())
			log_plan_outcome_of_sought_function(
				(struct pt_log_outcome){
					.what = PT_OUTCOME_FUNCTION,
					.number = i},
				vt_filter_function_number(i));
	}
}

static void log_lane_images_and_functions_not_found(const struct pt_lane *lane)
{
	UInt i;

	for (i = lane->first_image; i < lane->first_image + lane->n_images;
	     i++) {
		if (vt_filter_was_image_mapped(i))
			log_functions_not_found_in_image(vt_plan_image(i));
		else if (count_missing_image_or_function_in_limit())
			log_outcome_and_similar_name(
				(struct pt_log_outcome){
					.what = PT_OUTCOME_IMAGE, .number = i},
				"");
	}
}

void vt_outcome_log_plan(void)
{
	UInt i;

	if (vt_recording_plan == NULL || vt_recording_plan->windows.n == 0 ||
	    !vt_ring_is_attached())
		return;
	n_searches = n_missing = 0;
	log_outcome_and_similar_name(
		(struct pt_log_outcome){.what = PT_OUTCOME_ALL}, "");
	for (i = 0; i < vt_recording_plan->events.n; i++)
		log_whether_event_happened(i);
	for (i = 0; i < vt_recording_plan->lanes.n; i++)
		log_lane_images_and_functions_not_found(vt_plan_lane(i));
}

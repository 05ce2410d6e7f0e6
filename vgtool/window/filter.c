/* SPDX-License-Identifier: GPL-2.0-or-later */
/* filter.c - decides which lanes record an instruction; see filter.h */

#include "vgtool/window/filter.h"

#include <pub_tool_aspacemgr.h>
#include <pub_tool_debuginfo.h>

#include "vgtool/core/plan_view.h"
#include "vgtool/window/functions.h"
#include "vgtool/window/instr_class.h"

enum { NONE = -1 };

/* Code of one object file and, for each lane, the image of the plan that the
   file matches. */
struct object {
	Addr start, end;
	Int image[PT_MAX_LANES]; /* by lane: number of the first image that
				    matches the file, or NONE */
};

static ULong active_lanes; /* a bit for each lane (filter of a window for
				     a thread) that code is translated for */
/* Cache: the object file of the code address that was looked up last, with the
   image of the plan that it matches for each lane (filter of a window) */
static struct object last_object;
static UInt *function_numbers; /* by function of the plan: its number in
			      functions.h */
static Bool *was_mapped; /* by image of the plan: whether a file that matches
			      it was mapped */

void vt_filter_clear_cached_object(void)
{
	last_object = (struct object){0, 0, {0}};
}

/* Add the functions that @image of the plan names to those that functions.h
   searches for. */
static void
add_sought_functions_named_by_plan_image(const struct pt_image *image)
{
	UInt i;

	for (i = image->first_function;
	     i < image->first_function + image->n_functions; i++) {
		const struct pt_function *f = vt_plan_function(i);
		struct vt_named_function w = {
			.image_kind = image->kind,
			.image = vt_plan_string_at_offset_in_strings(
				image->name),
			.name = vt_plan_string_at_offset_in_strings(f->name),
			.decorated = f->kind == PT_FUNCTION_DECORATED,
		};

		if (f->kind != PT_FUNCTION_ANY)
			function_numbers[i] =
				vt_functions_find_or_add_get_number(&w);
	}
}

void vt_filter_init_from_plan(void)
{
	UInt i;

	VG_(free)(function_numbers);
	function_numbers =
		VG_(calloc)("vt.scope", vt_recording_plan->functions.n + 1,
			    sizeof(*function_numbers));
	VG_(free)(was_mapped);
	was_mapped = VG_(calloc)("vt.scope", vt_recording_plan->images.n + 1,
				 sizeof(*was_mapped));
	for (i = 0; i < vt_recording_plan->images.n; i++)
		add_sought_functions_named_by_plan_image(vt_plan_image(i));
	active_lanes = 0;
	vt_filter_clear_cached_object();
}

void vt_filter_set_translated_lanes(ULong lane_mask)
{
	active_lanes = lane_mask;
}

static Bool does_object_path_match_plan_image(UInt image_number,
					      const HChar *object_path)
{
	const struct pt_image *im = vt_plan_image(image_number);

	return vt_functions_does_path_match_image(
		object_path, im->kind,
		vt_plan_string_at_offset_in_strings(im->name));
}

void vt_filter_mark_matching_images_as_mapped(const HChar *path)
{
	UInt i;

	vt_filter_clear_cached_object();
	for (i = 0;
	     vt_recording_plan != NULL && i < vt_recording_plan->images.n; i++)
		was_mapped[i] |= does_object_path_match_plan_image(i, path);
}

Bool vt_filter_was_image_mapped(UInt image_number)
{
	return was_mapped[image_number];
}

UInt vt_filter_function_number(UInt plan_function_index)
{
	return function_numbers[plan_function_index];
}

Bool vt_filter_has_active_warmup_lane(void)
{
	UInt lane;

	for (lane = 0; lane < vt_recording_plan->lanes.n; lane++)
		if ((active_lanes >> lane & 1) && vt_plan_is_warmup_lane(lane))
			return True;
	return False;
}

/* Return the number in the plan of the first image of @lane that the file @path
   matches, and mark this image as mapped; NONE if it matches none. */
static Int find_and_mark_lane_image_or_none(const struct pt_lane *lane,
					    const HChar *path)
{
	UInt i;

	for (i = lane->first_image; i < lane->first_image + lane->n_images; i++)
		if (does_object_path_match_plan_image(i, path)) {
			was_mapped[i] = True; /* not marked yet if Valgrind
						 does not know the file as an
						 object */
			return i;
		}
	return NONE;
}

/* Set the range of @o to the text of the object file that contains @pc, and
   return its path. For code outside every object's text, set the range to @pc
   alone and return the path of the file that is mapped there, or "". */
static const HChar *set_object_range_get_path_or_empty(Addr pc,
						       struct object *o)
{
	DebugInfo *di = VG_(find_DebugInfo)(VG_(current_DiEpoch)(), pc);
	const NSegment *segment = VG_(am_find_nsegment)(pc);
	const HChar *path = NULL;

	if (di != NULL) {
		o->start = VG_(DebugInfo_get_text_avma)(di);
		o->end = o->start + VG_(DebugInfo_get_text_size)(di);
		if (pc >= o->start && pc < o->end)
			return VG_(DebugInfo_get_filename)(di);
	}
	o->start = pc;
	o->end = pc + 1;
	if (segment != NULL)
		path = VG_(am_get_filename)(segment);
	return path ?: "";
}

/* Return the object file that contains @pc and, for each lane, the image that
   the file matches, or NONE. The pointer is valid until the next call. */
static const struct object *get_object_and_lane_images_at_pc(Addr pc)
{
	const HChar *path;
	UInt i;

	if (pc >= last_object.start && pc < last_object.end)
		return &last_object;
	path = set_object_range_get_path_or_empty(pc, &last_object);
	for (i = 0; i < vt_recording_plan->lanes.n; i++)
		last_object.image[i] =
			find_and_mark_lane_image_or_none(vt_plan_lane(i), path);
	return &last_object;
}

/* Whether @pc lies in the function with number @named_function_number in
   functions.h. */
static Bool is_in_function(Addr pc, UInt named_function_number)
{
	const struct vt_function_range *r;
	UInt n;

	for (n = 0; (r = vt_functions_find_nth_range_at(pc, n)) != NULL; n++)
		if (r->function == named_function_number)
			return True;
	return False;
}

/* Return the first function of the plan's image number @image_number that @pc
   lies in, or NULL. */
static const struct pt_function *
find_plan_function_containing_pc(Int image_number, Addr pc)
{
	const struct pt_image *im = vt_plan_image(image_number);
	UInt i;

	for (i = im->first_function; i < im->first_function + im->n_functions;
	     i++)
		if (vt_plan_function(i)->kind == PT_FUNCTION_ANY ||
		    is_in_function(pc, function_numbers[i]))
			return vt_plan_function(i);
	return NULL;
}

/* Return the function of the plan, among those of the images of @lane (a
   window's thread filter), that applies to code at @pc; NULL if the lane has
   none for it. */
static const struct pt_function *find_lane_function_containing_pc(UInt lane,
								  Addr pc)
{
	Int image = get_object_and_lane_images_at_pc(pc)->image[lane];

	return image == NONE ? NULL
			     : find_plan_function_containing_pc(image, pc);
}

Bool vt_filter_is_pc_in_active_lane(Addr pc)
{
	UInt lane;

	for (lane = 0; lane < vt_recording_plan->lanes.n; lane++)
		if ((active_lanes >> lane & 1) &&
		    find_lane_function_containing_pc(lane, pc) != NULL)
			return True;
	return False;
}

/* Whether some select (class of instructions) of @f is that of all
   instructions. */
static Bool has_select_of_all_instrs(const struct pt_function *f)
{
	UInt i;

	for (i = f->first_select; i < f->first_select + f->n_selects; i++)
		if (vt_plan_select(i)->kind == PT_SELECT_ANY)
			return True;
	return False;
}

Bool vt_filter_records_all_instrs_at(Addr pc)
{
	const struct pt_function *f;
	UInt lane;

	for (lane = 0; lane < vt_recording_plan->lanes.n; lane++) {
		if (!(active_lanes >> lane & 1))
			continue;
		f = find_lane_function_containing_pc(lane, pc);
		if (f != NULL && has_select_of_all_instrs(f))
			return True;
	}
	return False;
}

/* Whether @entry is the first instruction of the function with the number
   @named_function_number, which vt_functions_find_or_add_get_number() has
   returned. It is not the index of the function in the plan. */
static Bool is_function_entry(Addr entry, UInt named_function_number)
{
	const struct vt_function_range *r;
	UInt n;

	for (n = 0; (r = vt_functions_find_nth_range_at(entry, n)) != NULL; n++)
		if (r->start == entry && r->function == named_function_number)
			return True;
	return False;
}

UInt vt_filter_interceptor_number_or_0(UInt lane, Addr entry)
{
	const struct pt_function *f =
		find_lane_function_containing_pc(lane, entry);

	if (f == NULL || f->intercept == 0 || vt_plan_is_warmup_lane(lane))
		return 0;
	return is_function_entry(entry,
				 function_numbers[f - vt_plan_function(0)])
		       ? f->intercept
		       : 0;
}

Bool vt_filter_has_active_interceptor(Addr entry)
{
	UInt lane;

	for (lane = 0; lane < vt_recording_plan->lanes.n; lane++)
		if ((active_lanes >> lane & 1) &&
		    vt_filter_interceptor_number_or_0(lane, entry))
			return True;
	return False;
}

/* Whether select number @select_number of the plan, a class of instructions,
   includes the instruction of @len bytes at @pc. @accesses_memory: whether that
   accesses memory. */
static Bool does_select_match_instr(UInt select_number, Addr pc, UInt len,
				    Bool accesses_memory)
{
	switch (vt_plan_select(select_number)->kind) {
	case PT_SELECT_ANY:
		return True;
	case PT_SELECT_ANY_MEM:
		return accesses_memory;
	default:
		return vt_instr_class_is_known_to_match_select(select_number,
							       pc, len);
	}
}

/* Return the first select (class of instructions) of @f that includes the
   instruction at @pc, or NULL. */
static const struct pt_select *
find_select_matching_instr(const struct pt_function *f, Addr pc, UInt len,
			   Bool accesses_memory)
{
	UInt i;

	for (i = f->first_select; i < f->first_select + f->n_selects; i++)
		if (does_select_match_instr(i, pc, len, accesses_memory))
			return vt_plan_select(i);
	return NULL;
}

struct vt_record_filter
vt_filter_lanes_and_fields_of_instr(Addr pc, UInt len, Bool accesses_memory)
{
	struct vt_record_filter filter = {0, 0};
	UInt lane;

	for (lane = 0; lane < vt_recording_plan->lanes.n; lane++) {
		const struct pt_function *f;
		const struct pt_select *s;

		if (!(active_lanes >> lane & 1))
			continue;
		f = find_lane_function_containing_pc(lane, pc);
		s = f == NULL ? NULL
			      : find_select_matching_instr(f, pc, len,
							   accesses_memory);
		if (s == NULL)
			continue;
		filter.lanes |= 1ULL << lane;
		filter.fields |= vt_plan_is_warmup_lane(lane)
					 ? s->record & PT_RECORD_ADDRESS
					 : s->record;
	}
	return filter;
}

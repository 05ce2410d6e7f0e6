/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * filter.h - decides which lanes record an instruction, and which of its fields
 *
 * A lane is a window's filter for one thread or for any (struct pt_lane):
 * images (object files), functions and selects (classes of instructions). The
 * active lanes are those that code is translated for.
 */
#ifndef VGTOOL_WINDOW_FILTER_H
#define VGTOOL_WINDOW_FILTER_H

#include "vgtool/core/prelude.h"

struct vt_record_filter {
	ULong lanes; /* active lanes that record the instruction, a bit each */
	UInt fields; /* enum pt_record_fields that any of these lanes records */
};

/* Start anew with the present plan (vt_recording_plan); no lane (filter of a
   window for one thread or for any) is active. */
void vt_filter_init_from_plan(void);

/* Record for each image of the plan that the object file @path matches that it
   was mapped, and forget the object file found last. */
void vt_filter_mark_matching_images_as_mapped(const HChar *path);

/* Forget the object file that the last search found, because objects were
   mapped or unmapped. */
void vt_filter_clear_cached_object(void);

/* Whether an object or other file that matches image number @image_number of
   the plan has been mapped. */
Bool vt_filter_was_image_mapped(UInt image_number);

/* Return the number in functions.h of the function with number
   @plan_function_index in the plan. Not for functions of kind PT_FUNCTION_ANY.
   */
UInt vt_filter_function_number(UInt plan_function_index);

/* Set the active lanes, for code that is translated from now on. */
void vt_filter_set_translated_lanes(ULong lane_mask);

/* Whether a warm lane is among the active lanes. A warm lane is the second copy
   of a lane: it selects what to simulate for the warm-up while its window waits
   or is between two samples or intervals. */
Bool vt_filter_has_active_warmup_lane(void);

/**
 * vt_filter_lanes_and_fields_of_instr() - Return the active lanes that record
 * the instruction at @pc, and the fields that they record.
 * @len: [bytes] of the instruction.
 * @accesses_memory: whether it accesses memory.
 */
struct vt_record_filter
vt_filter_lanes_and_fields_of_instr(Addr pc, UInt len, Bool accesses_memory);

/* Whether an image and a function of an active lane include the code at @pc, so
   that the lane may record instructions there. */
Bool vt_filter_is_pc_in_active_lane(Addr pc);

/* Whether an active lane selects all instructions in the code at @pc, with no
   restriction to a class. */
Bool vt_filter_records_all_instrs_at(Addr pc);

/* Return the number, from 1, of the interceptor (records arguments and results)
   that @lane has for the function whose entry is @entry; 0 if there is none. */
UInt vt_filter_interceptor_number_or_0(UInt lane, Addr entry);

/* Whether an active lane has an interceptor for the function at @entry. */
Bool vt_filter_has_active_interceptor(Addr entry);

#endif

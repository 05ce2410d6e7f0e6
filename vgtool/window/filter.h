/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * filter.h - decides which lanes record an instruction, and which of its fields
 *
 * A lane is a window's entry for a thread (struct pt_lane). The active lanes
 * are those that code is translated for.
 */
#ifndef VGTOOL_WINDOW_FILTER_H
#define VGTOOL_WINDOW_FILTER_H

#include "vgtool/core/prelude.h"

struct vt_wish {
	ULong lanes; /* active lanes that record the instruction, a bit each */
	UInt record; /* enum pt_record_fields, union of these lanes */
};

/* Begin with the present plan (vt_given); no lane is active. */
void vt_scope_begin(void);

/* Record that the object @path was mapped. */
void vt_scope_object(const HChar *path);

/* Drop the cached object, because objects were mapped or unmapped. */
void vt_scope_forget(void);

/* Whether an object or file of the plan's image @image has been mapped. */
Bool vt_scope_was_mapped(UInt image);

/* Return the number in functions.h of the plan's function @function, which has
   a name. */
UInt vt_scope_function(UInt function);

/* Set the active lanes, for code that is translated from now on. */
void vt_scope_want(ULong lanes);

/* Whether an active lane records a warm-up, which precedes an opening of its
   window. */
Bool vt_scope_is_warm(void);

/**
 * vt_scope_at() - Return the active lanes that record the instruction at @pc,
 * and the fields that they record.
 * @len: [bytes] of the instruction.
 * @accesses: whether it accesses memory.
 */
struct vt_wish vt_scope_at(Addr pc, UInt len, Bool accesses);

/* Whether an active lane names the function at @pc. False: it records no
   instruction there. */
Bool vt_scope_may(Addr pc);

/* Whether an active lane records all instructions of the function at @pc. */
Bool vt_scope_has(Addr pc);

/* Return the number, from 1, of the interceptor that @lane has for the function
   whose entry is @entry; 0 if there is none. */
UInt vt_scope_intercept(UInt lane, Addr entry);

/* Whether an active lane has an interceptor for the function at @entry. */
Bool vt_scope_intercepts(Addr entry);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * filter.h - what is wanted of an instruction
 */
#ifndef VGTOOL_WINDOW_FILTER_H
#define VGTOOL_WINDOW_FILTER_H

#include "vgtool/core/prelude.h"

struct vt_wish {
	ULong lanes; /* that want it; 0: nobody */
	UInt record; /* enum pt_record_fields, of all of them together */
};

/* Starts anew with the plan that is given. */
void vt_scope_begin(void);

/* An object has come; objects have come or gone. */
void vt_scope_object(const HChar *path);
void vt_scope_forget(void);

/* Whether one of the plan's images has been mapped; one of its functions that
   has a name, as functions.h knows it. */
Bool vt_scope_was_mapped(UInt image);
UInt vt_scope_function(UInt function);

/* These lanes are wanted from now on, in code made from now on. */
void vt_scope_want(ULong lanes);

/* Whether some of them are warm: they may want just what comes before an
   opening. */
Bool vt_scope_is_warm(void);

/**
 * vt_scope_at() - What is wanted of an instruction.
 * @accesses: it accesses memory.
 */
struct vt_wish vt_scope_at(Addr pc, UInt len, Bool accesses);

/* Whether something may be wanted of the code there, as far as its function
   tells. */
Bool vt_scope_may(Addr pc);

/* Whether everything is wanted of the code there, by somebody. */
Bool vt_scope_has(Addr pc);

/* The interceptor, from 1, that a lane has for the function that begins there;
   0: none. */
UInt vt_scope_intercept(UInt lane, Addr entry);

/* Whether a lane that is wanted has one. */
Bool vt_scope_intercepts(Addr entry);

#endif

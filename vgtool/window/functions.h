/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * functions.h - where the functions lie that the windows name
 *
 * Names are looked for in the symbols of an object when it is mapped, so that
 * a translation costs a search among a few ranges, and none where there are
 * none. A name may be that of several functions.
 */
#ifndef VGTOOL_WINDOW_FUNCTIONS_H
#define VGTOOL_WINDOW_FUNCTIONS_H

#include <pub_tool_debuginfo.h>

#include "proto/window.h"
#include "vgtool/core/prelude.h"

/* A function that somebody wants to know of; compared by what they hold. */
struct vt_wanted {
	UInt image_kind;    /* enum pt_image_kind */
	const HChar *image; /* path or name; NULL where the kind has none */
	const HChar *name;
	Bool decorated; /* as the linker knows it */
};

struct vt_range {
	Addr start;
	Addr end;
	UInt function; /* as vt_functions_want() said */
};

void vt_functions_forget(void);

/* Return: its number, the same for the same function. */
UInt vt_functions_want(const struct vt_wanted *);

/* What was said then. @flags: which of PT_OUTCOME_MAPPED and PT_OUTCOME_FOUND
   hold, since. */
const struct vt_wanted *vt_functions_wanted(UInt function, UInt *flags);

/* An object has been mapped, or unmapped from [start, end). */
void vt_functions_add(const DebugInfo *);
void vt_functions_drop(Addr start, Addr end);

/* Whether an object is what @kind and @name say. */
Bool vt_functions_is_image(const HChar *path, UInt kind, const HChar *name);

/* The @n-th of the ranges that hold @pc; NULL behind the last. */
const struct vt_range *vt_functions_at(Addr pc, UInt n);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vex_prelude.h - what all of the room stands on
 *
 * IR is in VEX's memory of the translation that is going on: it is never freed,
 * gone with the next one. Expressions and statements may be shared, so none is
 * changed; a new one takes its place. But while VEX joins blocks it does change
 * the guard of the last exit, where that goes and where the block goes on: they
 * are shared no more than VEX itself shares them.
 */
#ifndef VGTOOL_VEXOPT_VEX_PRELUDE_H
#define VGTOOL_VEXOPT_VEX_PRELUDE_H

#include <pub_tool_basics.h>
#include <libvex.h>
#include <libvex_ir.h>
#include <pub_tool_libcassert.h>
#include <pub_tool_libcbase.h>

/* VEX's own, where calls of it are led to us. */
extern IRSB *__real_cprop_BB(IRSB *);
extern VexControl vex_control;

/* Memory of this translation, for an array of @n. */
#define PS_NEW(n, type) ((type *)LibVEX_Alloc((n) * sizeof(type)))

#endif

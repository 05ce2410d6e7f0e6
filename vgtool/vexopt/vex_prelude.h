/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vex_prelude.h - declarations of VEX for all files of this folder
 *
 * IR lies in VEX's memory for the current translation: it is never freed, and
 * disappears at the next translation. Expressions and statements may be shared,
 * so none is modified; a new one replaces it. There are two exceptions:
 * append.c modifies deep copies that it has made; and while VEX joins blocks,
 * VEX modifies the guard and destination of the last exit and the block's next
 * address. These are shared only where VEX itself shares them.
 */
#ifndef VGTOOL_VEXOPT_VEX_PRELUDE_H
#define VGTOOL_VEXOPT_VEX_PRELUDE_H

#include <pub_tool_basics.h>
#include <libvex.h>
#include <libvex_ir.h>
#include <pub_tool_libcassert.h>
#include <pub_tool_libcbase.h>

/* Call VEX's own cprop_BB(). The linker redirects VEX's calls of that function
   to the tool's __wrap_cprop_BB(). */
extern IRSB *__real_cprop_BB(IRSB *);
extern VexControl vex_control;

/* Allocate an array of @n elements in VEX's memory for this translation. */
#define PS_NEW(n, type) ((type *)LibVEX_Alloc((n) * sizeof(type)))

#endif

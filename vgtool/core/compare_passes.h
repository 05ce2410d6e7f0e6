/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compare_passes.h - what a pass of ours makes is what VEX's makes
 *
 * With --compare-passes=yes each block is made both ways.
 */
#ifndef VGTOOL_CORE_COMPARE_PASSES_H
#define VGTOOL_CORE_COMPARE_PASSES_H

#include <libvex.h>
#include <libvex_ir.h>

#include "vgtool/core/prelude.h"

enum vt_pass { VT_INITIAL, VT_OPTIMISE, VT_TREES, VT_REGISTERS, VT_PASSES };

extern Bool vt_compare_is_on;

/* Ours leaves a block to VEX. */
void vt_compare_left(enum vt_pass);

/* Both have made one; says so when they differ. */
void vt_compare_made(enum vt_pass, const IRSB *vex, const IRSB *ours,
		     Bool is_same);

/* The same of the block that was compared last, after another pass. Return:
   whether the caller shall show how they differ. */
Bool vt_compare_noted(enum vt_pass, Bool is_same);

/* Says how many. */
void vt_compare_finish(void);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compare_passes.h - counts blocks for which our passes and VEX's differ
 *
 * With --compare-passes=yes each block is run through both. Here the results
 * are counted, and differences are printed, the first ones in full; the callers
 * compare.
 */
#ifndef VGTOOL_CORE_COMPARE_PASSES_H
#define VGTOOL_CORE_COMPARE_PASSES_H

#include <libvex.h>
#include <libvex_ir.h>

#include "vgtool/core/prelude.h"

enum vt_pass {
	VT_PASS_INITIAL,
	VT_PASS_OPTIMISE,
	VT_PASS_TREES,
	VT_PASS_REGISTERS,
	VT_N_PASSES
};

/* Whether --compare-passes=yes was given. */
extern Bool vt_compare_is_on;

/* Count a block that our pass does not handle and leaves to VEX. */
void vt_compare_count_left_to_vex(enum vt_pass);

/* Count a block that VEX's pass and ours were both run on. Unless @is_same,
   print its address and, for the first differences of the pass, both
   results. */
void vt_compare_count_and_print_if_differ(enum vt_pass, const IRSB *vex,
					  const IRSB *ours, Bool is_same);

/* Count a run of a pass on the block that was last passed to
   vt_compare_count_and_print_if_differ(). Unless @is_same, print the block's
   address. Return: whether the caller must print the difference: only for the
   first differences of the pass. */
Bool vt_compare_report_diff_must_print_code(enum vt_pass, Bool is_same);

/* Print for each pass how many blocks were compared, left to VEX and different,
   unless the first two are 0. */
void vt_compare_print_pass_counts(void);

#endif

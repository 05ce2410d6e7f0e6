/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compare_passes.c - counts the blocks for which callers have compared our
 * passes and VEX's, and prints those that differ; see compare_passes.h
 */
#include "vgtool/core/compare_passes.h"

#include <pub_tool_libcprint.h>

enum {
	MAX_PRINTED = 3
}; /* greatest number of differing blocks of each pass
			     that are printed in full */

Bool vt_compare_is_on;

static struct {
	const HChar *name;
	ULong compared, left_to_vex, differ; /* numbers of blocks */
} passes[VT_N_PASSES] = {
	[VT_PASS_INITIAL] = {"initial", 0, 0, 0},
	[VT_PASS_OPTIMISE] = {"optimise", 0, 0, 0},
	[VT_PASS_TREES] = {"trees", 0, 0, 0},
	[VT_PASS_REGISTERS] = {"registers", 0, 0, 0},
};

static Addr last_block; /* address of the block last passed to
			   vt_compare_count_and_print_if_differ() */

/* Return the address of the first instruction of @sb, 0 if there is none. */
static Addr first_instr_address(const IRSB *sb)
{
	Int i;

	for (i = 0; i < sb->stmts_used; i++)
		if (sb->stmts[i]->tag == Ist_IMark)
			return sb->stmts[i]->Ist.IMark.addr;
	return 0;
}

/* Print the block @sb after the line @title, which names whose result it is. */
static void print_block(const HChar *title, const IRSB *sb)
{
	VG_(umsg)("alleria: passes: %s:\n", title);
	ppIRSB(sb);
}

void vt_compare_count_left_to_vex(enum vt_pass pass)
{
	passes[pass].left_to_vex++;
}

Bool vt_compare_report_diff_must_print_code(enum vt_pass pass, Bool is_same)
{
	passes[pass].compared++;
	if (is_same)
		return False;
	VG_(umsg)
	("alleria: passes: %s differ at %#lx\n", passes[pass].name, last_block);
	return passes[pass].differ++ < MAX_PRINTED;
}

void vt_compare_count_and_print_if_differ(enum vt_pass pass, const IRSB *vex,
					  const IRSB *ours, Bool is_same)
{
	last_block = first_instr_address(vex);
	if (!vt_compare_report_diff_must_print_code(pass, is_same))
		return;
	print_block("VEX's", vex);
	print_block("ours", ours);
}

void vt_compare_print_pass_counts(void)
{
	UInt i;

	for (i = 0; i < VT_N_PASSES; i++)
		if (passes[i].compared + passes[i].left_to_vex > 0)
			VG_(umsg)
	("alleria: passes: %s: %llu compared, %llu left to "
	 "VEX, %llu differ\n",
	 passes[i].name, passes[i].compared, passes[i].left_to_vex,
	 passes[i].differ);
}

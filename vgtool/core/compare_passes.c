/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compare_passes.c - what a pass of ours makes is what VEX's makes
 */
#include "vgtool/core/compare_passes.h"

#include <pub_tool_libcprint.h>

enum { SHOWN = 3 }; /* blocks of a pass */

Bool vt_compare_is_on;

static struct {
	const HChar *name;
	ULong compared, left, differ;
} passes[VT_PASSES] = {
	[VT_INITIAL] = {"initial", 0, 0, 0},
	[VT_OPTIMISE] = {"optimise", 0, 0, 0},
	[VT_TREES] = {"trees", 0, 0, 0},
	[VT_REGISTERS] = {"registers", 0, 0, 0},
};

static Addr block; /* that was compared last */

/* Where its code begins. */
static Addr address_of(const IRSB *sb)
{
	Int i;

	for (i = 0; i < sb->stmts_used; i++)
		if (sb->stmts[i]->tag == Ist_IMark)
			return sb->stmts[i]->Ist.IMark.addr;
	return 0;
}

static void show(const HChar *whose, const IRSB *sb)
{
	VG_(umsg)("alleria: passes: %s:\n", whose);
	ppIRSB(sb);
}

void vt_compare_left(enum vt_pass pass)
{
	passes[pass].left++;
}

Bool vt_compare_noted(enum vt_pass pass, Bool is_same)
{
	passes[pass].compared++;
	if (is_same)
		return False;
	VG_(umsg)
	("alleria: passes: %s differ at %#lx\n", passes[pass].name, block);
	return passes[pass].differ++ < SHOWN;
}

void vt_compare_made(enum vt_pass pass, const IRSB *vex, const IRSB *ours,
		     Bool is_same)
{
	block = address_of(vex);
	if (!vt_compare_noted(pass, is_same))
		return;
	show("VEX's", vex);
	show("ours", ours);
}

void vt_compare_finish(void)
{
	UInt i;

	for (i = 0; i < VT_PASSES; i++)
		if (passes[i].compared + passes[i].left > 0)
			VG_(umsg)
	("alleria: passes: %s: %llu compared, %llu left to "
	 "VEX, %llu differ\n",
	 passes[i].name, passes[i].compared, passes[i].left, passes[i].differ);
}

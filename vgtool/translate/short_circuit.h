/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * short_circuit.h - whether a conditional branch may be half of an "&&"
 *
 * VEX makes one block of two conditional branches that stand for "a && b": one
 * side of the first is at most three instructions, and ends with a branch that
 * can go to the other side.
 */
#ifndef VGTOOL_TRANSLATE_SHORT_CIRCUIT_H
#define VGTOOL_TRANSLATE_SHORT_CIRCUIT_H

#include <pub_tool_basics.h>

/* Where a conditional branch can go. */
struct vt_sides {
	Addr side[2];
};

/* False: the instruction is none, as far as can be seen. */
Bool vt_idiom_sides(Addr instr, UInt len, struct vt_sides *);

/* False: certainly not. Of both sides it reads what VEX would. */
Bool vt_idiom_may(const struct vt_sides *);

#endif

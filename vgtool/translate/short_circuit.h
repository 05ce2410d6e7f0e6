/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * short_circuit.h - detects conditional branches that cannot be half of an "&&"
 *
 * VEX merges two conditional branches that implement "a && b" into one block if
 * one side of the first branch has at most three instructions, and ends with a
 * branch that can go to the other side. A side of a branch is the code at one
 * of its two destinations.
 */
#ifndef VGTOOL_TRANSLATE_SHORT_CIRCUIT_H
#define VGTOOL_TRANSLATE_SHORT_CIRCUIT_H

#include <pub_tool_basics.h>

/* The two destinations of a conditional branch. */
struct vt_branch_sides {
	Addr side[2];
};

/* Find the destinations of the branch at @instr_addr, of @len bytes. Return:
   False if the instruction is no conditional branch, or one that this decoder
   does not know. */
Bool vt_branch_try_decode_sides(Addr instr_addr, UInt len,
				struct vt_branch_sides *);

/* Whether the branch may be the first half of an "&&". False: it cannot be;
   True: it is possible. Reads no more code at both sides than VEX would. */
Bool vt_branch_may_begin_logical_and(const struct vt_branch_sides *);

#endif

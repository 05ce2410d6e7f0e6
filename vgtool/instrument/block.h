/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * block.h - what a block does: its instructions, accesses and exits
 *
 * vt_block_plan() reads a block's IR once. The plan holds the descriptor's
 * arrays and, beside each access, the IR that makes its slot. Order and
 * merging follow Lackey and Cachegrind: a store right after the same
 * instruction's load of the same bytes is one modify.
 */
#ifndef VGTOOL_INSTRUMENT_BLOCK_H
#define VGTOOL_INSTRUMENT_BLOCK_H

#include "vgtool/core/prelude.h"

enum {
	VT_MAX_INSTRS = PT_MAX_INSTRS,
	VT_MAX_ACCESSES = PT_MAX_ACCESSES,
	VT_FULL = PT_MAX_SLOTS - 32,	/* most slots before a block is split;
					   no instruction has 32 */
	VT_MANY = PT_MAX_ACCESSES - 32, /* most accesses before a block is
					   split */
	VT_MAX_CODE = VT_MAX_INSTRS * 20,
};

/* How an access's slot is made; what is not first use of a slot makes none. */
struct vt_slot {
	Int statement; /* index of the statement that makes the access */
	Bool store;    /* the access stores its slot */
	IRExpr *value; /* address atom, NULL: nothing but the guard counts */
	IRExpr *guard; /* atom, or NULL */
};

struct vt_plan {
	UInt n_instrs, n_accesses, n_exits, n_code, n_slots;
	struct pt_instr instr[VT_MAX_INSTRS];
	struct pt_access access[VT_MAX_ACCESSES];
	struct pt_exit exit[PT_MAX_EXITS];
	UChar code[VT_MAX_CODE];
	struct vt_slot slot[VT_MAX_ACCESSES]; /* by access */
	ULong lanes[VT_MAX_INSTRS];	      /* that want each instruction */
	ULong wanted;			      /* by any of them */
	struct pt_value value[VT_MAX_ACCESSES];
	Int value_at[VT_MAX_ACCESSES]; /* statement whose effect was added to
					  the access's values last, or -1 */
	Bool has_values;
	UShort stamp; /* slot, or PT_NO_SLOT */
	UShort far;   /* the same, of how far the process is */
	Int next;     /* statement behind the part that is planned */
};

/**
 * vt_block_plan() - Read a block, or a part of it.
 * @sb: flat IR as a tool gets it.
 * @from: statement to begin with: 0, or where the last part ended.
 * @fields: enum pt_fields that the daemon wants.
 * @all: of every instruction, whatever the windows say.
 *
 * A block with very many slots, and one whose instructions lie in several
 * objects, is recorded in parts, each a block of its own that ends where the
 * next begins.
 *
 * Return: the plan, valid until the next call; NULL when there is no
 *         instruction.
 */
const struct vt_plan *vt_block_plan(const IRSB *sb, Int from, UInt fields,
				    Bool all);

/* Slots for values.c, that no address shares; @n one behind the other. */
UInt vt_block_take_slots(UInt n);

/* [bytes] of the unit that leaves by exit @e. */
static inline UInt vt_exit_bytes(const struct vt_plan *p, UInt e)
{
	return p->exit[e].bytes;
}

#endif

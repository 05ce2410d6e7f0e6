/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * block.h - lists the instructions, accesses and exits of a block
 *
 * vt_block_make_layout() reads a block's IR once. The plan holds the arrays of the
 * block's descriptor and, for each access, the IR that computes its slot. Order
 * and merging follow Lackey and Cachegrind: a load and the following store of
 * the same bytes, by one instruction, are one modify.
 */
#ifndef VGTOOL_INSTRUMENT_BLOCK_H
#define VGTOOL_INSTRUMENT_BLOCK_H

#include "vgtool/core/prelude.h"

enum {
	VT_MAX_INSTRS = PT_MAX_INSTRS,
	VT_MAX_ACCESSES = PT_MAX_ACCESSES,
	VT_PART_MAX_SLOTS =
		PT_MAX_SLOTS - 32, /* a part of a block ends when it has
					   more slots; an instruction has less
					   than 32 */
	VT_PART_MAX_ACCESSES =
		PT_MAX_ACCESSES - 32,	  /* a part ends when it has more
					   accesses */
	VT_MAX_CODE = VT_MAX_INSTRS * 20, /* [bytes] */
};

/* An access, and how its slot is computed. Only the first of the accesses that
   share a slot stores it. */
struct vt_slot {
	Int statement;	  /* index of the statement that makes the access */
	Bool stores_slot; /* whether the access stores its slot */
	IRExpr *value; /* address atom; NULL: the slot only records whether the
			  access happened */
	IRExpr *guard; /* atom: whether the access happens; NULL: always */
};

struct vt_block_layout {
	UInt n_instrs, n_accesses, n_exits, n_code, n_slots;
	struct pt_instr instr[VT_MAX_INSTRS];
	struct pt_access access[VT_MAX_ACCESSES];
	struct pt_exit exit[PT_MAX_EXITS];
	UChar code[VT_MAX_CODE];
	struct vt_slot slot[VT_MAX_ACCESSES]; /* by access */
	ULong lanes[VT_MAX_INSTRS]; /* by instruction: the lanes that record it,
				       a bit each */
	ULong recorded_lanes;	    /* union of `lanes` */
	struct pt_value value[VT_MAX_ACCESSES]; /* by access: slots of values */
	Int value_statement
		[VT_MAX_ACCESSES]; /* by access: last statement that sets
					  these slots, or -1 */
	Bool has_values;	   /* whether any access has slots of values */
	UShort stamp_slot;	   /* slot of the time stamp, or PT_NO_SLOT */
	UShort instret_slot; /* slot of the number of retired instructions, or
		       PT_NO_SLOT */
	Int next_statement;  /* index of the first statement after this part */
};

/**
 * vt_block_make_layout() - List the content of a block, or of a part of it.
 * @sb: flat IR as Valgrind passes it to a tool.
 * @from: index of the first statement: 0, or `next` of the previous part.
 * @fields: enum pt_fields to record.
 * @all: whether all instructions are recorded, even those that no window
 *       selects.
 *
 * A block with very many slots or accesses, or with instructions in several
 * objects, is recorded in parts. Each part is described as a block whose last
 * exit leads to the next part.
 *
 * Return: the plan, valid until the next call; NULL if there is no instruction
 *         from @from on.
 */
const struct vt_block_layout *vt_block_make_layout(const IRSB *sb, Int from,
						   UInt fields, Bool all);

/* Add @n consecutive slots to the plan, which no address will share. Return:
   the first one. */
UInt vt_block_add_slots(UInt n);

/* Return the length [bytes] of a unit whose execution leaves by exit @e. */
static inline UInt vt_exit_bytes(const struct vt_block_layout *p, UInt e)
{
	return p->exit[e].bytes;
}

#endif

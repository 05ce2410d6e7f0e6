/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * block.h - lists the instructions, accesses and exits of a block
 *
 * vt_block_make_part_layout() reads a block's IR once. The
 * layout has the arrays of the block's descriptor (what the log holds about a
 * block) and, for each access, the IR that computes its slot: 8 bytes of the
 * unit, which records one execution of the block. Order and merging follow
 * Lackey and Cachegrind: a load and the following store of the same bytes, by
 * one instruction, are one modify.
 */
#ifndef VGTOOL_INSTRUMENT_BLOCK_H
#define VGTOOL_INSTRUMENT_BLOCK_H

#include "vgtool/core/prelude.h"

enum {
	VT_MAX_INSTRS = PT_MAX_INSTRS,
	VT_MAX_ACCESSES = PT_MAX_ACCESSES,
	VT_PART_MAX_SLOTS =
		PT_MAX_SLOTS - 32, /* a part of a block ends when it has more
				      slots; one instruction needs fewer than
				      32 */
	VT_PART_MAX_ACCESSES =
		PT_MAX_ACCESSES - 32,	  /* a part of a block ends when it has
					     more accesses */
	VT_MAX_CODE = VT_MAX_INSTRS * 20, /* [bytes] greatest length of the code
					     of a block */
};

/* How the slot of an access is computed. Accesses whose addresses differ by a
   constant share a slot, and only the first of them stores it. */
struct vt_slot {
	Int statement;	  /* index of the statement that makes the access */
	Bool stores_slot; /* whether the access stores its slot */
	IRExpr *value; /* atom (temporary or constant) that the slot holds: the
			  address, or the address less a constant; NULL: the
			  slot only records whether the access happened, or
			  `stores_slot` is False */
	IRExpr *guard; /* atom that is True if the access happens; NULL: it
			  always does */
};

struct vt_block_layout {
	UInt n_instrs, n_accesses, n_exits, n_code, n_slots;
	struct pt_instr instr[VT_MAX_INSTRS];
	struct pt_access access[VT_MAX_ACCESSES];
	struct pt_exit exit[PT_MAX_EXITS];
	UChar code[VT_MAX_CODE];
	struct vt_slot slot[VT_MAX_ACCESSES]; /* by access: how its slot is
						 computed */
	ULong lanes[VT_MAX_INSTRS]; /* by instruction: the lanes (windows'
				       thread filters) that record it, a bit
				       each */
	ULong recorded_lanes;	    /* union of lanes[]: the lanes that record
				       any instruction */
	struct pt_value value[VT_MAX_ACCESSES]; /* by access: the slots that
						   hold the values read and
						   written */
	Int value_statement
		[VT_MAX_ACCESSES]; /* by access: index of the last statement
				      making the access (a modify can have
				      two), if its values are recorded; else
				      -1 */
	Bool has_values;	   /* whether any access has slots that hold
				      values */
	UShort stamp_slot;	   /* slot that holds a time stamp, or
				      PT_NO_SLOT */
	UShort instret_slot;	   /* slot that holds the number of retired
				instructions, or PT_NO_SLOT */
	Int next_statement; /* index of the first statement that the layout
				does not cover */
};

/**
 * vt_block_make_part_layout() - List the content of a block,
 * or of a part of it.
 * @sb: flat IR as Valgrind passes it to a tool.
 * @first_stmt: index of the first statement: 0, or `next_statement` of the
 *       previous part's layout.
 * @fields_to_record: enum pt_fields to record.
 * @ignore_window_filters: whether all instructions are recorded, even those
 *       that no window selects.
 *
 * A block with very many slots or accesses, or with instructions in several
 * object files, is recorded in parts. Each part is described as a block of its
 * own; the last exit of each but the last leads to the next part.
 *
 * Return: the layout, valid until the next call; NULL if there is no
 *         instruction from @first_stmt on.
 */
const struct vt_block_layout *
vt_block_make_part_layout(const IRSB *sb, Int first_stmt, UInt fields_to_record,
			  Bool ignore_window_filters);

/* Add @slot_count consecutive slots to the layout that hold something else than
   addresses, so that no access shares them. Return the index of the first. */
UInt vt_block_append_unshared_slots(UInt slot_count);

/* Return the length [bytes] of the unit of an execution that leaves the block
   by exit @exit_index. */
static inline UInt vt_unit_bytes_at_exit(const struct vt_block_layout *p,
					 UInt exit_index)
{
	return p->exit[exit_index].bytes;
}

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * values.h - records the values that accesses read and write
 *
 * Values have slots (8 bytes each) of their own in a unit. The value that a
 * statement loads is stored after the statement, and the value that it stores
 * before. Valgrind's helpers access memory inside a function, so memory itself
 * is read before and after their call. After a compare-and-swap, both values
 * are stored, and whether it has written.
 */
#ifndef VGTOOL_INSTRUMENT_VALUES_H
#define VGTOOL_INSTRUMENT_VALUES_H

#include "vgtool/instrument/emit.h"

/* Return a struct without slots, for an access whose values are not
   recorded. */
struct pt_value vt_value_without_slots(void);

/* Return the largest number of slots, for addresses and values, that the
   instruction at statement @imark_index needs if its values are recorded. */
UInt vt_value_max_slots_of_instr(const IRSB *, Int imark_index);

/* Add slots for the values that statement @stmt_index reads and writes. The
   statement makes, or completes, the last access of the layout. */
void vt_value_add_slots_for_stmt(struct vt_block_layout *, const IRSB *,
				 Int stmt_index);

/* Emit code before statement @st, which makes access @access_index, or the load
   or the store of this access if it is a modify. The code stores in slots the
   inputs of @st: the value that a store writes, or the guard of a helper and
   the memory that the helper reads. */
void vt_value_emit_record_inputs(struct vt_emitter *, UInt access_index,
				 const IRStmt *st);

/* Emit code after statement @st, which makes access @access_index, or the load
   or the store of this access if it is a modify. The code stores in slots the
   value that a load has read, the values and success of a compare-and-swap, or
   the memory that a helper has written. */
void vt_value_emit_record_results(struct vt_emitter *, UInt access_index,
				  const IRStmt *st);

/* Emit code that stores the processor's time stamp counter in the unit's slot
   for it. */
void vt_value_emit_store_time_stamp(struct vt_emitter *);

#endif

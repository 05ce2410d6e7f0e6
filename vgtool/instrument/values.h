/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * values.h - what accesses read and write, in slots of their own
 *
 * What is read is told as the program gets it, behind the statement; what is
 * written as the program gives it, before. Valgrind's helpers read and write
 * behind our back: for these, memory is read before and behind the call.
 * Compare-and-swap tells, too, whether it has written.
 */
#ifndef VGTOOL_INSTRUMENT_VALUES_H
#define VGTOOL_INSTRUMENT_VALUES_H

#include "vgtool/instrument/emit.h"

/* No value of an access is told. */
struct pt_value vt_value_none(void);

/* Slots that the instruction at statement @i needs at most, when its values
   are told. */
UInt vt_value_most(const IRSB *, Int i);

/* Gives slots to what statement @i reads and writes, which is the last access
   of the plan. */
void vt_value_plan(struct vt_plan *, const IRSB *, Int i);

/* Around the statement @st, which makes @access, or the store of it. */
void vt_value_before(struct vt_emitter *, UInt access, const IRStmt *st);
void vt_value_after(struct vt_emitter *, UInt access, const IRStmt *st);

/* At the top of a unit: when it was. */
void vt_value_stamp(struct vt_emitter *);

#endif

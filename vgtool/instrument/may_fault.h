/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * may_fault.h - classifies the statements that may fault
 */
#ifndef VGTOOL_INSTRUMENT_MAY_FAULT_H
#define VGTOOL_INSTRUMENT_MAY_FAULT_H

#include "vgtool/core/prelude.h"

/* Whether a statement assigns the result of an integer division, which may
   fault, to a temporary. */
Bool vt_stmt_is_integer_division(const IRStmt *);

/* Whether a statement accesses memory. */
Bool vt_stmt_has_memory_access(const IRStmt *);

/* Whether at least two statements of the instruction whose IMark is statement
   @imark_index may fault: memory accesses and integer divisions. Then the
   program counter does not determine the statement that has faulted; only
   recorded addresses do. */
Bool vt_instr_has_several_fault_points(const IRSB *, Int imark_index);

#endif

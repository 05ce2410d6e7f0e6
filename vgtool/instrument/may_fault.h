/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * may_fault.h - classifies the statements that may fault
 */
#ifndef VGTOOL_INSTRUMENT_MAY_FAULT_H
#define VGTOOL_INSTRUMENT_MAY_FAULT_H

#include "vgtool/core/prelude.h"

/* Whether a statement is a division. */
Bool vt_stmt_is_division(const IRStmt *);

/* Whether a statement accesses memory. */
Bool vt_stmt_has_access(const IRStmt *);

/* Whether several statements of the instruction at statement @imark_index may
   fault. Then the program counter does not show which one has faulted; only
   recorded addresses do. */
Bool vt_instr_has_several_fault_points(const IRSB *, Int imark_index);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * may_fault.h - classifies the statements that may fault
 */
#ifndef VGTOOL_INSTRUMENT_MAY_FAULT_H
#define VGTOOL_INSTRUMENT_MAY_FAULT_H

#include "vgtool/core/prelude.h"

/* Whether a statement is a division. */
Bool vt_risk_divides(const IRStmt *);

/* Whether a statement accesses memory. */
Bool vt_risk_accesses(const IRStmt *);

/* Whether several statements of the instruction at statement @i may fault. Then
   the program counter does not locate a fault; only recorded addresses do. */
Bool vt_risk_several(const IRSB *, Int i);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ps_treestmt.h - what is pending moves into a statement
 */
#ifndef PS_TREESTMT_H
#define PS_TREESTMT_H

#include "vgtool/vexopt/tree_pending.h"

/* As ps_move(), in each operand. */
IRStmt *ps_treestmt(struct ps_trees *, IRStmt *);

#endif

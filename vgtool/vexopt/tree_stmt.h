/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree_stmt.h - moves pending values into a statement
 */
#ifndef VGTOOL_VEXOPT_TREE_STMT_H
#define VGTOOL_VEXOPT_TREE_STMT_H

#include "vgtool/vexopt/tree_pending.h"

/* Apply ps_pending_pop() to each operand. */
IRStmt *ps_tree_move_stmt(struct ps_trees *, IRStmt *);

#endif

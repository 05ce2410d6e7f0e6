/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clean.h - the steps of ps_optimise()
 *
 * Each step replaces the statements of the step before by its own. When a step
 * fails, the block is left to VEX.
 */
#ifndef VGTOOL_VEXOPT_CLEAN_H
#define VGTOOL_VEXOPT_CLEAN_H

#include "vgtool/vexopt/make_stmt.h"
#include "vgtool/vexopt/passes.h"
#include "vgtool/vexopt/vex_prelude.h"

/* Record the known value of each temporary that a GET writes, for
   ps_clean_substitute() to remove the GET. */
void ps_clean_find_gets(struct ps_stmt_list *);

/* Replace PUTs that are overwritten before they are needed by no-ops.
   @pc_offset: offset of the program counter, which the end of the block
   overwrites. */
void ps_clean_remove_puts(struct ps_stmt_list *, Int pc_offset, ps_precise_fn,
			  VexRegisterUpdates);

/* Substitute known values for temporaries, and fold constants. */
void ps_clean_substitute(struct ps_stmt_list *);

/* Remove no-ops, and writes of temporaries that neither a later statement nor
   @next reads. */
void ps_clean_remove_dead(struct ps_stmt_list *, const IRExpr *next);

/* Replace calls of helpers by equivalent expressions. Return: whether there
   were any. */
Bool ps_clean_replace_calls(struct ps_stmt_list *, ps_spec_helper_fn);

/*
 * ps_fold() - Fold constants and simplify a flat expression, by the rules of
 * Valgrind 3.19 for integers, except for those of Iop_PopCount64.
 * @known: known values of temporaries
 *
 * Return: the expression, or a simpler one.
 */
IRExpr *ps_fold(IRExpr *const *known, IRExpr *);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clean.h - the steps of ps_optimise_block_or_null()
 *
 * Each step uses the statements that the previous step left. If a step sets
 * `failed`, the block is left to VEX.
 */
#ifndef VGTOOL_VEXOPT_CLEAN_H
#define VGTOOL_VEXOPT_CLEAN_H

#include "vgtool/vexopt/make_stmt.h"
#include "vgtool/vexopt/passes.h"
#include "vgtool/vexopt/vex_prelude.h"

/* Record the known value of each temporary that a redundant GET writes;
   ps_substitute_and_fold_known_values() then removes the GET. */
void ps_stmt_list_record_known_get_values(struct ps_stmt_list *);

/* Replace by no-ops the PUTs (writes of the guest's state) that are overwritten
   before anything needs them. @pc_offset: offset of the program counter, which
   the end of the block writes. */
void ps_clean_remove_dead_puts(struct ps_stmt_list *, Int pc_offset,
			       ps_precise_fn, VexRegisterUpdates);

/* Substitute known values for temporaries, and fold constants. */
void ps_substitute_and_fold_known_values(struct ps_stmt_list *);

/* Remove no-ops, and writes of temporaries that neither a later statement that
   remains nor @next, the block's next address, reads. */
void ps_clean_remove_dead_temp_writes(struct ps_stmt_list *,
				      const IRExpr *next);

/* Replace calls of VEX's helper functions by equivalent expressions, made flat,
   where the given function knows one. Return: whether any was replaced; False
   if this failed (failed is then set). */
Bool ps_clean_replace_helper_calls(struct ps_stmt_list *, ps_spec_helper_fn);

/*
 * ps_fold_flat_expr() - Fold constants and simplify a flat expression, by the
 * rules of Valgrind 3.19 for integers, except for those of Iop_PopCount64.
 * @known: known values of temporaries
 *
 * Return: the expression, or a simpler one.
 */
IRExpr *ps_fold_flat_expr(IRExpr *const *known, IRExpr *);

#endif

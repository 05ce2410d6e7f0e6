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

/* Record the known value of each temporary that a GET writes, for
   ps_clean_known() to remove the GET. */
void ps_clean_gets(struct ps_made *);

/* Replace PUTs that are overwritten before they are needed by no-ops. @ip:
   offset of the program counter, which the end of the block overwrites. */
void ps_clean_puts(struct ps_made *, Int ip, ps_precise, VexRegisterUpdates);

/* Substitute known values for temporaries, and fold constants. */
void ps_clean_known(struct ps_made *);

/* Remove no-ops, and writes of temporaries that neither a later statement nor
   @next reads. */
void ps_clean_dead(struct ps_made *, const IRExpr *next);

/* Replace calls of helpers by equivalent expressions. Return: whether there
   were any. */
Bool ps_clean_calls(struct ps_made *, ps_special);

#endif

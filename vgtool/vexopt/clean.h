/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clean.h - the steps in which a flat block is cleaned up
 *
 * Each takes the statements of the last and leaves its own in their place.
 * Where one fails the block is left to VEX.
 */
#ifndef VGTOOL_VEXOPT_CLEAN_H
#define VGTOOL_VEXOPT_CLEAN_H

#include "vgtool/vexopt/make_stmt.h"
#include "vgtool/vexopt/passes.h"

/* A GET of what is known makes its temporary known, and is to be dropped. */
void ps_clean_gets(struct ps_made *);

/* PUTs in vain do nothing any more; @ip: where the last exit puts the next
   instruction's address. */
void ps_clean_puts(struct ps_made *, Int ip, ps_precise, VexRegisterUpdates);

/* What is known takes the place of temporaries, and is worked out. */
void ps_clean_known(struct ps_made *);

/* Without statements that do nothing, or write a temporary that neither
   another nor @next reads. */
void ps_clean_dead(struct ps_made *, const IRExpr *next);

/* Return: whether a helper's call had a meaning of its own, that now stands
   there. */
Bool ps_clean_calls(struct ps_made *, ps_special);

#endif

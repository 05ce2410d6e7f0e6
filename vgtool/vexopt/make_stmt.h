/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * make_stmt.h - the statements that a pass makes
 *
 * What nothing has changed in is used again.
 */
#ifndef VGTOOL_VEXOPT_MAKE_STMT_H
#define VGTOOL_VEXOPT_MAKE_STMT_H

#include "vgtool/vexopt/atom.h"
#include "vgtool/vexopt/state_slices.h"

struct ps_made {
	IRStmt **at;
	Int n;
	Int size;
	IRTypeEnv *types;	  /* of its temporaries */
	IRExpr **known;		  /* of them, for PS_MAX_TEMPS */
	struct ps_slices *slices; /* of the guest's state; NULL: not asked */
	Bool failed;		  /* left to VEX */
};

/* Begins with room for @size statements, and nothing known; there is memory
   for one at a time. */
void ps_make_begin(struct ps_made *, IRTypeEnv *, Int size);

/* What was made instead of the statements of @in, which goes on with @next. */
IRSB *ps_make_end(const struct ps_made *, const IRSB *in, IRExpr *next);

void ps_make_more(struct ps_made *);

static inline void ps_make(struct ps_made *m, IRStmt *st)
{
	if (m->n == m->size)
		ps_make_more(m);
	m->at[m->n++] = st;
}

/* The atom for operand @e, which is made before if it is none. */
IRExpr *ps_make_operand(struct ps_made *, IRExpr *e);

/* @e of atoms. */
IRExpr *ps_make_flat(struct ps_made *, IRExpr *e);

/* The statement with atoms; temporaries that are written, and the guest's
   state, are the caller's. */
void ps_make_rest(struct ps_made *, IRStmt *);

/* Of redundant_get.c: what a GET finds in the guest's state, or NULL; then the
   slice is temporary @tmp from now on. */
IRExpr *ps_make_get(struct ps_made *, const IRExpr *get, IRTemp tmp);

/* A PUT of @atom at @offset. */
void ps_make_put(struct ps_made *, Int offset, IRExpr *atom);

#endif

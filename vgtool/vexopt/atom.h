/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * atom.h - temporaries and constants, of which flat expressions are made
 *
 * A pass has for each temporary what it is known to be, or NULL: an expression
 * as the pass has left it, so that a temporary among what is known stands for
 * no other.
 */
#ifndef VGTOOL_VEXOPT_ATOM_H
#define VGTOOL_VEXOPT_ATOM_H

#include "vgtool/vexopt/vex_prelude.h"

/* More have only blocks that are left to VEX. */
enum { PS_MAX_TEMPS = 4096 };

static inline Bool ps_is_const(const IRExpr *e)
{
	return e->tag == Iex_Const;
}

/* What VEX never puts in a temporary's place, so that it is made but once. */
static inline Bool ps_is_image(const IRExpr *e)
{
	return ps_is_const(e) && e->Iex.Const.con->tag == Ico_F64i;
}

static inline Bool ps_is_atom(const IRExpr *e)
{
	return e->tag == Iex_RdTmp || e->tag == Iex_Const;
}

/* What takes the place of atom @e. */
static inline IRExpr *ps_known_atom(IRExpr *const *known, IRExpr *e)
{
	IRExpr *k;

	if (e->tag != Iex_RdTmp)
		return e;
	k = known[e->Iex.RdTmp.tmp];
	return k && ps_is_atom(k) && !ps_is_image(k) ? k : e;
}

extern const UChar ps_sizes[]; /* from Ity_INVALID on */

/* In bytes; 0 where a type has none. */
static inline Int ps_size_of(IRType type)
{
	return ps_sizes[type - Ity_INVALID];
}

/* @types: of temporaries. */
static inline IRType ps_type_of_atom(const IRType *types, const IRExpr *e)
{
	return e->tag == Iex_RdTmp ? types[e->Iex.RdTmp.tmp]
				   : typeOfIRConst(e->Iex.Const.con);
}

static inline Int ps_size_of_atom(const IRType *types, const IRExpr *e)
{
	return ps_size_of(ps_type_of_atom(types, e));
}

static inline Bool ps_is_vector_or_float(IRType type)
{
	return type > Ity_I128;
}

#endif

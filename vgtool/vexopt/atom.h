/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * atom.h - atoms: temporaries and constants, the operands of flat IR
 *
 * A pass has an array @known with the known value of each temporary, or NULL. A
 * known value is an expression after the pass has rewritten it, so it reads no
 * temporary whose known value is an atom. Only the value of a redundant GET is
 * recorded first and rewritten later (propagate.c).
 */
#ifndef VGTOOL_VEXOPT_ATOM_H
#define VGTOOL_VEXOPT_ATOM_H

#include "vgtool/vexopt/vex_prelude.h"

/* VEX flattens and optimises the blocks with more temporaries */
enum { PS_MAX_TEMPS = 4096 };

static inline Bool ps_is_const(const IRExpr *e)
{
	return e->tag == Iex_Const;
}

/* Whether @e is a constant F64i. VEX never substitutes one for a temporary, so
   that the number is loaded into a register only once. */
static inline Bool ps_is_f64i_constant(const IRExpr *e)
{
	return ps_is_const(e) && e->Iex.Const.con->tag == Ico_F64i;
}

static inline Bool ps_is_atom(const IRExpr *e)
{
	return e->tag == Iex_RdTmp || e->tag == Iex_Const;
}

/* Return the known value of atom @e if it is an atom that may replace @e, else
   @e. */
static inline IRExpr *ps_get_known_atom_or_same(IRExpr *const *known, IRExpr *e)
{
	IRExpr *k;

	if (e->tag != Iex_RdTmp)
		return e;
	k = known[e->Iex.RdTmp.tmp];
	return k && ps_is_atom(k) && !ps_is_f64i_constant(k) ? k : e;
}

extern const UChar ps_type_sizes[]; /* [bytes] by type, from Ity_INVALID on */

/* Return the size of @type [bytes]; 0 if it has none. */
static inline Int ps_size_of_type(IRType type)
{
	return ps_type_sizes[type - Ity_INVALID];
}

/* Return the type of atom @e. @types: types of the temporaries. */
static inline IRType ps_type_of_atom(const IRType *types, const IRExpr *e)
{
	return e->tag == Iex_RdTmp ? types[e->Iex.RdTmp.tmp]
				   : typeOfIRConst(e->Iex.Const.con);
}

static inline Int ps_size_of_atom(const IRType *types, const IRExpr *e)
{
	return ps_size_of_type(ps_type_of_atom(types, e));
}

static inline Bool ps_is_vector_or_float(IRType type)
{
	return type > Ity_I128;
}

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * each_operand.h - visits each operand of flat expressions and statements
 *
 * Each function calls @f with @pass and the operand. The functions are inlined,
 * together with @f.
 */
#ifndef VGTOOL_VEXOPT_EACH_OPERAND_H
#define VGTOOL_VEXOPT_EACH_OPERAND_H

#include "vgtool/vexopt/vex_prelude.h"

typedef void (*ps_operand_visitor)(void *pass, const IRExpr *operand);

/* Visit the arguments of a helper; @arg ends with NULL. Skip Iex_VECRET and
   Iex_GSPTR, which represent a result's address and the guest's state. */
static inline __attribute__((always_inline)) void
ps_visit_helper_args(IRExpr *const *arg, ps_operand_visitor f, void *pass)
{
	for (; *arg; arg++)
		if (!is_IRExpr_VECRET_or_GSPTR(*arg))
			f(pass, *arg);
}

/* Visit the operands of an expression. Return: whether its kind is known. */
static inline __attribute__((always_inline)) Bool
ps_visit_expr_operands_is_known(const IRExpr *e, ps_operand_visitor f,
				void *pass)
{
	switch (e->tag) {
	case Iex_Get:
	case Iex_Const:
		break;
	case Iex_RdTmp:
		f(pass, e);
		break;
	case Iex_Unop:
		f(pass, e->Iex.Unop.arg);
		break;
	case Iex_Binop:
		f(pass, e->Iex.Binop.arg1);
		f(pass, e->Iex.Binop.arg2);
		break;
	case Iex_Triop:
		f(pass, e->Iex.Triop.details->arg1);
		f(pass, e->Iex.Triop.details->arg2);
		f(pass, e->Iex.Triop.details->arg3);
		break;
	case Iex_Qop:
		f(pass, e->Iex.Qop.details->arg1);
		f(pass, e->Iex.Qop.details->arg2);
		f(pass, e->Iex.Qop.details->arg3);
		f(pass, e->Iex.Qop.details->arg4);
		break;
	case Iex_Load:
		f(pass, e->Iex.Load.addr);
		break;
	case Iex_ITE:
		f(pass, e->Iex.ITE.cond);
		f(pass, e->Iex.ITE.iftrue);
		f(pass, e->Iex.ITE.iffalse);
		break;
	case Iex_CCall:
		ps_visit_helper_args(e->Iex.CCall.args, f, pass);
		break;
	case Iex_GetI:
		f(pass, e->Iex.GetI.ix);
		break;
	default:
		return False;
	}
	return True;
}

/* Visit the operands of a statement of a frequent kind that writes no
   temporary. Return: whether @st is such a statement. */
static inline __attribute__((always_inline)) Bool
ps_try_visit_operands_of_common_stmt(const IRStmt *st, ps_operand_visitor f,
				     void *pass)
{
	switch (st->tag) {
	case Ist_NoOp:
	case Ist_IMark:
		break;
	case Ist_Put:
		f(pass, st->Ist.Put.data);
		break;
	case Ist_Store:
		f(pass, st->Ist.Store.addr);
		f(pass, st->Ist.Store.data);
		break;
	case Ist_Exit:
		f(pass, st->Ist.Exit.guard);
		break;
	case Ist_AbiHint:
		f(pass, st->Ist.AbiHint.base);
		f(pass, st->Ist.AbiHint.nia);
		break;
	default:
		return False;
	}
	return True;
}

/* Visit operand @e unless it is NULL. */
static inline __attribute__((always_inline)) void
ps_visit_operand_if_not_null(const IRExpr *e, ps_operand_visitor f, void *pass)
{
	if (e)
		f(pass, e);
}

static inline __attribute__((always_inline)) void
ps_visit_dirty_operands(const IRDirty *d, ps_operand_visitor f, void *pass)
{
	if (d->mFx != Ifx_None)
		f(pass, d->mAddr);
	f(pass, d->guard);
	ps_visit_helper_args(d->args, f, pass);
}

static inline __attribute__((always_inline)) void
ps_visit_cas_operands(const IRCAS *c, ps_operand_visitor f, void *pass)
{
	f(pass, c->addr);
	ps_visit_operand_if_not_null(c->expdHi, f, pass);
	f(pass, c->expdLo);
	ps_visit_operand_if_not_null(c->dataHi, f, pass);
	f(pass, c->dataLo);
}

/* Visit the operands that @st reads if it is an MBE, Dirty, StoreG, LoadG, CAS
   or PutI. Return: whether it is one of these. */
static inline __attribute__((always_inline)) Bool
ps_visit_operands_if_rare_stmt(const IRStmt *st, ps_operand_visitor f,
			       void *pass)
{
	switch (st->tag) {
	case Ist_MBE:
		break;
	case Ist_Dirty:
		ps_visit_dirty_operands(st->Ist.Dirty.details, f, pass);
		break;
	case Ist_StoreG:
		f(pass, st->Ist.StoreG.details->addr);
		f(pass, st->Ist.StoreG.details->data);
		f(pass, st->Ist.StoreG.details->guard);
		break;
	case Ist_LoadG:
		f(pass, st->Ist.LoadG.details->addr);
		f(pass, st->Ist.LoadG.details->alt);
		f(pass, st->Ist.LoadG.details->guard);
		break;
	case Ist_CAS:
		ps_visit_cas_operands(st->Ist.CAS.details, f, pass);
		break;
	case Ist_PutI:
		f(pass, st->Ist.PutI.details->ix);
		f(pass, st->Ist.PutI.details->data);
		break;
	default:
		return False;
	}
	return True;
}

#endif

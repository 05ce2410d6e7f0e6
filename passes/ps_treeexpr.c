/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ps_treeexpr.c - what is pending moves into an expression
 *
 * Room:    passes.
 */
#include "passes/ps_treeexpr.h"
#include "passes/ps_treefold.h"

IRExpr **ps_treeexpr_args(struct ps_trees *t, IRExpr **args)
{
	IRExpr **new = args;
	UInt i;

	for (i = 0; args[i] != NULL; i++) {
		IRExpr *value = ps_move(t, args[i]);

		if (value == args[i])
			continue;
		if (new == args)
			new = shallowCopyIRExprVec(args);
		new[i] = value;
	}
	return new;
}

static IRExpr *move_triop(struct ps_trees *t, IRExpr *e)
{
	IRTriop *o = e->Iex.Triop.details;
	IRExpr *a = ps_move(t, o->arg1);
	IRExpr *b = ps_move(t, o->arg2);
	IRExpr *c = ps_move(t, o->arg3);

	if (a == o->arg1 && b == o->arg2 && c == o->arg3)
		return e;
	return IRExpr_Triop(o->op, a, b, c);
}

static IRExpr *move_qop(struct ps_trees *t, IRExpr *e)
{
	IRQop *o = e->Iex.Qop.details;
	IRExpr *a = ps_move(t, o->arg1);
	IRExpr *b = ps_move(t, o->arg2);
	IRExpr *c = ps_move(t, o->arg3);
	IRExpr *d = ps_move(t, o->arg4);

	if (a == o->arg1 && b == o->arg2 && c == o->arg3 && d == o->arg4)
		return e;
	return IRExpr_Qop(o->op, a, b, c, d);
}

static IRExpr *move_ite(struct ps_trees *t, IRExpr *e)
{
	IRExpr *a = ps_move(t, e->Iex.ITE.cond);
	IRExpr *b = ps_move(t, e->Iex.ITE.iftrue);
	IRExpr *c = ps_move(t, e->Iex.ITE.iffalse);

	if (a == e->Iex.ITE.cond && b == e->Iex.ITE.iftrue &&
	    c == e->Iex.ITE.iffalse)
		return e;
	return IRExpr_ITE(a, b, c);
}

static IRExpr *move_binop(struct ps_trees *t, IRExpr *e)
{
	IRExpr *a = ps_move(t, e->Iex.Binop.arg1);
	IRExpr *b = ps_move(t, e->Iex.Binop.arg2);

	if (a == e->Iex.Binop.arg1 && b == e->Iex.Binop.arg2)
		return e;
	return ps_treefold_binop(e->Iex.Binop.op, a, b);
}

static IRExpr *move_unop(struct ps_trees *t, IRExpr *e)
{
	IRExpr *a = ps_move(t, e->Iex.Unop.arg);

	return a == e->Iex.Unop.arg ? e : ps_treefold_unop(e->Iex.Unop.op, a);
}

static IRExpr *move_load(struct ps_trees *t, IRExpr *e)
{
	IRExpr *addr = ps_move(t, e->Iex.Load.addr);

	t->taken.memory = True;
	if (addr == e->Iex.Load.addr)
		return e;
	return IRExpr_Load(e->Iex.Load.end, e->Iex.Load.ty, addr);
}

static IRExpr *move_geti(struct ps_trees *t, IRExpr *e)
{
	IRRegArray *array = e->Iex.GetI.descr;
	IRExpr *index = ps_move(t, e->Iex.GetI.ix);

	ps_reads(&t->taken, array->base,
		 array->base + array->nElems * ps_size_of(array->elemTy) - 1);
	if (index == e->Iex.GetI.ix)
		return e;
	return IRExpr_GetI(array, index, e->Iex.GetI.bias);
}

static IRExpr *move_ccall(struct ps_trees *t, IRExpr *e)
{
	IRExpr **args = ps_treeexpr_args(t, e->Iex.CCall.args);

	if (args == e->Iex.CCall.args)
		return e;
	return IRExpr_CCall(e->Iex.CCall.cee, e->Iex.CCall.retty, args);
}

IRExpr *ps_treeexpr(struct ps_trees *t, IRExpr *e)
{
	switch (e->tag) {
	case Iex_Get:
		ps_reads(&t->taken, e->Iex.Get.offset,
			 e->Iex.Get.offset + ps_size_of(e->Iex.Get.ty) - 1);
		return e;
	case Iex_RdTmp:
		return ps_move(t, e);
	case Iex_Unop:
		return move_unop(t, e);
	case Iex_Binop:
		return move_binop(t, e);
	case Iex_Load:
		return move_load(t, e);
	case Iex_ITE:
		return move_ite(t, e);
	case Iex_CCall:
		return move_ccall(t, e);
	case Iex_Triop:
		return move_triop(t, e);
	case Iex_Qop:
		return move_qop(t, e);
	case Iex_GetI:
		return move_geti(t, e);
	default:
		return e;
	}
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * map_operands.h - expressions and statements with other operands
 *
 * Each function calls @f with @pass for each operand, and returns the
 * expression or statement with the results as operands. If no operand changes,
 * it returns its argument. Operands of expressions are mapped from last to
 * first, which is the order in which compilers evaluate arguments in VEX's
 * code; operands of statements and arguments of helpers from first to last. So
 * new statements have VEX's order. The functions are inlined, together with @f.
 */
#ifndef VGTOOL_VEXOPT_MAP_OPERANDS_H
#define VGTOOL_VEXOPT_MAP_OPERANDS_H

#include "vgtool/vexopt/vex_prelude.h"

/* Return the expression that replaces operand @e; @e itself: no change. */
typedef IRExpr *(*ps_operand_mapper)(void *pass, IRExpr *e);

#define PS_INLINE static inline __attribute__((always_inline))

PS_INLINE IRExpr *ps_map_unop_operand(IRExpr *e, ps_operand_mapper f,
				      void *pass)
{
	IRExpr *a = f(pass, e->Iex.Unop.arg);

	return a == e->Iex.Unop.arg ? e : IRExpr_Unop(e->Iex.Unop.op, a);
}

PS_INLINE IRExpr *ps_map_binop_operands(IRExpr *e, ps_operand_mapper f,
					void *pass)
{
	IRExpr *b = f(pass, e->Iex.Binop.arg2);
	IRExpr *a = f(pass, e->Iex.Binop.arg1);

	if (a == e->Iex.Binop.arg1 && b == e->Iex.Binop.arg2)
		return e;
	return IRExpr_Binop(e->Iex.Binop.op, a, b);
}

PS_INLINE IRExpr *ps_map_triop_operands(IRExpr *e, ps_operand_mapper f,
					void *pass)
{
	const IRTriop *o = e->Iex.Triop.details;
	IRExpr *c = f(pass, o->arg3);
	IRExpr *b = f(pass, o->arg2);
	IRExpr *a = f(pass, o->arg1);

	if (a == o->arg1 && b == o->arg2 && c == o->arg3)
		return e;
	return IRExpr_Triop(o->op, a, b, c);
}

PS_INLINE IRExpr *ps_map_qop_operands(IRExpr *e, ps_operand_mapper f,
				      void *pass)
{
	const IRQop *o = e->Iex.Qop.details;
	IRExpr *d = f(pass, o->arg4);
	IRExpr *c = f(pass, o->arg3);
	IRExpr *b = f(pass, o->arg2);
	IRExpr *a = f(pass, o->arg1);

	if (a == o->arg1 && b == o->arg2 && c == o->arg3 && d == o->arg4)
		return e;
	return IRExpr_Qop(o->op, a, b, c, d);
}

PS_INLINE IRExpr *ps_map_ite_operands(IRExpr *e, ps_operand_mapper f,
				      void *pass)
{
	IRExpr *c = f(pass, e->Iex.ITE.iffalse);
	IRExpr *b = f(pass, e->Iex.ITE.iftrue);
	IRExpr *a = f(pass, e->Iex.ITE.cond);

	if (a == e->Iex.ITE.cond && b == e->Iex.ITE.iftrue &&
	    c == e->Iex.ITE.iffalse)
		return e;
	return IRExpr_ITE(a, b, c);
}

PS_INLINE IRExpr *ps_map_load_address(IRExpr *e, ps_operand_mapper f,
				      void *pass)
{
	IRExpr *addr = f(pass, e->Iex.Load.addr);

	if (addr == e->Iex.Load.addr)
		return e;
	return IRExpr_Load(e->Iex.Load.end, e->Iex.Load.ty, addr);
}

PS_INLINE IRExpr *ps_map_geti_index(IRExpr *e, ps_operand_mapper f, void *pass)
{
	IRExpr *index = f(pass, e->Iex.GetI.ix);

	if (index == e->Iex.GetI.ix)
		return e;
	return IRExpr_GetI(e->Iex.GetI.descr, index, e->Iex.GetI.bias);
}

/* Return a copy of @args, an array that ends with NULL, in which each element
   is replaced by the result of @f; @args itself if none changes. */
PS_INLINE IRExpr **ps_map_args_or_return_same(IRExpr **args,
					      ps_operand_mapper f, void *pass)
{
	IRExpr **mapped = args;

	for (Int i = 0; args[i]; i++) {
		IRExpr *a = f(pass, args[i]);

		if (a == args[i])
			continue;
		if (mapped == args)
			mapped = shallowCopyIRExprVec(args);
		mapped[i] = a;
	}
	return mapped;
}

PS_INLINE IRExpr *ps_map_ccall_args(IRExpr *e, ps_operand_mapper f, void *pass)
{
	IRExpr **args = ps_map_args_or_return_same(e->Iex.CCall.args, f, pass);

	if (args == e->Iex.CCall.args)
		return e;
	return IRExpr_CCall(e->Iex.CCall.cee, e->Iex.CCall.retty, args);
}

PS_INLINE IRStmt *ps_map_put_data(IRStmt *st, ps_operand_mapper f, void *pass)
{
	IRExpr *data = f(pass, st->Ist.Put.data);

	return data == st->Ist.Put.data ? st
					: IRStmt_Put(st->Ist.Put.offset, data);
}

PS_INLINE IRStmt *ps_map_store_operands(IRStmt *st, ps_operand_mapper f,
					void *pass)
{
	IRExpr *addr = f(pass, st->Ist.Store.addr);
	IRExpr *data = f(pass, st->Ist.Store.data);

	if (addr == st->Ist.Store.addr && data == st->Ist.Store.data)
		return st;
	return IRStmt_Store(st->Ist.Store.end, addr, data);
}

PS_INLINE IRStmt *ps_map_exit_guard(IRStmt *st, ps_operand_mapper f, void *pass)
{
	IRExpr *guard = f(pass, st->Ist.Exit.guard);

	if (guard == st->Ist.Exit.guard)
		return st;
	return IRStmt_Exit(guard, st->Ist.Exit.jk, st->Ist.Exit.dst,
			   st->Ist.Exit.offsIP);
}

PS_INLINE IRStmt *ps_map_abihint_operands(IRStmt *st, ps_operand_mapper f,
					  void *pass)
{
	IRExpr *base = f(pass, st->Ist.AbiHint.base);
	IRExpr *next = f(pass, st->Ist.AbiHint.nia);

	if (base == st->Ist.AbiHint.base && next == st->Ist.AbiHint.nia)
		return st;
	return IRStmt_AbiHint(base, st->Ist.AbiHint.len, next);
}

#endif

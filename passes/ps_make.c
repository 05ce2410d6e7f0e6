/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ps_make.c - the statements that a pass makes
 *
 * Room:    passes.
 *
 * Operands are made from the last to the first, as the compilers' code for VEX
 * does.
 */
#include "passes/ps_make.h"

static IRExpr *known[PS_MAX_TEMPS];
static struct ps_slices slices;

void ps_make_begin(struct ps_made *m, IRTypeEnv *types, Int size)
{
	VG_(memset)(known, 0, types->types_used * sizeof(*known));
	ps_slices_empty(&slices);
	*m = (struct ps_made){
		.at = PS_NEW(size, IRStmt *),
		.size = size,
		.types = types,
		.known = known,
		.slices = &slices,
	};
}

IRSB *ps_make_end(const struct ps_made *m, const IRSB *in, IRExpr *next)
{
	IRSB *sb = PS_NEW(1, IRSB);

	*sb = *in;
	sb->tyenv = m->types;
	sb->stmts = m->at;
	sb->stmts_used = m->n;
	sb->stmts_size = m->size;
	sb->next = next;
	return sb;
}

void ps_make_more(struct ps_made *m)
{
	IRStmt **more = PS_NEW(2 * m->size, IRStmt *);

	for (Int i = 0; i < m->n; i++)
		more[i] = m->at[i];
	m->at = more;
	m->size *= 2;
}

static IRTemp new_temp(struct ps_made *m, IRType type)
{
	IRTemp t = newIRTemp(m->types, type);

	if (t >= PS_MAX_TEMPS) {
		m->failed = True;
		return 0;
	}
	m->known[t] = NULL;
	return t;
}

static IRExpr *make_temp(struct ps_made *m, IRExpr *e)
{
	IRTemp t = new_temp(m, typeOfIRExpr(m->types, e));
	IRExpr *found;

	if (e->tag == Iex_Get && m->slices) {
		found = ps_make_get(m, e, t);
		if (found)
			return found;
	}
	e = ps_make_flat(m, e);
	ps_make(m, IRStmt_WrTmp(t, e));
	return IRExpr_RdTmp(t);
}

IRExpr *ps_make_operand(struct ps_made *m, IRExpr *e)
{
	if (ps_is_atom(e) && !ps_is_image(e))
		return ps_known_atom(m->known, e);
	return make_temp(m, e);
}

static IRExpr *make_call(struct ps_made *m, IRExpr *e)
{
	IRExpr **args = shallowCopyIRExprVec(e->Iex.CCall.args);

	for (Int i = 0; args[i]; i++)
		args[i] = ps_make_operand(m, args[i]);
	return IRExpr_CCall(e->Iex.CCall.cee, e->Iex.CCall.retty, args);
}

static IRExpr *make_triop(struct ps_made *m, IRExpr *e)
{
	const IRTriop *t = e->Iex.Triop.details;
	IRExpr *c = ps_make_operand(m, t->arg3);
	IRExpr *b = ps_make_operand(m, t->arg2);
	IRExpr *a = ps_make_operand(m, t->arg1);

	return a == t->arg1 && b == t->arg2 && c == t->arg3
		       ? e
		       : IRExpr_Triop(t->op, a, b, c);
}

static IRExpr *make_choice(struct ps_made *m, IRExpr *e)
{
	IRExpr *c = ps_make_operand(m, e->Iex.ITE.iffalse);
	IRExpr *b = ps_make_operand(m, e->Iex.ITE.iftrue);
	IRExpr *a = ps_make_operand(m, e->Iex.ITE.cond);

	return a == e->Iex.ITE.cond && b == e->Iex.ITE.iftrue &&
			       c == e->Iex.ITE.iffalse
		       ? e
		       : IRExpr_ITE(a, b, c);
}

static IRExpr *make_binop(struct ps_made *m, IRExpr *e)
{
	IRExpr *b = ps_make_operand(m, e->Iex.Binop.arg2);
	IRExpr *a = ps_make_operand(m, e->Iex.Binop.arg1);

	return a == e->Iex.Binop.arg1 && b == e->Iex.Binop.arg2
		       ? e
		       : IRExpr_Binop(e->Iex.Binop.op, a, b);
}

IRExpr *ps_make_flat(struct ps_made *m, IRExpr *e)
{
	IRExpr *a;

	switch (e->tag) {
	case Iex_RdTmp:
		return ps_known_atom(m->known, e);
	case Iex_Const:
	case Iex_Get:
		return e;
	case Iex_Unop:
		a = ps_make_operand(m, e->Iex.Unop.arg);
		return a == e->Iex.Unop.arg ? e
					    : IRExpr_Unop(e->Iex.Unop.op, a);
	case Iex_Binop:
		return make_binop(m, e);
	case Iex_Load:
		a = ps_make_operand(m, e->Iex.Load.addr);
		return a == e->Iex.Load.addr ? e
					     : IRExpr_Load(e->Iex.Load.end,
							   e->Iex.Load.ty, a);
	case Iex_ITE:
		return make_choice(m, e);
	case Iex_CCall:
		return make_call(m, e);
	case Iex_Triop:
		return make_triop(m, e);
	default:
		m->failed = True;
		return e;
	}
}

static void make_store(struct ps_made *m, IRStmt *st)
{
	IRExpr *addr = ps_make_operand(m, st->Ist.Store.addr);
	IRExpr *data = ps_make_operand(m, st->Ist.Store.data);

	if (addr != st->Ist.Store.addr || data != st->Ist.Store.data)
		st = IRStmt_Store(st->Ist.Store.end, addr, data);
	ps_make(m, st);
}

static void make_exit(struct ps_made *m, IRStmt *st)
{
	IRExpr *guard = ps_make_operand(m, st->Ist.Exit.guard);

	if (guard != st->Ist.Exit.guard)
		st = IRStmt_Exit(guard, st->Ist.Exit.jk, st->Ist.Exit.dst,
				 st->Ist.Exit.offsIP);
	ps_make(m, st);
}

static void make_hint(struct ps_made *m, IRStmt *st)
{
	IRExpr *base = ps_make_operand(m, st->Ist.AbiHint.base);
	IRExpr *nia = ps_make_operand(m, st->Ist.AbiHint.nia);

	if (base != st->Ist.AbiHint.base || nia != st->Ist.AbiHint.nia)
		st = IRStmt_AbiHint(base, st->Ist.AbiHint.len, nia);
	ps_make(m, st);
}

static void make_put(struct ps_made *m, IRStmt *st)
{
	IRExpr *data = ps_make_operand(m, st->Ist.Put.data);

	if (data != st->Ist.Put.data)
		st = IRStmt_Put(st->Ist.Put.offset, data);
	ps_make(m, st);
	if (m->slices)
		ps_make_put(m, st->Ist.Put.offset, data);
}

void ps_make_rest(struct ps_made *m, IRStmt *st)
{
	switch (st->tag) {
	case Ist_NoOp:
	case Ist_IMark:
		ps_make(m, st);
		break;
	case Ist_AbiHint:
		make_hint(m, st);
		break;
	case Ist_Put:
		make_put(m, st);
		break;
	case Ist_Store:
		make_store(m, st);
		break;
	case Ist_Exit:
		make_exit(m, st);
		break;
	default:
		m->failed = True;
	}
}

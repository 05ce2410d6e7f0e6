/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ps_treestmt.c - what is pending moves into a statement
 *
 * Room:    passes.
 */
#include "passes/ps_treefold.h"
#include "passes/ps_treestmt.h"

static const UChar sizes[] = {
	[Ity_I8 - Ity_INVALID] = 1,    [Ity_I16 - Ity_INVALID] = 2,
	[Ity_I32 - Ity_INVALID] = 4,   [Ity_I64 - Ity_INVALID] = 8,
	[Ity_I128 - Ity_INVALID] = 16, [Ity_F16 - Ity_INVALID] = 2,
	[Ity_F32 - Ity_INVALID] = 4,   [Ity_F64 - Ity_INVALID] = 8,
	[Ity_F128 - Ity_INVALID] = 16, [Ity_D32 - Ity_INVALID] = 4,
	[Ity_D64 - Ity_INVALID] = 8,   [Ity_D128 - Ity_INVALID] = 16,
	[Ity_V128 - Ity_INVALID] = 16, [Ity_V256 - Ity_INVALID] = 32,
};

static inline Int size_of(IRType type)
{
	return sizes[type - Ity_INVALID];
}

Int ps_treestmt_size(const struct ps_trees *t, const IRExpr *atom)
{
	return size_of(atom->tag == Iex_RdTmp
			       ? t->types[atom->Iex.RdTmp.tmp]
			       : typeOfIRConst(atom->Iex.Const.con));
}

static void read(struct ps_reads *r, Int low, Int high)
{
	if (low < r->low)
		r->low = low;
	if (high > r->high)
		r->high = high;
}

static IRExpr *take(struct ps_trees *t, UInt mark)
{
	struct ps_pending *p = ps_pending_at(t, mark);
	IRExpr *value = p->value;

	read(&t->taken, p->reads.low, p->reads.high);
	t->taken.memory |= p->reads.memory;
	p->value = NULL;
	t->n_gone++;
	return value;
}

static inline IRExpr *move(struct ps_trees *t, IRExpr *atom)
{
	UInt mark;

	if (atom->tag != Iex_RdTmp)
		return atom;
	mark = t->uses[atom->Iex.RdTmp.tmp];
	return mark < PS_PLACES ? atom : take(t, mark);
}

IRExpr *ps_treestmt_atom(struct ps_trees *t, IRExpr *atom)
{
	return move(t, atom);
}

static IRExpr *move_or_none(struct ps_trees *t, IRExpr *atom)
{
	return atom == NULL ? NULL : move(t, atom);
}

/* Return: @args, or a copy. */
static IRExpr **move_args(struct ps_trees *t, IRExpr **args)
{
	IRExpr **new = args;
	UInt i;

	for (i = 0; args[i] != NULL; i++) {
		IRExpr *value = move(t, args[i]);

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
	IRExpr *a = move(t, o->arg1);
	IRExpr *b = move(t, o->arg2);
	IRExpr *c = move(t, o->arg3);

	if (a == o->arg1 && b == o->arg2 && c == o->arg3)
		return e;
	return IRExpr_Triop(o->op, a, b, c);
}

static IRExpr *move_qop(struct ps_trees *t, IRExpr *e)
{
	IRQop *o = e->Iex.Qop.details;
	IRExpr *a = move(t, o->arg1);
	IRExpr *b = move(t, o->arg2);
	IRExpr *c = move(t, o->arg3);
	IRExpr *d = move(t, o->arg4);

	if (a == o->arg1 && b == o->arg2 && c == o->arg3 && d == o->arg4)
		return e;
	return IRExpr_Qop(o->op, a, b, c, d);
}

static IRExpr *move_ite(struct ps_trees *t, IRExpr *e)
{
	IRExpr *a = move(t, e->Iex.ITE.cond);
	IRExpr *b = move(t, e->Iex.ITE.iftrue);
	IRExpr *c = move(t, e->Iex.ITE.iffalse);

	if (a == e->Iex.ITE.cond && b == e->Iex.ITE.iftrue &&
	    c == e->Iex.ITE.iffalse)
		return e;
	return IRExpr_ITE(a, b, c);
}

static IRExpr *move_binop(struct ps_trees *t, IRExpr *e)
{
	IRExpr *a = move(t, e->Iex.Binop.arg1);
	IRExpr *b = move(t, e->Iex.Binop.arg2);

	if (a == e->Iex.Binop.arg1 && b == e->Iex.Binop.arg2)
		return e;
	return ps_treefold_binop(e->Iex.Binop.op, a, b);
}

static IRExpr *move_unop(struct ps_trees *t, IRExpr *e)
{
	IRExpr *a = move(t, e->Iex.Unop.arg);

	return a == e->Iex.Unop.arg ? e : ps_treefold_unop(e->Iex.Unop.op, a);
}

static IRExpr *move_load(struct ps_trees *t, IRExpr *e)
{
	IRExpr *addr = move(t, e->Iex.Load.addr);

	t->taken.memory = True;
	if (addr == e->Iex.Load.addr)
		return e;
	return IRExpr_Load(e->Iex.Load.end, e->Iex.Load.ty, addr);
}

static IRExpr *move_geti(struct ps_trees *t, IRExpr *e)
{
	IRRegArray *array = e->Iex.GetI.descr;
	IRExpr *index = move(t, e->Iex.GetI.ix);

	read(&t->taken, array->base,
	     array->base + array->nElems * size_of(array->elemTy) - 1);
	if (index == e->Iex.GetI.ix)
		return e;
	return IRExpr_GetI(array, index, e->Iex.GetI.bias);
}

static IRExpr *move_ccall(struct ps_trees *t, IRExpr *e)
{
	IRExpr **args = move_args(t, e->Iex.CCall.args);

	if (args == e->Iex.CCall.args)
		return e;
	return IRExpr_CCall(e->Iex.CCall.cee, e->Iex.CCall.retty, args);
}

IRExpr *ps_treestmt_expr(struct ps_trees *t, IRExpr *e)
{
	switch (e->tag) {
	case Iex_Get:
		read(&t->taken, e->Iex.Get.offset,
		     e->Iex.Get.offset + size_of(e->Iex.Get.ty) - 1);
		return e;
	case Iex_RdTmp:
		return move(t, e);
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

static IRStmt *into_store(struct ps_trees *t, IRStmt *st)
{
	IRExpr *addr = move(t, st->Ist.Store.addr);
	IRExpr *data = move(t, st->Ist.Store.data);

	if (addr == st->Ist.Store.addr && data == st->Ist.Store.data)
		return st;
	return IRStmt_Store(st->Ist.Store.end, addr, data);
}

static IRStmt *into_storeg(struct ps_trees *t, IRStmt *st)
{
	IRStoreG *s = st->Ist.StoreG.details;
	IRExpr *addr = move(t, s->addr);
	IRExpr *data = move(t, s->data);
	IRExpr *guard = move(t, s->guard);

	if (addr == s->addr && data == s->data && guard == s->guard)
		return st;
	return IRStmt_StoreG(s->end, addr, data, guard);
}

static IRStmt *into_loadg(struct ps_trees *t, IRStmt *st)
{
	IRLoadG *l = st->Ist.LoadG.details;
	IRExpr *addr = move(t, l->addr);
	IRExpr *alt = move(t, l->alt);
	IRExpr *guard = move(t, l->guard);

	if (addr == l->addr && alt == l->alt && guard == l->guard)
		return st;
	return IRStmt_LoadG(l->end, l->cvt, l->dst, addr, alt, guard);
}

static IRStmt *into_dirty(struct ps_trees *t, IRStmt *st)
{
	IRDirty *d = st->Ist.Dirty.details, *new;
	IRExpr *addr = d->mFx == Ifx_None ? d->mAddr : move(t, d->mAddr);
	IRExpr *guard = move(t, d->guard);
	IRExpr **args = move_args(t, d->args);

	if (addr == d->mAddr && guard == d->guard && args == d->args)
		return st;
	new = emptyIRDirty();
	*new = *d;
	new->mAddr = addr;
	new->guard = guard;
	new->args = args;
	return IRStmt_Dirty(new);
}

static IRStmt *into_cas(struct ps_trees *t, IRStmt *st)
{
	UInt n_gone = t->n_gone;
	IRCAS *c = st->Ist.CAS.details, *new;
	IRExpr *addr = move(t, c->addr);
	IRExpr *expected_high = move_or_none(t, c->expdHi);
	IRExpr *expected = move(t, c->expdLo);
	IRExpr *data_high = move_or_none(t, c->dataHi);
	IRExpr *data = move(t, c->dataLo);

	if (t->n_gone == n_gone)
		return st;
	new = mkIRCAS(c->oldHi, c->oldLo, c->end, addr, expected_high, expected,
		      data_high, data);
	return IRStmt_CAS(new);
}

static IRStmt *into_puti(struct ps_trees *t, IRStmt *st)
{
	IRPutI *p = st->Ist.PutI.details;
	IRExpr *index = move(t, p->ix);
	IRExpr *data = move(t, p->data);

	if (index == p->ix && data == p->data)
		return st;
	return IRStmt_PutI(mkIRPutI(p->descr, index, p->bias, data));
}

static IRStmt *into_hint(struct ps_trees *t, IRStmt *st)
{
	IRExpr *base = move(t, st->Ist.AbiHint.base);
	IRExpr *next = move(t, st->Ist.AbiHint.nia);

	if (base == st->Ist.AbiHint.base && next == st->Ist.AbiHint.nia)
		return st;
	return IRStmt_AbiHint(base, st->Ist.AbiHint.len, next);
}

static IRStmt *into_exit(struct ps_trees *t, IRStmt *st)
{
	IRExpr *guard = move(t, st->Ist.Exit.guard);

	if (guard == st->Ist.Exit.guard)
		return st;
	return IRStmt_Exit(guard, st->Ist.Exit.jk, st->Ist.Exit.dst,
			   st->Ist.Exit.offsIP);
}

static IRStmt *into_put(struct ps_trees *t, IRStmt *st)
{
	IRExpr *data = move(t, st->Ist.Put.data);

	return data == st->Ist.Put.data ? st
					: IRStmt_Put(st->Ist.Put.offset, data);
}

static IRStmt *into_wrtmp(struct ps_trees *t, IRStmt *st)
{
	IRExpr *data = ps_treestmt_expr(t, st->Ist.WrTmp.data);

	return data == st->Ist.WrTmp.data
		       ? st
		       : IRStmt_WrTmp(st->Ist.WrTmp.tmp, data);
}

IRStmt *ps_treestmt(struct ps_trees *t, IRStmt *st)
{
	switch (st->tag) {
	case Ist_WrTmp:
		return into_wrtmp(t, st);
	case Ist_Put:
		return into_put(t, st);
	case Ist_Store:
		return into_store(t, st);
	case Ist_StoreG:
		return into_storeg(t, st);
	case Ist_LoadG:
		return into_loadg(t, st);
	case Ist_Dirty:
		return into_dirty(t, st);
	case Ist_CAS:
		return into_cas(t, st);
	case Ist_PutI:
		return into_puti(t, st);
	case Ist_AbiHint:
		return into_hint(t, st);
	case Ist_Exit:
		return into_exit(t, st);
	default:
		return st;
	}
}

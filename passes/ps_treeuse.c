/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ps_treeuse.c - how often each temporary of a flat block is used
 *
 * Room:    passes.
 */
#include "passes/ps_treeuse.h"

/* Return, here and below: whether it is flat. */
static inline Bool use(UChar *uses, const IRExpr *atom)
{
	UInt was;

	if (atom->tag != Iex_RdTmp)
		return atom->tag == Iex_Const;
	was = uses[atom->Iex.RdTmp.tmp];
	uses[atom->Iex.RdTmp.tmp] = (was << 1 | 1) & PS_USED_OFTEN;
	return True;
}

static Bool use_or_none(UChar *uses, const IRExpr *atom)
{
	return atom == NULL || use(uses, atom);
}

static Bool use_triop(UChar *uses, const IRTriop *o)
{
	return use(uses, o->arg1) && use(uses, o->arg2) && use(uses, o->arg3);
}

static Bool use_qop(UChar *uses, const IRQop *o)
{
	return use(uses, o->arg1) && use(uses, o->arg2) && use(uses, o->arg3) &&
	       use(uses, o->arg4);
}

static Bool use_args(UChar *uses, IRExpr *const *arg)
{
	for (; *arg != NULL; arg++)
		if (!is_IRExpr_VECRET_or_GSPTR(*arg) && !use(uses, *arg))
			return False;
	return True;
}

static inline Bool use_expr(UChar *uses, const IRExpr *e)
{
	switch (e->tag) {
	case Iex_Get:
	case Iex_Const:
		return True;
	case Iex_RdTmp:
		return use(uses, e);
	case Iex_Unop:
		return use(uses, e->Iex.Unop.arg);
	case Iex_Binop:
		return use(uses, e->Iex.Binop.arg1) &&
		       use(uses, e->Iex.Binop.arg2);
	case Iex_Load:
		return use(uses, e->Iex.Load.addr);
	case Iex_ITE:
		return use(uses, e->Iex.ITE.cond) &&
		       use(uses, e->Iex.ITE.iftrue) &&
		       use(uses, e->Iex.ITE.iffalse);
	case Iex_CCall:
		return use_args(uses, e->Iex.CCall.args);
	case Iex_Triop:
		return use_triop(uses, e->Iex.Triop.details);
	case Iex_Qop:
		return use_qop(uses, e->Iex.Qop.details);
	case Iex_GetI:
		return use(uses, e->Iex.GetI.ix);
	default:
		return False;
	}
}

static Bool use_dirty(UChar *uses, const IRDirty *d)
{
	return (d->mFx == Ifx_None || use(uses, d->mAddr)) &&
	       use(uses, d->guard) && use_args(uses, d->args);
}

static Bool use_cas(UChar *uses, const IRCAS *c)
{
	return use(uses, c->addr) && use_or_none(uses, c->expdHi) &&
	       use(uses, c->expdLo) && use_or_none(uses, c->dataHi) &&
	       use(uses, c->dataLo);
}

static inline Bool use_stmt(UChar *uses, const IRStmt *st)
{
	switch (st->tag) {
	case Ist_NoOp:
	case Ist_IMark:
	case Ist_MBE:
		return True;
	case Ist_WrTmp:
		return use_expr(uses, st->Ist.WrTmp.data);
	case Ist_Put:
		return use(uses, st->Ist.Put.data);
	case Ist_Store:
		return use(uses, st->Ist.Store.addr) &&
		       use(uses, st->Ist.Store.data);
	case Ist_Exit:
		return use(uses, st->Ist.Exit.guard);
	case Ist_AbiHint:
		return use(uses, st->Ist.AbiHint.base) &&
		       use(uses, st->Ist.AbiHint.nia);
	case Ist_Dirty:
		return use_dirty(uses, st->Ist.Dirty.details);
	case Ist_StoreG:
		return use(uses, st->Ist.StoreG.details->addr) &&
		       use(uses, st->Ist.StoreG.details->data) &&
		       use(uses, st->Ist.StoreG.details->guard);
	case Ist_LoadG:
		return use(uses, st->Ist.LoadG.details->addr) &&
		       use(uses, st->Ist.LoadG.details->alt) &&
		       use(uses, st->Ist.LoadG.details->guard);
	case Ist_CAS:
		return use_cas(uses, st->Ist.CAS.details);
	case Ist_PutI:
		return use(uses, st->Ist.PutI.details->ix) &&
		       use(uses, st->Ist.PutI.details->data);
	default:
		return False;
	}
}

/* One of no length takes a byte. */
static Addr last_byte(const IRStmt *mark)
{
	UInt len = mark->Ist.IMark.len;

	return mark->Ist.IMark.addr + (len == 0 ? 0 : len - 1);
}

Bool ps_treeuse(const IRSB *sb, UChar *uses, Addr *last)
{
	Bool has_code = False;
	Addr most = 0;
	Int i;

	for (i = 0; i < sb->stmts_used; i++) {
		const IRStmt *st = sb->stmts[i];

		if (st->tag == Ist_IMark) {
			has_code = True;
			if (last_byte(st) > most)
				most = last_byte(st);
		} else if (!use_stmt(uses, st)) {
			return False;
		}
	}
	*last = has_code ? most : ~(Addr)0;
	return use(uses, sb->next);
}

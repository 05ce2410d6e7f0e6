/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * append.c - a block behind another one; see append.h
 *
 * Temporaries of the second have the numbers behind those of the first. Its
 * statements are copied to the last expression, so what is in them is changed.
 * Where it reads what the first has in a temporary, it copies that instead;
 * nothing else of the first is made use of.
 */
#include "vgtool/vexopt/append.h"

#include "vgtool/vexopt/atom.h"
#include "vgtool/vexopt/each_operand.h"
#include "vgtool/vexopt/state_slices.h"

static struct ps_slices held; /* of the guest's state, by atoms */

static void move_tmp(IRTemp *tmp, UInt by)
{
	if (*tmp != IRTemp_INVALID)
		*tmp += by;
}

static void move(void *by, const IRExpr *atom)
{
	if (atom->tag == Iex_RdTmp)
		move_tmp(&((IRExpr *)atom)->Iex.RdTmp.tmp, *(UInt *)by);
}

/* The temporaries that a statement writes. */
static void move_results(IRStmt *st, UInt by)
{
	switch (st->tag) {
	case Ist_WrTmp:
		move_tmp(&st->Ist.WrTmp.tmp, by);
		break;
	case Ist_LoadG:
		move_tmp(&st->Ist.LoadG.details->dst, by);
		break;
	case Ist_CAS:
		move_tmp(&st->Ist.CAS.details->oldHi, by);
		move_tmp(&st->Ist.CAS.details->oldLo, by);
		break;
	case Ist_Dirty:
		move_tmp(&st->Ist.Dirty.details->tmp, by);
		break;
	default:
		break;
	}
}

/* NULL: it is not known what is in it. */
static IRStmt *moved(const IRStmt *of, UInt by)
{
	IRStmt *st = deepCopyIRStmt(of);
	Bool known = st->tag == Ist_WrTmp
			     ? ps_each_of_expr(st->Ist.WrTmp.data, move, &by)
			     : ps_each_of_stmt(st, move, &by) ||
				       ps_each_of_rare(st, move, &by);

	move_results(st, by);
	return known ? st : NULL;
}

static Int last_byte(const IRExpr *get)
{
	return get->Iex.Get.offset + ps_size_of(get->Iex.Get.ty) - 1;
}

static void hold_put(Int low, IRExpr *atom, const IRTypeEnv *types)
{
	Int high = low + ps_size_of_atom(types->types, atom) - 1;

	if (!ps_is_slice(low, high)) {
		ps_slices_empty(&held);
		return;
	}
	ps_slices_remove(&held, low, high);
	ps_slice_add(&held, low, high, 0, atom);
}

static void hold_get(const IRExpr *e, IRTemp tmp)
{
	Int low = e->Iex.Get.offset, high = last_byte(e);

	if (ps_is_slice(low, high) && !ps_slice_find(&held, low, high))
		ps_slice_add(&held, low, high, 0, IRExpr_RdTmp(tmp));
}

static Bool is_get(const IRStmt *st)
{
	return st->tag == Ist_WrTmp && st->Ist.WrTmp.data->tag == Iex_Get;
}

/* What is held behind a statement. */
static void hold(const IRStmt *st, const IRTypeEnv *types)
{
	if (st->tag == Ist_Put)
		hold_put(st->Ist.Put.offset, st->Ist.Put.data, types);
	else if (is_get(st))
		hold_get(st->Ist.WrTmp.data, st->Ist.WrTmp.tmp);
	else if (st->tag == Ist_PutI ||
		 (st->tag == Ist_Dirty && st->Ist.Dirty.details->nFxState > 0))
		ps_slices_empty(&held);
}

/* A GET of what is held becomes a copy. */
static void copy_held(IRStmt *st, const IRTypeEnv *types)
{
	const struct ps_slice *s;
	const IRExpr *e;

	if (!is_get(st))
		return;
	e = st->Ist.WrTmp.data;
	if (!ps_is_slice(e->Iex.Get.offset, last_byte(e)))
		return;
	s = ps_slice_find(&held, e->Iex.Get.offset, last_byte(e));
	if (s && ps_type_of_atom(types->types, s->atom) == e->Iex.Get.ty)
		st->Ist.WrTmp.data = s->atom;
}

Bool ps_append(IRSB *sb, const IRSB *more)
{
	IRStmt **st = PS_NEW(more->stmts_used, IRStmt *);
	UInt by = sb->tyenv->types_used;
	Int i;

	for (i = 0; i < more->stmts_used; i++) {
		st[i] = moved(more->stmts[i], by);
		if (st[i] == NULL)
			return False;
	}
	for (i = 0; i < more->tyenv->types_used; i++)
		newIRTemp(sb->tyenv, more->tyenv->types[i]);
	ps_slices_empty(&held);
	for (i = 0; i < sb->stmts_used; i++)
		hold(sb->stmts[i], sb->tyenv);
	for (i = 0; i < more->stmts_used; i++) {
		copy_held(st[i], sb->tyenv);
		hold(st[i], sb->tyenv);
		if (st[i]->tag != Ist_NoOp)
			addStmtToIRSB(sb, st[i]);
	}
	sb->next = deepCopyIRExpr(more->next);
	move(&by, sb->next);
	sb->jumpkind = more->jumpkind;
	return True;
}

void ps_turn(IRSB *sb)
{
	IRStmt *exit = sb->stmts[--sb->stmts_used];
	IRTemp turned = newIRTemp(sb->tyenv, Ity_I1);

	addStmtToIRSB(
		sb, IRStmt_WrTmp(turned,
				 IRExpr_Unop(Iop_Not1, exit->Ist.Exit.guard)));
	addStmtToIRSB(sb, IRStmt_Exit(IRExpr_RdTmp(turned), exit->Ist.Exit.jk,
				      sb->next->Iex.Const.con,
				      exit->Ist.Exit.offsIP));
	sb->next = IRExpr_Const(exit->Ist.Exit.dst);
}

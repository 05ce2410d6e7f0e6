/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree_stmt.c - moves pending values into a statement
 */
#include "vgtool/vexopt/tree_expr.h"

static IRExpr *pop_pending_or_atom_null_if_atom_null(struct ps_trees *t,
						     IRExpr *atom)
{
	return atom == NULL ? NULL : ps_pending_pop_value_or_atom(t, atom);
}

static IRStmt *move_pending_into_storeg(struct ps_trees *t, IRStmt *st)
{
	IRStoreG *s = st->Ist.StoreG.details;
	IRExpr *addr = ps_pending_pop_value_or_atom(t, s->addr);
	IRExpr *data = ps_pending_pop_value_or_atom(t, s->data);
	IRExpr *guard = ps_pending_pop_value_or_atom(t, s->guard);

	if (addr == s->addr && data == s->data && guard == s->guard)
		return st;
	return IRStmt_StoreG(s->end, addr, data, guard);
}

static IRStmt *move_pending_into_loadg(struct ps_trees *t, IRStmt *st)
{
	IRLoadG *l = st->Ist.LoadG.details;
	IRExpr *addr = ps_pending_pop_value_or_atom(t, l->addr);
	IRExpr *alt = ps_pending_pop_value_or_atom(t, l->alt);
	IRExpr *guard = ps_pending_pop_value_or_atom(t, l->guard);

	if (addr == l->addr && alt == l->alt && guard == l->guard)
		return st;
	return IRStmt_LoadG(l->end, l->cvt, l->dst, addr, alt, guard);
}

static IRStmt *move_pending_into_dirty(struct ps_trees *t, IRStmt *st)
{
	IRDirty *d = st->Ist.Dirty.details, *new;
	IRExpr *addr = d->mFx == Ifx_None
			       ? d->mAddr
			       : ps_pending_pop_value_or_atom(t, d->mAddr);
	IRExpr *guard = ps_pending_pop_value_or_atom(t, d->guard);
	IRExpr **args = ps_map_args_or_return_same(
		d->args, ps_tree_pop_operand_value_or_atom, t);

	if (addr == d->mAddr && guard == d->guard && args == d->args)
		return st;
	new = emptyIRDirty();
	*new = *d;
	new->mAddr = addr;
	new->guard = guard;
	new->args = args;
	return IRStmt_Dirty(new);
}

static IRStmt *move_pending_into_cas(struct ps_trees *t, IRStmt *st)
{
	UInt n_gone = t->n_moved;
	IRCAS *c = st->Ist.CAS.details, *new;
	IRExpr *addr = ps_pending_pop_value_or_atom(t, c->addr);
	IRExpr *expected_high =
		pop_pending_or_atom_null_if_atom_null(t, c->expdHi);
	IRExpr *expected = ps_pending_pop_value_or_atom(t, c->expdLo);
	IRExpr *data_high = pop_pending_or_atom_null_if_atom_null(t, c->dataHi);
	IRExpr *data = ps_pending_pop_value_or_atom(t, c->dataLo);

	if (t->n_moved == n_gone)
		return st;
	new = mkIRCAS(c->oldHi, c->oldLo, c->end, addr, expected_high, expected,
		      data_high, data);
	return IRStmt_CAS(new);
}

static IRStmt *move_pending_into_puti(struct ps_trees *t, IRStmt *st)
{
	IRPutI *p = st->Ist.PutI.details;
	IRExpr *index = ps_pending_pop_value_or_atom(t, p->ix);
	IRExpr *data = ps_pending_pop_value_or_atom(t, p->data);

	if (index == p->ix && data == p->data)
		return st;
	return IRStmt_PutI(mkIRPutI(p->descr, index, p->bias, data));
}

static IRStmt *move_pending_into_wrtmp_operands(struct ps_trees *t, IRStmt *st)
{
	IRExpr *data = ps_tree_move_pending_into_expr(t, st->Ist.WrTmp.data);

	return data == st->Ist.WrTmp.data
		       ? st
		       : IRStmt_WrTmp(st->Ist.WrTmp.tmp, data);
}

IRStmt *ps_tree_move_pending_into_stmt(struct ps_trees *t, IRStmt *st)
{
	switch (st->tag) {
	case Ist_WrTmp:
		return move_pending_into_wrtmp_operands(t, st);
	case Ist_Put:
		return ps_map_put_data(st, ps_tree_pop_operand_value_or_atom,
				       t);
	case Ist_Store:
		return ps_map_store_operands(
			st, ps_tree_pop_operand_value_or_atom, t);
	case Ist_StoreG:
		return move_pending_into_storeg(t, st);
	case Ist_LoadG:
		return move_pending_into_loadg(t, st);
	case Ist_Dirty:
		return move_pending_into_dirty(t, st);
	case Ist_CAS:
		return move_pending_into_cas(t, st);
	case Ist_PutI:
		return move_pending_into_puti(t, st);
	case Ist_AbiHint:
		return ps_map_abihint_operands(
			st, ps_tree_pop_operand_value_or_atom, t);
	case Ist_Exit:
		return ps_map_exit_guard(st, ps_tree_pop_operand_value_or_atom,
					 t);
	default:
		return st;
	}
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * optimise.c - a flat block, cleaned up for the tool
 */
#include "vgtool/vexopt/clean.h"

static Bool is_simple_expr(const IRExpr *e)
{
	switch (e->tag) {
	case Iex_GetI:
	case Iex_Qop:
		return False;
	case Iex_Unop:
		return e->Iex.Unop.op != Iop_PopCount64;
	default:
		return True;
	}
}

/* What else VEX does with other statements, and with vectors and floating-point
   numbers, is left to it. */
static Bool is_simple(const IRTypeEnv *types, const IRStmt *st)
{
	switch (st->tag) {
	case Ist_NoOp:
	case Ist_IMark:
	case Ist_AbiHint:
	case Ist_Put:
	case Ist_Store:
	case Ist_Exit:
		return True;
	case Ist_WrTmp:
		return is_simple_expr(st->Ist.WrTmp.data) &&
		       !ps_is_vector_or_float(types->types[st->Ist.WrTmp.tmp]);
	default:
		return False;
	}
}

static Bool is_asked(const IRSB *sb, VexRegisterUpdates updates)
{
	return vex_control.iropt_level == 2 && !vex_control.iropt_verbosity &&
	       (updates == VexRegUpdSpAtMemAccess ||
		updates == VexRegUpdUnwindregsAtMemAccess) &&
	       sb->tyenv->types_used <= PS_MAX_TEMPS;
}

static Bool is_at(const IRConst *c, Addr guest)
{
	return c->tag == Ico_U64 && c->Ico.U64 == guest;
}

/* Loops, whose last way out leads to their beginning, are unrolled by VEX. */
static Bool may_loop(const struct ps_made *m, const IRExpr *next, Addr guest)
{
	const IRStmt *last = m->at[m->n - 1];

	if (!ps_is_const(next))
		return False;
	return is_at(next->Iex.Const.con, guest) ||
	       (last->tag == Ist_Exit && is_at(last->Ist.Exit.dst, guest));
}

/* Return: whether all of it is simple. */
static Bool begin(struct ps_made *m, const IRSB *sb)
{
	ps_make_begin(m, sb->tyenv, sb->stmts_used + 1);
	for (Int i = 0; i < sb->stmts_used; i++) {
		if (!is_simple(sb->tyenv, sb->stmts[i]))
			return False;
		m->at[i] = sb->stmts[i];
	}
	m->n = sb->stmts_used;
	return True;
}

IRSB *ps_optimise(const IRSB *sb, ps_special special, ps_precise precise,
		  VexRegisterUpdates updates, Addr guest)
{
	struct ps_made m;
	IRExpr *next;

	if (!is_asked(sb, updates) || !begin(&m, sb))
		return NULL;
	ps_clean_gets(&m);
	ps_clean_puts(&m, sb->offsIP, precise, updates);
	ps_clean_known(&m);
	next = ps_known_atom(m.known, sb->next);
	ps_clean_dead(&m, next);
	if (m.failed)
		return NULL;
	if (ps_clean_calls(&m, special))
		ps_clean_dead(&m, next);
	if (m.failed || !m.n || may_loop(&m, next, guest))
		return NULL;
	return ps_make_end(&m, sb, next);
}

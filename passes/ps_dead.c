/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ps_dead.c - temporaries that nobody reads
 *
 * Room:    passes.
 */
#include "passes/ps_clean.h"

static UChar is_read[PS_MAX_TEMPS];

static inline void read_atom(const IRExpr *e)
{
	if (e->tag == Iex_RdTmp)
		is_read[e->Iex.RdTmp.tmp] = 1;
}

static void read_flat(const IRExpr *e)
{
	switch (e->tag) {
	case Iex_RdTmp:
		read_atom(e);
		break;
	case Iex_Unop:
		read_atom(e->Iex.Unop.arg);
		break;
	case Iex_Binop:
		read_atom(e->Iex.Binop.arg1);
		read_atom(e->Iex.Binop.arg2);
		break;
	case Iex_Triop:
		read_atom(e->Iex.Triop.details->arg1);
		read_atom(e->Iex.Triop.details->arg2);
		read_atom(e->Iex.Triop.details->arg3);
		break;
	case Iex_Load:
		read_atom(e->Iex.Load.addr);
		break;
	case Iex_ITE:
		read_atom(e->Iex.ITE.cond);
		read_atom(e->Iex.ITE.iftrue);
		read_atom(e->Iex.ITE.iffalse);
		break;
	case Iex_CCall:
		for (IRExpr *const *a = e->Iex.CCall.args; *a; a++)
			read_atom(*a);
		break;
	default:
		break;
	}
}

/* Return: whether it does anything. */
static Bool read_stmt(const IRStmt *st)
{
	switch (st->tag) {
	case Ist_NoOp:
		return False;
	case Ist_WrTmp:
		if (!is_read[st->Ist.WrTmp.tmp])
			return False;
		read_flat(st->Ist.WrTmp.data);
		break;
	case Ist_AbiHint:
		read_atom(st->Ist.AbiHint.base);
		read_atom(st->Ist.AbiHint.nia);
		break;
	case Ist_Put:
		read_atom(st->Ist.Put.data);
		break;
	case Ist_Store:
		read_atom(st->Ist.Store.addr);
		read_atom(st->Ist.Store.data);
		break;
	case Ist_Exit:
		read_atom(st->Ist.Exit.guard);
		break;
	default:
		break;
	}
	return True;
}

void ps_clean_dead(struct ps_made *m, const IRExpr *next)
{
	Int first = m->n;

	VG_(memset)(is_read, 0, (SizeT)m->types->types_used);
	read_atom(next);
	for (Int i = m->n - 1; i >= 0; i--)
		if (read_stmt(m->at[i]))
			m->at[--first] = m->at[i];
	m->at += first;
	m->n -= first;
	m->size -= first;
}

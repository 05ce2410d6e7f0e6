/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dead.c - temporaries that nobody reads
 */
#include "vgtool/vexopt/clean.h"
#include "vgtool/vexopt/each_operand.h"

static UChar is_read[PS_MAX_TEMPS];

/* @pass: none. */
static inline void read_atom(void *pass, const IRExpr *e)
{
	(void)pass;
	if (e->tag == Iex_RdTmp)
		is_read[e->Iex.RdTmp.tmp] = 1;
}

/* Return: whether it does anything. */
static Bool read_stmt(const IRStmt *st)
{
	if (st->tag == Ist_NoOp)
		return False;
	if (st->tag != Ist_WrTmp) {
		ps_each_of_stmt(st, read_atom, NULL);
		return True;
	}
	if (!is_read[st->Ist.WrTmp.tmp])
		return False;
	ps_each_of_expr(st->Ist.WrTmp.data, read_atom, NULL);
	return True;
}

void ps_clean_dead(struct ps_made *m, const IRExpr *next)
{
	Int first = m->n;

	VG_(memset)(is_read, 0, (SizeT)m->types->types_used);
	read_atom(NULL, next);
	for (Int i = m->n - 1; i >= 0; i--)
		if (read_stmt(m->at[i]))
			m->at[--first] = m->at[i];
	m->at += first;
	m->n -= first;
	m->size -= first;
}

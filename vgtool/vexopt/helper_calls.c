/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * helper_calls.c - replaces calls of helpers by equivalent expressions
 */
#include "vgtool/vexopt/clean.h"

static Bool is_call(const IRStmt *st)
{
	return st->tag == Ist_WrTmp && st->Ist.WrTmp.data->tag == Iex_CCall;
}

/* Replace the calls for which @special has an equivalent expression, which may
   be a tree. Return: whether there were any. */
static Bool specialise_calls(struct ps_made *m, ps_special special)
{
	Bool any = False;

	for (Int i = m->n - 1; i >= 0; i--) {
		const IRExpr *e;
		IRExpr *same;

		if (!is_call(m->at[i]))
			continue;
		e = m->at[i]->Ist.WrTmp.data;
		same = special(e->Iex.CCall.cee->name, e->Iex.CCall.args, m->at,
			       i);
		if (same)
			m->at[i] = IRStmt_WrTmp(m->at[i]->Ist.WrTmp.tmp, same);
		any |= same != NULL;
	}
	return any;
}

Bool ps_clean_calls(struct ps_made *m, ps_special special)
{
	IRStmt **old = m->at;
	Int n = m->n;

	if (!specialise_calls(m, special))
		return False;
	ps_make_begin(m, m->types, 2 * n + 8);
	m->slices = NULL;
	for (Int i = 0; i < n && !m->failed; i++) {
		IRStmt *st = old[i];

		if (st->tag == Ist_WrTmp)
			ps_make(m,
				IRStmt_WrTmp(
					st->Ist.WrTmp.tmp,
					ps_make_flat(m, st->Ist.WrTmp.data)));
		else
			ps_make(m, st);
	}
	return !m->failed;
}

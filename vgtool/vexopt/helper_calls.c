/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * helper_calls.c - replaces calls of VEX's helper functions (Iex_CCall) by
 * equivalent expressions
 */
#include "vgtool/vexopt/clean.h"

static Bool is_temp_write_of_ccall_expr(const IRStmt *st)
{
	return st->tag == Ist_WrTmp && st->Ist.WrTmp.data->tag == Iex_CCall;
}

/* Replace in @m each helper call for which @special returns an equivalent
   expression by that expression, which may be a tree. Return: whether any was
   replaced. */
static Bool replace_calls_by_exprs_were_any(struct ps_stmt_list *m,
					    ps_spec_helper_fn special)
{
	Bool any = False;

	for (Int i = m->n - 1; i >= 0; i--) {
		const IRExpr *e;
		IRExpr *same;

		if (!is_temp_write_of_ccall_expr(m->stmts[i]))
			continue;
		e = m->stmts[i]->Ist.WrTmp.data;
		same = special(e->Iex.CCall.cee->name, e->Iex.CCall.args,
			       m->stmts, i);
		if (same)
			m->stmts[i] =
				IRStmt_WrTmp(m->stmts[i]->Ist.WrTmp.tmp, same);
		any |= same != NULL;
	}
	return any;
}

Bool ps_clean_replace_helper_calls(struct ps_stmt_list *m,
				   ps_spec_helper_fn special)
{
	IRStmt **old = m->stmts;
	Int n = m->n;

	if (!replace_calls_by_exprs_were_any(m, special))
		return False;
	ps_make_init_stmt_list(m, m->types, 2 * n + 8);
	m->slices = NULL;
	for (Int i = 0; i < n && !m->failed; i++) {
		IRStmt *st = old[i];

		if (st->tag == Ist_WrTmp)
			ps_stmt_list_add(
				m,
				IRStmt_WrTmp(st->Ist.WrTmp.tmp,
					     ps_flatten_expr_operands(
						     m, st->Ist.WrTmp.data)));
		else
			ps_stmt_list_add(m, st);
	}
	return !m->failed;
}

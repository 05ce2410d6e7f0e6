/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * propagate.c - substitutes known values for temporaries, and folds constants
 */
#include "vgtool/vexopt/clean.h"

/* Record @value as the known value of temporary @t. Return: whether @value is
   an atom that can replace @t everywhere (no constant F64i), so that @t need
   not be written. */
static Bool record_temp_value_can_replace_temp(struct ps_stmt_list *m, IRTemp t,
					       IRExpr *value)
{
	m->known[t] = value;
	return ps_is_atom(value) && !ps_is_f64i_constant(value);
}

/* Substitute known values in @st, a write of a temporary, fold its expression,
   and record the result as the known value. Add the write only if the result
   cannot replace the temporary, and it is no GET whose value is known. */
static void fold_temp_write_record_value_or_add(struct ps_stmt_list *m,
						IRStmt *st)
{
	IRTemp t = st->Ist.WrTmp.tmp;
	IRExpr *e = st->Ist.WrTmp.data;

	if (e->tag == Iex_Get && m->known[t]) {
		m->known[t] = ps_get_known_atom_or_same(m->known, m->known[t]);
		return;
	}
	e = ps_fold_flat_expr(m->known, ps_flatten_expr_operands(m, e));
	if (record_temp_value_can_replace_temp(m, t, e))
		return;
	ps_stmt_list_add(m, e == st->Ist.WrTmp.data ? st : IRStmt_WrTmp(t, e));
}

/* Add side exit @st unless its guard is constant. If the exit is always taken,
   set failed, so that the block is left to VEX, since the rest of it is dead.
   */
static void add_exit_unless_guard_const_fail_if_true(struct ps_stmt_list *m,
						     IRStmt *st)
{
	const IRExpr *guard;

	ps_flatten_and_add_stmt(m, st);
	guard = m->stmts[m->n - 1]->Ist.Exit.guard;
	if (!ps_is_const(guard))
		return;
	m->failed |= guard->Iex.Const.con->Ico.U1;
	m->n--;
}

void ps_substitute_and_fold_known_values(struct ps_stmt_list *m)
{
	Int n = m->n;

	m->slices = NULL;
	m->n = 0;
	for (Int i = 0; i < n && !m->failed; i++) {
		IRStmt *st = m->stmts[i];

		if (st->tag == Ist_WrTmp)
			fold_temp_write_record_value_or_add(m, st);
		else if (st->tag == Ist_Exit)
			add_exit_unless_guard_const_fail_if_true(m, st);
		else if (st->tag != Ist_NoOp)
			ps_flatten_and_add_stmt(m, st);
		/* a new statement is stored only where a statement was
		   processed already */
		tl_assert(m->n <= i + 1);
	}
}

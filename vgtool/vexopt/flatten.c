/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * flatten.c - flattens disassembled IR
 */
#include "vgtool/vexopt/make_stmt.h"
#include "vgtool/vexopt/passes.h"

static void flatten_temp_write_or_record_known(struct ps_stmt_list *m,
					       IRStmt *st)
{
	IRTemp t = st->Ist.WrTmp.tmp;
	IRExpr *e = st->Ist.WrTmp.data;

	if (e->tag == Iex_Get)
		m->known[t] = ps_make_known_get_value_or_note_temp(m, e, t);
	else
		e = ps_flatten_expr_operands(m, e);
	if (ps_is_atom(e) && !ps_is_f64i_constant(e))
		m->known[t] = e;
	if (!m->known[t])
		ps_stmt_list_add(
			m, e == st->Ist.WrTmp.data ? st : IRStmt_WrTmp(t, e));
}

/* Remove the last statement of @m if it is a PUT of atom @next to the program
   counter, since the end of the block does the same. */
static void drop_final_put_if_sets_pc_to_next(const IRSB *sb,
					      struct ps_stmt_list *m,
					      IRExpr *next)
{
	const IRStmt *st = m->n ? m->stmts[m->n - 1] : NULL;

	if (st && st->tag == Ist_Put && st->Ist.Put.offset == sb->offsIP &&
	    eqIRAtom(st->Ist.Put.data, next))
		m->n--;
}

IRSB *ps_flatten_block_or_null(const IRSB *sb)
{
	struct ps_stmt_list m;
	IRExpr *next;

	if (sb->tyenv->types_used > PS_MAX_TEMPS)
		return NULL;
	ps_make_init_stmt_list(&m, deepCopyIRTypeEnv(sb->tyenv),
			       2 * sb->stmts_used + 8);
	for (Int i = 0; i < sb->stmts_used && !m.failed; i++) {
		if (!sb->stmts[i])
			continue;
		if (sb->stmts[i]->tag == Ist_WrTmp)
			flatten_temp_write_or_record_known(&m, sb->stmts[i]);
		else
			ps_flatten_and_add_stmt(&m, sb->stmts[i]);
	}
	next = ps_flatten_to_atom(&m, sb->next);
	drop_final_put_if_sets_pc_to_next(sb, &m, next);
	return m.failed ? NULL : ps_make_block_from_list(&m, sb, next);
}

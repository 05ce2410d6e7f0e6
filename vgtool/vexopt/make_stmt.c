/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * make_stmt.c - collects the statements that a pass makes
 */
#include "vgtool/vexopt/make_stmt.h"

#include "vgtool/vexopt/map_operands.h"

static IRExpr *known[PS_MAX_TEMPS];
static struct ps_slices slices;

void ps_make_init_stmt_list(struct ps_stmt_list *m, IRTypeEnv *types, Int size)
{
	VG_(memset)(known, 0, types->types_used * sizeof(*known));
	ps_slices_clear(&slices);
	*m = (struct ps_stmt_list){
		.stmts = PS_NEW(size, IRStmt *),
		.size = size,
		.types = types,
		.known = known,
		.slices = &slices,
	};
}

IRSB *ps_make_block(const struct ps_stmt_list *m, const IRSB *in, IRExpr *next)
{
	IRSB *sb = PS_NEW(1, IRSB);

	*sb = *in;
	sb->tyenv = m->types;
	sb->stmts = m->stmts;
	sb->stmts_used = m->n;
	sb->stmts_size = m->size;
	sb->next = next;
	return sb;
}

void ps_make_enlarge_list(struct ps_stmt_list *m)
{
	IRStmt **bigger = PS_NEW(2 * m->size, IRStmt *);

	for (Int i = 0; i < m->n; i++)
		bigger[i] = m->stmts[i];
	m->stmts = bigger;
	m->size *= 2;
}

static IRTemp new_temp(struct ps_stmt_list *m, IRType type)
{
	IRTemp t = newIRTemp(m->types, type);

	if (t >= PS_MAX_TEMPS) {
		m->failed = True;
		return 0;
	}
	m->known[t] = NULL;
	return t;
}

static IRExpr *flatten_to_new_temp(struct ps_stmt_list *m, IRExpr *e)
{
	IRTemp t = new_temp(m, typeOfIRExpr(m->types, e));
	IRExpr *found;

	if (e->tag == Iex_Get && m->slices) {
		found = ps_make_find_get_value_or_record(m, e, t);
		if (found)
			return found;
	}
	e = ps_flatten_expr_operands(m, e);
	ps_make_add_stmt(m, IRStmt_WrTmp(t, e));
	return IRExpr_RdTmp(t);
}

IRExpr *ps_flatten_to_atom(struct ps_stmt_list *m, IRExpr *e)
{
	if (ps_is_atom(e) && !ps_is_f64i(e))
		return ps_replace_by_known_atom(m->known, e);
	return flatten_to_new_temp(m, e);
}

/* Call ps_flatten_to_atom(); has the type ps_operand_mapper (map_operands.h).
   */
static inline IRExpr *flatten_operand_to_atom(void *made, IRExpr *e)
{
	return ps_flatten_to_atom(made, e);
}

IRExpr *ps_flatten_expr_operands(struct ps_stmt_list *m, IRExpr *e)
{
	switch (e->tag) {
	case Iex_RdTmp:
		return ps_replace_by_known_atom(m->known, e);
	case Iex_Const:
	case Iex_Get:
		return e;
	case Iex_Unop:
		return ps_map_unop(e, flatten_operand_to_atom, m);
	case Iex_Binop:
		return ps_map_binop(e, flatten_operand_to_atom, m);
	case Iex_Load:
		return ps_map_load(e, flatten_operand_to_atom, m);
	case Iex_ITE:
		return ps_map_ite(e, flatten_operand_to_atom, m);
	case Iex_CCall:
		return ps_map_ccall(e, flatten_operand_to_atom, m);
	case Iex_Triop:
		return ps_map_triop(e, flatten_operand_to_atom, m);
	default:
		m->failed = True;
		return e;
	}
}

static void flatten_and_add_put(struct ps_stmt_list *m, IRStmt *st)
{
	st = ps_map_put(st, flatten_operand_to_atom, m);
	ps_make_add_stmt(m, st);
	if (m->slices)
		ps_make_set_slice_value(m, st->Ist.Put.offset,
					st->Ist.Put.data);
}

/* Return @st with atoms as operands, and add the statements that compute these
   to @m. Set failed if @st is no NoOp, IMark, AbiHint, Store or Exit. */
static IRStmt *flatten_stmt(struct ps_stmt_list *m, IRStmt *st)
{
	switch (st->tag) {
	case Ist_NoOp:
	case Ist_IMark:
		return st;
	case Ist_AbiHint:
		return ps_map_hint(st, flatten_operand_to_atom, m);
	case Ist_Store:
		return ps_map_store(st, flatten_operand_to_atom, m);
	case Ist_Exit:
		return ps_map_exit(st, flatten_operand_to_atom, m);
	default:
		m->failed = True;
		return st;
	}
}

void ps_flatten_and_add_stmt(struct ps_stmt_list *m, IRStmt *st)
{
	if (st->tag == Ist_Put)
		flatten_and_add_put(m, st);
	else
		ps_make_add_stmt(m, flatten_stmt(m, st));
}

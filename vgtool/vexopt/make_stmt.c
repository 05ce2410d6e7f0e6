/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * make_stmt.c - collects the statements that a pass makes
 */
#include "vgtool/vexopt/make_stmt.h"

#include "vgtool/vexopt/map_operands.h"

static IRExpr *known[PS_MAX_TEMPS];
static struct ps_slices slices;

void ps_make_init_stmt_list(struct ps_stmt_list *m, IRTypeEnv *types,
			    Int capacity)
{
	VG_(memset)(known, 0, types->types_used * sizeof(*known));
	ps_slices_clear(&slices);
	*m = (struct ps_stmt_list){
		.stmts = PS_NEW(capacity, IRStmt *),
		.size = capacity,
		.types = types,
		.known = known,
		.slices = &slices,
	};
}

IRSB *ps_make_block_from_list(const struct ps_stmt_list *m, const IRSB *in,
			      IRExpr *next)
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

void ps_make_double_list_capacity(struct ps_stmt_list *m)
{
	IRStmt **bigger = PS_NEW(2 * m->size, IRStmt *);

	for (Int i = 0; i < m->n; i++)
		bigger[i] = m->stmts[i];
	m->stmts = bigger;
	m->size *= 2;
}

static IRTemp new_temp_or_0_set_failed(struct ps_stmt_list *m, IRType type)
{
	IRTemp t = newIRTemp(m->types, type);

	if (t >= PS_MAX_TEMPS) {
		m->failed = True;
		return 0;
	}
	m->known[t] = NULL;
	return t;
}

static IRExpr *flatten_to_new_temp_or_known_get(struct ps_stmt_list *m,
						IRExpr *e)
{
	IRTemp t = new_temp_or_0_set_failed(m, typeOfIRExpr(m->types, e));
	IRExpr *found;

	if (e->tag == Iex_Get && m->slices) {
		found = ps_make_known_get_value_or_note_temp(m, e, t);
		if (found)
			return found;
	}
	e = ps_flatten_expr_operands(m, e);
	ps_stmt_list_add(m, IRStmt_WrTmp(t, e));
	return IRExpr_RdTmp(t);
}

IRExpr *ps_flatten_to_atom(struct ps_stmt_list *m, IRExpr *e)
{
	if (ps_is_atom(e) && !ps_is_f64i_constant(e))
		return ps_get_known_atom_or_same(m->known, e);
	return flatten_to_new_temp_or_known_get(m, e);
}

/* Call ps_flatten_to_atom(); has the type ps_operand_mapper (map_operands.h).
   */
static inline IRExpr *flatten_operand_to_atom(void *stmt_list, IRExpr *e)
{
	return ps_flatten_to_atom(stmt_list, e);
}

IRExpr *ps_flatten_expr_operands(struct ps_stmt_list *m, IRExpr *e)
{
	switch (e->tag) {
	case Iex_RdTmp:
		return ps_get_known_atom_or_same(m->known, e);
	case Iex_Const:
	case Iex_Get:
		return e;
	case Iex_Unop:
		return ps_map_unop_operand(e, flatten_operand_to_atom, m);
	case Iex_Binop:
		return ps_map_binop_operands(e, flatten_operand_to_atom, m);
	case Iex_Load:
		return ps_map_load_address(e, flatten_operand_to_atom, m);
	case Iex_ITE:
		return ps_map_ite_operands(e, flatten_operand_to_atom, m);
	case Iex_CCall:
		return ps_map_ccall_args(e, flatten_operand_to_atom, m);
	case Iex_Triop:
		return ps_map_triop_operands(e, flatten_operand_to_atom, m);
	default:
		m->failed = True;
		return e;
	}
}

static void add_flat_put_record_slice_value(struct ps_stmt_list *m, IRStmt *st)
{
	st = ps_map_put_data(st, flatten_operand_to_atom, m);
	ps_stmt_list_add(m, st);
	if (m->slices)
		ps_stmt_list_set_value_of_state_slice(m, st->Ist.Put.offset,
						      st->Ist.Put.data);
}

/* Return @st with atoms as operands, and add the statements that compute these
   to @m. Set failed if @st is no NoOp, IMark, AbiHint, Store or Exit. */
static IRStmt *flatten_stmt_operands(struct ps_stmt_list *m, IRStmt *st)
{
	switch (st->tag) {
	case Ist_NoOp:
	case Ist_IMark:
		return st;
	case Ist_AbiHint:
		return ps_map_abihint_operands(st, flatten_operand_to_atom, m);
	case Ist_Store:
		return ps_map_store_operands(st, flatten_operand_to_atom, m);
	case Ist_Exit:
		return ps_map_exit_guard(st, flatten_operand_to_atom, m);
	default:
		m->failed = True;
		return st;
	}
}

void ps_flatten_and_add_stmt(struct ps_stmt_list *m, IRStmt *st)
{
	if (st->tag == Ist_Put)
		add_flat_put_record_slice_value(m, st);
	else
		ps_stmt_list_add(m, flatten_stmt_operands(m, st));
}

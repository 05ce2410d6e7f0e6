/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree_expr.c - moves pending values into an expression
 */
#include "vgtool/vexopt/tree_expr.h"
#include "vgtool/vexopt/tree_fold.h"

static IRExpr *move_pending_into_unop_and_fold(struct ps_trees *t, IRExpr *e)
{
	IRExpr *a = ps_pending_pop_value_or_atom(t, e->Iex.Unop.arg);

	return a == e->Iex.Unop.arg
		       ? e
		       : ps_tree_make_folded_unop(e->Iex.Unop.op, a);
}

static IRExpr *move_pending_into_binop_and_simplify(struct ps_trees *t,
						    IRExpr *e)
{
	IRExpr *a = ps_pending_pop_value_or_atom(t, e->Iex.Binop.arg1);
	IRExpr *b = ps_pending_pop_value_or_atom(t, e->Iex.Binop.arg2);

	if (a == e->Iex.Binop.arg1 && b == e->Iex.Binop.arg2)
		return e;
	return ps_tree_make_binop_or_fold_known_pattern(e->Iex.Binop.op, a, b);
}

/* Extend the range of the guest's state in moved_reads to include the @bytes
   bytes from byte @low on, which an expression reads. */
static void add_state_read_to_moved_reads(struct ps_trees *t, Int low,
					  Int bytes)
{
	ps_reads_extend_state_range(&t->moved_reads, low, low + bytes - 1);
}

IRExpr *ps_tree_move_pending_into_expr(struct ps_trees *t, IRExpr *e)
{
	const IRRegArray *array;

	switch (e->tag) {
	case Iex_Get:
		add_state_read_to_moved_reads(t, e->Iex.Get.offset,
					      ps_size_of_type(e->Iex.Get.ty));
		return e;
	case Iex_RdTmp:
		return ps_pending_pop_value_or_atom(t, e);
	case Iex_Unop:
		return move_pending_into_unop_and_fold(t, e);
	case Iex_Binop:
		return move_pending_into_binop_and_simplify(t, e);
	case Iex_Load:
		t->moved_reads.memory = True;
		return ps_map_load_address(e, ps_tree_pop_operand_value_or_atom,
					   t);
	case Iex_ITE:
		return ps_map_ite_operands(e, ps_tree_pop_operand_value_or_atom,
					   t);
	case Iex_CCall:
		return ps_map_ccall_args(e, ps_tree_pop_operand_value_or_atom,
					 t);
	case Iex_Triop:
		return ps_map_triop_operands(
			e, ps_tree_pop_operand_value_or_atom, t);
	case Iex_Qop:
		return ps_map_qop_operands(e, ps_tree_pop_operand_value_or_atom,
					   t);
	case Iex_GetI:
		array = e->Iex.GetI.descr;
		add_state_read_to_moved_reads(
			t, array->base,
			array->nElems * ps_size_of_type(array->elemTy));
		return ps_map_geti_index(e, ps_tree_pop_operand_value_or_atom,
					 t);
	default:
		return e;
	}
}

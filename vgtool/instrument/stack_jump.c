/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stack_jump.c - detects jumps of the stack pointer; see stack_jump.h */

#include "vgtool/instrument/stack_jump.h"

/* Whether an expression is the stack pointer read from the guest state, or is
   derived from it by adding, subtracting or masking constants.
   @is_temp_derived: for each temporary, whether its value is so derived.
   @sp_offset: offset of the stack pointer in the guest state. */
static Bool is_expr_derived_from_old_sp(const IRExpr *expr,
					const Bool *is_temp_derived,
					Int sp_offset)
{
	switch (expr->tag) {
	case Iex_Get:
		return expr->Iex.Get.offset == sp_offset;
	case Iex_RdTmp:
		return is_temp_derived[expr->Iex.RdTmp.tmp];
	case Iex_Binop:
		return (expr->Iex.Binop.op == Iop_Add64 ||
			expr->Iex.Binop.op == Iop_Sub64 ||
			expr->Iex.Binop.op == Iop_And64) &&
		       expr->Iex.Binop.arg1->tag == Iex_RdTmp &&
		       expr->Iex.Binop.arg2->tag == Iex_Const &&
		       is_temp_derived[expr->Iex.Binop.arg1->Iex.RdTmp.tmp];
	default:
		return False;
	}
}

Bool vt_stack_jump_has_unrelated_sp_write(const IRSB *in, Int sp_offset)
{
	Bool *derived = VG_(calloc)("vt.jump", in->tyenv->types_used + 1,
				    sizeof(*derived));
	Bool is_unrelated = False;
	Int i;

	for (i = 0; i < in->stmts_used && !is_unrelated; i++) {
		const IRStmt *st = in->stmts[i];

		if (st->tag == Ist_WrTmp)
			derived[st->Ist.WrTmp.tmp] =
				is_expr_derived_from_old_sp(st->Ist.WrTmp.data,
							    derived, sp_offset);
		is_unrelated = st->tag == Ist_Put &&
			       st->Ist.Put.offset == sp_offset &&
			       !is_expr_derived_from_old_sp(st->Ist.Put.data,
							    derived, sp_offset);
	}
	VG_(free)(derived);
	return is_unrelated;
}

void vt_stack_jump_emit_call_if_sp_above(struct vt_emitter *e, Int sp_offset,
					 Int limit_shadow_offset,
					 const HChar *helper_name, void *helper,
					 IRExpr **args_sp_first)
{
	IRExpr *least = vt_emit_assign_to_new_temp(
		e, Ity_I64,
		IRExpr_Get(e->shadow - VT_SHADOW_PAGE + limit_shadow_offset,
			   Ity_I64));
	IRExpr *sp = vt_emit_assign_to_new_temp(e, Ity_I64,
						IRExpr_Get(sp_offset, Ity_I64));
	IRExpr *above = vt_emit_assign_to_new_temp(
		e, Ity_I1, IRExpr_Binop(Iop_CmpLT64U, least, sp));
	IRDirty *d;
	Int n = 0;

	args_sp_first[0] = sp;
	while (args_sp_first[n] != NULL)
		n++;
	d = unsafeIRDirty_0_N(n, helper_name, helper, args_sp_first);
	d->guard = above;
	vt_emit_append_stmt_as_is(e, IRStmt_Dirty(d));
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* block_hook.c - calls helpers at the beginning of blocks; see block_hook.h */

#include "vgtool/instrument/block_hook.h"

#include <pub_tool_machine.h>

#include "vgtool/core/valgrind_core.h"
#include "vgtool/instrument/stack_jump.h"

static const struct vt_block_hook *hook;

void vt_block_hook_set_block_begin_hook(const struct vt_block_hook *h)
{
	hook = h;
}

Bool vt_block_hook_may_vex_continue_block_at(Addr pc)
{
	return hook == NULL || !hook->is_entry(pc);
}

Bool vt_block_hook_try_emit_helper_and_yield(struct vt_emitter *e, Addr pc,
					     Addr yield_addr)
{
	vt_block_helper helper = hook != NULL ? hook->find_helper(pc) : NULL;
	IRTemp yields;
	IRExpr *guard;

	if (helper == NULL)
		return False;
	yields = newIRTemp(e->out->tyenv, Ity_I64);
	vt_emit_append_stmt_as_is(
		e, IRStmt_Dirty(unsafeIRDirty_1_N(
			   yields, 2, "block_helper",
			   VG_(fnptr_to_fnentry)(helper),
			   mkIRExprVec_2(vt_u64_constant_expr(pc),
					 vt_u64_constant_expr(yield_addr)))));
	if (yield_addr == 0)
		return True;
	guard = vt_emit_assign_to_new_temp(
		e, Ity_I1, IRExpr_Unop(Iop_64to1, IRExpr_RdTmp(yields)));
	vt_emit_append_stmt_as_is(e, IRStmt_Exit(guard, Ijk_Yield,
						 IRConst_U64(yield_addr),
						 e->offset_ip));
	return True;
}

void vt_block_hook_emit_sp_jump_check(struct vt_emitter *e, const IRSB *in,
				      Int sp_offset)
{
	if (hook == NULL ||
	    !vt_stack_jump_has_unrelated_sp_write(in, sp_offset))
		return;
	vt_stack_jump_emit_call_if_sp_above(
		e, sp_offset, VT_SHADOW_HEAP_SP, "check_jump",
		VG_(fnptr_to_fnentry)(hook->check_jump), mkIRExprVec_1(NULL));
}

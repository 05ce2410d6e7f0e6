/* SPDX-License-Identifier: GPL-2.0-or-later */
/* jump_kinds.c - translates VEX's jump kinds; see jump_kinds.h */

#include "vgtool/core/jump_kinds.h"

UInt vt_jump_kind_signal_number(IRJumpKind vex_jump_kind)
{
	switch (vex_jump_kind) {
	case Ijk_NoDecode:
	case Ijk_SigILL:
		return 4;
	case Ijk_SigTRAP:
		return 5;
	case Ijk_SigBUS:
		return 7;
	case Ijk_SigFPE:
	case Ijk_SigFPE_IntDiv:
	case Ijk_SigFPE_IntOvf:
		return 8;
	case Ijk_SigSEGV:
		return 11;
	default:
		return 0;
	}
}

enum pt_jump vt_jump_kind_from_vex(IRJumpKind vex_jump_kind)
{
	if (vex_jump_kind == Ijk_Boring)
		return PT_JUMP_BORING;
	if (vex_jump_kind == Ijk_Call)
		return PT_JUMP_CALL;
	if (vex_jump_kind == Ijk_Ret)
		return PT_JUMP_RET;
	if (vex_jump_kind >= Ijk_Sys_syscall)
		return PT_JUMP_SYSCALL;
	return vt_jump_kind_signal_number(vex_jump_kind) ? PT_JUMP_SIGNAL
							 : PT_JUMP_OTHER;
}

Addr vt_address_from_ir_constant(const IRConst *c)
{
	return sizeof(Addr) == 8 ? c->Ico.U64 : c->Ico.U32;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* may_fault.c - classifies the statements that may fault; see may_fault.h */

#include "vgtool/instrument/may_fault.h"

Bool vt_stmt_is_integer_division(const IRStmt *st)
{
	if (st->tag != Ist_WrTmp || st->Ist.WrTmp.data->tag != Iex_Binop)
		return False;
	switch (st->Ist.WrTmp.data->Iex.Binop.op) {
	case Iop_DivU32:
	case Iop_DivS32:
	case Iop_DivU64:
	case Iop_DivS64:
	case Iop_DivModU64to32:
	case Iop_DivModS64to32:
	case Iop_DivModU128to64:
	case Iop_DivModS128to64:
	case Iop_DivModS64to64:
		return True;
	default:
		return False;
	}
}

Bool vt_stmt_has_memory_access(const IRStmt *st)
{
	switch (st->tag) {
	case Ist_WrTmp:
		return st->Ist.WrTmp.data->tag == Iex_Load;
	case Ist_Dirty:
		return st->Ist.Dirty.details->mFx != Ifx_None;
	case Ist_Store:
	case Ist_StoreG:
	case Ist_LoadG:
	case Ist_CAS:
	case Ist_LLSC:
		return True;
	default:
		return False;
	}
}

Bool vt_instr_has_several_fault_points(const IRSB *sb, Int imark_index)
{
	UInt n = 0;

	while (++imark_index < sb->stmts_used &&
	       sb->stmts[imark_index]->tag != Ist_IMark)
		n += vt_stmt_has_memory_access(sb->stmts[imark_index]) ||
		     vt_stmt_is_integer_division(sb->stmts[imark_index]);
	return n > 1;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vt_risk.c - statements that may fault; see vt_risk.h */

#include "vgtool/vt_risk.h"

Bool vt_risk_divides(const IRStmt *st)
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

/* Things that a statement does that may fault. */
static UInt risks(const IRStmt *st)
{
	switch (st->tag) {
	case Ist_WrTmp:
		return st->Ist.WrTmp.data->tag == Iex_Load ||
		       vt_risk_divides(st);
	case Ist_Dirty:
		return st->Ist.Dirty.details->mFx != Ifx_None;
	case Ist_Store:
	case Ist_StoreG:
	case Ist_LoadG:
	case Ist_CAS:
	case Ist_LLSC:
		return 1;
	default:
		return 0;
	}
}

Bool vt_risk_several(const IRSB *sb, Int i)
{
	UInt n = 0;

	while (++i < sb->stmts_used && sb->stmts[i]->tag != Ist_IMark)
		n += risks(sb->stmts[i]);
	return n > 1;
}

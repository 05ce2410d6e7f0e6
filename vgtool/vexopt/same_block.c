/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * same_block.c - compares two blocks, apart from the numbers of temporaries
 */
#include "vgtool/vexopt/passes.h"

#include "vgtool/vexopt/atom.h"

/* Largest number of temporaries of a compared block; VEX may make more than our
   passes do. */
enum { TEMPS = 2 * PS_MAX_TEMPS };

/* Two temporaries, one of each block, that equal statements write receive the
   same name (a number). Reads of a copy are replaced by reads of the
   original. */
static struct {
	const IRExpr *copy[TEMPS];
	UInt name[TEMPS]; /* by temporary: number of its name; 0: not written
			     yet */
} one, other;
static UInt n_names;

static Bool are_paired_temps(IRTemp a, IRTemp b)
{
	if (a == IRTemp_INVALID || b == IRTemp_INVALID)
		return a == b;
	return one.name[a] && one.name[a] == other.name[b];
}

/* Pair @a and @b, temporaries that two statements write, by the same name.
   IRTemp_INVALID: that statement writes none, and none are paired. Return:
   whether both statements write a temporary, or neither does. */
static Bool pair_temps_unless_only_one_is_written(IRTemp a, IRTemp b)
{
	if (a == IRTemp_INVALID || b == IRTemp_INVALID)
		return a == b;
	one.name[a] = other.name[b] = ++n_names;
	return True;
}

static const IRExpr *resolve_copied_temp(const IRExpr *const *copies,
					 const IRExpr *e)
{
	return e && e->tag == Iex_RdTmp && copies[e->Iex.RdTmp.tmp]
		       ? copies[e->Iex.RdTmp.tmp]
		       : e;
}

static UInt bytes_of_const_union_member(IRConstTag tag)
{
	switch (tag) {
	case Ico_U1:
		return sizeof(Bool);
	case Ico_U8:
		return 1;
	case Ico_U16:
	case Ico_U128:
	case Ico_V128:
		return 2;
	case Ico_U32:
	case Ico_F32:
	case Ico_F32i:
	case Ico_V256:
		return 4;
	default:
		return 8;
	}
}

static Bool is_same_const(const IRConst *a, const IRConst *b)
{
	return a->tag == b->tag &&
	       VG_(memcmp)(&a->Ico, &b->Ico,
			   bytes_of_const_union_member(a->tag)) == 0;
}

static Bool is_same_callee(const IRCallee *a, const IRCallee *b)
{
	return a->addr == b->addr && a->regparms == b->regparms &&
	       a->mcx_mask == b->mcx_mask && VG_(strcmp)(a->name, b->name) == 0;
}

static Bool is_same_expr_with_copies_resolved(const IRExpr *, const IRExpr *);

static Bool are_same_args(IRExpr *const *a, IRExpr *const *b)
{
	for (; *a != NULL && *b != NULL; a++, b++)
		if (!is_same_expr_with_copies_resolved(*a, *b))
			return False;
	return *a == *b;
}

static Bool is_same_qop(const IRQop *a, const IRQop *b)
{
	return a->op == b->op &&
	       is_same_expr_with_copies_resolved(a->arg1, b->arg1) &&
	       is_same_expr_with_copies_resolved(a->arg2, b->arg2) &&
	       is_same_expr_with_copies_resolved(a->arg3, b->arg3) &&
	       is_same_expr_with_copies_resolved(a->arg4, b->arg4);
}

static Bool is_same_triop(const IRTriop *a, const IRTriop *b)
{
	return a->op == b->op &&
	       is_same_expr_with_copies_resolved(a->arg1, b->arg1) &&
	       is_same_expr_with_copies_resolved(a->arg2, b->arg2) &&
	       is_same_expr_with_copies_resolved(a->arg3, b->arg3);
}

/* Whether two expressions of the same kind are equal. */
static Bool is_same_expr_of_same_kind(const IRExpr *a, const IRExpr *b)
{
	switch (a->tag) {
	case Iex_Binder:
		return a->Iex.Binder.binder == b->Iex.Binder.binder;
	case Iex_Get:
		return a->Iex.Get.offset == b->Iex.Get.offset &&
		       a->Iex.Get.ty == b->Iex.Get.ty;
	case Iex_GetI:
		return eqIRRegArray(a->Iex.GetI.descr, b->Iex.GetI.descr) &&
		       is_same_expr_with_copies_resolved(a->Iex.GetI.ix,
							 b->Iex.GetI.ix) &&
		       a->Iex.GetI.bias == b->Iex.GetI.bias;
	case Iex_RdTmp:
		return are_paired_temps(a->Iex.RdTmp.tmp, b->Iex.RdTmp.tmp);
	case Iex_Qop:
		return is_same_qop(a->Iex.Qop.details, b->Iex.Qop.details);
	case Iex_Triop:
		return is_same_triop(a->Iex.Triop.details,
				     b->Iex.Triop.details);
	case Iex_Binop:
		return a->Iex.Binop.op == b->Iex.Binop.op &&
		       is_same_expr_with_copies_resolved(a->Iex.Binop.arg1,
							 b->Iex.Binop.arg1) &&
		       is_same_expr_with_copies_resolved(a->Iex.Binop.arg2,
							 b->Iex.Binop.arg2);
	case Iex_Unop:
		return a->Iex.Unop.op == b->Iex.Unop.op &&
		       is_same_expr_with_copies_resolved(a->Iex.Unop.arg,
							 b->Iex.Unop.arg);
	case Iex_Load:
		return a->Iex.Load.end == b->Iex.Load.end &&
		       a->Iex.Load.ty == b->Iex.Load.ty &&
		       is_same_expr_with_copies_resolved(a->Iex.Load.addr,
							 b->Iex.Load.addr);
	case Iex_Const:
		return is_same_const(a->Iex.Const.con, b->Iex.Const.con);
	case Iex_ITE:
		return is_same_expr_with_copies_resolved(a->Iex.ITE.cond,
							 b->Iex.ITE.cond) &&
		       is_same_expr_with_copies_resolved(a->Iex.ITE.iftrue,
							 b->Iex.ITE.iftrue) &&
		       is_same_expr_with_copies_resolved(a->Iex.ITE.iffalse,
							 b->Iex.ITE.iffalse);
	case Iex_CCall:
		return is_same_callee(a->Iex.CCall.cee, b->Iex.CCall.cee) &&
		       a->Iex.CCall.retty == b->Iex.CCall.retty &&
		       are_same_args(a->Iex.CCall.args, b->Iex.CCall.args);
	case Iex_VECRET:
	case Iex_GSPTR:
		return True;
	}
	return False;
}

/* Whether two expressions are equal after reads of copies have been replaced by
   reads of the originals. NULL equals only NULL. */
static Bool is_same_expr_with_copies_resolved(const IRExpr *a, const IRExpr *b)
{
	a = resolve_copied_temp(one.copy, a);
	b = resolve_copied_temp(other.copy, b);
	if (a == NULL || b == NULL)
		return a == b;
	return a->tag == b->tag && is_same_expr_of_same_kind(a, b);
}

static Bool is_same_puti(const IRPutI *a, const IRPutI *b)
{
	return eqIRRegArray(a->descr, b->descr) &&
	       is_same_expr_with_copies_resolved(a->ix, b->ix) &&
	       a->bias == b->bias &&
	       is_same_expr_with_copies_resolved(a->data, b->data);
}

static Bool is_same_loadg_pairing_temps(const IRLoadG *a, const IRLoadG *b)
{
	return a->end == b->end && a->cvt == b->cvt &&
	       is_same_expr_with_copies_resolved(a->addr, b->addr) &&
	       is_same_expr_with_copies_resolved(a->alt, b->alt) &&
	       is_same_expr_with_copies_resolved(a->guard, b->guard) &&
	       pair_temps_unless_only_one_is_written(a->dst, b->dst);
}

static Bool is_same_storeg(const IRStoreG *a, const IRStoreG *b)
{
	return a->end == b->end &&
	       is_same_expr_with_copies_resolved(a->addr, b->addr) &&
	       is_same_expr_with_copies_resolved(a->data, b->data) &&
	       is_same_expr_with_copies_resolved(a->guard, b->guard);
}

static Bool is_same_cas_pairing_temps(const IRCAS *a, const IRCAS *b)
{
	return a->end == b->end &&
	       is_same_expr_with_copies_resolved(a->addr, b->addr) &&
	       is_same_expr_with_copies_resolved(a->expdHi, b->expdHi) &&
	       is_same_expr_with_copies_resolved(a->expdLo, b->expdLo) &&
	       is_same_expr_with_copies_resolved(a->dataHi, b->dataHi) &&
	       is_same_expr_with_copies_resolved(a->dataLo, b->dataLo) &&
	       pair_temps_unless_only_one_is_written(a->oldHi, b->oldHi) &&
	       pair_temps_unless_only_one_is_written(a->oldLo, b->oldLo);
}

static Bool are_same_state_effects(const IRDirty *a, const IRDirty *b)
{
	Int i;

	for (i = 0; i < a->nFxState; i++)
		if (a->fxState[i].fx != b->fxState[i].fx ||
		    a->fxState[i].offset != b->fxState[i].offset ||
		    a->fxState[i].size != b->fxState[i].size ||
		    a->fxState[i].nRepeats != b->fxState[i].nRepeats ||
		    a->fxState[i].repeatLen != b->fxState[i].repeatLen)
			return False;
	return True;
}

static Bool pair_result_temps_if_same_dirty_call(const IRDirty *a,
						 const IRDirty *b)
{
	return is_same_callee(a->cee, b->cee) &&
	       is_same_expr_with_copies_resolved(a->guard, b->guard) &&
	       are_same_args(a->args, b->args) && a->mFx == b->mFx &&
	       is_same_expr_with_copies_resolved(a->mAddr, b->mAddr) &&
	       a->mSize == b->mSize && a->nFxState == b->nFxState &&
	       are_same_state_effects(a, b) &&
	       pair_temps_unless_only_one_is_written(a->tmp, b->tmp);
}

static Bool is_same_imark(const IRStmt *a, const IRStmt *b)
{
	return a->Ist.IMark.addr == b->Ist.IMark.addr &&
	       a->Ist.IMark.len == b->Ist.IMark.len &&
	       a->Ist.IMark.delta == b->Ist.IMark.delta;
}

static Bool is_same_exit(const IRStmt *a, const IRStmt *b)
{
	return is_same_expr_with_copies_resolved(a->Ist.Exit.guard,
						 b->Ist.Exit.guard) &&
	       is_same_const(a->Ist.Exit.dst, b->Ist.Exit.dst) &&
	       a->Ist.Exit.jk == b->Ist.Exit.jk &&
	       a->Ist.Exit.offsIP == b->Ist.Exit.offsIP;
}

/* Whether two statements of the same kind are equal. If so, pair the
   temporaries that they write. */
static Bool is_same_stmt_pairing_temps(const IRStmt *a, const IRStmt *b)
{
	switch (a->tag) {
	case Ist_NoOp:
		return True;
	case Ist_IMark:
		return is_same_imark(a, b);
	case Ist_AbiHint:
		return is_same_expr_with_copies_resolved(a->Ist.AbiHint.base,
							 b->Ist.AbiHint.base) &&
		       a->Ist.AbiHint.len == b->Ist.AbiHint.len &&
		       is_same_expr_with_copies_resolved(a->Ist.AbiHint.nia,
							 b->Ist.AbiHint.nia);
	case Ist_Put:
		return a->Ist.Put.offset == b->Ist.Put.offset &&
		       is_same_expr_with_copies_resolved(a->Ist.Put.data,
							 b->Ist.Put.data);
	case Ist_PutI:
		return is_same_puti(a->Ist.PutI.details, b->Ist.PutI.details);
	case Ist_WrTmp:
		return is_same_expr_with_copies_resolved(a->Ist.WrTmp.data,
							 b->Ist.WrTmp.data) &&
		       pair_temps_unless_only_one_is_written(a->Ist.WrTmp.tmp,
							     b->Ist.WrTmp.tmp);
	case Ist_Store:
		return a->Ist.Store.end == b->Ist.Store.end &&
		       is_same_expr_with_copies_resolved(a->Ist.Store.addr,
							 b->Ist.Store.addr) &&
		       is_same_expr_with_copies_resolved(a->Ist.Store.data,
							 b->Ist.Store.data);
	case Ist_LoadG:
		return is_same_loadg_pairing_temps(a->Ist.LoadG.details,
						   b->Ist.LoadG.details);
	case Ist_StoreG:
		return is_same_storeg(a->Ist.StoreG.details,
				      b->Ist.StoreG.details);
	case Ist_CAS:
		return is_same_cas_pairing_temps(a->Ist.CAS.details,
						 b->Ist.CAS.details);
	case Ist_LLSC:
		return a->Ist.LLSC.end == b->Ist.LLSC.end &&
		       is_same_expr_with_copies_resolved(a->Ist.LLSC.addr,
							 b->Ist.LLSC.addr) &&
		       is_same_expr_with_copies_resolved(
			       a->Ist.LLSC.storedata, b->Ist.LLSC.storedata) &&
		       pair_temps_unless_only_one_is_written(
			       a->Ist.LLSC.result, b->Ist.LLSC.result);
	case Ist_Dirty:
		return pair_result_temps_if_same_dirty_call(
			a->Ist.Dirty.details, b->Ist.Dirty.details);
	case Ist_MBE:
		return a->Ist.MBE.event == b->Ist.MBE.event;
	case Ist_Exit:
		return is_same_exit(a, b);
	}
	return False;
}

/* Whether the comparison ignores @st, because it is a no-op or a copy. Copies
   are recorded in @copies, by temporary. */
static Bool is_noop_or_temp_copy_recording_copy(const IRExpr **copies,
						const IRStmt *st)
{
	const IRExpr *e = st->Ist.WrTmp.data;

	if (st->tag == Ist_NoOp)
		return True;
	if (st->tag != Ist_WrTmp || !ps_is_atom(e) || ps_is_f64i_constant(e))
		return False;
	copies[st->Ist.WrTmp.tmp] = resolve_copied_temp(copies, e);
	return True;
}

/* Return the first statement of @sb from number *@stmt_index on that is no
   no-op or copy, and set *@stmt_index to the number after it; NULL if there is
   none. Record the copies before it in @copies. */
static const IRStmt *next_compared_stmt_recording_copies(const IRExpr **copies,
							 const IRSB *sb,
							 Int *stmt_index)
{
	while (*stmt_index < sb->stmts_used)
		if (!is_noop_or_temp_copy_recording_copy(
			    copies, sb->stmts[(*stmt_index)++]))
			return sb->stmts[*stmt_index - 1];
	return NULL;
}

static Bool are_same_stmts_up_to_copies(const IRSB *a, const IRSB *b)
{
	Int i = 0, j = 0;

	for (;;) {
		const IRStmt *x =
			next_compared_stmt_recording_copies(one.copy, a, &i);
		const IRStmt *y =
			next_compared_stmt_recording_copies(other.copy, b, &j);

		if (x == NULL || y == NULL)
			return x == y;
		if (x->tag != y->tag || !is_same_stmt_pairing_temps(x, y))
			return False;
	}
}

Bool ps_is_equivalent_block(const IRSB *a, const IRSB *b)
{
	if (a->tyenv->types_used > TEMPS || b->tyenv->types_used > TEMPS)
		return False;
	VG_(memset)(&one, 0, sizeof(one));
	VG_(memset)(&other, 0, sizeof(other));
	n_names = 0;
	return a->jumpkind == b->jumpkind && a->offsIP == b->offsIP &&
	       are_same_stmts_up_to_copies(a, b) &&
	       is_same_expr_with_copies_resolved(a->next, b->next);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fold.c - folds constants and simplifies expressions
 */
#include "vgtool/vexopt/clean.h"

#include "vgtool/vexopt/atom.h"

/* Rules for operations (a, b) on integers, one of whose operands is 0 or all
   ones, or whose operands are equal. */
enum rule {
	NO_RULE = 0,
	LEFT_0 = 1,	  /* (0, x) is 0 */
	LEFT_0_RIGHT = 2, /* (0, x) is x */
	RIGHT_0 = 4,	  /* (x, 0) is 0 */
	RIGHT_0_LEFT = 8, /* (x, 0) is x */
	ONES = 16,	  /* (x, ones) and (ones, x) are ones */
	ONES_OTHER = 32,  /* (x, ones) and (ones, x) are x */
	SAME = 64,	  /* (x, x) is x */
	SAME_0 = 128,	  /* (x, x) is 0 */
	SAME_TRUE = 256,  /* (x, x) is true; for vectors of 64 bits: all ones */
	SAME_DOUBLE = 512, /* (x, x) is x << 1 */
	ANY_SAME = SAME | SAME_0 | SAME_TRUE | SAME_DOUBLE,
};

static UInt folding_rules_of_operation(IROp op)
{
	switch (op) {
	case Iop_Shl32:
	case Iop_Shl64:
	case Iop_Shr64:
	case Iop_Sar64:
		return LEFT_0 | RIGHT_0_LEFT;
	case Iop_Sar32:
	case Iop_Shr32:
		return RIGHT_0_LEFT;
	case Iop_Or8:
	case Iop_Or16:
	case Iop_Or32:
	case Iop_Or64:
		return LEFT_0_RIGHT | RIGHT_0_LEFT | ONES | SAME;
	case Iop_Add8:
		return SAME_DOUBLE;
	case Iop_Add32:
	case Iop_Add64:
		return LEFT_0_RIGHT | RIGHT_0_LEFT | SAME_DOUBLE;
	case Iop_Sub32:
	case Iop_Sub64:
		return RIGHT_0_LEFT | SAME_0;
	case Iop_And8:
	case Iop_And16:
	case Iop_And32:
	case Iop_And64:
		return LEFT_0 | RIGHT_0 | ONES_OTHER | SAME;
	case Iop_Xor8:
	case Iop_Xor16:
	case Iop_Xor32:
	case Iop_Xor64:
		return LEFT_0_RIGHT | RIGHT_0_LEFT | SAME_0;
	case Iop_CmpNE32:
		return SAME_0;
	case Iop_CmpEQ32:
	case Iop_CmpEQ64:
	case Iop_CmpEQ8x8:
	case Iop_CmpEQ16x4:
	case Iop_CmpEQ32x2:
		return SAME_TRUE;
	default:
		return NO_RULE;
	}
}

/* Whether @e is an integer constant of at most 64 bits. If so, set @value to
   it, and @all_ones to the value of its type with all bits set. */
static Bool try_get_integer_constant(const IRExpr *e, ULong *value,
				     ULong *all_ones)
{
	const IRConst *c;

	if (!ps_is_const(e))
		return False;
	c = e->Iex.Const.con;
	switch (c->tag) {
	case Ico_U1:
		*value = c->Ico.U1;
		*all_ones = 1;
		return True;
	case Ico_U8:
		*value = c->Ico.U8;
		*all_ones = 0xff;
		return True;
	case Ico_U16:
		*value = c->Ico.U16;
		*all_ones = 0xffff;
		return True;
	case Ico_U32:
		*value = c->Ico.U32;
		*all_ones = 0xffffffff;
		return True;
	case Ico_U64:
		*value = c->Ico.U64;
		*all_ones = ~0ULL;
		return True;
	default:
		return False;
	}
}

/* Pairs of expressions after which a comparison is given up: as in VEX, at most
   MAX_NODES + 1 pairs are compared. */
enum { MAX_NODES = 30 };

/* Whether two expressions certainly have equal values, because they have the
   same structure after temporaries are replaced by their known values. False
   for loads and GETs, since memory and the guest's state may change between two
   reads. @pairs_compared: number of pairs of expressions compared so far, which
   this call increases. */
static Bool are_exprs_structurally_equal(IRExpr *const *known, const IRExpr *a,
					 const IRExpr *b, UInt *pairs_compared)
{
	if (a->tag != b->tag || (*pairs_compared)++ > MAX_NODES)
		return False;
	switch (a->tag) {
	case Iex_RdTmp:
		if (a->Iex.RdTmp.tmp == b->Iex.RdTmp.tmp)
			return True;
		a = known[a->Iex.RdTmp.tmp];
		b = known[b->Iex.RdTmp.tmp];
		return a && b &&
		       are_exprs_structurally_equal(known, a, b,
						    pairs_compared);
	case Iex_Binop:
		return a->Iex.Binop.op == b->Iex.Binop.op &&
		       are_exprs_structurally_equal(known, a->Iex.Binop.arg1,
						    b->Iex.Binop.arg1,
						    pairs_compared) &&
		       are_exprs_structurally_equal(known, a->Iex.Binop.arg2,
						    b->Iex.Binop.arg2,
						    pairs_compared);
	case Iex_Unop:
		return a->Iex.Unop.op == b->Iex.Unop.op &&
		       are_exprs_structurally_equal(known, a->Iex.Unop.arg,
						    b->Iex.Unop.arg,
						    pairs_compared);
	case Iex_Const: {
		ULong x, y, ones;

		return a->Iex.Const.con->tag == b->Iex.Const.con->tag &&
		       try_get_integer_constant(a, &x, &ones) &&
		       try_get_integer_constant(b, &y, &ones) && x == y;
	}
	case Iex_Triop: {
		const IRTriop *s = a->Iex.Triop.details;
		const IRTriop *t = b->Iex.Triop.details;

		return s->op == t->op &&
		       are_exprs_structurally_equal(known, s->arg1, t->arg1,
						    pairs_compared) &&
		       are_exprs_structurally_equal(known, s->arg2, t->arg2,
						    pairs_compared) &&
		       are_exprs_structurally_equal(known, s->arg3, t->arg3,
						    pairs_compared);
	}
	case Iex_ITE:
		return are_exprs_structurally_equal(known, a->Iex.ITE.cond,
						    b->Iex.ITE.cond,
						    pairs_compared) &&
		       are_exprs_structurally_equal(known, a->Iex.ITE.iftrue,
						    b->Iex.ITE.iftrue,
						    pairs_compared) &&
		       are_exprs_structurally_equal(known, a->Iex.ITE.iffalse,
						    b->Iex.ITE.iffalse,
						    pairs_compared);
	default:
		return False;
	}
}

static IRExpr *make_zero_of_result_type(IROp op)
{
	switch (op) {
	case Iop_CmpNE32:
		return IRExpr_Const(IRConst_U1(False));
	case Iop_Xor8:
		return IRExpr_Const(IRConst_U8(0));
	case Iop_Xor16:
		return IRExpr_Const(IRConst_U16(0));
	case Iop_Xor32:
	case Iop_Sub32:
		return IRExpr_Const(IRConst_U32(0));
	default:
		return IRExpr_Const(IRConst_U64(0));
	}
}

static IRExpr *make_shift_left_1_for_add(IROp add_op, IRExpr *x)
{
	IROp shift = add_op == Iop_Add8	   ? Iop_Shl8
		     : add_op == Iop_Add32 ? Iop_Shl32
					   : Iop_Shl64;

	return IRExpr_Binop(shift, x, IRExpr_Const(IRConst_U8(1)));
}

static IRExpr *nonnull_result_of_equal_operands(IROp op, UInt nonempty_rules,
						IRExpr *x)
{
	if (nonempty_rules & SAME)
		return x;
	if (nonempty_rules & SAME_0)
		return make_zero_of_result_type(op);
	if (nonempty_rules & SAME_DOUBLE)
		return make_shift_left_1_for_add(op, x);
	if (op == Iop_CmpEQ32 || op == Iop_CmpEQ64)
		return IRExpr_Const(IRConst_U1(True));
	return IRExpr_Const(IRConst_U64(~0ULL));
}

/* Fold the binary operation @e, one of whose operands is a constant, by @rules;
   return @e if none applies. */
static IRExpr *fold_binop_with_constant(UInt rules, IRExpr *e)
{
	IRExpr *a = e->Iex.Binop.arg1, *b = e->Iex.Binop.arg2;
	ULong value, ones;

	if (try_get_integer_constant(b, &value, &ones)) {
		if (value == 0 && rules & (RIGHT_0 | RIGHT_0_LEFT))
			return rules & RIGHT_0 ? b : a;
		if (value == ones && rules & (ONES | ONES_OTHER))
			return rules & ONES ? b : a;
	} else if (try_get_integer_constant(a, &value, &ones)) {
		if (value == 0 && rules & (LEFT_0 | LEFT_0_RIGHT))
			return rules & LEFT_0 ? a : b;
		if (value == ones && rules & (ONES | ONES_OTHER))
			return rules & ONES ? a : b;
	}
	return e;
}

/* Return the expression whose value @e has, through any number of temporaries;
   NULL if it is unknown. */
static const IRExpr *resolve_temps_to_value_or_null(IRExpr *const *known,
						    const IRExpr *e)
{
	while (e && e->tag == Iex_RdTmp)
		e = known[e->Iex.RdTmp.tmp];
	return e;
}

/* Return x if @e is CmpNE32(1Uto32(x), 0), whose first operand may be a
   temporary with that value; else return @e. */
static IRExpr *fold_widened_bool_not_equal_0(IRExpr *const *known, IRExpr *e)
{
	const IRExpr *a =
		resolve_temps_to_value_or_null(known, e->Iex.Binop.arg1);
	ULong value, ones;

	if (try_get_integer_constant(e->Iex.Binop.arg2, &value, &ones) &&
	    value == 0 && a && a->tag == Iex_Unop &&
	    a->Iex.Unop.op == Iop_1Uto32)
		return a->Iex.Unop.arg;
	return e;
}

/* Fold an expression whose operands are constants. VEX's own cprop_BB() does
   it, called for a block that has only this expression. Return @e if it cannot
   be folded. */
static IRExpr *fold_constants_by_vex(IRExpr *e)
{
	IRSB *sb = emptyIRSB();
	IRTemp t = newIRTemp(sb->tyenv, Ity_I64);

	addStmtToIRSB(sb, IRStmt_WrTmp(t, e));
	sb->next = IRExpr_RdTmp(t);
	sb = __real_cprop_BB(sb);
	return ps_is_const(sb->next) ? sb->next : e;
}

static IRExpr *fold_binop(IRExpr *const *known, IRExpr *e)
{
	IRExpr *a = e->Iex.Binop.arg1, *b = e->Iex.Binop.arg2;
	UInt nodes = 0;
	UInt rules;

	if (ps_is_const(a) && ps_is_const(b))
		return fold_constants_by_vex(e);
	rules = folding_rules_of_operation(e->Iex.Binop.op);
	if (rules & ANY_SAME &&
	    are_exprs_structurally_equal(known, a, b, &nodes))
		return nonnull_result_of_equal_operands(e->Iex.Binop.op, rules,
							a);
	if (e->Iex.Binop.op == Iop_CmpNE32)
		return fold_widened_bool_not_equal_0(known, e);
	return rules && ps_is_const(a) != ps_is_const(b)
		       ? fold_binop_with_constant(rules, e)
		       : e;
}

static IRExpr *fold_ite(IRExpr *const *known, IRExpr *e)
{
	const IRExpr *c = e->Iex.ITE.cond;
	UInt nodes = 0;

	if (ps_is_const(c))
		return c->Iex.Const.con->Ico.U1 ? e->Iex.ITE.iftrue
						: e->Iex.ITE.iffalse;
	return are_exprs_structurally_equal(known, e->Iex.ITE.iftrue,
					    e->Iex.ITE.iffalse, &nodes)
		       ? e->Iex.ITE.iffalse
		       : e;
}

IRExpr *ps_fold_flat_expr(IRExpr *const *known, IRExpr *e)
{
	switch (e->tag) {
	case Iex_Unop:
		return ps_is_const(e->Iex.Unop.arg) ? fold_constants_by_vex(e)
						    : e;
	case Iex_Binop:
		return fold_binop(known, e);
	case Iex_ITE:
		return fold_ite(known, e);
	default:
		return e;
	}
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree_fold.c - folds operations whose operands are trees; see tree_fold.h
 */
#include "vgtool/vexopt/tree_fold.h"

/* Combine two unary operations into one number, for the cases of a switch. */
#define PAIR(outer, inner) ((UInt)(outer) << 16 | (UInt)(inner))

/* Return the operand of @e if @e is the unary operation @op, else NULL. @e may
   be NULL. */
static inline IRExpr *operand_of_unop_or_null(const IRExpr *e, IROp op)
{
	if (e == NULL || e->tag != Iex_Unop || e->Iex.Unop.op != op)
		return NULL;
	return e->Iex.Unop.arg;
}

static inline Bool is_binop(const IRExpr *e, IROp op)
{
	return e->tag == Iex_Binop && e->Iex.Binop.op == op;
}

/* Return the unary operation equivalent to @inner followed by @outer. Iop_LAST:
   they cancel each other; Iop_INVALID: none is known. */
static IROp combined_unop(IROp outer, IROp inner)
{
	switch (PAIR(outer, inner)) {
	case PAIR(Iop_CmpNEZ64, Iop_1Uto64):
	case PAIR(Iop_CmpNEZ32, Iop_1Uto32):
	case PAIR(Iop_CmpNEZ8, Iop_1Uto8):
	case PAIR(Iop_64to1, Iop_1Uto64):
	case PAIR(Iop_32to1, Iop_1Uto32):
	case PAIR(Iop_64to32, Iop_32Uto64):
	case PAIR(Iop_64to16, Iop_16Uto64):
		return Iop_LAST;
	case PAIR(Iop_CmpwNEZ64, Iop_CmpwNEZ64):
	case PAIR(Iop_CmpwNEZ32, Iop_CmpwNEZ32):
	case PAIR(Iop_Left64, Iop_Left64):
	case PAIR(Iop_Left32, Iop_Left32):
	case PAIR(Iop_ZeroHI64ofV128, Iop_ZeroHI64ofV128):
	case PAIR(Iop_CmpNEZ64, Iop_Left64):
	case PAIR(Iop_CmpNEZ32, Iop_Left32):
		return outer;
	case PAIR(Iop_64to1, Iop_CmpwNEZ64):
		return Iop_CmpNEZ64;
	case PAIR(Iop_32to1, Iop_CmpwNEZ32):
		return Iop_CmpNEZ32;
	case PAIR(Iop_64to32, Iop_8Uto64):
		return Iop_8Uto32;
	case PAIR(Iop_64to16, Iop_32Uto64):
		return Iop_32to16;
	case PAIR(Iop_32Uto64, Iop_8Uto32):
		return Iop_8Uto64;
	case PAIR(Iop_32Uto64, Iop_16Uto32):
		return Iop_16Uto64;
	default:
		return Iop_INVALID;
	}
}

static IRExpr *try_fold_nested_unops(IROp outer, IRExpr *arg)
{
	IROp op = combined_unop(outer, arg->Iex.Unop.op);

	if (op == Iop_INVALID)
		return NULL;
	return op == Iop_LAST ? arg->Iex.Unop.arg
			      : IRExpr_Unop(op, arg->Iex.Unop.arg);
}

/* Fold CmpwNEZ64(Or64(CmpwNEZ64(x), y)) to CmpwNEZ64(Or64(x, y)), or the like
   with the inner CmpwNEZ64 as second operand. @outer_operand: the operand of
   the outer CmpwNEZ64. Return NULL if it has another form. */
static IRExpr *fold_cmpwnez64_of_or64(IRExpr *outer_operand)
{
	IRExpr *a, *b, *inner;

	if (!is_binop(outer_operand, Iop_Or64))
		return NULL;
	a = outer_operand->Iex.Binop.arg1;
	b = outer_operand->Iex.Binop.arg2;
	if ((inner = operand_of_unop_or_null(a, Iop_CmpwNEZ64)) != NULL)
		a = inner;
	else if ((inner = operand_of_unop_or_null(b, Iop_CmpwNEZ64)) != NULL)
		b = inner;
	else
		return NULL;
	return ps_tree_make_folded_unop(Iop_CmpwNEZ64,
					IRExpr_Binop(Iop_Or64, a, b));
}

/* Fold 32Uto64(64to32(shift(32Uto64(64to32(x)), n))), where @arg is the operand
   of the outer 32Uto64. After a right shift the outer two conversions are
   removed; before a left shift the inner two are. Return NULL if @arg has
   another form. */
static IRExpr *try_fold_32_bit_shift_in_64_bits(IRExpr *arg)
{
	IRExpr *whole = operand_of_unop_or_null(arg, Iop_64to32), *half;

	if (whole == NULL || whole->tag != Iex_Binop)
		return NULL;
	half = operand_of_unop_or_null(
		operand_of_unop_or_null(whole->Iex.Binop.arg1, Iop_32Uto64),
		Iop_64to32);
	if (half == NULL)
		return NULL;
	if (whole->Iex.Binop.op == Iop_Shr64)
		return whole;
	if (whole->Iex.Binop.op != Iop_Shl64)
		return NULL;
	whole = IRExpr_Binop(Iop_Shl64, half, whole->Iex.Binop.arg2);
	return IRExpr_Unop(Iop_32Uto64, IRExpr_Unop(Iop_64to32, whole));
}

/* Fold 1Sto32(CmpNEZ8(32to8(1Uto32(CmpNEZ32(x))))) to CmpwNEZ32(x). */
static IRExpr *try_fold_1sto32_to_cmpwnez32(IRExpr *operand_of_1sto32)
{
	IRExpr *bit = operand_of_unop_or_null(
		operand_of_unop_or_null(operand_of_1sto32, Iop_CmpNEZ8),
		Iop_32to8);

	bit = operand_of_unop_or_null(operand_of_unop_or_null(bit, Iop_1Uto32),
				      Iop_CmpNEZ32);
	return bit == NULL ? NULL : IRExpr_Unop(Iop_CmpwNEZ32, bit);
}

static IRExpr *try_fold_unop_on_operand_tree(IROp op, IRExpr *arg)
{
	IRExpr *e =
		arg->tag == Iex_Unop ? try_fold_nested_unops(op, arg) : NULL;

	if (e != NULL)
		return e;
	switch (op) {
	case Iop_CmpwNEZ64:
		return fold_cmpwnez64_of_or64(arg);
	case Iop_32Uto64:
		return try_fold_32_bit_shift_in_64_bits(arg);
	case Iop_1Sto32:
		return try_fold_1sto32_to_cmpwnez32(arg);
	case Iop_CmpNEZ32:
		arg = operand_of_unop_or_null(
			operand_of_unop_or_null(arg, Iop_64to32),
			Iop_CmpwNEZ64);
		return arg == NULL ? NULL : IRExpr_Unop(Iop_CmpNEZ64, arg);
	default:
		return NULL;
	}
}

IRExpr *ps_tree_make_folded_unop(IROp op, IRExpr *arg)
{
	IRExpr *e = try_fold_unop_on_operand_tree(op, arg);

	return e != NULL ? e : IRExpr_Unop(op, arg);
}

static Bool is_const_u32_zero(const IRExpr *e)
{
	return e->tag == Iex_Const && e->Iex.Const.con->tag == Ico_U32 &&
	       e->Iex.Const.con->Ico.U32 == 0;
}

IRExpr *ps_tree_make_binop_or_fold_known_pattern(IROp op, IRExpr *a, IRExpr *b)
{
	if (op == Iop_Or32 && operand_of_unop_or_null(a, Iop_CmpwNEZ32) &&
	    operand_of_unop_or_null(b, Iop_CmpwNEZ32))
		return IRExpr_Unop(
			Iop_CmpwNEZ32,
			IRExpr_Binop(op, a->Iex.Unop.arg, b->Iex.Unop.arg));
	if (op == Iop_CmpNE32 && operand_of_unop_or_null(a, Iop_1Uto32) &&
	    is_const_u32_zero(b))
		return a->Iex.Unop.arg;
	return IRExpr_Binop(op, a, b);
}

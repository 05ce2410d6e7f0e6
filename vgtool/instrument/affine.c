/* SPDX-License-Identifier: GPL-2.0-or-later */
/* affine.c - writes addresses as sums; see affine.h */

#include "vgtool/instrument/affine.h"

static struct vt_affine *sums; /* by temporary of the block: the sum that it
				  equals */
static UInt sums_size;

/* Return the sum 1 * @temp. */
static struct vt_affine make_sum_of_one_temp(IRTemp temp)
{
	struct vt_affine a = {.n_terms = 1, .temp = {temp}, .coef = {1}};
	return a;
}

void vt_affine_init_each_sum_to_its_temp(UInt temp_count)
{
	UInt i;

	if (temp_count > sums_size) {
		sums_size = temp_count * 2;
		sums = VG_(realloc)("vt.affine", sums,
				    sums_size * sizeof(*sums));
	}
	for (i = 0; i < temp_count; i++)
		sums[i] = make_sum_of_one_temp(i);
}

/* Whether @e is an integer constant of 64 or 8 bits; if so, set *@value to
   it. */
static Bool try_get_u64_or_u8_constant(const IRExpr *e, ULong *value)
{
	if (e->tag != Iex_Const)
		return False;
	switch (e->Iex.Const.con->tag) {
	case Ico_U64:
		*value = e->Iex.Const.con->Ico.U64;
		return True;
	case Ico_U8:
		*value = e->Iex.Const.con->Ico.U8;
		return True;
	default:
		return False;
	}
}

struct vt_affine vt_affine_sum_of_address_atom(const IRExpr *atom)
{
	struct vt_affine a = {.n_terms = 0};

	if (atom->tag == Iex_RdTmp)
		return sums[atom->Iex.RdTmp.tmp];
	if (!try_get_u64_or_u8_constant(atom, &a.constant))
		VG_(tool_panic)("address is neither temporary nor constant");
	return a;
}

/* Add @factor * @temp to the sum @a. Return: False if @a has no room for a new
   term. */
static Bool try_add_term(struct vt_affine *a, IRTemp temp, ULong factor)
{
	UInt i = 0, k;

	while (i < a->n_terms && a->temp[i] < temp)
		i++;
	if (i < a->n_terms && a->temp[i] == temp) {
		a->coef[i] += factor;
		if (a->coef[i] != 0)
			return True;
		for (a->n_terms--; i < a->n_terms; i++) {
			a->temp[i] = a->temp[i + 1];
			a->coef[i] = a->coef[i + 1];
		}
		return True;
	}
	if (a->n_terms == VT_MAX_TERMS)
		return False;
	for (k = a->n_terms++; k > i; k--) {
		a->temp[k] = a->temp[k - 1];
		a->coef[k] = a->coef[k - 1];
	}
	a->temp[i] = temp;
	a->coef[i] = factor;
	return True;
}

/* Add @factor * @b to the sum @a. Return: False if @a has no room for a new
   term; then only a part was added. */
static Bool try_add_multiple_of_sum(struct vt_affine *a,
				    const struct vt_affine *b, ULong factor)
{
	UInt i;

	for (i = 0; i < b->n_terms; i++) {
		ULong f = b->coef[i] * factor;

		if (f != 0 && !try_add_term(a, b->temp[i], f))
			return False;
	}
	a->constant += b->constant * factor;
	return True;
}

/* Set @out to the result of the binary operation @e, written as a sum. Return:
   False if that is impossible: the operation is another one than 64-bit add,
   subtract, or shift left or multiplication by a constant, or the sum has too
   many terms. */
static Bool try_convert_add_sub_shl_or_mul_to_sum(const IRExpr *e,
						  struct vt_affine *out)
{
	const IRExpr *x = e->Iex.Binop.arg1, *y = e->Iex.Binop.arg2;
	struct vt_affine b;
	ULong c;

	out->n_terms = 0;
	out->constant = 0;
	switch (e->Iex.Binop.op) {
	case Iop_Add64:
	case Iop_Sub64:
		*out = vt_affine_sum_of_address_atom(x);
		b = vt_affine_sum_of_address_atom(y);
		return try_add_multiple_of_sum(
			out, &b, e->Iex.Binop.op == Iop_Add64 ? 1 : -1ULL);
	case Iop_Shl64:
		b = vt_affine_sum_of_address_atom(x);
		return try_get_u64_or_u8_constant(y, &c) && c < 64 &&
		       try_add_multiple_of_sum(out, &b, 1ULL << c);
	case Iop_Mul64:
		b = vt_affine_sum_of_address_atom(x);
		return try_get_u64_or_u8_constant(y, &c) &&
		       try_add_multiple_of_sum(out, &b, c);
	default:
		return False;
	}
}

void vt_affine_record_weighted_sum(const IRStmt *st)
{
	struct vt_affine a;
	const IRExpr *e;

	if (st->tag != Ist_WrTmp)
		return;
	e = st->Ist.WrTmp.data;
	if (e->tag == Iex_Binop && try_convert_add_sub_shl_or_mul_to_sum(e, &a))
		sums[st->Ist.WrTmp.tmp] = a;
	else if (e->tag == Iex_RdTmp)
		sums[st->Ist.WrTmp.tmp] = sums[e->Iex.RdTmp.tmp];
}

Bool vt_affine_has_same_terms(const struct vt_affine *a,
			      const struct vt_affine *b)
{
	UInt i;

	if (a->n_terms != b->n_terms)
		return False;
	for (i = 0; i < a->n_terms; i++)
		if (a->temp[i] != b->temp[i] || a->coef[i] != b->coef[i])
			return False;
	return True;
}

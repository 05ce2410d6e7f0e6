/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree_use.c - counts the uses of each temporary of a flat block
 *
 * Goes from the last statement to the first, so that the operands of a write of
 * an unused temporary are not counted.
 */
#include "vgtool/vexopt/tree_use.h"

#include "vgtool/vexopt/each_operand.h"

struct uses {
	UChar *count;
	UInt none;	     /* number of the entry for operands that are no
				temporaries */
	Bool is_unsupported; /* the block is left to VEX */
};

/* Count a use of @atom if it is a temporary: PS_UNUSED, PS_USED_ONCE,
   PS_USED_OFTEN. Set is_unsupported if it is neither a temporary nor a
   constant. Without branches, since one in three would be mispredicted. */
static inline void count_temp_use_reject_non_atom(void *uses,
						  const IRExpr *atom)
{
	struct uses *u = uses;
	Bool is_tmp = atom->tag == Iex_RdTmp;
	UInt tmp = atom->Iex.RdTmp.tmp; /* valid only if is_tmp */
	UChar *count = &u->count[is_tmp ? tmp : u->none];

	*count = (*count << 1 | 1) & PS_USED_OFTEN;
	u->is_unsupported |= !is_tmp & (atom->tag != Iex_Const);
}

static Bool is_guard_constant_false(const IRExpr *guard)
{
	return guard->tag == Iex_Const && !guard->Iex.Const.con->Ico.U1;
}

static void count_uses_in_rare_stmt_or_reject(struct uses *u, const IRStmt *st)
{
	u->is_unsupported |= !ps_visit_operands_if_rare_stmt(
		st, count_temp_use_reject_non_atom, u);
	if (st->tag == Ist_Dirty)
		u->is_unsupported |=
			is_guard_constant_false(st->Ist.Dirty.details->guard);
}

/* Return the address of the last byte of the instruction @mark. An instruction
   of length 0 counts as one byte. */
static inline Addr address_of_last_instr_byte(const IRStmt *mark)
{
	UInt len = mark->Ist.IMark.len;

	return mark->Ist.IMark.addr + (len == 0 ? 0 : len - 1);
}

Bool ps_tree_count_uses_if_supported(const IRSB *sb, UChar *uses,
				     Addr *last_code_byte)
{
	struct uses u = {uses, sb->tyenv->types_used, False};
	Bool has_code = False;
	Addr highest = 0;
	Int i;

	count_temp_use_reject_non_atom(&u, sb->next);
	for (i = sb->stmts_used - 1; i >= 0; i--) {
		const IRStmt *st = sb->stmts[i];

		if (st->tag == Ist_WrTmp) {
			if (uses[st->Ist.WrTmp.tmp] != PS_UNUSED)
				u.is_unsupported |=
					!ps_visit_expr_operands_is_known(
						st->Ist.WrTmp.data,
						count_temp_use_reject_non_atom,
						&u);
			continue;
		}
		if (!ps_try_visit_operands_of_common_stmt(
			    st, count_temp_use_reject_non_atom, &u))
			count_uses_in_rare_stmt_or_reject(&u, st);
		/* VEX simplifies the block if an exit is always or never taken
		   */
		else if (st->tag == Ist_Exit)
			u.is_unsupported |=
				st->Ist.Exit.guard->tag == Iex_Const;
		else if (st->tag == Ist_IMark) {
			has_code = True;
			if (address_of_last_instr_byte(st) > highest)
				highest = address_of_last_instr_byte(st);
		}
	}
	*last_code_byte = has_code ? highest : ~(Addr)0;
	return !u.is_unsupported;
}

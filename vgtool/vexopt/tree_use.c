/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree_use.c - how often each temporary of a flat block is used
 *
 * From the last statement to the first, so that what is not used uses nothing.
 */
#include "vgtool/vexopt/tree_use.h"

#include "vgtool/vexopt/each_operand.h"

struct uses {
	UChar *of;
	UInt none;    /* what is no temporary counts as this one */
	Bool is_left; /* to VEX */
};

/* No branches: one in three would be taken unforeseen. */
static inline void use(void *uses, const IRExpr *atom)
{
	struct uses *u = uses;
	Bool is_tmp = atom->tag == Iex_RdTmp;
	UInt tmp = atom->Iex.RdTmp.tmp; /* if so */
	UChar *of = &u->of[is_tmp ? tmp : u->none];

	*of = (*of << 1 | 1) & PS_USED_OFTEN;
	u->is_left |= !is_tmp & (atom->tag != Iex_Const);
}

static Bool is_never(const IRExpr *guard)
{
	return guard->tag == Iex_Const && !guard->Iex.Const.con->Ico.U1;
}

static void use_rare(struct uses *u, const IRStmt *st)
{
	u->is_left |= !ps_each_of_rare(st, use, u);
	if (st->tag == Ist_Dirty)
		u->is_left |= is_never(st->Ist.Dirty.details->guard);
}

/* One of no length takes a byte. */
static inline Addr last_byte(const IRStmt *mark)
{
	UInt len = mark->Ist.IMark.len;

	return mark->Ist.IMark.addr + (len == 0 ? 0 : len - 1);
}

Bool ps_treeuse(const IRSB *sb, UChar *uses, Addr *last)
{
	struct uses u = {uses, sb->tyenv->types_used, False};
	Bool has_code = False;
	Addr most = 0;
	Int i;

	use(&u, sb->next);
	for (i = sb->stmts_used - 1; i >= 0; i--) {
		const IRStmt *st = sb->stmts[i];

		if (st->tag == Ist_WrTmp) {
			if (uses[st->Ist.WrTmp.tmp] != PS_UNUSED)
				u.is_left |= !ps_each_of_expr(
					st->Ist.WrTmp.data, use, &u);
			continue;
		}
		if (!ps_each_of_stmt(st, use, &u))
			use_rare(&u, st);
		else if (st->tag == Ist_Exit) /* for good: the rest is dead */
			u.is_left |= st->Ist.Exit.guard->tag == Iex_Const;
		else if (st->tag == Ist_IMark) {
			has_code = True;
			if (last_byte(st) > most)
				most = last_byte(st);
		}
	}
	*last = has_code ? most : ~(Addr)0;
	return !u.is_left;
}

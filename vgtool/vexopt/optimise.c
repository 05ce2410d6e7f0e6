/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * optimise.c - optimises a flat block before it is instrumented
 */
#include "vgtool/vexopt/clean.h"

static Bool is_supported_expr(const IRExpr *e)
{
	switch (e->tag) {
	case Iex_GetI:
	case Iex_Qop:
		return False;
	case Iex_Unop:
		return e->Iex.Unop.op != Iop_PopCount64;
	default:
		return True;
	}
}

/* Whether this folder can optimise @st. Other kinds of statements, expressions
   that is_supported_expr() rejects, and computations of vectors and
   floating-point numbers are left to VEX. */
static Bool can_optimise_stmt(const IRTypeEnv *types, const IRStmt *st)
{
	switch (st->tag) {
	case Ist_NoOp:
	case Ist_IMark:
	case Ist_AbiHint:
	case Ist_Put:
	case Ist_Store:
	case Ist_Exit:
		return True;
	case Ist_WrTmp:
		return is_supported_expr(st->Ist.WrTmp.data) &&
		       !ps_is_vector_or_float(types->types[st->Ist.WrTmp.tmp]);
	default:
		return False;
	}
}

static Bool can_optimise_block(const IRSB *sb, VexRegisterUpdates updates)
{
	return vex_control.iropt_level == 2 && !vex_control.iropt_verbosity &&
	       (updates == VexRegUpdSpAtMemAccess ||
		updates == VexRegUpdUnwindregsAtMemAccess) &&
	       sb->tyenv->types_used <= PS_MAX_TEMPS;
}

static Bool is_constant_equal_to_address(const IRConst *c, Addr addr)
{
	return c->tag == Ico_U64 && c->Ico.U64 == addr;
}

/* Whether the block jumps to its own first instruction: its next address is
   constant, and either this or the destination of an exit that is its last
   statement is @block_addr. VEX unrolls such loops. */
static Bool does_block_end_jump_to_its_start(const struct ps_stmt_list *m,
					     const IRExpr *next,
					     Addr block_addr)
{
	const IRStmt *last = m->stmts[m->n - 1];

	if (!ps_is_const(next))
		return False;
	return is_constant_equal_to_address(next->Iex.Const.con, block_addr) ||
	       (last->tag == Ist_Exit &&
		is_constant_equal_to_address(last->Ist.Exit.dst, block_addr));
}

/* Initialise list @m with all statements of @sb. Return: whether this folder
   can optimise each of them; if not, the list is incomplete. */
static Bool init_list_if_all_stmts_supported(struct ps_stmt_list *m,
					     const IRSB *sb)
{
	ps_make_init_stmt_list(m, sb->tyenv, sb->stmts_used + 1);
	for (Int i = 0; i < sb->stmts_used; i++) {
		if (!can_optimise_stmt(sb->tyenv, sb->stmts[i]))
			return False;
		m->stmts[i] = sb->stmts[i];
	}
	m->n = sb->stmts_used;
	return True;
}

IRSB *ps_optimise_block_or_null(const IRSB *sb, ps_spec_helper_fn special,
				ps_precise_fn precise,
				VexRegisterUpdates updates, Addr block_addr)
{
	struct ps_stmt_list m;
	IRExpr *next;

	if (!can_optimise_block(sb, updates) ||
	    !init_list_if_all_stmts_supported(&m, sb))
		return NULL;
	ps_stmt_list_record_known_get_values(&m);
	ps_clean_remove_dead_puts(&m, sb->offsIP, precise, updates);
	ps_substitute_and_fold_known_values(&m);
	next = ps_get_known_atom_or_same(m.known, sb->next);
	ps_clean_remove_dead_temp_writes(&m, next);
	if (m.failed)
		return NULL;
	if (ps_clean_replace_helper_calls(&m, special))
		ps_clean_remove_dead_temp_writes(&m, next);
	if (m.failed || !m.n ||
	    does_block_end_jump_to_its_start(&m, next, block_addr))
		return NULL;
	return ps_make_block_from_list(&m, sb, next);
}

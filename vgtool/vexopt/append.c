/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * append.c - appends a block to another one; see append.h
 *
 * The temporaries of the second block are renumbered to follow those of the
 * first. The statements of the second block are deep copies, so they may be
 * changed in place. A GET (read of the guest's state) of the second block
 * becomes a copy of a temporary or constant if one is known to hold the value.
 * Nothing else is optimised across the blocks.
 */
#include "vgtool/vexopt/append.h"

#include "vgtool/vexopt/atom.h"
#include "vgtool/vexopt/each_operand.h"
#include "vgtool/vexopt/state_slices.h"

/* Atoms (temporaries or constants) whose values slices of the guest's state are
   known to have. */
static struct ps_slices known_slices;

static void renumber_tmp_if_valid(IRTemp *tmp, UInt added_number)
{
	if (*tmp != IRTemp_INVALID)
		*tmp += added_number;
}

static void renumber_temp_of_atom(void *offset_ptr, const IRExpr *atom)
{
	if (atom->tag == Iex_RdTmp)
		renumber_tmp_if_valid(&((IRExpr *)atom)->Iex.RdTmp.tmp,
				      *(UInt *)offset_ptr);
}

/* Add @offset to the numbers of the temporaries that a statement writes. */
static void renumber_written_temps(IRStmt *st, UInt offset)
{
	switch (st->tag) {
	case Ist_WrTmp:
		renumber_tmp_if_valid(&st->Ist.WrTmp.tmp, offset);
		break;
	case Ist_LoadG:
		renumber_tmp_if_valid(&st->Ist.LoadG.details->dst, offset);
		break;
	case Ist_CAS:
		renumber_tmp_if_valid(&st->Ist.CAS.details->oldHi, offset);
		renumber_tmp_if_valid(&st->Ist.CAS.details->oldLo, offset);
		break;
	case Ist_Dirty:
		renumber_tmp_if_valid(&st->Ist.Dirty.details->tmp, offset);
		break;
	default:
		break;
	}
}

/* Return a copy of @old in which @offset is added to the numbers of
   temporaries; NULL if the kind of the statement, or of its expression, is
   unknown. */
static IRStmt *copy_stmt_renumbered(const IRStmt *old, UInt offset)
{
	IRStmt *st = deepCopyIRStmt(old);
	Bool is_known =
		st->tag == Ist_WrTmp
			? ps_visit_expr_operands_is_known(st->Ist.WrTmp.data,
							  renumber_temp_of_atom,
							  &offset)
			: ps_try_visit_operands_of_common_stmt(
				  st, renumber_temp_of_atom, &offset) ||
				  ps_visit_operands_if_rare_stmt(
					  st, renumber_temp_of_atom, &offset);

	renumber_written_temps(st, offset);
	return is_known ? st : NULL;
}

static Int last_state_byte_of_get(const IRExpr *get)
{
	return get->Iex.Get.offset + ps_size_of_type(get->Iex.Get.ty) - 1;
}

static void record_state_slice_value_of_put(Int first_state_byte, IRExpr *atom,
					    const IRTypeEnv *types)
{
	Int high = first_state_byte + ps_size_of_atom(types->types, atom) - 1;

	if (!ps_is_range_in_one_slice_group(first_state_byte, high)) {
		ps_slices_clear(&known_slices);
		return;
	}
	ps_slices_remove_overlapping(&known_slices, first_state_byte, high);
	ps_slice_add_if_room(&known_slices, first_state_byte, high, 0, atom);
}

static void record_state_slice_value_of_get(const IRExpr *e, IRTemp tmp)
{
	Int low = e->Iex.Get.offset, high = last_state_byte_of_get(e);

	if (ps_is_range_in_one_slice_group(low, high) &&
	    !ps_slice_find_exact_or_null(&known_slices, low, high))
		ps_slice_add_if_room(&known_slices, low, high, 0,
				     IRExpr_RdTmp(tmp));
}

static Bool is_temp_write_of_get(const IRStmt *st)
{
	return st->tag == Ist_WrTmp && st->Ist.WrTmp.data->tag == Iex_Get;
}

/* Update known_slices for the effect of statement @st. */
static void update_known_guest_state_after_stmt(const IRStmt *st,
						const IRTypeEnv *types)
{
	if (st->tag == Ist_Put)
		record_state_slice_value_of_put(st->Ist.Put.offset,
						st->Ist.Put.data, types);
	else if (is_temp_write_of_get(st))
		record_state_slice_value_of_get(st->Ist.WrTmp.data,
						st->Ist.WrTmp.tmp);
	else if (st->tag == Ist_PutI ||
		 (st->tag == Ist_Dirty && st->Ist.Dirty.details->nFxState > 0))
		ps_slices_clear(&known_slices);
}

/* If @st assigns a GET to a temporary, and an atom is known to have this value
   and type, replace the GET by the atom. */
static void replace_get_by_known_atom(IRStmt *st, const IRTypeEnv *types)
{
	const struct ps_slice *s;
	const IRExpr *e;

	if (!is_temp_write_of_get(st))
		return;
	e = st->Ist.WrTmp.data;
	if (!ps_is_range_in_one_slice_group(e->Iex.Get.offset,
					    last_state_byte_of_get(e)))
		return;
	s = ps_slice_find_exact_or_null(&known_slices, e->Iex.Get.offset,
					last_state_byte_of_get(e));
	if (s && ps_type_of_atom(types->types, s->atom) == e->Iex.Get.ty)
		st->Ist.WrTmp.data = s->atom;
}

Bool ps_try_append_block(IRSB *sb, const IRSB *appended)
{
	IRStmt **st = PS_NEW(appended->stmts_used, IRStmt *);
	UInt first_tmp = sb->tyenv->types_used;
	Int i;

	for (i = 0; i < appended->stmts_used; i++) {
		st[i] = copy_stmt_renumbered(appended->stmts[i], first_tmp);
		if (st[i] == NULL)
			return False;
	}
	for (i = 0; i < appended->tyenv->types_used; i++)
		newIRTemp(sb->tyenv, appended->tyenv->types[i]);
	ps_slices_clear(&known_slices);
	for (i = 0; i < sb->stmts_used; i++)
		update_known_guest_state_after_stmt(sb->stmts[i], sb->tyenv);
	for (i = 0; i < appended->stmts_used; i++) {
		replace_get_by_known_atom(st[i], sb->tyenv);
		update_known_guest_state_after_stmt(st[i], sb->tyenv);
		if (st[i]->tag != Ist_NoOp)
			addStmtToIRSB(sb, st[i]);
	}
	sb->next = deepCopyIRExpr(appended->next);
	renumber_temp_of_atom(&first_tmp, sb->next);
	sb->jumpkind = appended->jumpkind;
	return True;
}

void ps_invert_final_branch(IRSB *sb)
{
	IRStmt *exit = sb->stmts[--sb->stmts_used];
	IRTemp inverted = newIRTemp(sb->tyenv, Ity_I1);

	addStmtToIRSB(
		sb, IRStmt_WrTmp(inverted,
				 IRExpr_Unop(Iop_Not1, exit->Ist.Exit.guard)));
	addStmtToIRSB(sb, IRStmt_Exit(IRExpr_RdTmp(inverted), exit->Ist.Exit.jk,
				      sb->next->Iex.Const.con,
				      exit->Ist.Exit.offsIP));
	sb->next = IRExpr_Const(exit->Ist.Exit.dst);
}

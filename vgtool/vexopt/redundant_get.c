/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * redundant_get.c - removes redundant reads and writes of the guest's state
 */
#include "vgtool/vexopt/clean.h"
#include "vgtool/vexopt/make_stmt.h"

static IRExpr *get_atom_of_slice_or_read_its_temp(const struct ps_slice *s)
{
	return s->atom ? s->atom : IRExpr_RdTmp(s->tmp);
}

IRExpr *ps_make_known_get_value_or_note_temp(struct ps_stmt_list *m,
					     const IRExpr *get, IRTemp tmp)
{
	Int low = get->Iex.Get.offset;
	Int high = low + ps_size_of_type(get->Iex.Get.ty) - 1;
	const struct ps_slice *s;
	IRExpr *e;

	if (!ps_is_range_in_one_slice_group(low, high)) {
		m->failed = True;
		return NULL;
	}
	s = ps_slice_find_exact_or_null(m->slices, low, high);
	if (!s) {
		m->failed |=
			!ps_slice_add_if_room(m->slices, low, high, tmp, NULL);
		return NULL;
	}
	e = get_atom_of_slice_or_read_its_temp(s);
	return ps_type_of_atom(m->types->types, e) == get->Iex.Get.ty ? e
								      : NULL;
}

void ps_stmt_list_set_value_of_state_slice(struct ps_stmt_list *m,
					   Int first_state_byte, IRExpr *atom)
{
	Int high =
		first_state_byte + ps_size_of_atom(m->types->types, atom) - 1;

	if (!ps_is_range_in_one_slice_group(first_state_byte, high)) {
		m->failed = True;
		return;
	}
	ps_slices_remove_overlapping(m->slices, first_state_byte, high);
	m->failed |= !ps_slice_add_if_room(m->slices, first_state_byte, high, 0,
					   atom);
}

void ps_stmt_list_record_known_get_values(struct ps_stmt_list *m)
{
	for (Int i = 0; i < m->n && !m->failed; i++) {
		const IRStmt *st = m->stmts[i];

		if (st->tag == Ist_WrTmp && st->Ist.WrTmp.data->tag == Iex_Get)
			m->known[st->Ist.WrTmp.tmp] =
				ps_make_known_get_value_or_note_temp(
					m, st->Ist.WrTmp.data,
					st->Ist.WrTmp.tmp);
		else if (st->tag == Ist_Put)
			ps_stmt_list_set_value_of_state_slice(
				m, st->Ist.Put.offset, st->Ist.Put.data);
	}
}

/* Return a mask with a bit for each group (of 1 << PS_LOG_GROUP bytes) of the
   guest's state that has bytes which must be exact where memory is accessed. */
static UInt exact_state_byte_group_mask(ps_precise_fn precise,
					VexRegisterUpdates updates)
{
	static VexRegisterUpdates last_updates; /* 0: none yet */
	static UInt groups;

	if (last_updates == updates)
		return groups;
	last_updates = updates;
	groups = 0;
	for (Int g = 0; g < PS_N_GROUPS; g++)
		if (precise(g << PS_LOG_GROUP, ((g + 1) << PS_LOG_GROUP) - 1,
			    updates))
			groups |= 1U << g;
	return groups;
}

/* Remove from @later_overwritten (the slices that later statements overwrite)
   each slice that must be exact where memory is accessed, so that PUTs of such
   a slice before the access are not removed. */
static void
exclude_slices_that_must_be_exact(struct ps_slices *later_overwritten,
				  ps_precise_fn precise,
				  VexRegisterUpdates updates)
{
	UInt groups = later_overwritten->used_groups &
		      exact_state_byte_group_mask(precise, updates);

	for (; groups; groups &= groups - 1) {
		UInt g = (UInt)__builtin_ctz(groups);
		UInt n = 0;

		for (UInt i = 0; i < later_overwritten->n[g]; i++)
			if (!precise(later_overwritten->slice[g][i].low,
				     later_overwritten->slice[g][i].high,
				     updates))
				later_overwritten->slice[g][n++] =
					later_overwritten->slice[g][i];
		later_overwritten->n[g] = (UChar)n;
	}
}

/* Add the slice that the PUT @st writes to the slices of @m, which later
   statements overwrite. Return: whether a slice of exactly the same bytes was
   among them already, so that the PUT is redundant. */
static Bool record_written_slice_is_put_redundant(struct ps_stmt_list *m,
						  const IRStmt *st)
{
	Int low = st->Ist.Put.offset;
	Int high = low + ps_size_of_atom(m->types->types, st->Ist.Put.data) - 1;

	if (ps_slice_find_exact_or_null(m->slices, low, high))
		return True;
	m->failed |= !ps_slice_add_if_room(m->slices, low, high, 0, NULL);
	return False;
}

static void exclude_slices_read_by_load_or_get(struct ps_stmt_list *m,
					       const IRStmt *temp_write,
					       ps_precise_fn precise,
					       VexRegisterUpdates updates)
{
	const IRExpr *e = temp_write->Ist.WrTmp.data;

	if (e->tag == Iex_Load)
		exclude_slices_that_must_be_exact(m->slices, precise, updates);
	else if (e->tag == Iex_Get && !m->known[temp_write->Ist.WrTmp.tmp])
		ps_slices_remove_overlapping(
			m->slices, e->Iex.Get.offset,
			e->Iex.Get.offset + ps_size_of_type(e->Iex.Get.ty) - 1);
}

void ps_clean_remove_dead_puts(struct ps_stmt_list *m, Int pc_offset,
			       ps_precise_fn precise,
			       VexRegisterUpdates updates)
{
	ps_slices_clear(m->slices);
	/* the end of the block writes the program counter */
	ps_slice_add_if_room(m->slices, pc_offset, pc_offset + 7, 0, NULL);
	for (Int i = m->n - 1; i >= 0 && !m->failed; i--) {
		const IRStmt *st = m->stmts[i];

		switch (st->tag) {
		case Ist_Put:
			if (record_written_slice_is_put_redundant(m, st))
				m->stmts[i] = IRStmt_NoOp();
			break;
		case Ist_WrTmp:
			exclude_slices_read_by_load_or_get(m, st, precise,
							   updates);
			break;
		case Ist_Store:
			exclude_slices_that_must_be_exact(m->slices, precise,
							  updates);
			break;
		case Ist_Exit:
		case Ist_AbiHint:
			ps_slices_clear(m->slices);
			break;
		default:
			break;
		}
	}
}

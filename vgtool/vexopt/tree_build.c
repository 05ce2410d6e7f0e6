/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree_build.c - turns a flat block into trees for instruction selection
 *
 * The value of a temporary that is used once moves into the expression or
 * statement that uses it. Until then it is pending. It is emitted (written to
 * its temporary) before a statement that may change it, and when too many
 * values are pending. Statements whose operands do not change are reused.
 */
#include "vgtool/vexopt/passes.h"
#include "vgtool/vexopt/tree_expr.h"
#include "vgtool/vexopt/tree_use.h"

/* Effect of a statement on pending values (struct ps_pending): which of them
   cannot move past it to their use, so that the writes of their temporaries
   must be emitted before it. */
struct effect {
	Bool is_all;   /* all pending values must be emitted */
	Bool memory;   /* loads cannot move past the statement */
	Int low, high; /* first and last byte of the guest's state that it
			  may write; PS_NO_LOW, PS_NO_HIGH: none */
};

static void emit_pending_as_temp_write(struct ps_trees *t, struct ps_pending *p)
{
	IRTemp tmp = p->st->Ist.WrTmp.tmp;

	t->uses[tmp] = PS_USED_ONCE;
	*t->out++ = p->value == p->st->Ist.WrTmp.data
			    ? p->st
			    : IRStmt_WrTmp(tmp, p->value);
	p->value = NULL;
	t->n_moved++;
}

/* Remove the oldest entry if there are PS_MAX_PENDING, and emit its value if
   that is still pending. Entries of values that have moved or were emitted
   count until remove_moved_and_emitted_entries(). */
static void emit_and_remove_oldest_if_full(struct ps_trees *t)
{
	struct ps_pending *oldest = ps_pending_entry_of_index(t, t->oldest);

	if (t->end - t->oldest < PS_MAX_PENDING)
		return;
	if (oldest->value != NULL)
		emit_pending_as_temp_write(t, oldest);
	t->n_moved--;
	t->oldest++;
}

/* Remove the entries of values that have moved or were emitted. Usually these
   are the newest ones. */
static void remove_moved_and_emitted_entries(struct ps_trees *t)
{
	UInt i, to = t->oldest;

	for (; t->n_moved > 0; t->end--, t->n_moved--)
		if (ps_pending_entry_of_index(t, t->end - 1)->value != NULL)
			break;
	if (t->n_moved == 0)
		return;
	for (i = t->oldest; i != t->end; i++) {
		struct ps_pending *p = ps_pending_entry_of_index(t, i);

		if (p->value == NULL)
			continue;
		if (i != to) {
			*ps_pending_entry_of_index(t, to) = *p;
			t->uses[p->st->Ist.WrTmp.tmp] =
				ps_encode_pending_index_as_uses_entry(to);
		}
		to++;
	}
	t->end = to;
	t->n_moved = 0;
}

static void add_temp_write_to_pending(struct ps_trees *t, IRStmt *st)
{
	struct ps_pending *p = ps_pending_entry_of_index(t, t->end);

	t->moved_reads = ps_no_reads;
	p->value = ps_tree_move_pending_into_expr(t, st->Ist.WrTmp.data);
	p->st = st;
	p->reads = t->moved_reads;
	t->uses[st->Ist.WrTmp.tmp] =
		ps_encode_pending_index_as_uses_entry(t->end++);
}

static Bool can_effect_change_reads(const struct ps_reads *r,
				    const struct effect *e)
{
	return (r->memory && e->memory) || e->is_all ||
	       (r->low <= e->high && e->low <= r->high);
}

/* Emit, oldest first, the pending values that cannot move past a statement with
   effect @e. */
static void emit_pending_changed_by_effect(struct ps_trees *t,
					   const struct effect *e)
{
	UInt i;

	for (i = t->oldest; i != t->end; i++) {
		struct ps_pending *p = ps_pending_entry_of_index(t, i);

		if (p->value != NULL && can_effect_change_reads(&p->reads, e))
			emit_pending_as_temp_write(t, p);
	}
}

static void add_state_write_to_effect_of_stmt(const struct ps_trees *t,
					      struct effect *e,
					      Int first_state_byte,
					      Int byte_count)
{
	Int high = first_state_byte + byte_count - 1;

	if (first_state_byte < e->low)
		e->low = first_state_byte;
	if (high > e->high)
		e->high = high;
	if (!e->memory)
		e->memory = t->precise(first_state_byte, high, t->reg_updates);
}

/* Set @e, which must be empty, to what the call @d of a helper writes. A helper
   with a pointer to the guest's state may change all of the state and
   memory. */
static void set_effect_to_writes_of_dirty_helper(const struct ps_trees *t,
						 struct effect *e,
						 const IRDirty *d)
{
	IRExpr **arg;
	Int i;

	e->memory = d->mFx == Ifx_Write || d->mFx == Ifx_Modify;
	for (arg = d->args; *arg != NULL; arg++)
		if ((*arg)->tag == Iex_GSPTR) {
			e->memory = True;
			e->low = 0;
			e->high = 0x7fffffff;
			return;
		}
	for (i = 0; i < d->nFxState; i++)
		if (d->fxState[i].fx != Ifx_Read)
			add_state_write_to_effect_of_stmt(
				t, e, d->fxState[i].offset,
				d->fxState[i].nRepeats *
						d->fxState[i].repeatLen +
					d->fxState[i].size);
}

/* Add the effect of statement @st on pending values to @e, which must be empty.
   Return: whether @st is of a kind that has an effect. */
static Bool add_stmt_effect_has_any(const struct ps_trees *t, const IRStmt *st,
				    struct effect *e)
{
	const IRRegArray *array;

	switch (st->tag) {
	case Ist_Put:
		add_state_write_to_effect_of_stmt(
			t, e, st->Ist.Put.offset,
			ps_size_of_atom(t->types, st->Ist.Put.data));
		return True;
	case Ist_PutI:
		array = st->Ist.PutI.details->descr;
		add_state_write_to_effect_of_stmt(
			t, e, array->base,
			array->nElems * ps_size_of_type(array->elemTy));
		return True;
	case Ist_Dirty:
		set_effect_to_writes_of_dirty_helper(t, e,
						     st->Ist.Dirty.details);
		return True;
	case Ist_Store:
	case Ist_CAS:
		e->memory = True;
		return True;
	case Ist_MBE:
	case Ist_AbiHint:
		e->is_all = True;
		return True;
	default:
		return False;
	}
}

static void emit_changed_values_then_stmt(struct ps_trees *t, IRStmt *st)
{
	struct effect e = {False, False, PS_NO_LOW, PS_NO_HIGH};
	IRStmt *new = ps_tree_move_pending_into_stmt(t, st);

	if (t->end - t->oldest != t->n_moved &&
	    add_stmt_effect_has_any(t, st, &e))
		emit_pending_changed_by_effect(t, &e);
	remove_moved_and_emitted_entries(t);
	*t->out++ = new;
}

static void emit_defer_or_drop_stmt(struct ps_trees *t, IRStmt *st)
{
	UInt uses;

	emit_and_remove_oldest_if_full(t);
	if (st->tag != Ist_WrTmp) {
		if (t->oldest != t->end)
			emit_changed_values_then_stmt(t, st);
		else
			*t->out++ = st;
		return;
	}
	uses = t->uses[st->Ist.WrTmp.tmp];
	if (uses == PS_USED_ONCE)
		add_temp_write_to_pending(t, st);
	else if (uses != PS_UNUSED)
		emit_changed_values_then_stmt(t, st);
}

Bool ps_build_trees_in_place_if_supported(
	IRSB *sb, ps_precise_fn must_be_exact_at_memory_access,
	VexRegisterUpdates updates, Addr *last_code_byte)
{
	struct ps_trees t;
	Int i, n = sb->stmts_used;

	t.types = sb->tyenv->types;
	t.dummy_temp = sb->tyenv->types_used;
	t.uses = PS_NEW(t.dummy_temp + 1, UChar);
	VG_(memset)(t.uses, PS_UNUSED, t.dummy_temp + 1);
	if (!ps_tree_count_uses_if_supported(sb, t.uses, last_code_byte))
		return False;
	t.precise = must_be_exact_at_memory_access;
	t.reg_updates = updates;
	t.out = sb->stmts;
	t.oldest = t.end = t.n_moved = 0;
	t.moved_reads = ps_no_reads;
	for (i = 0; i < n; i++)
		if (sb->stmts[i]->tag != Ist_NoOp)
			emit_defer_or_drop_stmt(&t, sb->stmts[i]);
	sb->next = ps_pending_pop_value_or_atom(&t, sb->next);
	sb->stmts_used = t.out - sb->stmts;
	return True;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * frame_pointer.c - removes loads that only an exact frame pointer would need;
 * see passes.h
 */
#include "vgtool/vexopt/each_operand.h"
#include "vgtool/vexopt/passes.h"

enum { BYTES = 8 }; /* size of the frame pointer's register [bytes] */

/* Bit flags of a temporary (LIVE, LOADED) or of a statement (NEEDLESS). */
enum {
	LIVE = 1,     /* its value is used, directly or through other
			 temporaries, by the next address or by a statement
			 that is no needless PUT */
	LOADED = 2,   /* its value depends on a load that only needless PUTs
			 need */
	NEEDLESS = 4, /* the statement is a PUT of bytes of the register
			 that are overwritten before anything reads them */
};

static UChar *tmps, *stmts; /* marks by temporary and by statement, for the
			       current translation */

/* Allocate and clear the marks of @sb's temporaries and statements. */
static void alloc_zeroed_temp_and_stmt_marks(const IRSB *sb)
{
	tmps = PS_NEW((SizeT)sb->tyenv->types_used + 1, UChar);
	stmts = PS_NEW((SizeT)sb->stmts_used + 1, UChar);
	VG_(memset)(tmps, 0, (SizeT)sb->tyenv->types_used);
	VG_(memset)(stmts, 0, (SizeT)sb->stmts_used);
}

/* Whether at least two PUTs in @sb begin within the 8 bytes of the register at
   @register_offset [bytes in the guest's state]. */
static Bool has_multiple_puts_into_register(const IRSB *sb, Int register_offset)
{
	Int n = 0;

	for (Int i = 0; i < sb->stmts_used; i++)
		n += sb->stmts[i]->tag == Ist_Put &&
		     sb->stmts[i]->Ist.Put.offset - register_offset >= 0 &&
		     sb->stmts[i]->Ist.Put.offset - register_offset < BYTES;
	return n > 1;
}

/* Set of byte ranges of the frame pointer's register that are overwritten
   later, before anything reads them: bit 4 * offset + log2(size) for each
   range. */
typedef UInt parts;

/* Return the bit of the range of @bytes bytes (1, 2, 4 or 8) from byte
   @offset_in_register of the register on. */
static parts part_bit_of_offset_and_size(Int offset_in_register, Int bytes)
{
	return 1U << (4 * offset_in_register + __builtin_ctz((UInt)bytes));
}

/* Return @p, a set of byte ranges of the frame pointer's register, without the
   ranges that overlap [@offset, @offset + @bytes). */
static parts remove_overlapping_parts(parts p, Int offset, Int bytes)
{
	parts rest = 0;

	for (Int i = 0; i < 32; i++)
		if ((p >> i & 1) &&
		    (i / 4 + (1 << i % 4) <= offset || i / 4 >= offset + bytes))
			rest |= 1U << i;
	return rest;
}

static parts remove_parts_read_by_dirty(parts overwritten, const IRDirty *d,
					Int register_offset)
{
	for (Int i = 0; i < d->nFxState; i++)
		if (d->fxState[i].fx != Ifx_Write)
			overwritten = remove_overlapping_parts(
				overwritten,
				d->fxState[i].offset - register_offset,
				d->fxState[i].nRepeats *
						d->fxState[i].repeatLen +
					d->fxState[i].size);
	return overwritten;
}

/* Return the bit of the range that the PUT @st writes in the register at
   @register_offset; 0 if @st begins outside the register. */
static parts part_of_register_written_by_put(const IRSB *sb, const IRStmt *st,
					     Int register_offset)
{
	Int offset = st->Ist.Put.offset - register_offset;

	return offset < 0 || offset >= BYTES
		       ? 0
		       : part_bit_of_offset_and_size(
				 offset, sizeofIRType(typeOfIRExpr(
						 sb->tyenv, st->Ist.Put.data)));
}

/* Return the ranges that @st or later statements overwrite before anything
   reads them. @dead_after_stmt: those that the statements after @st
   overwrite before they read them. */
static parts dead_register_parts_before_stmt(const IRSB *sb, const IRStmt *st,
					     Int register_offset,
					     parts dead_after_stmt)
{
	const IRExpr *e;

	switch (st->tag) {
	case Ist_Put:
		return dead_after_stmt |
		       part_of_register_written_by_put(sb, st, register_offset);
	case Ist_WrTmp:
		e = st->Ist.WrTmp.data;
		return e->tag != Iex_Get
			       ? dead_after_stmt
			       : remove_overlapping_parts(
					 dead_after_stmt,
					 e->Iex.Get.offset - register_offset,
					 sizeofIRType(e->Iex.Get.ty));
	case Ist_Dirty:
		return remove_parts_read_by_dirty(dead_after_stmt,
						  st->Ist.Dirty.details,
						  register_offset);
	case Ist_Exit:
	case Ist_AbiHint:
		return 0;
	default:
		return dead_after_stmt;
	}
}

/* Mark in `stmts` the PUTs of the register at offset @register_offset that VEX
   would remove if the register need not be exact. Return: whether there are
   any. */
static Bool mark_overwritten_puts_were_any(const IRSB *sb, Int register_offset)
{
	Bool any = False;
	parts overwritten = 0;

	for (Int i = sb->stmts_used - 1; i >= 0; i--) {
		const IRStmt *st = sb->stmts[i];

		if (st->tag == Ist_Put &&
		    (overwritten & part_of_register_written_by_put(
					   sb, st, register_offset))) {
			stmts[i] = NEEDLESS;
			any = True;
		}
		overwritten = dead_register_parts_before_stmt(
			sb, st, register_offset, overwritten);
	}
	return any;
}

static inline void mark_live_if_temp_operand(void *pass, const IRExpr *e)
{
	(void)pass;
	if (e->tag == Iex_RdTmp)
		tmps[e->Iex.RdTmp.tmp] |= LIVE;
}

/* Mark LIVE each temporary whose value is used, directly or through other
   temporaries, by @sb's next address or by a statement that is no needless
   PUT. */
static void mark_live_temps(const IRSB *sb)
{
	mark_live_if_temp_operand(NULL, sb->next);
	for (Int i = sb->stmts_used - 1; i >= 0; i--) {
		const IRStmt *st = sb->stmts[i];

		if (st->tag != Ist_WrTmp) {
			if (!(stmts[i] & NEEDLESS) &&
			    !ps_try_visit_operands_of_common_stmt(
				    st, mark_live_if_temp_operand, NULL))
				ps_visit_operands_if_rare_stmt(
					st, mark_live_if_temp_operand, NULL);
		} else if (tmps[st->Ist.WrTmp.tmp] & LIVE) {
			ps_visit_expr_operands_is_known(
				st->Ist.WrTmp.data, mark_live_if_temp_operand,
				NULL);
		}
	}
}

static inline void
copy_loaded_mark_from_temp_to_collected(void *collected_marks, const IRExpr *e)
{
	if (e->tag == Iex_RdTmp)
		*(UChar *)collected_marks |= tmps[e->Iex.RdTmp.tmp] & LOADED;
}

/* Replace by no-ops the needless PUTs of values that depend on a load into a
   temporary not marked LIVE, these loads, and the computations from the load to
   the PUT. Temporaries marked LIVE are still written. */
static void remove_needless_puts_and_their_loads(IRSB *sb)
{
	for (Int i = 0; i < sb->stmts_used; i++) {
		const IRStmt *st = sb->stmts[i];
		UChar loaded = 0;

		if (st->tag == Ist_WrTmp && !(tmps[st->Ist.WrTmp.tmp] & LIVE)) {
			ps_visit_expr_operands_is_known(
				st->Ist.WrTmp.data,
				copy_loaded_mark_from_temp_to_collected,
				&loaded);
			if (st->Ist.WrTmp.data->tag == Iex_Load)
				loaded = LOADED;
			tmps[st->Ist.WrTmp.tmp] |= loaded;
		} else if (stmts[i] & NEEDLESS) {
			ps_try_visit_operands_of_common_stmt(
				st, copy_loaded_mark_from_temp_to_collected,
				&loaded);
		}
		if (loaded)
			sb->stmts[i] = IRStmt_NoOp();
	}
}

void ps_remove_dead_frame_puts(IRSB *sb, Int frame_pointer_offset)
{
	if (!has_multiple_puts_into_register(sb, frame_pointer_offset))
		return;
	alloc_zeroed_temp_and_stmt_marks(sb);
	if (!mark_overwritten_puts_were_any(sb, frame_pointer_offset))
		return;
	mark_live_temps(sb);
	remove_needless_puts_and_their_loads(sb);
}

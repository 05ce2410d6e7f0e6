/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * emit.c - the statements that write a unit
 *
 * At the top of a block, where nothing is live:
 *
 *	page   = shadow register
 *	unit   = page->next
 *	if (unit > page->limit) yield to the scheduler, which makes room
 *	page->cursor = unit
 *	page->next   = unit + its length for the first exit
 *	*unit  = header for the first exit
 *
 * then before each access that makes a slot:  slot = address
 * and behind each side exit:  *unit = header for the next exit, and page->next
 * where that makes the unit longer.
 *
 * So a unit's header always names the exit that would be taken next. Small
 * blocks wait for each other through page->next: it could be had from the
 * length in the last unit's header, with a store less and twice the wait. The
 * cursor tells where the unit begins in which a fault happens.
 */

#include "vgtool/instrument/emit.h"

#include "proto/ring.h"
#include "proto/unit.h"
#include "vgtool/transport/ring.h"

enum { WINDOW = 512 /* [bytes] */, FEW_SLOTS = 3 };

_Static_assert(WINDOW *(4 + 8 * FEW_SLOTS) < VT_RESERVE / 2,
	       "blocks of a window, each once, have room behind the limit");

IRExpr *vt_emit_u64(ULong value)
{
	return IRExpr_Const(IRConst_U64(value));
}

void vt_emit(struct vt_emitter *e, IRStmt *st)
{
	addStmtToIRSB(e->out, st);
}

IRExpr *vt_emit_assign(struct vt_emitter *e, IRType type, IRExpr *value)
{
	IRTemp t = newIRTemp(e->out->tyenv, type);

	vt_emit(e, IRStmt_WrTmp(t, value));
	return IRExpr_RdTmp(t);
}

static IRExpr *plus(struct vt_emitter *e, IRExpr *a, IRExpr *b)
{
	return vt_emit_assign(e, Ity_I64, IRExpr_Binop(Iop_Add64, a, b));
}

static IRExpr *load(struct vt_emitter *e, IRExpr *addr)
{
	return vt_emit_assign(e, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, addr));
}

static void store(struct vt_emitter *e, IRExpr *addr, IRExpr *value)
{
	vt_emit(e, IRStmt_Store(Iend_LE, addr, value));
}

static IRExpr *on_page(struct vt_emitter *e, ULong offset)
{
	return plus(e, e->page, vt_emit_u64(offset));
}

/* Where the next unit begins, should the block be left by @exit. */
static void emit_next(struct vt_emitter *e, UInt exit)
{
	store(e, on_page(e, offsetof(struct pt_tool_page, next)),
	      plus(e, e->unit, vt_emit_u64(vt_exit_bytes(e->plan, exit))));
}

/* The unit's header, should the block be left by @exit. */
static UInt header_of(const struct vt_emitter *e, UInt exit)
{
	return pt_block_header(e->route + exit, vt_exit_bytes(e->plan, exit));
}

/* While no slot follows it 8 bytes are stored, the last 4 of them anything, for
   that is one instruction of the host, and 4 bytes are two. */
static void emit_header(struct vt_emitter *e, UInt exit, Bool slots)
{
	UInt header = header_of(e, exit);

	store(e, e->unit,
	      slots ? IRExpr_Const(IRConst_U32(header))
		    : vt_emit_u64((ULong)(Long)(Int)header));
}

/* Asked this way round, the host compares with the limit in memory. */
static void emit_yield(struct vt_emitter *e, Addr here)
{
	IRExpr *limit =
		load(e, on_page(e, offsetof(struct pt_tool_page, limit)));
	IRExpr *room = vt_emit_assign(
		e, Ity_I1, IRExpr_Binop(Iop_CmpLE64U, e->unit, limit));
	IRExpr *full = vt_emit_assign(e, Ity_I1, IRExpr_Unop(Iop_Not1, room));

	vt_emit(e,
		IRStmt_Exit(full, Ijk_Yield, IRConst_U64(here), e->offset_ip));
}

void vt_emit_passed(struct vt_emitter *e, UInt exit, Bool slots)
{
	const struct vt_plan *p = e->plan;

	if (vt_exit_bytes(p, exit) != vt_exit_bytes(p, exit - 1))
		emit_next(e, exit);
	emit_header(e, exit, slots);
}

/*
 * Whether the block may go without a look at the limit: it has few slots, and
 * all it leads to lies ahead of it in the same window of addresses. So many
 * such blocks in a row fill less than half of the chunk's reserve.
 */
static Bool leads_ahead(const struct vt_plan *p, Addr here)
{
	UInt i;

	for (i = 0; i < p->n_exits; i++)
		if (p->exit[i].jump != PT_JUMP_BORING ||
		    p->exit[i].target <= here ||
		    p->exit[i].target / WINDOW != here / WINDOW)
			return False;
	return p->n_slots <= FEW_SLOTS;
}

static void find_place(struct vt_emitter *e)
{
	e->page = vt_emit_assign(e, Ity_I64, IRExpr_Get(e->shadow, Ity_I64));
	e->unit = load(e, on_page(e, offsetof(struct pt_tool_page, next)));
}

static void emit_cursor(struct vt_emitter *e)
{
	store(e, on_page(e, offsetof(struct pt_tool_page, cursor)), e->unit);
}

void vt_emit_top(struct vt_emitter *e, Addr here)
{
	find_place(e);
	if (here != 0 && !leads_ahead(e->plan, here))
		emit_yield(e, here);
	emit_cursor(e);
	emit_next(e, 0);
	emit_header(e, 0, False);
}

/* No header is 0. */
void vt_emit_no_unit(struct vt_emitter *e)
{
	find_place(e);
	store(e, e->unit, IRExpr_Const(IRConst_U32(0)));
	emit_cursor(e);
}

void vt_emit_lost(struct vt_emitter *e, const IRExpr *guard)
{
	IRExpr *at = on_page(e, offsetof(struct pt_tool_page, skipped));
	IRExpr *one = vt_emit_u64(1);

	if (guard != NULL)
		one = vt_emit_assign(
			e, Ity_I64,
			IRExpr_Unop(Iop_1Uto64, deepCopyIRExpr(guard)));
	store(e, at, plus(e, load(e, at), one));
}

void vt_emit_leave(struct vt_emitter *e, UInt exit, IRExpr *guard)
{
	IRExpr *behind =
		plus(e, e->unit, vt_emit_u64(vt_exit_bytes(e->plan, exit)));

	store(e, behind, IRExpr_Const(IRConst_U32(0)));
	if (guard != NULL)
		behind = vt_emit_assign(e, Ity_I64,
					IRExpr_ITE(guard, behind, e->unit));
	store(e, on_page(e, offsetof(struct pt_tool_page, cursor)), behind);
}

void vt_emit_slot_value(struct vt_emitter *e, UInt slot, IRExpr *atom)
{
	store(e, plus(e, e->unit, vt_emit_u64(4 + 8 * (ULong)slot)), atom);
}

void vt_emit_slot(struct vt_emitter *e, UInt slot, const struct vt_slot *how)
{
	IRExpr *value = how->value ?: vt_emit_u64(0);

	if (how->guard != NULL)
		value = vt_emit_assign(e, Ity_I64,
				       IRExpr_ITE(how->guard, value,
						  vt_emit_u64(PT_NOT_DONE)));
	vt_emit_slot_value(e, slot, value);
}

/* A hint that VEX does not move anything past, nor makes code of. */
void vt_emit_barrier(struct vt_emitter *e)
{
	vt_emit(e, IRStmt_AbiHint(vt_emit_u64(0), 0, vt_emit_u64(0)));
}

void vt_emit_dividing(struct vt_emitter *e, Bool divides)
{
	IRExpr *page =
		vt_emit_assign(e, Ity_I64, IRExpr_Get(e->shadow, Ity_I64));

	store(e,
	      plus(e, page,
		   vt_emit_u64(offsetof(struct pt_tool_page, dividing))),
	      vt_emit_u64(divides));
}

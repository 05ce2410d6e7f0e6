/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * emit.c - emits the statements that write a unit; see emit.h
 *
 * At the top of a block, where no temporary is live:
 *
 * 	page   = shadow register
 * 	unit   = page->next
 * 	if (unit > page->limit) yield to the scheduler, which makes room
 * 	page->cursor = unit
 * 	page->next   = unit + its length for the first exit
 * 	*unit  = header for the first exit
 *
 * Before each access that stores a slot:
 *
 * 	slot   = address
 *
 * After each side exit, in case it is not taken:
 *
 * 	page->next = unit + its length for the next exit, if this is longer
 * 	*unit  = header for that exit
 *
 * So a unit's header always names the next exit of the block. page->next makes
 * each block depend on the store of the one before, which limits the speed of
 * small blocks. Computing it from the length in the last unit's header would
 * save a store, but double the latency of this dependence. The cursor locates
 * the unit of the block in which a fault happens.
 */

#include "vgtool/instrument/emit.h"

#include "proto/ring.h"
#include "proto/unit.h"
#include "vgtool/transport/ring.h"

enum {
	WINDOW = 512,  /* [bytes] size of the aligned range of program code in
			 which a block without a check for room and the targets
			 of its exits lie */
	FEW_SLOTS = 3, /* greatest number of slots of a block without a check
			  for room */
};

_Static_assert(WINDOW *(4 + 8 * FEW_SLOTS) < VT_RESERVE / 2,
	       "blocks of a window, each once, have room behind the limit");

IRExpr *vt_u64_constant_expr(ULong value)
{
	return IRExpr_Const(IRConst_U64(value));
}

void vt_emit_append_stmt_as_is(struct vt_emitter *e, IRStmt *st)
{
	addStmtToIRSB(e->out, st);
}

IRExpr *vt_emit_assign_to_new_temp(struct vt_emitter *e, IRType type,
				   IRExpr *value)
{
	IRTemp t = newIRTemp(e->out->tyenv, type);

	vt_emit_append_stmt_as_is(e, IRStmt_WrTmp(t, value));
	return IRExpr_RdTmp(t);
}

static IRExpr *emit_add_u64(struct vt_emitter *e, IRExpr *a, IRExpr *b)
{
	return vt_emit_assign_to_new_temp(e, Ity_I64,
					  IRExpr_Binop(Iop_Add64, a, b));
}

static IRExpr *emit_load_u64(struct vt_emitter *e, IRExpr *addr)
{
	return vt_emit_assign_to_new_temp(e, Ity_I64,
					  IRExpr_Load(Iend_LE, Ity_I64, addr));
}

static void emit_store(struct vt_emitter *e, IRExpr *addr, IRExpr *value)
{
	vt_emit_append_stmt_as_is(e, IRStmt_Store(Iend_LE, addr, value));
}

/* Emit code that computes the address of the field at @field_offset of the
   tool's page, and return the temporary. */
static IRExpr *emit_tool_page_field_address(struct vt_emitter *e,
					    ULong field_offset)
{
	return emit_add_u64(e, e->page, vt_u64_constant_expr(field_offset));
}

/* Emit a store to page->next, the address of the next unit, of the end of a
   unit whose block is left by @exit_index. */
static void emit_store_next_unit_address(struct vt_emitter *e, UInt exit_index)
{
	emit_store(e,
		   emit_tool_page_field_address(
			   e, offsetof(struct pt_tool_page, next)),
		   emit_add_u64(e, e->unit,
				vt_u64_constant_expr(vt_unit_bytes_at_exit(
					e->layout, exit_index))));
}

/* Return the header of a unit, the record of one execution of the block, if
   that execution leaves by @exit_index. The header holds the number of the
   exit's route and the size of the unit. */
static UInt unit_header_at_exit(const struct vt_emitter *e, UInt exit_index)
{
	return pt_encode_block_unit_header(
		e->route + exit_index,
		vt_unit_bytes_at_exit(e->layout, exit_index));
}

/* Emit a store of the unit's header for @exit_index. As long as no slot has
   been stored, 8 bytes are stored, since that takes one instruction of the host
   and 4 bytes take two; the slots then overwrite the last 4 bytes. */
static void emit_store_unit_header(struct vt_emitter *e, UInt exit_index,
				   Bool store_only_4_bytes)
{
	UInt header = unit_header_at_exit(e, exit_index);

	emit_store(e, e->unit,
		   store_only_4_bytes
			   ? IRExpr_Const(IRConst_U32(header))
			   : vt_u64_constant_expr((ULong)(Long)(Int)header));
}

/* Emit a side exit that yields to the scheduler at @yield_addr if the chunk is
   full. With this form of the condition the host compares with the limit in
   memory, without loading it first. */
static void emit_yield_if_chunk_full(struct vt_emitter *e, Addr yield_addr)
{
	IRExpr *limit = emit_load_u64(
		e, emit_tool_page_field_address(
			   e, offsetof(struct pt_tool_page, limit)));
	IRExpr *room = vt_emit_assign_to_new_temp(
		e, Ity_I1, IRExpr_Binop(Iop_CmpLE64U, e->unit, limit));
	IRExpr *full = vt_emit_assign_to_new_temp(e, Ity_I1,
						  IRExpr_Unop(Iop_Not1, room));

	vt_emit_append_stmt_as_is(e, IRStmt_Exit(full, Ijk_Yield,
						 IRConst_U64(yield_addr),
						 e->offset_ip));
}

void vt_emit_store_header_and_changed_end(struct vt_emitter *e, UInt exit_index,
					  Bool store_only_4_bytes)
{
	const struct vt_block_layout *p = e->layout;

	if (vt_unit_bytes_at_exit(p, exit_index) !=
	    vt_unit_bytes_at_exit(p, exit_index - 1))
		emit_store_next_unit_address(e, exit_index);
	emit_store_unit_header(e, exit_index, store_only_4_bytes);
}

/*
 * Whether the block need not check that the chunk has room: it has few slots,
 * and each exit is a jump to a higher address in the same WINDOW bytes. A
 * sequence of such blocks ends in these bytes, so it fills less than half of
 * the chunk's reserve.
 */
static Bool can_block_skip_chunk_room_check(const struct vt_block_layout *p,
					    Addr block_addr)
{
	UInt i;

	for (i = 0; i < p->n_exits; i++)
		if (p->exit[i].jump != PT_JUMP_BORING ||
		    p->exit[i].target <= block_addr ||
		    p->exit[i].target / WINDOW != block_addr / WINDOW)
			return False;
	return p->n_slots <= FEW_SLOTS;
}

/* Emit loads of the addresses of the tool's page and of the next unit. */
static void emit_load_page_and_next_unit(struct vt_emitter *e)
{
	e->page = vt_emit_assign_to_new_temp(e, Ity_I64,
					     IRExpr_Get(e->shadow, Ity_I64));
	e->unit = emit_load_u64(
		e, emit_tool_page_field_address(
			   e, offsetof(struct pt_tool_page, next)));
}

/* Emit a store of the unit's address to the cursor of the tool's page. */
static void emit_store_unit_address_to_page_cursor(struct vt_emitter *e)
{
	emit_store(e,
		   emit_tool_page_field_address(
			   e, offsetof(struct pt_tool_page, cursor)),
		   e->unit);
}

void vt_emit_begin_unit_or_yield(struct vt_emitter *e, Addr yield_addr_or_0)
{
	emit_load_page_and_next_unit(e);
	if (yield_addr_or_0 != 0 &&
	    !can_block_skip_chunk_room_check(e->layout, yield_addr_or_0))
		emit_yield_if_chunk_full(e, yield_addr_or_0);
	emit_store_unit_address_to_page_cursor(e);
	emit_store_next_unit_address(e, 0);
	emit_store_unit_header(e, 0, False);
}

/* The code stores 0 where the next unit's header will be, because no unit's
   header is 0. */
void vt_emit_zero_next_header_move_cursor(struct vt_emitter *e)
{
	emit_load_page_and_next_unit(e);
	emit_store(e, e->unit, IRExpr_Const(IRConst_U32(0)));
	emit_store_unit_address_to_page_cursor(e);
}

void vt_emit_count_lost_access(struct vt_emitter *e,
			       const IRExpr *guard_or_null)
{
	IRExpr *field = emit_tool_page_field_address(
		e, offsetof(struct pt_tool_page, skipped));
	IRExpr *one = vt_u64_constant_expr(1);

	if (guard_or_null != NULL)
		one = vt_emit_assign_to_new_temp(
			e, Ity_I64,
			IRExpr_Unop(Iop_1Uto64, deepCopyIRExpr(guard_or_null)));
	emit_store(e, field, emit_add_u64(e, emit_load_u64(e, field), one));
}

void vt_emit_move_cursor_past_unit(struct vt_emitter *e, UInt exit_index,
				   IRExpr *guard_or_null)
{
	IRExpr *end = emit_add_u64(e, e->unit,
				   vt_u64_constant_expr(vt_unit_bytes_at_exit(
					   e->layout, exit_index)));

	emit_store(e, end, IRExpr_Const(IRConst_U32(0)));
	if (guard_or_null != NULL)
		end = vt_emit_assign_to_new_temp(
			e, Ity_I64, IRExpr_ITE(guard_or_null, end, e->unit));
	emit_store(e,
		   emit_tool_page_field_address(
			   e, offsetof(struct pt_tool_page, cursor)),
		   end);
}

void vt_emit_store_unit_slot(struct vt_emitter *e, UInt slot_index,
			     IRExpr *atom)
{
	emit_store(
		e,
		emit_add_u64(e, e->unit,
			     vt_u64_constant_expr(4 + 8 * (ULong)slot_index)),
		atom);
}

void vt_emit_store_access_address(struct vt_emitter *e, UInt slot_index,
				  const struct vt_slot *s)
{
	IRExpr *value = s->value ?: vt_u64_constant_expr(0);

	if (s->guard != NULL)
		value = vt_emit_assign_to_new_temp(
			e, Ity_I64,
			IRExpr_ITE(s->guard, value,
				   vt_u64_constant_expr(PT_NOT_DONE)));
	vt_emit_store_unit_slot(e, slot_index, value);
}

/* VEX moves no statement across an AbiHint, and generates no code for it. */
void vt_emit_vex_order_barrier(struct vt_emitter *e)
{
	vt_emit_append_stmt_as_is(e, IRStmt_AbiHint(vt_u64_constant_expr(0), 0,
						    vt_u64_constant_expr(0)));
}

void vt_emit_store_division_running_flag(struct vt_emitter *e, Bool divides)
{
	IRExpr *page = vt_emit_assign_to_new_temp(
		e, Ity_I64, IRExpr_Get(e->shadow, Ity_I64));

	emit_store(e,
		   emit_add_u64(e, page,
				vt_u64_constant_expr(offsetof(
					struct pt_tool_page, dividing))),
		   vt_u64_constant_expr(divides));
}

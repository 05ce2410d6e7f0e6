/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * instrument.c - instruments blocks so that they write units; see instrument.h
 */

#include "vgtool/instrument/instrument.h"

#include <pub_tool_machine.h>
#include <pub_tool_options.h>

#include "vgtool/core/plan_view.h"
#include "vgtool/core/registers.h"
#include "vgtool/core/valgrind_core.h"
#include "vgtool/instrument/block.h"
#include "vgtool/instrument/block_hook.h"
#include "vgtool/instrument/branch_profile.h"
#include "vgtool/instrument/counters.h"
#include "vgtool/instrument/descriptors.h"
#include "vgtool/instrument/emit.h"
#include "vgtool/instrument/may_fault.h"
#include "vgtool/instrument/values.h"
#include "vgtool/transport/connection.h"
#include "vgtool/transport/ring.h"
#include "vgtool/window/call_return.h"
#include "vgtool/window/filter.h"
#include "vgtool/window/instr_class.h"

/* State while the statements of a block are emitted: positions in the block and
   in its layout, and the program counter. */
struct progress {
	Int statement; /* index of the current statement */
	UInt access;   /* index of the next access */
	UInt exit;     /* index of the next exit */
	Addr pc;       /* address of the current instruction */
	Bool by_pc;    /* faults of accesses are located by the program counter,
			  not by recorded addresses */
	Bool is_exact; /* VEX keeps the guest's program counter exact */
	Bool is_stored;	  /* the guest's program counter equals `pc` */
	Bool has_slots;	  /* some slot of the unit has been stored */
	IRStmt *deferred; /* statement that sets the program counter and is not
			     emitted yet; or NULL */
};

/* Return the state for emitting statements from @first_stmt on.
   @locates_fault_by_access_addr: no program counter is stored before accesses:
   the recorded addresses of accesses show which one faults, or VEX stores the
   exact program counter itself, as with a recording plan. */
static struct progress init_emit_progress(Int first_stmt,
					  Bool locates_fault_by_access_addr)
{
	return (struct progress){
		.statement = first_stmt,
		.by_pc = !locates_fault_by_access_addr,
		.is_exact = vt_registers_is_pc_exact_at_accesses(),
	};
}

/* Emit code that sets the guest's program counter to the current instruction's
   address, unless it has that value already. Drop pos->deferred, a statement of
   VEX that would set it too and is not emitted yet. */
static void emit_put_guest_pc_unless_stored(struct vt_emitter *e,
					    struct progress *pos)
{
	if (!pos->is_stored) {
		vt_emit_vex_order_barrier(e);
		vt_emit_append_stmt_as_is(
			e, IRStmt_Put(e->offset_ip,
				      IRExpr_Const(IRConst_U64(pos->pc))));
	}
	pos->is_stored = True;
	pos->deferred = NULL;
}

/* Whether @st sets the program counter to a constant. */
static Bool sets_pc_to_constant(const struct vt_emitter *e, const IRStmt *st)
{
	return st->tag == Ist_Put && st->Ist.Put.offset == e->offset_ip &&
	       st->Ist.Put.data->tag == Iex_Const;
}

/* Whether @st may read the program counter: it is a GET of it or a call of a
   helper. */
static Bool is_get_of_pc_or_helper_call(const struct vt_emitter *e,
					const IRStmt *st)
{
	const IRExpr *data;

	if (st->tag != Ist_WrTmp)
		return st->tag == Ist_Dirty;
	data = st->Ist.WrTmp.data;
	return data->tag == Iex_Get && data->Iex.Get.offset == e->offset_ip;
}

/* Emit pos->deferred, a statement that sets the program counter and is not
   emitted yet, if there is one. */
static void emit_and_clear_deferred_stmt(struct vt_emitter *e,
					 struct progress *pos)
{
	if (pos->deferred != NULL)
		vt_emit_append_stmt_as_is(e, pos->deferred);
	pos->deferred = NULL;
}

/*
 * Defer @st if it sets the program counter; before a statement that may read
 * the program counter, emit the deferred one. VEX sets the program counter
 * before each exit, which sets it again, so that most of these stores are
 * useless. Accesses that fault need no exact program counter.
 *
 * Return: whether @st is deferred.
 */
static Bool try_defer_pc_store_emit_if_pc_read(struct vt_emitter *e,
					       struct progress *pos, IRStmt *st)
{
	if (is_get_of_pc_or_helper_call(e, st))
		emit_and_clear_deferred_stmt(e, pos);
	if (pos->is_exact || !sets_pc_to_constant(e, st))
		return False;
	pos->deferred = st;
	return True;
}

/*
 * Emit a statement of the program, with the code that fault.c needs if it
 * faults. An access is located by its recorded address, or else by the program
 * counter; a division always by the program counter.
 */
static void emit_stmt_with_fault_support(struct vt_emitter *e,
					 struct progress *pos, IRStmt *st)
{
	Bool divides = vt_stmt_is_integer_division(st);

	if (try_defer_pc_store_emit_if_pc_read(e, pos, st))
		return;
	if (st->tag == Ist_IMark)
		pos->pc = st->Ist.IMark.addr;
	if (st->tag == Ist_IMark || st->tag == Ist_Put || st->tag == Ist_PutI)
		pos->is_stored = False;
	if (divides || (pos->by_pc && vt_stmt_has_memory_access(st)))
		emit_put_guest_pc_unless_stored(e, pos);
	if (divides)
		vt_emit_store_division_running_flag(e, True);
	vt_emit_append_stmt_as_is(e, st);
	if (divides) {
		vt_emit_vex_order_barrier(e);
		vt_emit_store_division_running_flag(e, False);
	}
}

/* Emit the stores of the slots that the accesses of the current statement need
   (stores_slot), and advance pos->access past these accesses. */
static void emit_stores_of_stmt_address_slots(struct vt_emitter *e,
					      struct progress *pos)
{
	const struct vt_block_layout *p = e->layout;

	for (; pos->access < p->n_accesses &&
	       p->slot[pos->access].statement == pos->statement;
	     pos->access++) {
		if (!p->slot[pos->access].stores_slot)
			continue;
		vt_emit_store_access_address(e, p->access[pos->access].slot,
					     &p->slot[pos->access]);
		pos->has_slots = True;
	}
}

/* Whether the block's exit @exit_index leads to code that may write no unit,
   because no window records it completely. */
static Bool may_exit_to_unrecorded_code(const struct vt_emitter *e,
					UInt exit_index)
{
	const struct pt_exit *x = &e->layout->exit[exit_index];

	return vt_recording_plan != NULL &&
	       (x->target == 0 || x->jump != PT_JUMP_BORING ||
		!vt_filter_records_all_instrs_at(x->target) ||
		vt_is_redirected(x->target));
}

/* Whether values are recorded and the current statement makes the access whose
   slot was emitted last, or completes it. */
static Bool is_current_stmt_access_with_values(const struct vt_emitter *e,
					       const struct progress *pos)
{
	const struct vt_block_layout *p = e->layout;

	return p->has_values && pos->access > 0 &&
	       (p->value_statement[pos->access - 1] == pos->statement ||
		p->slot[pos->access - 1].statement == pos->statement);
}

/* Emit the current statement @st of the program, with the stores of its slots
   and values and, after a side exit, of the unit's next header. */
static void emit_stmt_with_recording(struct vt_emitter *e, struct progress *pos,
				     IRStmt *st)
{
	Bool values;

	emit_stores_of_stmt_address_slots(e, pos);
	if (st->tag == Ist_Exit && may_exit_to_unrecorded_code(e, pos->exit))
		vt_emit_move_cursor_past_unit(e, pos->exit, st->Ist.Exit.guard);
	values = is_current_stmt_access_with_values(e, pos);
	if (values)
		vt_value_emit_record_inputs(e, pos->access - 1, st);
	emit_stmt_with_fault_support(e, pos, st);
	if (values)
		vt_value_emit_record_results(e, pos->access - 1, st);
	pos->has_slots |= values;
	if (st->tag == Ist_Exit)
		vt_emit_store_header_and_changed_end(e, ++pos->exit,
						     pos->has_slots);
}

/* Emit the statements from pos->statement to the next IMark, exclusive,
   unchanged, and advance pos->statement to the IMark. */
static void emit_stmts_before_first_instr(struct vt_emitter *e, const IRSB *in,
					  struct progress *pos)
{
	for (; pos->statement < in->stmts_used &&
	       in->stmts[pos->statement]->tag != Ist_IMark;
	     pos->statement++)
		vt_emit_append_stmt_as_is(e, in->stmts[pos->statement]);
}

/* Emit the part of the block that the layout covers, with code that writes its
   unit. Return: False, with nothing emitted, if the part cannot be described to
   the daemon. */
static Bool try_log_descriptor_emit_block_part(struct vt_emitter *e,
					       const IRSB *in, Int first_stmt,
					       Addr chunk_full_yield_addr)
{
	const struct pt_log_block *record =
		vt_descriptor_find_or_log_block(e->layout);
	struct progress pos = init_emit_progress(
		first_stmt,
		vt_recording_plan || vt_connection_field_bits_from_welcome() &
					     PT_FIELD_ADDRESSES);

	if (record == NULL)
		return False;
	e->route = record->route;
	vt_branch_mark_exits_to_count(record);
	emit_stmts_before_first_instr(e, in, &pos);
	vt_emit_begin_unit_or_yield(e, chunk_full_yield_addr);
	if (e->layout->stamp_slot != PT_NO_SLOT) {
		vt_value_emit_store_time_stamp(e);
		pos.has_slots = True;
	}
	if (e->layout->instret_slot != PT_NO_SLOT) {
		vt_emit_store_unit_slot(e, e->layout->instret_slot,
					vt_counters_emit_retired_instrs(e));
		pos.has_slots = True;
	}
	for (; pos.statement < e->layout->next_statement; pos.statement++) {
		vt_counters_emit_subtraction_at_exits(e, in, pos.statement);
		emit_stmt_with_recording(e, &pos, in->stmts[pos.statement]);
	}
	if (e->layout->next_statement < in->stmts_used)
		emit_and_clear_deferred_stmt(e, &pos);
	else if (may_exit_to_unrecorded_code(e, e->layout->n_exits - 1))
		vt_emit_move_cursor_past_unit(e, e->layout->n_exits - 1, NULL);
	return True;
}

/* Emit code that counts the accesses of statement @stmt_index as lost, in the
   tool's page. Call for each statement, in program order. */
static void emit_count_lost_accesses_of_stmt(struct vt_emitter *e,
					     struct progress *pos,
					     Int stmt_index)
{
	const struct vt_block_layout *p = e->layout;

	for (; pos->access < p->n_accesses &&
	       p->slot[pos->access].statement == stmt_index;
	     pos->access++)
		vt_emit_count_lost_access(e, p->slot[pos->access].guard);
}

/* Emit a part of a block that cannot be described to the daemon: without a
   unit. The code counts its accesses as lost when they are executed, and sets
   the program counter that a signal handler receives after a fault. */
static void emit_block_part_counting_lost_accesses(struct vt_emitter *e,
						   const IRSB *in,
						   Int first_stmt)
{
	struct progress pos = init_emit_progress(first_stmt, False);

	emit_stmts_before_first_instr(e, in, &pos);
	vt_emit_zero_next_header_move_cursor(e);
	for (; pos.statement < e->layout->next_statement; pos.statement++) {
		vt_counters_emit_subtraction_at_exits(e, in, pos.statement);
		emit_stmt_with_fault_support(e, &pos, in->stmts[pos.statement]);
		emit_count_lost_accesses_of_stmt(e, &pos, pos.statement);
	}
	if (e->layout->next_statement < in->stmts_used)
		emit_and_clear_deferred_stmt(e, &pos);
}

/* Emit all statements of block @in, which has no instructions, unchanged, after
   code that moves the cursor (the address of the unit being written) past the
   last unit (the record of an executed block). */
static void emit_write_cursor_move_unchanged_stmts(struct vt_emitter *e,
						   const IRSB *in)
{
	Int i;

	vt_emit_zero_next_header_move_cursor(e);
	for (i = 0; i < in->stmts_used; i++)
		vt_emit_append_stmt_as_is(e, in->stmts[i]);
}

/* Emit a part of a block that no window records, unchanged. If counters.h
   counts, its instructions and accesses count, and code sets the program
   counter before divisions. */
static void emit_unrecorded_block_part(struct vt_emitter *e, const IRSB *in,
				       Int first_stmt)
{
	struct progress pos = init_emit_progress(first_stmt, True);
	Int i;

	if (first_stmt > 0)
		vt_emit_zero_next_header_move_cursor(e);
	for (i = first_stmt; i < e->layout->next_statement; i++) {
		vt_counters_emit_subtraction_at_exits(e, in, i);
		if (vt_counters_get_counted_kinds())
			emit_stmt_with_fault_support(e, &pos, in->stmts[i]);
		else
			vt_emit_append_stmt_as_is(e, in->stmts[i]);
	}
}

/* Emit the code at the top of a block that detects events of windows: calls of
   the function at @entry, returns to @entry, and counts that are reached.
   @entry: address that callers use. @yield_addr:
   guest_addr_of_yield_to_scheduler_or_0() of the block. */
static void emit_window_event_checks(struct vt_emitter *e, const IRSB *in,
				     Addr entry, Addr yield_addr)
{
	if (yield_addr != 0)
		vt_callstack_emit_call_and_return_checks(e, entry, yield_addr);
	if (vt_counters_get_counted_kinds())
		vt_counters_emit_block_start(e, in, yield_addr);
}

/* Return the address at which the block may yield to the scheduler; 0 for a
   wrapped function that its wrapper calls, because the scheduler would run the
   wrapper again. */
static Addr guest_addr_of_yield_to_scheduler_or_0(const VgCallbackClosure *to)
{
	if (to->readdr == to->nraddr && vt_is_redirected(to->nraddr))
		return 0;
	return to->nraddr;
}

/* Emit the parts of block @in that have instructions: with a unit each, or
   without if no window records a part or it cannot be described. @yield_addr:
   address at which the first part may yield to the scheduler; 0: it may not.
   Return: the index of the first statement that is not emitted. */
static Int emit_block_parts_until_end_statement(struct vt_emitter *e,
						const IRSB *in, Addr yield_addr)
{
	Int from = 0;

	while (from < in->stmts_used) {
		e->layout = vt_block_make_part_layout(
			in, from, vt_connection_field_bits_from_welcome(),
			False);
		if (e->layout == NULL)
			break;
		if (e->layout->recorded_lanes == 0)
			emit_unrecorded_block_part(e, in, from);
		else if (!try_log_descriptor_emit_block_part(
				 e, in, from, from == 0 ? yield_addr : 0))
			emit_block_part_counting_lost_accesses(e, in, from);
		from = e->layout->next_statement;
	}
	return from;
}

/* Emit the code at the end of a block that detects the end of calls, counts the
   instructions and accesses since the last side exit, and marks that a wrapper
   calls the function that it wraps. @offset_sp: offset of the stack pointer in
   the guest's state [bytes]. */
static void emit_block_end_checks(struct vt_emitter *e, const IRSB *in,
				  Int offset_sp)
{
	if (vt_recording_plan != NULL) {
		vt_counters_emit_subtraction_at_exits(e, in, in->stmts_used);
		vt_callstack_emit_check_if_sp_jumps(e, in, offset_sp);
	}
	vt_block_hook_emit_sp_jump_check(e, in, offset_sp);
	if (in->jumpkind == Ijk_NoRedir)
		vt_emit_append_stmt_as_is(
			e, IRStmt_Put(e->shadow - VT_SHADOW_PAGE +
					      VT_SHADOW_IN_WRAPPER,
				      IRExpr_Const(IRConst_U64(1))));
}

IRSB *vt_instrument(VgCallbackClosure *closure, IRSB *in,
		    const VexGuestLayout *layout,
		    const VexGuestExtents *extents, const VexArchInfo *host,
		    IRType guest_word, IRType host_word)
{
	struct vt_emitter e = {
		.offset_ip = layout->offset_IP,
		.shadow = layout->total_sizeB + VT_SHADOW_PAGE,
	};
	Addr yield_addr = guest_addr_of_yield_to_scheduler_or_0(closure);
	Bool has_helper;

	if (guest_word != host_word)
		VG_(tool_panic)("guest and host differ in word size");
	if (!vt_ring_was_ever_attached())
		return in;
	e.out = deepCopyIRSBExceptStmts(in);
	if (vt_recording_plan != NULL) {
		vt_instr_class_request_from_daemon(
			in, vt_filter_is_pc_in_active_lane);
		emit_window_event_checks(&e, in, closure->nraddr, yield_addr);
	}
	has_helper = vt_block_hook_try_emit_helper_and_yield(
		&e, closure->nraddr, yield_addr);
	if (has_helper)
		yield_addr = 0; /* a yield later in the block would repeat the
				   helper's call */
	if (emit_block_parts_until_end_statement(&e, in, yield_addr) <
	    in->stmts_used)
		emit_write_cursor_move_unchanged_stmts(&e, in);
	emit_block_end_checks(&e, in, layout->offset_SP);
	return e.out;
}

void vt_instrument_set_tool_page(ThreadId tid, struct pt_tool_page *page)
{
	Addr now, page_addr = (Addr)page;

	VG_(get_shadow_regs_area)
	(tid, (UChar *)&now, 1, VT_SHADOW_PAGE, sizeof(now));
	if (now != page_addr)
		VG_(set_shadow_regs_area)
	(tid, 1, VT_SHADOW_PAGE, sizeof(page_addr), (const UChar *)&page_addr);
}

Bool vt_instrument_test_clear_in_wrapper(ThreadId tid)
{
	ULong in_wrapper, no = 0;

	VG_(get_shadow_regs_area)
	(tid, (UChar *)&in_wrapper, 1, VT_SHADOW_IN_WRAPPER,
	 sizeof(in_wrapper));
	if (in_wrapper != 0)
		VG_(set_shadow_regs_area)
	(tid, 1, VT_SHADOW_IN_WRAPPER, sizeof(no), (const UChar *)&no);
	return in_wrapper != 0;
}

/*
 * If Valgrind's event counter is 0, the scheduler ends the thread's time slice
 * at the next block, checks for signals and lets other threads run. The call of
 * a wrapped function by its wrapper must run at once, because the scheduler
 * forgets that the call must not be redirected. So one block runs then; the
 * chunk's reserve has room for its unit.
 */
void vt_instrument_end_time_slice(ThreadId tid, Bool after_one_block)
{
	UInt blocks = after_one_block ? 1 : 0;

	VG_(set_shadow_regs_area)
	(tid, 0, offsetof(VexGuestAMD64State, host_EvC_COUNTER), sizeof(blocks),
	 (const UChar *)&blocks);
}

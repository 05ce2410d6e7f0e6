/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * instrument.c - the code that makes a block write its unit
 */

#include "vgtool/instrument/instrument.h"

#include <pub_tool_machine.h>
#include <pub_tool_options.h>

#include "vgtool/core/plan_view.h"
#include "vgtool/core/registers.h"
#include "vgtool/core/valgrind_core.h"
#include "vgtool/instrument/block.h"
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

/* Statements and plan are walked side by side. */
struct progress {
	Int statement;
	UInt access;
	UInt exit;
	Addr pc;
	Bool by_pc;	 /* the program counter tells which access faulted */
	Bool exact;	 /* VEX keeps it exact */
	Bool stored;	 /* the guest's is pc */
	Bool slots;	 /* there are some */
	IRStmt *put_off; /* that sets the program counter; or NULL */
};

static struct progress start(Int from, Bool addresses)
{
	return (struct progress){
		.statement = from,
		.by_pc = !addresses,
		.exact = vt_registers_have_pc(),
	};
}

/* Makes the guest's program counter exact, which it is not by itself. */
static void emit_pc(struct vt_emitter *e, struct progress *at)
{
	if (!at->stored) {
		vt_emit_barrier(e);
		vt_emit(e, IRStmt_Put(e->offset_ip,
				      IRExpr_Const(IRConst_U64(at->pc))));
	}
	at->stored = True;
	at->put_off = NULL;
}

static Bool sets_pc(const struct vt_emitter *e, const IRStmt *st)
{
	return st->tag == Ist_Put && st->Ist.Put.offset == e->offset_ip &&
	       st->Ist.Put.data->tag == Iex_Const;
}

static Bool may_see_pc(const struct vt_emitter *e, const IRStmt *st)
{
	const IRExpr *data;

	if (st->tag != Ist_WrTmp)
		return st->tag == Ist_Dirty;
	data = st->Ist.WrTmp.data;
	return data->tag == Iex_Get && data->Iex.Get.offset == e->offset_ip;
}

/* What was put off, if anything. */
static void emit_put_off(struct vt_emitter *e, struct progress *at)
{
	if (at->put_off != NULL)
		vt_emit(e, at->put_off);
	at->put_off = NULL;
}

/*
 * VEX sets the program counter before each exit, which sets it again. It is put
 * off until somebody may see it; an access that faults does not look at it.
 *
 * Return: whether @st is put off.
 */
static Bool put_off(struct vt_emitter *e, struct progress *at, IRStmt *st)
{
	if (may_see_pc(e, st))
		emit_put_off(e, at);
	if (at->exact || !sets_pc(e, st))
		return False;
	at->put_off = st;
	return True;
}

/*
 * Emits a statement of the program, and what fault.c needs should it fault.
 * Addresses tell which access did; without them the program counter must, and
 * so it must of a division.
 */
static void emit_own(struct vt_emitter *e, struct progress *at, IRStmt *st)
{
	Bool divides = vt_risk_divides(st);

	if (put_off(e, at, st))
		return;
	if (st->tag == Ist_IMark)
		at->pc = st->Ist.IMark.addr;
	if (st->tag == Ist_IMark || st->tag == Ist_Put || st->tag == Ist_PutI)
		at->stored = False;
	if (divides || (at->by_pc && vt_risk_accesses(st)))
		emit_pc(e, at);
	if (divides)
		vt_emit_dividing(e, True);
	vt_emit(e, st);
	if (divides) {
		vt_emit_barrier(e);
		vt_emit_dividing(e, False);
	}
}

/* Emits the slots of the accesses that the current statement makes. */
static void emit_slots(struct vt_emitter *e, struct progress *at)
{
	const struct vt_plan *p = e->plan;

	for (; at->access < p->n_accesses &&
	       p->slot[at->access].statement == at->statement;
	     at->access++) {
		if (!p->slot[at->access].store)
			continue;
		vt_emit_slot(e, p->access[at->access].slot,
			     &p->slot[at->access]);
		at->slots = True;
	}
}

/* Whether an exit of the plan's leads where there may be no units. */
static Bool leads_out(const struct vt_emitter *e, UInt exit)
{
	const struct pt_exit *x = &e->plan->exit[exit];

	return vt_given != NULL &&
	       (x->target == 0 || x->jump != PT_JUMP_BORING ||
		!vt_scope_has(x->target) || vt_is_redirected(x->target));
}

/* Whether the current statement makes the last access whose slot was emitted,
   or a part of it, and its values are told. */
static Bool has_values(const struct vt_emitter *e, const struct progress *at)
{
	const struct vt_plan *p = e->plan;

	return p->has_values && at->access > 0 &&
	       (p->value_at[at->access - 1] == at->statement ||
		p->slot[at->access - 1].statement == at->statement);
}

static void emit_statement(struct vt_emitter *e, struct progress *at,
			   IRStmt *st)
{
	Bool values;

	emit_slots(e, at);
	if (st->tag == Ist_Exit && leads_out(e, at->exit))
		vt_emit_leave(e, at->exit, st->Ist.Exit.guard);
	values = has_values(e, at);
	if (values)
		vt_value_before(e, at->access - 1, st);
	emit_own(e, at, st);
	if (values)
		vt_value_after(e, at->access - 1, st);
	at->slots |= values;
	if (st->tag == Ist_Exit)
		vt_emit_passed(e, ++at->exit, at->slots);
}

/* What comes before the first instruction. */
static void emit_preamble(struct vt_emitter *e, const IRSB *in,
			  struct progress *at)
{
	for (; at->statement < in->stmts_used &&
	       in->stmts[at->statement]->tag != Ist_IMark;
	     at->statement++)
		vt_emit(e, in->stmts[at->statement]);
}

/* Instruments the statements of the plan. False when it cannot be described
   to the daemon; then nothing is emitted. */
static Bool emit_part(struct vt_emitter *e, const IRSB *in, Int from, Addr here)
{
	const struct pt_log_block *record = vt_log_block(e->plan);
	struct progress at = start(
		from, vt_given || vt_control_fields() & PT_FIELD_ADDRESSES);

	if (record == NULL)
		return False;
	e->route = record->route;
	vt_bias_note(record);
	emit_preamble(e, in, &at);
	vt_emit_top(e, here);
	if (e->plan->stamp != PT_NO_SLOT) {
		vt_value_stamp(e);
		at.slots = True;
	}
	if (e->plan->far != PT_NO_SLOT) {
		vt_emit_slot_value(e, e->plan->far, vt_meter_far(e));
		at.slots = True;
	}
	for (; at.statement < e->plan->next; at.statement++) {
		vt_meter_statement(e, in, at.statement);
		emit_statement(e, &at, in->stmts[at.statement]);
	}
	if (e->plan->next < in->stmts_used)
		emit_put_off(e, &at);
	else if (leads_out(e, e->plan->n_exits - 1))
		vt_emit_leave(e, e->plan->n_exits - 1, NULL);
	return True;
}

/* Emit code that counts the accesses of statement @i as lost. */
static void emit_lost(struct vt_emitter *e, struct progress *at, Int i)
{
	const struct vt_plan *p = e->plan;

	for (; at->access < p->n_accesses && p->slot[at->access].statement == i;
	     at->access++)
		vt_emit_lost(e, p->slot[at->access].guard);
}

/* Emit a part of a block that cannot be described, without a unit. Its accesses
   count as lost when they are executed, and a handler of the program finds
   where a fault was. */
static void emit_unrecorded(struct vt_emitter *e, const IRSB *in, Int from)
{
	struct progress at = start(from, False);

	emit_preamble(e, in, &at);
	vt_emit_no_unit(e);
	for (; at.statement < e->plan->next; at.statement++) {
		vt_meter_statement(e, in, at.statement);
		emit_own(e, &at, in->stmts[at.statement]);
		emit_lost(e, &at, at.statement);
	}
	if (e->plan->next < in->stmts_used)
		emit_put_off(e, &at);
}

/* Emit a block without instructions. */
static void emit_empty(struct vt_emitter *e, const IRSB *in)
{
	Int i;

	vt_emit_no_unit(e);
	for (i = 0; i < in->stmts_used; i++)
		vt_emit(e, in->stmts[i]);
}

/* Of a part that no window wants: as without a tool. But what is counted must
   be found when it faults. */
static void emit_unwanted(struct vt_emitter *e, const IRSB *in, Int from)
{
	struct progress at = start(from, True);
	Int i;

	if (from > 0)
		vt_emit_no_unit(e);
	for (i = from; i < e->plan->next; i++) {
		vt_meter_statement(e, in, i);
		if (vt_meter_wanted())
			emit_own(e, &at, in->stmts[i]);
		else
			vt_emit(e, in->stmts[i]);
	}
}

/* What windows wait for. @here: 0, as below. A function is called where its
   callers find it. */
static void emit_looks(struct vt_emitter *e, const IRSB *in, Addr at, Addr here)
{
	if (here != 0)
		vt_trigger_top(e, at, here);
	if (vt_meter_wanted())
		vt_meter_top(e, in, here);
}

/* 0 in front of what a wrapper wraps: there the wrapper would run again. */
static Addr yield_address(const VgCallbackClosure *to)
{
	if (to->readdr == to->nraddr && vt_is_redirected(to->nraddr))
		return 0;
	return to->nraddr;
}

IRSB *vt_instrument(VgCallbackClosure *closure, IRSB *in,
		    const VexGuestLayout *layout,
		    const VexGuestExtents *extents, const VexArchInfo *host,
		    IRType guest_word, IRType host_word)
{
	struct vt_emitter e = {
		.offset_ip = layout->offset_IP,
		.shadow = layout->total_sizeB + VT_REGISTER,
	};
	Addr here = yield_address(closure);
	Int from = 0;

	if (guest_word != host_word)
		VG_(tool_panic)("guest and host differ in word size");
	if (!vt_ring_was_attached())
		return in;
	e.out = deepCopyIRSBExceptStmts(in);
	if (vt_given != NULL) {
		vt_decode_block(in, vt_scope_may);
		emit_looks(&e, in, closure->nraddr, here);
	}
	while (from < in->stmts_used) {
		e.plan = vt_block_plan(in, from, vt_control_fields(), False);
		if (e.plan == NULL)
			break;
		if (e.plan->wanted == 0)
			emit_unwanted(&e, in, from);
		else if (!emit_part(&e, in, from, from == 0 ? here : 0))
			emit_unrecorded(&e, in, from);
		from = e.plan->next;
	}
	if (from < in->stmts_used)
		emit_empty(&e, in);
	if (vt_given != NULL) {
		vt_meter_statement(&e, in, in->stmts_used);
		vt_trigger_end_of(&e, in, layout->offset_SP);
	}
	if (in->jumpkind == Ijk_NoRedir)
		vt_emit(&e, IRStmt_Put(e.shadow - VT_REGISTER + VT_BEHIND,
				       IRExpr_Const(IRConst_U64(1))));
	return e.out;
}

void vt_instrument_aim(ThreadId tid, struct pt_tool_page *page)
{
	Addr now, wanted = (Addr)page;

	VG_(get_shadow_regs_area)
	(tid, (UChar *)&now, 1, VT_REGISTER, sizeof(now));
	if (now != wanted)
		VG_(set_shadow_regs_area)
	(tid, 1, VT_REGISTER, sizeof(wanted), (const UChar *)&wanted);
}

Bool vt_instrument_goes_behind(ThreadId tid)
{
	ULong behind, no = 0;

	VG_(get_shadow_regs_area)
	(tid, (UChar *)&behind, 1, VT_BEHIND, sizeof(behind));
	if (behind != 0)
		VG_(set_shadow_regs_area)
	(tid, 1, VT_BEHIND, sizeof(no), (const UChar *)&no);
	return behind != 0;
}

/*
 * An event counter of zero makes the scheduler end the thread's time slice at
 * the next block, look for signals and let other threads run. A wrapper's call
 * of what it wraps has to run now, for the scheduler forgets that it must not
 * be redirected: one block, for which the chunk's reserve has room.
 */
void vt_instrument_end_slice(ThreadId tid, Bool behind)
{
	UInt blocks = behind ? 1 : 0;

	VG_(set_shadow_regs_area)
	(tid, 0, offsetof(VexGuestAMD64State, host_EvC_COUNTER), sizeof(blocks),
	 (const UChar *)&blocks);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vt_instrument.c - the code that makes a block write its unit
 *
 * Room:    vgtool.
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

#include "vgtool/vt_instrument.h"

#include <libvex_guest_amd64.h>
#include <pub_tool_machine.h>
#include <pub_tool_options.h>
#include <stddef.h>

#include "vgtool/vt_block.h"
#include "vgtool/vt_control.h"
#include "vgtool/vt_log.h"
#include "vgtool/vt_ring.h"
#include "vgtool/vt_risk.h"

/* Of the block being instrumented. */
struct emitter {
	IRSB *out;
	Bool addresses; /* are recorded */
	Bool exact;	/* VEX keeps the program counter exact */
	const struct vt_plan *plan;
	UInt route;   /* of the plan's first exit */
	IRExpr *page; /* address of the tool's */
	IRExpr *unit; /* address */
	Int offset_ip;
	Int shadow; /* offset of the pointer to the ring */
};

/*
 * The pointer to the ring lives in the first shadow of a guest register. No
 * code but ours uses shadows in this tool; which register is all the same.
 */
enum { REGISTER = offsetof(VexGuestAMD64State, guest_RAX) };

enum { WINDOW = 512 /* [bytes] */, FEW_SLOTS = 3 };

_Static_assert(WINDOW *(4 + 8 * FEW_SLOTS) < VT_RESERVE / 2,
	       "blocks of a window, each once, have room behind the limit");

static IRExpr *u64(ULong value)
{
	return IRExpr_Const(IRConst_U64(value));
}

static void emit(struct emitter *e, IRStmt *st)
{
	addStmtToIRSB(e->out, st);
}

static IRExpr *assign(struct emitter *e, IRType type, IRExpr *value)
{
	IRTemp t = newIRTemp(e->out->tyenv, type);

	emit(e, IRStmt_WrTmp(t, value));
	return IRExpr_RdTmp(t);
}

static IRExpr *plus(struct emitter *e, IRExpr *a, IRExpr *b)
{
	return assign(e, Ity_I64, IRExpr_Binop(Iop_Add64, a, b));
}

static IRExpr *load(struct emitter *e, IRExpr *addr)
{
	return assign(e, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, addr));
}

static void store(struct emitter *e, IRExpr *addr, IRExpr *value)
{
	emit(e, IRStmt_Store(Iend_LE, addr, value));
}

static IRExpr *on_page(struct emitter *e, ULong offset)
{
	return plus(e, e->page, u64(offset));
}

/* Where the next unit begins, should the block be left by @exit. */
static void emit_next(struct emitter *e, UInt exit)
{
	store(e, on_page(e, offsetof(struct pt_tool_page, next)),
	      plus(e, e->unit, u64(vt_exit_bytes(e->plan, exit))));
}

/* The unit's header, should the block be left by @exit. */
static UInt header_of(const struct emitter *e, UInt exit)
{
	return pt_block_header(e->route + exit, vt_exit_bytes(e->plan, exit));
}

/* While no slot follows it 8 bytes are stored, the last 4 of them anything, for
   that is one instruction of the host, and 4 bytes are two. */
static void emit_header(struct emitter *e, UInt exit, Bool slots)
{
	UInt header = header_of(e, exit);

	store(e, e->unit,
	      slots ? IRExpr_Const(IRConst_U32(header))
		    : u64((ULong)(Long)(Int)header));
}

/* Asked this way round, the host compares with the limit in memory. */
static void emit_yield(struct emitter *e, Addr here)
{
	IRExpr *limit =
		load(e, on_page(e, offsetof(struct pt_tool_page, limit)));
	IRExpr *room =
		assign(e, Ity_I1, IRExpr_Binop(Iop_CmpLE64U, e->unit, limit));
	IRExpr *full = assign(e, Ity_I1, IRExpr_Unop(Iop_Not1, room));

	emit(e, IRStmt_Exit(full, Ijk_Yield, IRConst_U64(here), e->offset_ip));
}

/* A side exit was passed; @exit is the next one. */
static void emit_passed(struct emitter *e, UInt exit, Bool slots)
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

/* @here: the block's address; 0 for its later parts, where it cannot be left
   and the chunk's reserve has room. */
static void emit_top(struct emitter *e, Addr here)
{
	e->page = assign(e, Ity_I64, IRExpr_Get(e->shadow, Ity_I64));
	e->unit = load(e, on_page(e, offsetof(struct pt_tool_page, next)));
	if (here != 0 && !leads_ahead(e->plan, here))
		emit_yield(e, here);
	store(e, on_page(e, offsetof(struct pt_tool_page, cursor)), e->unit);
	emit_next(e, 0);
	emit_header(e, 0, False);
}

static void emit_slot(struct emitter *e, UInt slot, const struct vt_slot *how)
{
	IRExpr *value = how->value ?: u64(0);

	if (how->guard != NULL)
		value = assign(e, Ity_I64,
			       IRExpr_ITE(how->guard, value, u64(PT_NOT_DONE)));
	store(e, plus(e, e->unit, u64(4 + 8 * (ULong)slot)), value);
}

/* Statements and plan are walked side by side. */
struct progress {
	Int statement;
	UInt access;
	UInt exit;
	Addr pc;
	Bool stored;	 /* the guest's program counter is pc */
	Bool slots;	 /* there are some */
	IRStmt *put_off; /* that sets the program counter; or NULL */
};

/* Makes the guest's program counter exact, which it is not by itself. */
static void emit_pc(struct emitter *e, struct progress *at)
{
	if (!at->stored)
		emit(e, IRStmt_Put(e->offset_ip, u64(at->pc)));
	at->stored = True;
	at->put_off = NULL;
}

static Bool sets_pc(const struct emitter *e, const IRStmt *st)
{
	return st->tag == Ist_Put && st->Ist.Put.offset == e->offset_ip &&
	       st->Ist.Put.data->tag == Iex_Const;
}

static Bool may_see_pc(const struct emitter *e, const IRStmt *st)
{
	const IRExpr *data;

	if (st->tag != Ist_WrTmp)
		return st->tag == Ist_Dirty;
	data = st->Ist.WrTmp.data;
	return data->tag == Iex_Get && data->Iex.Get.offset == e->offset_ip;
}

/* What was put off, if anything. */
static void emit_put_off(struct emitter *e, struct progress *at)
{
	if (at->put_off != NULL)
		emit(e, at->put_off);
	at->put_off = NULL;
}

/*
 * VEX sets the program counter before each exit, which sets it again. It is put
 * off until somebody may see it; an access that faults does not look at it.
 *
 * Return: whether @st is put off.
 */
static Bool put_off(struct emitter *e, struct progress *at, IRStmt *st)
{
	if (may_see_pc(e, st))
		emit_put_off(e, at);
	if (e->exact || !sets_pc(e, st))
		return False;
	at->put_off = st;
	return True;
}

static void emit_dividing(struct emitter *e, ULong value)
{
	IRExpr *page = assign(e, Ity_I64, IRExpr_Get(e->shadow, Ity_I64));

	store(e, plus(e, page, u64(offsetof(struct pt_tool_page, dividing))),
	      u64(value));
}

/*
 * Emits a statement of the program, and what vt_fault.c needs should it fault.
 * Addresses tell which access did; without them the program counter must, and
 * so it must of a division.
 */
static void emit_own(struct emitter *e, struct progress *at, IRStmt *st)
{
	Bool divides = vt_risk_divides(st);

	if (put_off(e, at, st))
		return;
	if (st->tag == Ist_IMark)
		at->pc = st->Ist.IMark.addr;
	if (st->tag == Ist_IMark || st->tag == Ist_Put || st->tag == Ist_PutI)
		at->stored = False;
	if (divides || (!e->addresses && vt_risk_accesses(st)))
		emit_pc(e, at);
	if (divides)
		emit_dividing(e, 1);
	emit(e, st);
	if (divides)
		emit_dividing(e, 0);
}

/* Emits the slots of the accesses that the current statement makes. */
static void emit_slots(struct emitter *e, struct progress *at)
{
	const struct vt_plan *p = e->plan;

	for (; at->access < p->n_accesses &&
	       p->slot[at->access].statement == at->statement;
	     at->access++) {
		if (!p->slot[at->access].store)
			continue;
		emit_slot(e, p->access[at->access].slot, &p->slot[at->access]);
		at->slots = True;
	}
}

static void emit_statement(struct emitter *e, struct progress *at, IRStmt *st)
{
	emit_slots(e, at);
	emit_own(e, at, st);
	if (st->tag == Ist_Exit)
		emit_passed(e, ++at->exit, at->slots);
}

/* Instruments the statements of the plan. False when it cannot be described
   to the daemon; then nothing is emitted. */
static Bool emit_part(struct emitter *e, const IRSB *in, Int from, Addr here)
{
	const struct pt_log_block *record = vt_log_block(e->plan);
	struct progress at = {.statement = from};

	if (record == NULL)
		return False;
	e->route = record->route;
	for (; in->stmts[at.statement]->tag != Ist_IMark; at.statement++)
		emit(e, in->stmts[at.statement]);
	emit_top(e, here);
	for (; at.statement < e->plan->next; at.statement++)
		emit_statement(e, &at, in->stmts[at.statement]);
	if (e->plan->next < in->stmts_used)
		emit_put_off(e, &at);
	return True;
}

IRSB *vt_instrument(VgCallbackClosure *closure, IRSB *in,
		    const VexGuestLayout *layout,
		    const VexGuestExtents *extents, const VexArchInfo *host,
		    IRType guest_word, IRType host_word)
{
	struct emitter e = {
		.offset_ip = layout->offset_IP,
		.shadow = layout->total_sizeB + REGISTER,
		.addresses = vt_control_fields() & PT_FIELD_ADDRESSES,
		.exact = VG_(clo_vex_control).iropt_register_updates_default !=
			 VexRegUpdSpAtMemAccess,
	};
	Int from = 0;

	if (guest_word != host_word)
		VG_(tool_panic)("guest and host differ in word size");
	if (!vt_ring_was_attached())
		return in;
	e.out = deepCopyIRSBExceptStmts(in);
	while (from < in->stmts_used) {
		e.plan = vt_block_plan(in, from, vt_control_fields());
		if (e.plan == NULL ||
		    !emit_part(&e, in, from, from == 0 ? closure->nraddr : 0))
			break;
		vt_ring_count_skipped(e.plan->skipped);
		from = e.plan->next;
	}
	if (from < in->stmts_used && e.plan != NULL)
		vt_ring_count_skipped(e.plan->n_accesses);
	for (; from < in->stmts_used; from++)
		emit(&e, in->stmts[from]);
	return e.out;
}

void vt_instrument_aim(ThreadId tid, struct pt_tool_page *page)
{
	Addr now, wanted = (Addr)page;

	VG_(get_shadow_regs_area)(tid, (UChar *)&now, 1, REGISTER, sizeof(now));
	if (now != wanted)
		VG_(set_shadow_regs_area)
	(tid, 1, REGISTER, sizeof(wanted), (const UChar *)&wanted);
}

/* An event counter of zero makes the scheduler end the thread's time slice at
   the next block, look for signals and let other threads run. */
void vt_instrument_end_slice(ThreadId tid)
{
	UInt zero = 0;

	VG_(set_shadow_regs_area)
	(tid, 0, offsetof(VexGuestAMD64State, host_EvC_COUNTER), sizeof(zero),
	 (const UChar *)&zero);
}

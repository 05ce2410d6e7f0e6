/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vt_meter.c - counting down instructions and accesses; see vt_meter.h */

#include "vgtool/vt_meter.h"

#include <pub_tool_machine.h>

#include "vgtool/vt_block.h"

/* More than a block can hold of anything. */
enum { NEAR = 2 * PT_MAX_ACCESSES };

static UInt wanted;
static ULong (*total)[VT_METERED]; /* by thread's number; 0: of all */
static UInt n_total;
static ULong given[VT_METERED]; /* left at the last start */
static UInt running;		/* number of the thread that was started */
static Bool near_end;
static Bool stuck;

/* Of the block being made: its accesses, by the statements that make them. */
static struct {
	Int statement;
	UInt reads, writes;
	IRExpr *guard; /* or NULL */
} made[VT_MAX_ACCESSES];
static UInt n_made, next_made;
static UInt passed[VT_METERED]; /* since the last time they were taken off */
static IRExpr *guards[VT_MAX_ACCESSES];
static UInt guarded[VT_MAX_ACCESSES]; /* reads | writes << 1 */
static UInt n_guards;

void vt_meter_want(UInt kinds)
{
	wanted = kinds;
}

UInt vt_meter_wanted(void)
{
	return wanted;
}

static void make_room(UInt thread)
{
	UInt n = thread + 16;

	if (thread < n_total)
		return;
	total = VG_(realloc)("vt.meter", total, n * sizeof(*total));
	VG_(memset)(total + n_total, 0, (n - n_total) * sizeof(*total));
	n_total = n;
}

ULong vt_meter_total(enum vt_metered what, UInt thread)
{
	make_room(thread);
	return total[thread][what];
}

UInt vt_meter_threads(void)
{
	return n_total;
}

void vt_meter_start(ThreadId tid, UInt thread, const ULong *left)
{
	UInt k;

	make_room(thread);
	running = thread;
	near_end = False;
	for (k = 0; k < VT_METERED; k++) {
		given[k] = left[k];
		near_end |= (wanted >> k & 1) && left[k] < NEAR;
	}
	if (wanted)
		VG_(set_shadow_regs_area)
	(tid, 1, VT_METER, sizeof(given), (const UChar *)given);
}

void vt_meter_stop(ThreadId tid)
{
	ULong now[VT_METERED];
	UInt k;

	if (!wanted || running == 0)
		return;
	VG_(get_shadow_regs_area)
	(tid, (UChar *)now, 1, VT_METER, sizeof(now));
	stuck = True;
	for (k = 0; k < VT_METERED; k++) {
		stuck &= given[k] == now[k];
		total[0][k] += given[k] - now[k];
		total[running][k] += given[k] - now[k];
	}
	running = 0;
}

Bool vt_meter_is_near(void)
{
	return near_end;
}

Bool vt_meter_is_stuck(void)
{
	return stuck;
}

static void note_accesses(const struct vt_plan *p)
{
	UInt i;

	for (i = 0; i < p->n_accesses && n_made < VT_MAX_ACCESSES; i++) {
		made[n_made].statement = p->slot[i].statement;
		made[n_made].reads = p->access[i].kind != PT_STORE;
		made[n_made].writes = p->access[i].kind != PT_LOAD;
		made[n_made++].guard = p->slot[i].guard;
	}
}

/* What must be left lest the end is met inside the block. Of several
   instructions those that follow the last access count nothing. */
static void sum(const IRSB *in, UInt *most)
{
	UInt i;
	Int s;

	VG_(memset)(most, 0, VT_METERED * sizeof(*most));
	for (s = 0; s < in->stmts_used; s++)
		most[VT_INSTRUCTIONS] += in->stmts[s]->tag == Ist_IMark;
	for (i = 0; i < n_made; i++) {
		most[VT_READS] += made[i].reads;
		most[VT_WRITES] += made[i].writes;
	}
	most[VT_ACCESSES] = most[VT_READS] + most[VT_WRITES];
	for (i = VT_ACCESSES; i < VT_METERED; i++)
		most[i] = most[VT_INSTRUCTIONS] == 1 ? 1 : most[i] + 1;
}

static IRExpr *assign(struct vt_emitter *e, IRType type, IRExpr *value)
{
	IRTemp t = newIRTemp(e->out->tyenv, type);

	vt_emit(e, IRStmt_WrTmp(t, value));
	return IRExpr_RdTmp(t);
}

static Int place_of(const struct vt_emitter *e, UInt k)
{
	return e->shadow - VT_REGISTER + VT_METER + 8 * k;
}

static IRExpr *u64(ULong value)
{
	return IRExpr_Const(IRConst_U64(value));
}

/* An instruction's own accesses are not torn apart: with one of it left, it
   may do all. */
static void emit_look(struct vt_emitter *e, UInt k, UInt most, Addr here)
{
	IRExpr *left = assign(e, Ity_I64, IRExpr_Get(place_of(e, k), Ity_I64));
	IRExpr *less =
		assign(e, Ity_I1, IRExpr_Binop(Iop_CmpLT64S, left, u64(most)));

	vt_emit(e,
		IRStmt_Exit(less, Ijk_Yield, IRConst_U64(here), e->offset_ip));
}

void vt_meter_top(struct vt_emitter *e, const IRSB *in, Addr here)
{
	const struct vt_plan *p;
	UInt most[VT_METERED], k;
	Int from = 0;

	n_made = next_made = n_guards = 0;
	VG_(memset)(passed, 0, sizeof(passed));
	for (; from < in->stmts_used; from = p->next) {
		p = vt_block_plan(in, from, PT_FIELD_ACCESSES, True);
		if (p == NULL)
			break;
		note_accesses(p);
	}
	sum(in, most);
	for (k = 0; here != 0 && k < VT_METERED; k++)
		if (wanted >> k & 1)
			emit_look(e, k, most[k], here);
}

static void pass(UInt i)
{
	if (made[i].guard != NULL) {
		guards[n_guards] = made[i].guard;
		guarded[n_guards++] = made[i].reads | made[i].writes << 1;
		return;
	}
	passed[VT_READS] += made[i].reads;
	passed[VT_WRITES] += made[i].writes;
	passed[VT_ACCESSES] += made[i].reads + made[i].writes;
}

/* How often a guarded access counts for a kind. */
static UInt weight(UInt what, UInt k)
{
	switch (k) {
	case VT_ACCESSES:
		return (what & 1) + (what >> 1);
	case VT_READS:
		return what & 1;
	case VT_WRITES:
		return what >> 1;
	default:
		return 0;
	}
}

static void take_off(struct vt_emitter *e, UInt k)
{
	IRExpr *left = assign(e, Ity_I64, IRExpr_Get(place_of(e, k), Ity_I64));
	UInt i;

	if (passed[k])
		left = assign(e, Ity_I64,
			      IRExpr_Binop(Iop_Sub64, left, u64(passed[k])));
	for (i = 0; i < n_guards; i++) {
		IRExpr *done =
			assign(e, Ity_I64,
			       IRExpr_ITE(guards[i], u64(weight(guarded[i], k)),
					  u64(0)));

		left = assign(e, Ity_I64, IRExpr_Binop(Iop_Sub64, left, done));
	}
	vt_emit(e, IRStmt_Put(place_of(e, k), left));
}

void vt_meter_statement(struct vt_emitter *e, const IRSB *in, Int i)
{
	UInt k;

	if (!wanted)
		return;
	if (i == in->stmts_used || in->stmts[i]->tag == Ist_Exit) {
		for (k = 0; k < VT_METERED; k++)
			if ((wanted >> k & 1) && (passed[k] || n_guards))
				take_off(e, k);
		VG_(memset)(passed, 0, sizeof(passed));
		n_guards = 0;
	} else if (in->stmts[i]->tag == Ist_IMark) {
		passed[VT_INSTRUCTIONS]++;
	}
	for (; next_made < n_made && made[next_made].statement == i;
	     next_made++)
		pass(next_made);
}

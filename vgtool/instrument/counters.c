/* SPDX-License-Identifier: GPL-2.0-or-later */
/* counters.c - counting down instructions and accesses; see counters.h */

#include "vgtool/instrument/counters.h"

#include <pub_tool_machine.h>

#include "proto/window.h"
#include "vgtool/instrument/block.h"
#include "vgtool/instrument/fault_count.h"

/* More than a block can hold of anything. */
enum { NEAR = 2 * PT_MAX_ACCESSES + 2 };

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
static struct vt_step *step;  /* the one that is being made */
static struct vt_step *steps; /* of the block */
static UInt n_steps;
static Bool begins; /* a segment */

void vt_meter_begin(void)
{
	if (total != NULL)
		VG_(memset)(total, 0, n_total * sizeof(*total));
	wanted = 0;
	running = 0;
}

void vt_meter_want(UInt kinds)
{
	wanted = kinds;
}

UInt vt_meter_wanted(void)
{
	return wanted;
}

Bool vt_meter_counts(UInt kind, enum vt_metered *what)
{
	switch (kind) {
	case PT_EVENT_INSTRUCTIONS:
		*what = VT_INSTRUCTIONS;
		return True;
	case PT_EVENT_ACCESSES:
		*what = VT_ACCESSES;
		return True;
	case PT_EVENT_READS:
		*what = VT_READS;
		return True;
	case PT_EVENT_WRITES:
		*what = VT_WRITES;
		return True;
	default:
		return False;
	}
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
	const struct vt_step *none = NULL;
	ULong far;
	UInt k;

	make_room(thread);
	running = thread;
	near_end = False;
	for (k = 0; k < VT_METERED; k++) {
		given[k] = left[k];
		near_end |= (wanted >> k & 1) && left[k] < NEAR;
	}
	if (!wanted)
		return;
	VG_(set_shadow_regs_area)
	(tid, 1, VT_METER, sizeof(given), (const UChar *)given);
	VG_(set_shadow_regs_area)
	(tid, 1, VT_SEGMENT, sizeof(none), (const UChar *)&none);
	far = total[0][VT_INSTRUCTIONS] + left[VT_INSTRUCTIONS];
	VG_(set_shadow_regs_area)
	(tid, 1, VT_FAR, sizeof(far), (const UChar *)&far);
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

/* A fault has stopped the code: what it did since it last counted. */
void vt_meter_fault(ThreadId tid, Addr pc)
{
	UInt done[VT_METERED] = {0}, k;
	ULong now[VT_METERED];
	const struct vt_step *at;

	if (!wanted || running == 0)
		return;
	VG_(get_shadow_regs_area)
	(tid, (UChar *)&at, 1, VT_SEGMENT, sizeof(at));
	VG_(get_shadow_regs_area)
	(tid, (UChar *)now, 1, VT_METER, sizeof(now));
	if (at == NULL)
		return;
	vt_segment_done(at, pc, &done[VT_INSTRUCTIONS], &done[VT_READS],
			&done[VT_WRITES]);
	done[VT_ACCESSES] = done[VT_READS] + done[VT_WRITES];
	for (k = 0; k < VT_METERED; k++)
		now[k] -= wanted >> k & 1 ? done[k] : 0;
	VG_(set_shadow_regs_area)
	(tid, 1, VT_METER, sizeof(now), (const UChar *)now);
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

static Int place_of(const struct vt_emitter *e, UInt k)
{
	return e->shadow - VT_REGISTER + VT_METER + 8 * k;
}

/* An instruction's own accesses are not torn apart: with one of it left, it
   may do all. */
static void emit_look(struct vt_emitter *e, UInt k, UInt most, Addr here)
{
	IRExpr *left =
		vt_emit_assign(e, Ity_I64, IRExpr_Get(place_of(e, k), Ity_I64));
	IRExpr *less = vt_emit_assign(
		e, Ity_I1, IRExpr_Binop(Iop_CmpLT64S, left, vt_emit_u64(most)));

	vt_emit(e,
		IRStmt_Exit(less, Ijk_Yield, IRConst_U64(here), e->offset_ip));
}

static void begin_steps(const IRSB *in)
{
	UInt n = 2;
	Int s;

	for (s = 0; s < in->stmts_used; s++)
		n += in->stmts[s]->tag == Ist_IMark ||
		     in->stmts[s]->tag == Ist_Exit;
	steps = step = vt_segment_room(n);
	n_steps = 0;
	begins = True;
}

/* Of the next instruction, or of the same one behind an exit. */
static void next_step(Addr pc, Bool begun)
{
	step = &steps[n_steps++];
	step->pc = pc;
	step->begun = begun;
}

/* Says which segment runs. */
static void emit_segment(struct vt_emitter *e)
{
	vt_emit(e, IRStmt_Put(e->shadow - VT_REGISTER + VT_SEGMENT,
			      vt_emit_u64((Addr)&steps[n_steps])));
	begins = False;
}

void vt_meter_top(struct vt_emitter *e, const IRSB *in, Addr here)
{
	const struct vt_plan *p;
	UInt most[VT_METERED], k;
	Int from = 0;

	n_made = next_made = n_guards = 0;
	begin_steps(in);
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

/* Parts of a block begin where nothing was taken off. */
IRExpr *vt_meter_far(struct vt_emitter *e)
{
	IRExpr *end = vt_emit_assign(
		e, Ity_I64,
		IRExpr_Get(e->shadow - VT_REGISTER + VT_FAR, Ity_I64));
	IRExpr *left = vt_emit_assign(
		e, Ity_I64, IRExpr_Get(place_of(e, VT_INSTRUCTIONS), Ity_I64));
	IRExpr *far =
		vt_emit_assign(e, Ity_I64, IRExpr_Binop(Iop_Sub64, end, left));

	return vt_emit_assign(
		e, Ity_I64,
		IRExpr_Binop(Iop_Add64, far,
			     vt_emit_u64(passed[VT_INSTRUCTIONS])));
}

static void pass(UInt i)
{
	step->reads += made[i].reads;
	step->writes += made[i].writes;
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
	IRExpr *left =
		vt_emit_assign(e, Ity_I64, IRExpr_Get(place_of(e, k), Ity_I64));
	UInt i;

	if (passed[k])
		left = vt_emit_assign(
			e, Ity_I64,
			IRExpr_Binop(Iop_Sub64, left, vt_emit_u64(passed[k])));
	for (i = 0; i < n_guards; i++) {
		IRExpr *done = vt_emit_assign(
			e, Ity_I64,
			IRExpr_ITE(guards[i],
				   vt_emit_u64(weight(guarded[i], k)),
				   vt_emit_u64(0)));

		left = vt_emit_assign(e, Ity_I64,
				      IRExpr_Binop(Iop_Sub64, left, done));
	}
	vt_emit(e, IRStmt_Put(place_of(e, k), left));
}

static void take_all_off(struct vt_emitter *e)
{
	UInt k;

	for (k = 0; k < VT_METERED; k++)
		if ((wanted >> k & 1) && (passed[k] || n_guards))
			take_off(e, k);
	VG_(memset)(passed, 0, sizeof(passed));
	n_guards = 0;
	step->last = 1;
	begins = True;
}

void vt_meter_statement(struct vt_emitter *e, const IRSB *in, Int i)
{
	const IRStmt *st = i < in->stmts_used ? in->stmts[i] : NULL;

	if (!wanted)
		return;
	if (begins && st != NULL) {
		emit_segment(e);
		if (st->tag != Ist_IMark && n_steps > 0)
			next_step(step->pc, False);
	}
	if (st == NULL || st->tag == Ist_Exit)
		take_all_off(e);
	if (st == NULL)
		vt_segment_used(n_steps);
	if (st != NULL && st->tag == Ist_IMark) {
		passed[VT_INSTRUCTIONS]++;
		next_step(st->Ist.IMark.addr, True);
	}
	for (; next_made < n_made && made[next_made].statement == i;
	     next_made++)
		pass(next_made);
}

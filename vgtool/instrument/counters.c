/* SPDX-License-Identifier: GPL-2.0-or-later */
/* counters.c - counts down instructions and accesses; see counters.h */

#include "vgtool/instrument/counters.h"

#include <pub_tool_machine.h>

#include "proto/window.h"
#include "vgtool/instrument/block.h"
#include "vgtool/instrument/fault_count.h"

/* More than a block can count of any kind. */
enum { NEAR = 2 * PT_MAX_ACCESSES + 2 };

static UInt counted; /* kinds, bit 1 << enum vt_counter_kind each */
static ULong (*total)[VT_N_COUNTERS]; /* by thread's number; 0: all threads */
static UInt n_total;
static ULong left_at_start[VT_N_COUNTERS];
static UInt running;  /* number of the thread that was started; 0: none */
static Bool near_end; /* see vt_counters_is_near_zero() */
static Bool is_stuck; /* see vt_counters_is_stuck() */

/* The accesses of the block being translated, in the order of statements. */
static struct {
	Int statement;
	UInt reads, writes; /* 0 or 1 */
	IRExpr *guard;	    /* NULL: unconditional */
} accesses[VT_MAX_ACCESSES];
static UInt n_accesses, next_access;

/* Counts since the last place where code subtracts: the unconditional ones, and
   the guarded accesses. */
static UInt uncounted[VT_N_COUNTERS];
static IRExpr *guards[VT_MAX_ACCESSES];
static UInt guarded[VT_MAX_ACCESSES]; /* by guard: reads | writes << 1 */
static UInt n_guards;

static struct vt_step *steps;	     /* of the block being translated */
static struct vt_step *current_step; /* the last one */
static UInt n_steps;
static Bool segment_begins; /* the next statement begins a segment */

void vt_counters_reset(void)
{
	if (total != NULL)
		VG_(memset)(total, 0, n_total * sizeof(*total));
	counted = 0;
	running = 0;
}

void vt_counters_set_kinds(UInt kinds)
{
	counted = kinds;
}

UInt vt_counters_kinds(void)
{
	return counted;
}

Bool vt_counters_has_event_kind(UInt kind, enum vt_counter_kind *what)
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

/* Enlarge the array of totals to include thread number @thread. */
static void reserve_totals(UInt thread)
{
	UInt n = thread + 16;

	if (thread < n_total)
		return;
	total = VG_(realloc)("vt.meter", total, n * sizeof(*total));
	VG_(memset)(total + n_total, 0, (n - n_total) * sizeof(*total));
	n_total = n;
}

ULong vt_counters_total(enum vt_counter_kind what, UInt thread)
{
	reserve_totals(thread);
	return total[thread][what];
}

UInt vt_counters_thread_limit(void)
{
	return n_total;
}

void vt_counters_start(ThreadId tid, UInt thread, const ULong *left)
{
	const struct vt_step *no_segment = NULL;
	ULong instret_at_zero; /* retired instructions when the counter is 0 */
	UInt k;

	reserve_totals(thread);
	running = thread;
	near_end = False;
	for (k = 0; k < VT_N_COUNTERS; k++) {
		left_at_start[k] = left[k];
		near_end |= (counted >> k & 1) && left[k] < NEAR;
	}
	if (!counted)
		return;
	VG_(set_shadow_regs_area)
	(tid, 1, VT_SHADOW_COUNTERS, sizeof(left_at_start),
	 (const UChar *)left_at_start);
	VG_(set_shadow_regs_area)
	(tid, 1, VT_SHADOW_SEGMENT, sizeof(no_segment),
	 (const UChar *)&no_segment);
	instret_at_zero = total[0][VT_INSTRUCTIONS] + left[VT_INSTRUCTIONS];
	VG_(set_shadow_regs_area)
	(tid, 1, VT_SHADOW_INSTRET_END, sizeof(instret_at_zero),
	 (const UChar *)&instret_at_zero);
}

void vt_counters_stop(ThreadId tid)
{
	ULong now[VT_N_COUNTERS];
	UInt k;

	if (!counted || running == 0)
		return;
	VG_(get_shadow_regs_area)
	(tid, (UChar *)now, 1, VT_SHADOW_COUNTERS, sizeof(now));
	is_stuck = True;
	for (k = 0; k < VT_N_COUNTERS; k++) {
		is_stuck &= left_at_start[k] == now[k];
		total[0][k] += left_at_start[k] - now[k];
		total[running][k] += left_at_start[k] - now[k];
	}
	running = 0;
}

Bool vt_counters_is_near_zero(void)
{
	return near_end;
}

Bool vt_counters_is_stuck(void)
{
	return is_stuck;
}

void vt_counters_add_fault(ThreadId tid, Addr pc)
{
	UInt done[VT_N_COUNTERS] = {0}, k;
	ULong now[VT_N_COUNTERS];
	const struct vt_step *segment;

	if (!counted || running == 0)
		return;
	VG_(get_shadow_regs_area)
	(tid, (UChar *)&segment, 1, VT_SHADOW_SEGMENT, sizeof(segment));
	VG_(get_shadow_regs_area)
	(tid, (UChar *)now, 1, VT_SHADOW_COUNTERS, sizeof(now));
	if (segment == NULL)
		return;
	vt_segment_add_counts(segment, pc, &done[VT_INSTRUCTIONS],
			      &done[VT_READS], &done[VT_WRITES]);
	done[VT_ACCESSES] = done[VT_READS] + done[VT_WRITES];
	for (k = 0; k < VT_N_COUNTERS; k++)
		now[k] -= counted >> k & 1 ? done[k] : 0;
	VG_(set_shadow_regs_area)
	(tid, 1, VT_SHADOW_COUNTERS, sizeof(now), (const UChar *)now);
}

/* Append the accesses of plan @p to the list of the block's accesses. */
static void add_accesses(const struct vt_block_layout *p)
{
	UInt i;

	for (i = 0; i < p->n_accesses && n_accesses < VT_MAX_ACCESSES; i++) {
		accesses[n_accesses].statement = p->slot[i].statement;
		accesses[n_accesses].reads = p->access[i].kind != PT_STORE;
		accesses[n_accesses].writes = p->access[i].kind != PT_LOAD;
		accesses[n_accesses++].guard = p->slot[i].guard;
	}
}

/* Set @needed to the remaining counts that the block requires to run as a
   whole. A block of several instructions requires one access more than it has:
   otherwise its last access could reach zero, and instructions after that
   access would still run. */
static void set_needed(const IRSB *in, UInt *needed)
{
	UInt i;
	Int s;

	VG_(memset)(needed, 0, VT_N_COUNTERS * sizeof(*needed));
	for (s = 0; s < in->stmts_used; s++)
		needed[VT_INSTRUCTIONS] += in->stmts[s]->tag == Ist_IMark;
	for (i = 0; i < n_accesses; i++) {
		needed[VT_READS] += accesses[i].reads;
		needed[VT_WRITES] += accesses[i].writes;
	}
	needed[VT_ACCESSES] = needed[VT_READS] + needed[VT_WRITES];
	for (i = VT_ACCESSES; i < VT_N_COUNTERS; i++)
		needed[i] = needed[VT_INSTRUCTIONS] == 1 ? 1 : needed[i] + 1;
}

/* Return the offset in the guest state of the counter of kind @k. */
static Int counter_offset(const struct vt_emitter *e, UInt k)
{
	return e->shadow - VT_SHADOW_PAGE + VT_SHADOW_COUNTERS + 8 * k;
}

/* Emit a side exit that yields to the scheduler at @here if the counter of kind
   @k is less than @needed. */
static void emit_check(struct vt_emitter *e, UInt k, UInt needed, Addr here)
{
	IRExpr *left = vt_emit_assign(
		e, Ity_I64, IRExpr_Get(counter_offset(e, k), Ity_I64));
	IRExpr *less = vt_emit_assign(
		e, Ity_I1,
		IRExpr_Binop(Iop_CmpLT64S, left, vt_emit_u64(needed)));

	vt_emit(e,
		IRStmt_Exit(less, Ijk_Yield, IRConst_U64(here), e->offset_ip));
}

/* Allocate the steps of block @in: one for each instruction and each exit. */
static void begin_steps(const IRSB *in)
{
	UInt n = 2;
	Int s;

	for (s = 0; s < in->stmts_used; s++)
		n += in->stmts[s]->tag == Ist_IMark ||
		     in->stmts[s]->tag == Ist_Exit;
	steps = current_step = vt_segment_allocate(n);
	n_steps = 0;
	segment_begins = True;
}

/* Add a step for the instruction at @pc: from its beginning if @begun, else
   from an exit inside it. */
static void add_step(Addr pc, Bool begun)
{
	current_step = &steps[n_steps++];
	current_step->pc = pc;
	current_step->begins_instr = begun;
}

/* Emit code that stores which segment runs, as the address of its first
   step. */
static void emit_segment(struct vt_emitter *e)
{
	vt_emit(e, IRStmt_Put(e->shadow - VT_SHADOW_PAGE + VT_SHADOW_SEGMENT,
			      vt_emit_u64((Addr)&steps[n_steps])));
	segment_begins = False;
}

void vt_counters_emit_top(struct vt_emitter *e, const IRSB *in, Addr here)
{
	const struct vt_block_layout *p;
	UInt needed[VT_N_COUNTERS], k;
	Int from = 0;

	n_accesses = next_access = n_guards = 0;
	begin_steps(in);
	VG_(memset)(uncounted, 0, sizeof(uncounted));
	for (; from < in->stmts_used; from = p->next_statement) {
		p = vt_block_make_layout(in, from, PT_FIELD_ACCESSES, True);
		if (p == NULL)
			break;
		add_accesses(p);
	}
	set_needed(in, needed);
	for (k = 0; here != 0 && k < VT_N_COUNTERS; k++)
		if (counted >> k & 1)
			emit_check(e, k, needed[k], here);
}

/* A part of a block may begin where instructions before it are not subtracted
   yet, so these are added. */
IRExpr *vt_counters_emit_instret(struct vt_emitter *e)
{
	IRExpr *end = vt_emit_assign(
		e, Ity_I64,
		IRExpr_Get(e->shadow - VT_SHADOW_PAGE + VT_SHADOW_INSTRET_END,
			   Ity_I64));
	IRExpr *left = vt_emit_assign(
		e, Ity_I64,
		IRExpr_Get(counter_offset(e, VT_INSTRUCTIONS), Ity_I64));
	IRExpr *instret =
		vt_emit_assign(e, Ity_I64, IRExpr_Binop(Iop_Sub64, end, left));

	return vt_emit_assign(
		e, Ity_I64,
		IRExpr_Binop(Iop_Add64, instret,
			     vt_emit_u64(uncounted[VT_INSTRUCTIONS])));
}

/* Add access @i to the current step and to the counts to subtract. */
static void add_uncounted(UInt i)
{
	current_step->reads += accesses[i].reads;
	current_step->writes += accesses[i].writes;
	if (accesses[i].guard != NULL) {
		guards[n_guards] = accesses[i].guard;
		guarded[n_guards++] = accesses[i].reads | accesses[i].writes
								  << 1;
		return;
	}
	uncounted[VT_READS] += accesses[i].reads;
	uncounted[VT_WRITES] += accesses[i].writes;
	uncounted[VT_ACCESSES] += accesses[i].reads + accesses[i].writes;
}

/* Return the number of events of kind @k in an access @what (reads | writes <<
   1). */
static UInt count_of(UInt what, UInt k)
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

/* Emit code that subtracts the uncounted events of kind @k from its counter. */
static void emit_subtract(struct vt_emitter *e, UInt k)
{
	IRExpr *left = vt_emit_assign(
		e, Ity_I64, IRExpr_Get(counter_offset(e, k), Ity_I64));
	UInt i;

	if (uncounted[k])
		left = vt_emit_assign(e, Ity_I64,
				      IRExpr_Binop(Iop_Sub64, left,
						   vt_emit_u64(uncounted[k])));
	for (i = 0; i < n_guards; i++) {
		IRExpr *done = vt_emit_assign(
			e, Ity_I64,
			IRExpr_ITE(guards[i],
				   vt_emit_u64(count_of(guarded[i], k)),
				   vt_emit_u64(0)));

		left = vt_emit_assign(e, Ity_I64,
				      IRExpr_Binop(Iop_Sub64, left, done));
	}
	vt_emit(e, IRStmt_Put(counter_offset(e, k), left));
}

/* Emit code that subtracts all uncounted events, and end the segment. */
static void end_segment(struct vt_emitter *e)
{
	UInt k;

	for (k = 0; k < VT_N_COUNTERS; k++)
		if ((counted >> k & 1) && (uncounted[k] || n_guards))
			emit_subtract(e, k);
	VG_(memset)(uncounted, 0, sizeof(uncounted));
	n_guards = 0;
	current_step->is_last = 1;
	segment_begins = True;
}

void vt_counters_emit_statement(struct vt_emitter *e, const IRSB *in, Int i)
{
	const IRStmt *st = i < in->stmts_used ? in->stmts[i] : NULL;

	if (!counted)
		return;
	if (segment_begins && st != NULL) {
		emit_segment(e);
		if (st->tag != Ist_IMark && n_steps > 0)
			add_step(current_step->pc, False);
	}
	if (st == NULL || st->tag == Ist_Exit)
		end_segment(e);
	if (st == NULL)
		vt_segment_set_used(n_steps);
	if (st != NULL && st->tag == Ist_IMark) {
		uncounted[VT_INSTRUCTIONS]++;
		add_step(st->Ist.IMark.addr, True);
	}
	for (; next_access < n_accesses && accesses[next_access].statement == i;
	     next_access++)
		add_uncounted(next_access);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* counters.c - counts down instructions and accesses; see counters.h */

#include "vgtool/instrument/counters.h"

#include <pub_tool_machine.h>

#include "proto/window.h"
#include "vgtool/instrument/block.h"
#include "vgtool/instrument/fault_count.h"

/* If less than this remains of a count, some block might pass zero: no block
   has so many instructions or accesses. */
enum { NEAR = 2 * PT_MAX_ACCESSES + 2 };

static UInt counted_kinds;	      /* kinds that code counts, bit 1 << enum
			      vt_counter_kind each */
static ULong (*total)[VT_N_COUNTERS]; /* totals by thread number; [0]: of all
					 threads */
static UInt n_totals;
static ULong start_counts[VT_N_COUNTERS];
static UInt running_thread; /* number of the thread whose counters run; 0:
			       none */
static Bool is_near_zero;   /* some counter of the thread is near zero, see
			       vt_counters_is_any_near_zero() */
static Bool is_stuck;	    /* the thread that was stopped last had counted
			       nothing since its start */

/* The accesses of the block being translated, in the order of statements. */
static struct {
	Int statement;
	UInt reads, writes; /* 1 if the access reads; 1 if it writes */
	IRExpr *guard;	    /* whether the access happens; NULL: always */
} accesses[VT_MAX_ACCESSES];
static UInt n_accesses, next_access;

/* Instructions and accesses of the block after the last code that subtracts
   from the counters: numbers of unconditional ones by kind, and the guards and
   kinds of the conditional accesses. */
static UInt to_subtract[VT_N_COUNTERS];
static IRExpr *guards[VT_MAX_ACCESSES];
static UInt guarded_kinds[VT_MAX_ACCESSES]; /* by guard: reads | writes << 1 */
static UInt n_guards;

/* [n_steps] steps (instructions of segments) of the block being translated */
static struct vt_step *steps;
static struct vt_step *current_step; /* step that was added last */
static UInt n_steps;
static Bool segment_begins; /* the next statement begins a segment: the code
			       between two subtractions from the counters */

void vt_counters_reset_totals_and_stop(void)
{
	if (total != NULL)
		VG_(memset)(total, 0, n_totals * sizeof(*total));
	counted_kinds = 0;
	running_thread = 0;
}

void vt_counters_set_counted_kinds(UInt kind_mask)
{
	counted_kinds = kind_mask;
}

UInt vt_counters_get_counted_kinds(void)
{
	return counted_kinds;
}

Bool vt_counters_try_map_event_kind(UInt event_kind,
				    enum vt_counter_kind *counter_kind)
{
	switch (event_kind) {
	case PT_EVENT_INSTRUCTIONS:
		*counter_kind = VT_INSTRUCTIONS;
		return True;
	case PT_EVENT_ACCESSES:
		*counter_kind = VT_ACCESSES;
		return True;
	case PT_EVENT_READS:
		*counter_kind = VT_READS;
		return True;
	case PT_EVENT_WRITES:
		*counter_kind = VT_WRITES;
		return True;
	default:
		return False;
	}
}

/* Enlarge the array of totals, if needed, to include thread number
   @thread_number; new totals are 0. */
static void reserve_totals_for_thread(UInt thread_number)
{
	UInt n = thread_number + 16;

	if (thread_number < n_totals)
		return;
	total = VG_(realloc)("vt.meter", total, n * sizeof(*total));
	VG_(memset)(total + n_totals, 0, (n - n_totals) * sizeof(*total));
	n_totals = n;
}

ULong vt_counters_total(enum vt_counter_kind counter_kind,
			UInt thread_or_0_for_all)
{
	reserve_totals_for_thread(thread_or_0_for_all);
	return total[thread_or_0_for_all][counter_kind];
}

UInt vt_counters_thread_number_limit(void)
{
	return n_totals;
}

void vt_counters_start_thread_countdown(ThreadId tid, UInt thread_number,
					const ULong *remaining_by_kind)
{
	const struct vt_step *no_segment = NULL;
	ULong instret_at_zero; /* retired instructions when the counter is 0 */
	UInt k;

	reserve_totals_for_thread(thread_number);
	running_thread = thread_number;
	is_near_zero = False;
	for (k = 0; k < VT_N_COUNTERS; k++) {
		start_counts[k] = remaining_by_kind[k];
		is_near_zero |=
			(counted_kinds >> k & 1) && remaining_by_kind[k] < NEAR;
	}
	if (!counted_kinds)
		return;
	VG_(set_shadow_regs_area)
	(tid, 1, VT_SHADOW_COUNTERS, sizeof(start_counts),
	 (const UChar *)start_counts);
	VG_(set_shadow_regs_area)
	(tid, 1, VT_SHADOW_SEGMENT, sizeof(no_segment),
	 (const UChar *)&no_segment);
	instret_at_zero =
		total[0][VT_INSTRUCTIONS] + remaining_by_kind[VT_INSTRUCTIONS];
	VG_(set_shadow_regs_area)
	(tid, 1, VT_SHADOW_INSTRET_END, sizeof(instret_at_zero),
	 (const UChar *)&instret_at_zero);
}

void vt_counters_stop_thread_add_to_totals(ThreadId tid)
{
	ULong now[VT_N_COUNTERS];
	UInt k;

	if (!counted_kinds || running_thread == 0)
		return;
	VG_(get_shadow_regs_area)
	(tid, (UChar *)now, 1, VT_SHADOW_COUNTERS, sizeof(now));
	is_stuck = True;
	for (k = 0; k < VT_N_COUNTERS; k++) {
		is_stuck &= start_counts[k] == now[k];
		total[0][k] += start_counts[k] - now[k];
		total[running_thread][k] += start_counts[k] - now[k];
	}
	running_thread = 0;
}

Bool vt_counters_is_any_near_zero(void)
{
	return is_near_zero;
}

Bool vt_counters_has_last_run_counted_nothing(void)
{
	return is_stuck;
}

void vt_counters_count_segment_before_fault(ThreadId tid, Addr fault_pc)
{
	UInt done[VT_N_COUNTERS] = {0}, k;
	ULong now[VT_N_COUNTERS];
	const struct vt_step *segment;

	if (!counted_kinds || running_thread == 0)
		return;
	VG_(get_shadow_regs_area)
	(tid, (UChar *)&segment, 1, VT_SHADOW_SEGMENT, sizeof(segment));
	VG_(get_shadow_regs_area)
	(tid, (UChar *)now, 1, VT_SHADOW_COUNTERS, sizeof(now));
	if (segment == NULL)
		return;
	vt_segment_add_counts_until_pc(segment, fault_pc,
				       &done[VT_INSTRUCTIONS], &done[VT_READS],
				       &done[VT_WRITES]);
	done[VT_ACCESSES] = done[VT_READS] + done[VT_WRITES];
	for (k = 0; k < VT_N_COUNTERS; k++)
		now[k] -= counted_kinds >> k & 1 ? done[k] : 0;
	VG_(set_shadow_regs_area)
	(tid, 1, VT_SHADOW_COUNTERS, sizeof(now), (const UChar *)now);
}

/* Append the accesses of layout @p to the list of the block's accesses. */
static void
append_layout_accesses_to_block_list(const struct vt_block_layout *p)
{
	UInt i;

	for (i = 0; i < p->n_accesses && n_accesses < VT_MAX_ACCESSES; i++) {
		accesses[n_accesses].statement = p->slot[i].statement;
		accesses[n_accesses].reads = p->access[i].kind != PT_STORE;
		accesses[n_accesses].writes = p->access[i].kind != PT_LOAD;
		accesses[n_accesses++].guard = p->slot[i].guard;
	}
}

/* Set @needed_by_counter [VT_N_COUNTERS] to the remaining counts that all of
   block @in requires to run. A block of one instruction requires 1, whatever it
   accesses. A block of several instructions requires one access more than it
   has: otherwise its last access could reach zero, and instructions after that
   access would still run. */
static void compute_counts_needed_by_block(const IRSB *in,
					   UInt *needed_by_counter)
{
	UInt i;
	Int s;

	VG_(memset)
	(needed_by_counter, 0, VT_N_COUNTERS * sizeof(*needed_by_counter));
	for (s = 0; s < in->stmts_used; s++)
		needed_by_counter[VT_INSTRUCTIONS] +=
			in->stmts[s]->tag == Ist_IMark;
	for (i = 0; i < n_accesses; i++) {
		needed_by_counter[VT_READS] += accesses[i].reads;
		needed_by_counter[VT_WRITES] += accesses[i].writes;
	}
	needed_by_counter[VT_ACCESSES] =
		needed_by_counter[VT_READS] + needed_by_counter[VT_WRITES];
	for (i = VT_ACCESSES; i < VT_N_COUNTERS; i++)
		needed_by_counter[i] = needed_by_counter[VT_INSTRUCTIONS] == 1
					       ? 1
					       : needed_by_counter[i] + 1;
}

/* Return the offset in the guest state of the counter of kind @counter_kind. */
static Int counter_guest_state_offset(const struct vt_emitter *e,
				      UInt counter_kind)
{
	return e->shadow - VT_SHADOW_PAGE + VT_SHADOW_COUNTERS +
	       8 * counter_kind;
}

/* Emit a side exit that yields to the scheduler at @yield_addr if less than
   @needed_count remains in the counter of kind @counter_kind. */
static void emit_yield_if_count_low(struct vt_emitter *e, UInt counter_kind,
				    UInt needed_count, Addr yield_addr)
{
	IRExpr *remaining = vt_emit_assign_to_new_temp(
		e, Ity_I64,
		IRExpr_Get(counter_guest_state_offset(e, counter_kind),
			   Ity_I64));
	IRExpr *less = vt_emit_assign_to_new_temp(
		e, Ity_I1,
		IRExpr_Binop(Iop_CmpLT64S, remaining,
			     vt_u64_constant_expr(needed_count)));

	vt_emit_append_stmt_as_is(e, IRStmt_Exit(less, Ijk_Yield,
						 IRConst_U64(yield_addr),
						 e->offset_ip));
}

/* Allocate the steps (fault_count.h) of block @in: at most one for each
   instruction and each exit. */
static void reserve_count_steps_of_instrs_and_exits(const IRSB *in)
{
	UInt n = 2;
	Int s;

	for (s = 0; s < in->stmts_used; s++)
		n += in->stmts[s]->tag == Ist_IMark ||
		     in->stmts[s]->tag == Ist_Exit;
	steps = current_step = vt_segment_reserve_steps(n);
	n_steps = 0;
	segment_begins = True;
}

/* Add a step for the instruction at @pc: from its beginning if @begins_instr,
   else from a side exit inside it. */
static void add_step_for_fault_counting(Addr pc, Bool begins_instr)
{
	current_step = &steps[n_steps++];
	current_step->pc = pc;
	current_step->begins_instr = begins_instr;
}

/* Emit code that stores, in the shadow register VT_SHADOW_SEGMENT, the address
   of the segment's first step. */
static void emit_store_addr_of_segment_first_step(struct vt_emitter *e)
{
	vt_emit_append_stmt_as_is(
		e, IRStmt_Put(e->shadow - VT_SHADOW_PAGE + VT_SHADOW_SEGMENT,
			      vt_u64_constant_expr((Addr)&steps[n_steps])));
	segment_begins = False;
}

void vt_counters_emit_block_start(struct vt_emitter *e, const IRSB *in,
				  Addr yield_addr)
{
	const struct vt_block_layout *p;
	UInt needed[VT_N_COUNTERS], k;
	Int from = 0;

	n_accesses = next_access = n_guards = 0;
	reserve_count_steps_of_instrs_and_exits(in);
	VG_(memset)(to_subtract, 0, sizeof(to_subtract));
	for (; from < in->stmts_used; from = p->next_statement) {
		p = vt_block_make_part_layout(in, from, PT_FIELD_ACCESSES,
					      True);
		if (p == NULL)
			break;
		append_layout_accesses_to_block_list(p);
	}
	compute_counts_needed_by_block(in, needed);
	for (k = 0; yield_addr != 0 && k < VT_N_COUNTERS; k++)
		if (counted_kinds >> k & 1)
			emit_yield_if_count_low(e, k, needed[k], yield_addr);
}

/* Instructions before the current statement that code has not yet subtracted
   from the counter are added, because a part of a block may begin in the middle
   of a segment. */
IRExpr *vt_counters_emit_retired_instrs(struct vt_emitter *e)
{
	IRExpr *end = vt_emit_assign_to_new_temp(
		e, Ity_I64,
		IRExpr_Get(e->shadow - VT_SHADOW_PAGE + VT_SHADOW_INSTRET_END,
			   Ity_I64));
	IRExpr *remaining = vt_emit_assign_to_new_temp(
		e, Ity_I64,
		IRExpr_Get(counter_guest_state_offset(e, VT_INSTRUCTIONS),
			   Ity_I64));
	IRExpr *instret = vt_emit_assign_to_new_temp(
		e, Ity_I64, IRExpr_Binop(Iop_Sub64, end, remaining));

	return vt_emit_assign_to_new_temp(
		e, Ity_I64,
		IRExpr_Binop(
			Iop_Add64, instret,
			vt_u64_constant_expr(to_subtract[VT_INSTRUCTIONS])));
}

/* Add access @access_index to the current step, and to the counts that the code
   must subtract from the counters. */
static void add_access_to_step_and_pending_counts(UInt access_index)
{
	current_step->reads += accesses[access_index].reads;
	current_step->writes += accesses[access_index].writes;
	if (accesses[access_index].guard != NULL) {
		guards[n_guards] = accesses[access_index].guard;
		guarded_kinds[n_guards++] = accesses[access_index].reads |
					    accesses[access_index].writes << 1;
		return;
	}
	to_subtract[VT_READS] += accesses[access_index].reads;
	to_subtract[VT_WRITES] += accesses[access_index].writes;
	to_subtract[VT_ACCESSES] +=
		accesses[access_index].reads + accesses[access_index].writes;
}

/* Return by how much an access lowers the counter @counter_kind.
   @read_write_bits: reads | writes << 1. */
static UInt counter_increment_of_access(UInt read_write_bits, UInt counter_kind)
{
	switch (counter_kind) {
	case VT_ACCESSES:
		return (read_write_bits & 1) + (read_write_bits >> 1);
	case VT_READS:
		return read_write_bits & 1;
	case VT_WRITES:
		return read_write_bits >> 1;
	default:
		return 0;
	}
}

/* Emit code that subtracts the instructions or accesses that were executed
   since the last subtraction from the counter of kind @counter_kind. */
static void emit_pending_subtraction_from_counter(struct vt_emitter *e,
						  UInt counter_kind)
{
	IRExpr *remaining = vt_emit_assign_to_new_temp(
		e, Ity_I64,
		IRExpr_Get(counter_guest_state_offset(e, counter_kind),
			   Ity_I64));
	UInt i;

	if (to_subtract[counter_kind])
		remaining = vt_emit_assign_to_new_temp(
			e, Ity_I64,
			IRExpr_Binop(Iop_Sub64, remaining,
				     vt_u64_constant_expr(
					     to_subtract[counter_kind])));
	for (i = 0; i < n_guards; i++) {
		IRExpr *done = vt_emit_assign_to_new_temp(
			e, Ity_I64,
			IRExpr_ITE(guards[i],
				   vt_u64_constant_expr(
					   counter_increment_of_access(
						   guarded_kinds[i],
						   counter_kind)),
				   vt_u64_constant_expr(0)));

		remaining = vt_emit_assign_to_new_temp(
			e, Ity_I64, IRExpr_Binop(Iop_Sub64, remaining, done));
	}
	vt_emit_append_stmt_as_is(
		e, IRStmt_Put(counter_guest_state_offset(e, counter_kind),
			      remaining));
}

/* Emit code that subtracts the instructions and accesses that were executed
   since the last subtraction from the counters of counted_kinds, and end the
   segment. */
static void emit_subtract_pending_counts(struct vt_emitter *e)
{
	UInt k;

	for (k = 0; k < VT_N_COUNTERS; k++)
		if ((counted_kinds >> k & 1) && (to_subtract[k] || n_guards))
			emit_pending_subtraction_from_counter(e, k);
	VG_(memset)(to_subtract, 0, sizeof(to_subtract));
	n_guards = 0;
	current_step->is_last = 1;
	segment_begins = True;
}

void vt_counters_emit_subtraction_at_exits(struct vt_emitter *e, const IRSB *in,
					   Int stmt_index_or_end)
{
	const IRStmt *st = stmt_index_or_end < in->stmts_used
				   ? in->stmts[stmt_index_or_end]
				   : NULL;

	if (!counted_kinds)
		return;
	if (segment_begins && st != NULL) {
		emit_store_addr_of_segment_first_step(e);
		if (st->tag != Ist_IMark && n_steps > 0)
			add_step_for_fault_counting(current_step->pc, False);
	}
	if (st == NULL || st->tag == Ist_Exit)
		emit_subtract_pending_counts(e);
	if (st == NULL)
		vt_segment_commit_first_reserved_steps(n_steps);
	if (st != NULL && st->tag == Ist_IMark) {
		to_subtract[VT_INSTRUCTIONS]++;
		add_step_for_fault_counting(st->Ist.IMark.addr, True);
	}
	for (; next_access < n_accesses &&
	       accesses[next_access].statement == stmt_index_or_end;
	     next_access++)
		add_access_to_step_and_pending_counts(next_access);
}

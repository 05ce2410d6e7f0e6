/* SPDX-License-Identifier: GPL-2.0-or-later */
/* call_return.c - detects calls and returns; see call_return.h */

#include "vgtool/window/call_return.h"

#include <pub_tool_hashtable.h>
#include <pub_tool_machine.h>
#include <pub_tool_threadstate.h>

#include "vgtool/core/memory.h"
#include "vgtool/core/plan_view.h"
#include "vgtool/core/valgrind_core.h"
#include "vgtool/instrument/instrument.h"
#include "vgtool/instrument/stack_jump.h"
#include "vgtool/intercept/calls.h"
#include "vgtool/core/threads.h"
#include "vgtool/window/events.h"
#include "vgtool/window/filter.h"
#include "vgtool/window/functions.h"

#define NO_LIMIT (~0ULL)

/* A call that has not returned. */
struct activation {
	Addr sp; /* stack pointer at the function's first instruction, where
		      the return address is stored */
	Addr return_addr; /* address to which the function returns; 0: not
			     known */
	Addr entry;
	ULong serial;
	Bool is_at_entry; /* the first instruction has not run: the windows that
			     the call opens or closes may not be updated yet */
	struct vt_call *call; /* recorded arguments, or NULL */
};

struct stack {
	struct activation *call;
	UInt n, size;
};

/* An address to which calls of functions that windows name return. The first
   two members are those of Valgrind's hash table. */
struct return_site {
	struct return_site *next;
	UWord pc;
	struct return_site *next_new;
	Bool has_check; /* the translation of the code there checks for a
			   return */
};

static struct stack *stacks; /* stacks of calls, by ThreadId */
static VgHashTable *return_sites;
static struct return_site
	*new_return_sites; /* list, by next_new: addresses whose code perhaps
			      does not check for a return yet */
static ULong last_serial;
static Bool is_used;	/* the plan has events of calls or returns, or
			   interceptors */
static Bool must_yield; /* a check has found a call or a return, which the tool
			   must handle before the program goes on: the thread
			   returns to the scheduler */

/* Whether the plan has events of calls or returns, or interceptors. */
static Bool does_plan_need_calls(void)
{
	UInt i;

	if (vt_recording_plan == NULL)
		return False;
	for (i = 0; i < vt_recording_plan->events.n; i++)
		if (vt_plan_event(i)->kind == PT_EVENT_CALL ||
		    vt_plan_event(i)->kind == PT_EVENT_RETURN)
			return True;
	return vt_recording_plan->intercepts.n > 0;
}

/* Free the recorded arguments of all activations of @s. */
static void free_recorded_arguments(struct stack *s)
{
	UInt i;

	for (i = 0; i < s->n; i++) {
		vt_calls_free_linked_list(s->call[i].call);
		s->call[i].call = NULL;
	}
}

void vt_callstack_reset_for_plan(void)
{
	UInt i;

	if (stacks == NULL) {
		stacks = VG_(calloc)("vt.trigger", VG_N_THREADS,
				     sizeof(*stacks));
		return_sites = VG_(HT_construct)("vt.trigger");
	}
	is_used = does_plan_need_calls();
	for (i = 0; i < VG_N_THREADS; i++) {
		free_recorded_arguments(&stacks[i]);
		if (!is_used || i != VG_(get_running_tid)())
			stacks[i].n = 0;
	}
	vt_calls_free_functions_of_logged_code();
}

Bool vt_callstack_is_call_running(ULong call_serial)
{
	UInt i, k;

	for (i = 0; i < VG_N_THREADS; i++)
		for (k = 0; k < stacks[i].n; k++)
			if (stacks[i].call[k].serial == call_serial)
				return True;
	return False;
}

static struct return_site *find_return_site(Addr pc)
{
	return VG_(HT_lookup)(return_sites, pc);
}

/* Add the return address @pc of a call of a function that windows name, unless
   it is known, and set must_yield, so that its code is translated again with a
   check before it runs. */
static void add_return_site(Addr pc)
{
	struct return_site *b;

	if (find_return_site(pc) != NULL)
		return;
	b = VG_(calloc)("vt.trigger", 1, sizeof(*b));
	b->pc = pc;
	b->next_new = new_return_sites;
	new_return_sites = b;
	VG_(HT_add_node)(return_sites, b);
	must_yield = True;
}

Bool vt_callstack_discard_new_return_sites(void)
{
	Bool any = False;
	struct return_site *b;

	while ((b = new_return_sites) != NULL) {
		new_return_sites = b->next_new;
		if (!b->has_check)
			VG_(discard_translations)(b->pc, 1, "alleria");
		any |= !b->has_check;
		b->has_check = True;
	}
	return any;
}

/* Store the stack pointer of the thread's innermost call in its shadow
   register, for the check of vt_callstack_emit_check_if_sp_jumps(): only a
   higher stack pointer ends calls. */
static void store_innermost_call_sp_in_shadow_reg(ThreadId tid)
{
	const struct stack *s = &stacks[tid];
	ULong limit = s->n > 0 ? s->call[s->n - 1].sp : NO_LIMIT;

	VG_(set_shadow_regs_area)
	(tid, 1, VT_SHADOW_CALL_SP, sizeof(limit), (const UChar *)&limit);
}

/* Whether a thread with stack pointer @sp that runs at @pc next has returned
   from @call. */
static Bool has_returned_to_pc_with_sp(const struct activation *call, Addr sp,
				       Addr pc)
{
	return sp == call->sp + sizeof(Addr) && pc == call->return_addr;
}

/* Remove activation @call_index, which has returned or was unwound, or whose
   thread ends: record the RETURN events that wait for the call, free its
   recorded arguments, and set must_yield. */
static void end_call(struct stack *s, UInt call_index)
{
	vt_event_trigger_on_return(s->call[call_index].serial);
	vt_calls_free_linked_list(s->call[call_index].call);
	for (s->n--; call_index < s->n; call_index++)
		s->call[call_index] = s->call[call_index + 1];
	must_yield = True;
}

/* End the calls of thread @tid whose frames are on the stack of @sp and lie
   below @sp. A call has returned if the thread goes on at its return address,
   which is compared with @next_pc; otherwise it was unwound. */
static void end_calls_on_stack_below_sp(ThreadId tid, Addr sp, Addr next_pc)
{
	struct stack *s = &stacks[tid];
	UInt i;

	for (i = s->n; i-- > 0;) {
		if (!vt_thread_is_same_stack(tid, s->call[i].sp, sp))
			continue;
		if (s->call[i].sp >= sp)
			break;
		vt_calls_record_ends_of_list(
			tid, s->call[i].call,
			has_returned_to_pc_with_sp(&s->call[i], sp, next_pc));
		end_call(s, i);
	}
	store_innermost_call_sp_in_shadow_reg(tid);
}

void vt_callstack_end_calls_below_sp(ThreadId tid)
{
	if (is_used)
		end_calls_on_stack_below_sp(tid, VG_(get_SP)(tid),
					    VG_(get_IP)(tid));
}

void vt_callstack_end_calls_of_thread(ThreadId tid)
{
	while (is_used && stacks[tid].n > 0)
		end_call(&stacks[tid], stacks[tid].n - 1);
}

/* Whether @s ends with calls that have stack pointer @sp, among them one of the
   function at @entry. Then no new call begins: the block runs again after it
   has yielded, or the function jumps back to its first instruction. */
static Bool is_entry_among_top_calls_with_sp(const struct stack *s, Addr entry,
					     Addr sp)
{
	UInt i;

	for (i = s->n; i > 0 && s->call[i - 1].sp == sp; i--)
		if (s->call[i - 1].entry == entry)
			return True;
	return False;
}

static void push_activation(struct stack *s, struct activation a)
{
	if (s->n == s->size) {
		s->size = s->size ? 2 * s->size : 16;
		s->call = VG_(realloc)("vt.trigger", s->call,
				       s->size * sizeof(*s->call));
	}
	s->call[s->n++] = a;
}

/* Return the return address that is stored at @sp; 0 if it cannot be read. (A
   jump may also lead to a function's entry, with any stack pointer.) */
static Addr read_return_address_or_0(Addr sp)
{
	struct vt_readable_range m = {0};

	return vt_memory_is_readable_cached(&m, sp, sizeof(Addr))
		       ? *(const Addr *)sp
		       : 0;
}

/* Push an activation, record a call of each function whose entry is @entry, and
   set must_yield. */
static void push_and_record_call_set_must_yield(ThreadId tid, Addr entry,
						Addr sp)
{
	struct activation a = {
		.sp = sp,
		.return_addr = read_return_address_or_0(sp),
		.entry = entry,
		.serial = ++last_serial,
		.is_at_entry = True,
	};
	const struct vt_function_range *r;
	UInt n;

	push_activation(&stacks[tid], a);
	store_innermost_call_sp_in_shadow_reg(tid);
	add_return_site(a.return_addr);
	for (n = 0; (r = vt_functions_find_nth_range_at(entry, n)) != NULL; n++)
		if (r->start == entry)
			vt_event_trigger_on_call(
				r->function, vt_thread_number(tid), a.serial);
	must_yield = True;
}

/* Record the arguments of call @a, whose first instruction runs next, if its
   function has an interceptor. Clear is_at_entry, so that this is done once for
   each call. */
static void record_call_arguments_once_at_entry(ThreadId tid,
						struct activation *a)
{
	if (a->is_at_entry)
		a->call = vt_calls_record_begin_per_interceptor(tid, a->entry,
								a->sp);
	a->is_at_entry = False;
}

/* Check for a call at @entry. Helper that runs before the first instruction of
   a block, and once more if the block has yielded. Return: whether to yield.
   @yield_addr: address at which the block may yield, or 0. */
static VG_REGPARM(2) ULong check_call(Addr entry, Addr yield_addr)
{
	ThreadId tid = VG_(get_running_tid)();
	struct stack *s = &stacks[tid];
	Addr sp = VG_(get_SP)(tid);

	must_yield = False;
	end_calls_on_stack_below_sp(tid, sp, entry);
	if (!is_entry_among_top_calls_with_sp(s, entry, sp))
		push_and_record_call_set_must_yield(tid, entry, sp);
	else if (s->call[s->n - 1].entry == entry)
		record_call_arguments_once_at_entry(tid, &s->call[s->n - 1]);
	if (yield_addr == 0)
		record_call_arguments_once_at_entry(tid, &s->call[s->n - 1]);
	return must_yield;
}

/* End the running thread's calls whose frames lie below its stack pointer: they
   have returned to @pc, or were unwound. Helper that runs before the first
   instruction of the block at @pc, a known return address, and once more if the
   block has yielded. Return: whether to yield. @unused_yield_addr: not used. */
static VG_REGPARM(2) ULong check_return(Addr pc, Addr unused_yield_addr)
{
	ThreadId tid = VG_(get_running_tid)();

	must_yield = False;
	end_calls_on_stack_below_sp(tid, VG_(get_SP)(tid), pc);
	return must_yield;
}

/* Emit a call of @helper with @pc and @yield_addr_or_0 and, unless
   @yield_addr_or_0 is 0, a side exit that yields at @yield_addr_or_0 if the
   helper returns True. */
static void emit_helper_call_and_yield_if_true(struct vt_emitter *e,
					       const HChar *name, void *helper,
					       Addr pc, Addr yield_addr_or_0)
{
	IRTemp found = newIRTemp(e->out->tyenv, Ity_I64);
	IRTemp guard = newIRTemp(e->out->tyenv, Ity_I1);
	IRExpr **args =
		mkIRExprVec_2(IRExpr_Const(IRConst_U64(pc)),
			      IRExpr_Const(IRConst_U64(yield_addr_or_0)));

	vt_emit_append_stmt_as_is(
		e,
		IRStmt_Dirty(unsafeIRDirty_1_N(
			found, 2, name, VG_(fnptr_to_fnentry)(helper), args)));
	if (yield_addr_or_0 == 0)
		return;
	vt_emit_append_stmt_as_is(
		e, IRStmt_WrTmp(guard,
				IRExpr_Unop(Iop_64to1, IRExpr_RdTmp(found))));
	vt_emit_append_stmt_as_is(e, IRStmt_Exit(IRExpr_RdTmp(guard), Ijk_Yield,
						 IRConst_U64(yield_addr_or_0),
						 e->offset_ip));
}

/* Whether @pc is the entry of a function that an event or an interceptor of an
   active lane names. */
static Bool is_event_or_intercepted_entry(Addr pc)
{
	const struct vt_function_range *r;
	UInt n;

	for (n = 0; (r = vt_functions_find_nth_range_at(pc, n)) != NULL; n++)
		if (r->start == pc &&
		    vt_event_has_any_for_function(r->function))
			return True;
	return vt_filter_has_active_interceptor(pc);
}

Bool vt_callstack_is_watched_entry_or_return(Addr pc)
{
	return is_used && (find_return_site(pc) != NULL ||
			   is_event_or_intercepted_entry(pc));
}

/* End calls after a jump such as longjmp(). Helper that runs at the end of a
   block that has set the stack pointer to an unrelated value above the
   innermost call's frame. If it ends any call, the thread returns to the
   scheduler before the next block. */
static VG_REGPARM(2) void check_jump(Addr sp, Addr target)
{
	ThreadId tid = VG_(get_running_tid)();

	must_yield = False;
	end_calls_on_stack_below_sp(tid, sp, target);
	if (must_yield)
		vt_instrument_end_time_slice(tid, False);
}

void vt_callstack_emit_check_if_sp_jumps(struct vt_emitter *e,
					 const IRSB *block, Int sp_offset)
{
	if (!is_used || !vt_stack_jump_has_unrelated_sp_write(block, sp_offset))
		return;
	vt_stack_jump_emit_call_if_sp_above(e, sp_offset, VT_SHADOW_CALL_SP,
					    "check_jump",
					    VG_(fnptr_to_fnentry)(check_jump),
					    mkIRExprVec_2(NULL, block->next));
}

void vt_callstack_emit_call_and_return_checks(struct vt_emitter *e,
					      Addr block_addr,
					      Addr yield_addr_or_0)
{
	struct return_site *site;

	if (!is_used)
		return;
	site = find_return_site(block_addr);
	if (site != NULL) {
		site->has_check = True;
		emit_helper_call_and_yield_if_true(e, "check_return",
						   check_return, block_addr,
						   yield_addr_or_0);
	}
	if (is_event_or_intercepted_entry(block_addr))
		emit_helper_call_and_yield_if_true(e, "check_call", check_call,
						   block_addr, yield_addr_or_0);
}

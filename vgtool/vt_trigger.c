/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vt_trigger.c - calls and returns; see vt_trigger.h */

#include "vgtool/vt_trigger.h"

#include <pub_tool_machine.h>
#include <pub_tool_threadstate.h>

#include "vgtool/vt_core.h"
#include "vgtool/vt_events.h"
#include "vgtool/vt_functions.h"
#include "vgtool/vt_given.h"
#include "vgtool/vt_watch.h"

/* A call that has not returned. */
struct activation {
	Addr sp; /* at the function's first instruction: of its return address */
	Addr back;
	Addr entry;
	ULong serial;
};

struct stack {
	struct activation *call;
	UInt n, size;
};

/* A place that calls return to. */
struct back {
	Addr pc;
	Bool looks; /* the code there does */
};

static struct stack *stacks; /* by ThreadId */
static struct back *backs;
static UInt n_backs, backs_size;
static UInt first_new; /* of backs that no code may look at yet */
static ULong serials;
static Bool used;
static Bool leave; /* something was found that is to be acted on */

void vt_trigger_begin(void)
{
	UInt i;

	if (stacks == NULL)
		stacks = VG_(calloc)("vt.trigger", VG_N_THREADS,
				     sizeof(*stacks));
	for (i = 0; i < VG_N_THREADS; i++)
		stacks[i].n = 0;
	n_backs = first_new = 0;
	used = False;
	for (i = 0; i < vt_given->events.n; i++)
		used |= vt_given_event(i)->kind == PT_EVENT_CALL ||
			vt_given_event(i)->kind == PT_EVENT_RETURN;
}

Bool vt_trigger_is_used(void)
{
	return used;
}

static struct back *find_back(Addr pc)
{
	UInt i;

	for (i = 0; i < n_backs; i++)
		if (backs[i].pc == pc)
			return &backs[i];
	return NULL;
}

static void want_back(Addr pc)
{
	if (find_back(pc) != NULL)
		return;
	if (n_backs == backs_size) {
		backs_size = backs_size ? 2 * backs_size : 64;
		backs = VG_(realloc)("vt.trigger", backs,
				     backs_size * sizeof(*backs));
	}
	backs[n_backs++] = (struct back){pc, False};
	leave = True;
}

Bool vt_trigger_settle(void)
{
	Bool any = False;
	UInt i;

	for (i = first_new; i < n_backs; i++) {
		if (!backs[i].looks)
			VG_(discard_translations)(backs[i].pc, 1, "alleria");
		any |= !backs[i].looks;
		backs[i].looks = True;
	}
	first_new = n_backs;
	return any;
}

static void pop(struct stack *s)
{
	vt_watch_returned(s->call[--s->n].serial);
	leave = True;
}

/* Calls whose frames lie below the stack pointer are over. */
static void unwind(struct stack *s, Addr sp)
{
	while (s->n > 0 && s->call[s->n - 1].sp < sp)
		pop(s);
}

void vt_trigger_unwind(ThreadId tid)
{
	if (used)
		unwind(&stacks[tid], VG_(get_SP)(tid));
}

void vt_trigger_end(ThreadId tid)
{
	while (used && stacks[tid].n > 0)
		pop(&stacks[tid]);
}

/* The same call, looked at again, or a jump back to the beginning. */
static Bool is_known(const struct stack *s, Addr entry, Addr sp)
{
	UInt i;

	for (i = s->n; i > 0 && s->call[i - 1].sp == sp; i--)
		if (s->call[i - 1].entry == entry)
			return True;
	return False;
}

static void push(struct stack *s, struct activation a)
{
	if (s->n == s->size) {
		s->size = s->size ? 2 * s->size : 16;
		s->call = VG_(realloc)("vt.trigger", s->call,
				       s->size * sizeof(*s->call));
	}
	s->call[s->n++] = a;
}

/* All functions that begin here have been called. */
static void call(ThreadId tid, Addr entry, Addr sp)
{
	struct activation a = {sp, *(const Addr *)sp, entry, ++serials};
	const struct vt_range *r;
	UInt n;

	push(&stacks[tid], a);
	want_back(a.back);
	for (n = 0; (r = vt_functions_at(entry, n)) != NULL; n++)
		if (r->start == entry)
			vt_watch_called(r->function, vt_events_number(tid),
					a.serial);
	leave = True;
}

/* Runs before the first instruction of a block. Return: whether to leave. */
static VG_REGPARM(1) ULong look_at_call(Addr entry)
{
	ThreadId tid = VG_(get_running_tid)();
	Addr sp = VG_(get_SP)(tid);

	leave = False;
	unwind(&stacks[tid], sp);
	if (!is_known(&stacks[tid], entry, sp))
		call(tid, entry, sp);
	return leave;
}

static VG_REGPARM(1) ULong look_at_return(Addr pc)
{
	ThreadId tid = VG_(get_running_tid)();

	leave = False;
	unwind(&stacks[tid], VG_(get_SP)(tid));
	return leave;
}

static void emit_look(struct vt_emitter *e, const HChar *name, void *helper,
		      Addr pc, Addr here)
{
	IRTemp found = newIRTemp(e->out->tyenv, Ity_I64);
	IRTemp guard = newIRTemp(e->out->tyenv, Ity_I1);
	IRExpr **args = mkIRExprVec_1(IRExpr_Const(IRConst_U64(pc)));

	vt_emit(e,
		IRStmt_Dirty(unsafeIRDirty_1_N(
			found, 1, name, VG_(fnptr_to_fnentry)(helper), args)));
	if (here == 0)
		return;
	vt_emit(e, IRStmt_WrTmp(guard,
				IRExpr_Unop(Iop_64to1, IRExpr_RdTmp(found))));
	vt_emit(e, IRStmt_Exit(IRExpr_RdTmp(guard), Ijk_Yield,
			       IRConst_U64(here), e->offset_ip));
}

static Bool is_entry(Addr pc)
{
	const struct vt_range *r;
	UInt n;

	for (n = 0; (r = vt_functions_at(pc, n)) != NULL; n++)
		if (r->start == pc && vt_watch_names(r->function))
			return True;
	return False;
}

void vt_trigger_top(struct vt_emitter *e, Addr pc, Addr here)
{
	struct back *back;

	if (!used)
		return;
	back = find_back(pc);
	if (back != NULL) {
		back->looks = True;
		emit_look(e, "look_at_return", look_at_return, pc, here);
	}
	if (is_entry(pc))
		emit_look(e, "look_at_call", look_at_call, pc, here);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* switch.c - recording switched on and off; see switch.h */

#include "vgtool/window/switch.h"

#include <pub_tool_libcbase.h>
#include <pub_tool_machine.h>
#include <pub_tool_options.h>

#include "vgtool/core/plan_view.h"
#include "vgtool/core/valgrind_core.h"
#include "vgtool/instrument/counters.h"
#include "vgtool/instrument/fault_count.h"
#include "vgtool/instrument/known_descriptors.h"
#include "vgtool/transport/connection.h"
#include "vgtool/transport/objects.h"
#include "vgtool/transport/pending_requests.h"
#include "vgtool/transport/ring.h"
#include "vgtool/window/call_return.h"
#include "vgtool/window/events.h"
#include "vgtool/window/filter.h"
#include "vgtool/window/functions.h"
#include "vgtool/window/instr_class.h"
#include "vgtool/window/windows.h"

const struct pt_plan *vt_given;

#define MS 1000000ULL /* [ns] */

/* [ns] that code is retained after its windows have closed: at first, and at
   most. */
#define KEEP_AT_FIRST (200 * MS)
#define KEEP_AT_MOST (10000 * MS)

/* The lanes that all code was made for, and how long the code is retained. */
static struct {
	ULong lanes;
	Bool kept;	/* all windows have closed since the code was made */
	ULong until;	/* [ns] time at which the code is discarded; 0: windows
			   are open */
	ULong keep;	/* [ns] from closing to discarding */
	ULong given_up; /* [ns] time at which code was last discarded so; 0:
			   never */
} made_for;

static Bool usual_chase; /* user's setting of guest_chase */
static Int usual_instrs; /* of a block at most, as the user has it */
static Int usual_unrolled;
static Bool single;  /* blocks are of one instruction */
static Addr slow_at; /* where the last such was to begin */
static ULong orders; /* of the daemon's, seen */

/*
 * Let VEX follow jumps only in code in which nothing is recorded or counted: it
 * may execute both sides of a branch, of which it makes an "&&", and so more
 * instructions than the program comes to, and a window is to be exact. Where
 * jumps are followed, vt_flip_may_chase() is asked. VEX reads its settings anew
 * for each block, but copies those of the command line before the first.
 */
static void set_chase(void)
{
#ifdef VT_SHORTCUTS
	Bool chase = vt_given == NULL ||
		     (made_for.lanes == 0 && vt_meter_wanted() == 0);
#else
	Bool chase = vt_given == NULL;
#endif

	VG_(clo_vex_control).guest_chase = usual_chase && chase;
	vex_control.guest_chase = usual_chase && chase;
}

static void forget_code(void)
{
	VG_(discard_translations)(0, ~0ULL, "alleria");
	vt_segment_forget();
	set_chase();
}

/* Of code that is replaced or wrapped it is not known where all lies. */
static void forget_block(Addr pc)
{
	if (vt_is_redirected(pc))
		forget_code();
	else
		VG_(discard_translations)(pc, 1, "alleria");
}

static void object_came(const DebugInfo *di)
{
	vt_functions_add(di);
	vt_watch_image(VG_(DebugInfo_get_filename)(di), True);
	vt_scope_object(VG_(DebugInfo_get_filename)(di));
}

static void object_went(const HChar *path, Addr start, SizeT size)
{
	vt_functions_drop(start, start + size);
	vt_watch_image(path, False);
	vt_scope_forget();
}

/* In a forked child objects are mapped already; they do not come. */
static void find_functions(void)
{
	const DebugInfo *di;

	for (di = VG_(next_DebugInfo)(NULL); di; di = VG_(next_DebugInfo)(di)) {
		vt_functions_add(di);
		vt_scope_object(VG_(DebugInfo_get_filename)(di));
	}
}

static void save_vex_settings(void)
{
	if (usual_instrs != 0)
		return;
	usual_chase = VG_(clo_vex_control).guest_chase;
	usual_instrs = VG_(clo_vex_control).guest_max_insns;
	usual_unrolled = VG_(clo_vex_control).iropt_unroll_thresh;
}

/* An instruction that repeats itself is a loop. */
static void set_single(Bool on)
{
	single = on;
	vex_control.guest_max_insns = on ? 1 : usual_instrs;
	vex_control.iropt_unroll_thresh = on ? 0 : usual_unrolled;
}

void vt_flip_take(struct pt_plan *plan)
{
	Bool had = vt_given != NULL;

	orders = 0;
	if (!had && plan == NULL)
		return;
	VG_(free)((void *)vt_given);
	vt_given = plan;
	made_for.lanes = made_for.until = made_for.given_up = 0;
	made_for.kept = False;
	made_for.keep = KEEP_AT_FIRST;
	save_vex_settings();
	vt_known_forget();
	vt_functions_forget();
	vt_meter_begin();
	vt_trigger_begin();
	set_chase();
	if (had) {
		set_single(False);
		forget_code();
	}
	if (plan == NULL)
		return;
	vt_objects_watch(object_came, object_went);
	vt_watch_begin();
	vt_windows_begin();
	vt_scope_begin();
	vt_decode_begin();
	find_functions();
}

Bool vt_flip_may_chase(Addr to)
{
	return vt_given == NULL || !vt_trigger_looks_at(to);
}

Bool vt_flip_records(UInt thread)
{
	if (vt_given == NULL)
		return !vt_windows_are_paused();
	return vt_windows_lanes_of(thread) != 0;
}

/* What the daemon says while it says that there is something. */
static void take_orders(void)
{
	ULong sent = vt_ring_orders();

	if (sent == orders)
		return;
	orders = sent;
	vt_control_listen();
}

static void make_code_for(ULong lanes)
{
	made_for.lanes = lanes;
	made_for.kept = False;
	made_for.until = 0;
	vt_scope_want(lanes);
}

/* Double the time for which code is retained, up to a limit, if windows open
   again soon after their code was discarded. */
static void extend_retention(void)
{
	if (made_for.given_up != 0 && made_for.keep < KEEP_AT_MOST &&
	    vt_control_now_ns() - made_for.given_up < 2 * made_for.keep)
		made_for.keep *= 2;
}

/* Whether the code of windows that have all closed is retained. Its units are
   then written to the sink, which nobody reads. */
static Bool is_code_retained(void)
{
	ULong now;

	if (!vt_windows_may_open())
		return False;
	now = vt_control_now_ns();
	made_for.kept = True;
	if (made_for.until == 0)
		made_for.until = now + made_for.keep;
	if (now < made_for.until)
		return True;
	made_for.given_up = now;
	return False;
}

/* Adapt to the open windows. Return: whether all code must be discarded and
   made for other lanes. */
static Bool follow_windows(void)
{
	ULong wanted = vt_windows_lanes();

	if (wanted == made_for.lanes) {
		made_for.until = 0;
		return False;
	}
	if (wanted == 0 && is_code_retained())
		return False;
	if (made_for.lanes == 0)
		extend_retention();
	make_code_for(wanted);
	return True;
}

/* How far it is to the next count, and who counts: code made before may not. */
static Bool set_meter(ThreadId tid, UInt thread)
{
	ULong left[VT_METERED];
	UInt kinds, k;
	Bool changed;

	for (k = 0; k < VT_METERED; k++)
		left[k] = VT_MUCH;
	kinds = vt_windows_left(thread, left);
	if (made_for.kept)
		kinds |= vt_meter_wanted();
	changed = kinds != vt_meter_wanted();
	vt_meter_want(kinds);
	vt_meter_start(tid, thread, left);
	return changed;
}

/*
 * A block that would go past the end of a count has not begun: from here on
 * blocks are of one instruction, and those that were made before are forgotten
 * one by one as they get here. Return: whether this one was.
 */
static Bool go_slowly(ThreadId tid)
{
	Addr here = VG_(get_IP)(tid);

	if (!vt_meter_is_near()) {
		if (!single)
			return False;
		set_single(False);
		forget_code();
		return True;
	}
	if (!vt_meter_is_stuck() || (single && slow_at == here))
		return False;
	set_single(True);
	slow_at = here;
	forget_block(here);
	return True;
}

Bool vt_flip_enter(ThreadId tid, UInt thread)
{
	Bool forgotten;

	take_orders();
	vt_asked_do();
	if (vt_given == NULL)
		return True;
	vt_objects_follow();
	vt_trigger_unwind(tid);
	vt_windows_settle();
	forgotten = follow_windows();
	forgotten |= set_meter(tid, thread) || vt_segment_is_full();
	if (forgotten)
		forget_code();
	forgotten |= vt_trigger_settle();
	return !go_slowly(tid) && !forgotten;
}

void vt_flip_fault(ThreadId tid)
{
	if (vt_given != NULL)
		vt_meter_fault(tid, VG_(get_IP)(tid));
}

void vt_flip_leave(ThreadId tid)
{
	if (vt_given != NULL)
		vt_meter_stop(tid);
}

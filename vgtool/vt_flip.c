/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vt_flip.c - recording switched on and off; see vt_flip.h */

#include "vgtool/vt_flip.h"

#include <pub_tool_libcbase.h>
#include <pub_tool_machine.h>
#include <pub_tool_options.h>

#include "vgtool/vt_asked.h"
#include "vgtool/vt_control.h"
#include "vgtool/vt_core.h"
#include "vgtool/vt_decode.h"
#include "vgtool/vt_functions.h"
#include "vgtool/vt_given.h"
#include "vgtool/vt_meter.h"
#include "vgtool/vt_objects.h"
#include "vgtool/vt_ring.h"
#include "vgtool/vt_scope.h"
#include "vgtool/vt_segment.h"
#include "vgtool/vt_trigger.h"
#include "vgtool/vt_watch.h"
#include "vgtool/vt_windows.h"

const struct pt_plan *vt_given;

static Int usual_instrs; /* of a block at most, as the user has it */
static Int usual_unrolled;
static Bool single;  /* blocks are of one instruction */
static Addr slow_at; /* where the last such was to begin */
static ULong orders; /* of the daemon's, seen */

static void forget_code(void)
{
	VG_(discard_translations)(0, ~0ULL, "alleria");
	vt_segment_forget();
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

/*
 * A function is called at a block's beginning: VEX must not follow calls into
 * the middle of one. Nor may it execute both sides of a branch, of which it
 * takes an "&&" apart; that counts instructions that the program did not come
 * to, and a window is to be exact. VEX reads its settings anew for each block,
 * but has copied them from those of the command line before the first.
 */
static void set_vex(void)
{
	if (usual_instrs == 0) {
		usual_instrs = VG_(clo_vex_control).guest_max_insns;
		usual_unrolled = VG_(clo_vex_control).iropt_unroll_thresh;
	}
	VG_(clo_vex_control).guest_chase = False;
	vex_control.guest_chase = False;
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
	vt_functions_forget();
	vt_meter_begin();
	vt_trigger_begin();
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
	set_vex();
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

/* How far it is to the next count, and who counts: code made before may not. */
static Bool set_meter(ThreadId tid, UInt thread)
{
	ULong left[VT_METERED];
	UInt kinds, k;
	Bool changed;

	for (k = 0; k < VT_METERED; k++)
		left[k] = VT_MUCH;
	kinds = vt_windows_left(thread, left);
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
	forgotten = vt_windows_settle();
	if (forgotten)
		vt_scope_want(vt_windows_lanes());
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

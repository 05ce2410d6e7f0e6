/* SPDX-License-Identifier: GPL-2.0-or-later */
/* switch.c - switches recording on and off; see switch.h */

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

const struct pt_plan *vt_recording_plan;

#define MS 1000000ULL /* [ns] */

/* [ns] that code is retained after its windows have closed, at first, and from
   which on it is no longer doubled */
#define FIRST_RETENTION (200 * MS)
#define MAX_RETENTION (10000 * MS)

/* The lanes (windows' thread filters) that the present translations were made
   for, and how long these are retained. */
static struct {
	ULong lanes;
	Bool was_retained; /* no lane has recorded for a time since the code
			      was translated */
	ULong until;	   /* [ns] time at which retained code is discarded; 0:
			      no code is retained */
	ULong retention;   /* [ns] for which code is retained after its windows
			      have closed */
	ULong discarded; /* [ns] monotonic time at which translations that were
			      retained after all windows had closed were last
			      discarded; 0: never */
} code;

/* The user's settings of VEX. */
static Bool user_chase;	      /* guest_chase: continue blocks across jumps */
static Int user_max_instrs;   /* guest_max_insns: most instructions of a
				 block */
static Int user_unroll_limit; /* iropt_unroll_thresh: most statements of an
				 unrolled loop */

static Bool is_single_instr; /* blocks have one instruction each */
static Addr last_single_pc;  /* address of the block that was discarded last to
				get blocks of one instruction */
/* vt_ring_n_socket_messages_from_daemon() when the messages were last executed
   */
static ULong n_commands_seen;

/*
 * Let VEX continue blocks across jumps (guest_chase), if the user's settings
 * do, only without a recording plan (the user gave no windows) or, if the tool
 * replaces functions of VEX (VT_SHORTCUTS), in code in which nothing is
 * recorded or counted. If VEX combines branches into an "&&", the code executes
 * both sides of a branch, and so more instructions than the program; but the
 * counts of windows must be exact. Each jump that VEX may follow is checked by
 * vt_switch_may_vex_continue_block_at(). Both copies of the settings are set:
 * VEX reads vex_control for each block, and before the first one Valgrind
 * copies VG_(clo_vex_control) there.
 */
static void update_vex_guest_chase(void)
{
#ifdef VT_SHORTCUTS
	Bool chase = vt_recording_plan == NULL ||
		     (code.lanes == 0 && vt_counters_get_counted_kinds() == 0);
#else
	Bool chase = vt_recording_plan == NULL;
#endif

	VG_(clo_vex_control).guest_chase = user_chase && chase;
	vex_control.guest_chase = user_chase && chase;
}

/* Discard all translations, and the steps (instructions of segments, see
   fault_count.h) that they use. Set whether VEX may follow jumps in new
   ones. */
static void discard_all_code_and_update_chasing(void)
{
	VG_(discard_translations)(0, ~0ULL, "alleria");
	vt_segment_delete_steps_of_all_segments();
	update_vex_guest_chase();
}

/* Discard the translation of the block at @pc. If its function is replaced or
   wrapped, the address of its code is not known, so all translations are
   discarded. */
static void discard_block_or_all_if_redirected(Addr pc)
{
	if (vt_is_redirected(pc))
		discard_all_code_and_update_chasing();
	else
		VG_(discard_translations)(pc, 1, "alleria");
}

static void add_function_ranges_trigger_load_event(const DebugInfo *di)
{
	vt_functions_add_ranges_and_mark_mapped(di);
	vt_event_trigger_on_image_load_or_unload(
		VG_(DebugInfo_get_filename)(di), True);
	vt_filter_mark_matching_images_as_mapped(
		VG_(DebugInfo_get_filename)(di));
}

static void remove_function_ranges_trigger_unload(const HChar *path, Addr start,
						  SizeT size)
{
	vt_functions_remove_ranges_beginning_in(start, start + size);
	vt_event_trigger_on_image_load_or_unload(path, False);
	vt_filter_clear_cached_object();
}

static const struct vt_object_listener listener = {
	add_function_ranges_trigger_load_event,
	remove_function_ranges_trigger_unload};

/* Search the objects that are mapped already, as in a forked child, for the
   functions that the plan names, and mark the images of the plan that they
   match as mapped. */
static void add_plan_functions_of_mapped_objects(void)
{
	const DebugInfo *di;

	for (di = VG_(next_DebugInfo)(NULL); di; di = VG_(next_DebugInfo)(di)) {
		vt_functions_add_ranges_and_mark_mapped(di);
		vt_filter_mark_matching_images_as_mapped(
			VG_(DebugInfo_get_filename)(di));
	}
}

static void save_user_vex_settings_once(void)
{
	if (user_max_instrs != 0)
		return;
	user_chase = VG_(clo_vex_control).guest_chase;
	user_max_instrs = VG_(clo_vex_control).guest_max_insns;
	user_unroll_limit = VG_(clo_vex_control).iropt_unroll_thresh;
}

/* If @single_instr, make VEX translate blocks of one instruction each and
   unroll no loops (an instruction with a rep prefix is a loop by itself).
   Otherwise restore the user's settings. */
static void set_single_instr_or_user_block_size(Bool single_instr)
{
	is_single_instr = single_instr;
	vex_control.guest_max_insns = single_instr ? 1 : user_max_instrs;
	vex_control.iropt_unroll_thresh = single_instr ? 0 : user_unroll_limit;
}

void vt_switch_replace_plan_and_reset(struct pt_plan *plan)
{
	Bool had_plan = vt_recording_plan != NULL;

	n_commands_seen = 0;
	if (!had_plan && plan == NULL)
		return;
	VG_(free)((void *)vt_recording_plan);
	vt_recording_plan = plan;
	code.lanes = code.until = code.discarded = 0;
	code.was_retained = False;
	code.retention = FIRST_RETENTION;
	save_user_vex_settings_once();
	vt_known_clear_descriptor_search_index();
	vt_functions_remove_all_and_ranges();
	vt_counters_reset_totals_and_stop();
	vt_callstack_reset_for_plan();
	update_vex_guest_chase();
	if (had_plan) {
		set_single_instr_or_user_block_size(False);
		discard_all_code_and_update_chasing();
	}
	if (plan == NULL)
		return;
	vt_objects_add_listener(&listener);
	vt_event_init_from_plan();
	vt_windows_init_from_plan();
	vt_filter_init_from_plan();
	vt_instr_class_init_from_plan();
	add_plan_functions_of_mapped_objects();
}

Bool vt_switch_may_vex_continue_block_at(Addr target)
{
	return vt_recording_plan == NULL ||
	       !vt_callstack_is_watched_entry_or_return(target);
}

Bool vt_switch_is_thread_recorded(UInt thread_number)
{
	if (vt_recording_plan == NULL)
		return !vt_windows_is_recording_paused();
	return vt_windows_recording_lanes_of_thread(thread_number) != 0;
}

/* Execute the daemon's messages if it has sent any since the last call. */
static void execute_new_daemon_messages(void)
{
	ULong sent = vt_ring_n_socket_messages_from_daemon();

	if (sent == n_commands_seen)
		return;
	n_commands_seen = sent;
	vt_connection_execute_all_messages();
}

/* Set the lanes (windows' thread filters) that code is translated for from now
   on. This ends the time for which code is retained after all windows have
   closed. */
static void set_translated_lanes(ULong thread_filter_mask)
{
	code.lanes = thread_filter_mask;
	code.was_retained = False;
	code.until = 0;
	vt_filter_set_translated_lanes(thread_filter_mask);
}

/* Double the time for which code is retained after all windows have closed,
   while it is below MAX_RETENTION, if a window opens soon after such code was
   discarded. */
static void lengthen_retention_time(void)
{
	if (code.discarded != 0 && code.retention < MAX_RETENTION &&
	    vt_clock_monotonic_now_ns() - code.discarded < 2 * code.retention)
		code.retention *= 2;
}

/* Whether the present translations are retained although no window records now.
   The first call since a window recorded starts the time of retention. False if
   that is over, or if no window may record again. Units of retained code are
   written to the sink, which nobody reads. */
static Bool try_retain_code_between_windows(void)
{
	ULong now;

	if (!vt_windows_is_any_waiting_or_open())
		return False;
	now = vt_clock_monotonic_now_ns();
	code.was_retained = True;
	if (code.until == 0)
		code.until = now + code.retention;
	if (now < code.until)
		return True;
	code.discarded = now;
	return False;
}

/* Set the lanes (windows' thread filters) that code is translated for to those
   that record now. Return: whether they have changed, so that all code must be
   discarded. If no lane records now, the lanes remain while the code is
   retained, for a time after all windows have closed. */
static Bool update_translated_lanes(void)
{
	ULong lanes = vt_windows_recording_lanes();

	if (lanes == code.lanes) {
		code.until = 0;
		return False;
	}
	if (lanes == 0 && try_retain_code_between_windows())
		return False;
	if (code.lanes == 0)
		lengthen_retention_time();
	set_translated_lanes(lanes);
	return True;
}

/* Set the counters of thread @tid, with number @thread_number, to the counts
   that remain until the next event, or until a sample (a part of a window that
   is recorded) or a warm-up (recording before a window) begins or ends, and set
   the kinds of counts (instructions, accesses) that code updates. Return:
   whether these kinds have changed, so that all code must be discarded. */
static Bool start_counters_did_kinds_change(ThreadId tid, UInt thread_number)
{
	ULong limits[VT_N_COUNTERS];
	UInt kinds, k;
	Bool changed;

	for (k = 0; k < VT_N_COUNTERS; k++)
		limits[k] = VT_COUNT_UNLIMITED;
	kinds = vt_windows_reduce_limits_get_kind_mask(thread_number, limits);
	if (code.was_retained)
		kinds |= vt_counters_get_counted_kinds();
	changed = kinds != vt_counters_get_counted_kinds();
	vt_counters_set_counted_kinds(kinds);
	vt_counters_start_thread_countdown(tid, thread_number, limits);
	return changed;
}

/*
 * Change to blocks of one instruction if a counter is near zero and the thread
 * is stuck, because its next block would pass zero; change back when no counter
 * is near zero. Longer blocks are discarded one at a time, when the thread is
 * about to run them. Return: whether translations were discarded.
 */
static Bool update_single_instr_did_discard(ThreadId tid)
{
	Addr pc = VG_(get_IP)(tid);

	if (!vt_counters_is_any_near_zero()) {
		if (!is_single_instr)
			return False;
		set_single_instr_or_user_block_size(False);
		discard_all_code_and_update_chasing();
		return True;
	}
	if (!vt_counters_has_last_run_counted_nothing() ||
	    (is_single_instr && last_single_pc == pc))
		return False;
	set_single_instr_or_user_block_size(True);
	last_single_pc = pc;
	discard_block_or_all_if_redirected(pc);
	return True;
}

Bool vt_switch_prepare_thread_is_code_kept(ThreadId tid, UInt thread_number)
{
	Bool was_discarded;

	execute_new_daemon_messages();
	vt_pending_write_marks_and_publish_chunk();
	if (vt_recording_plan == NULL)
		return True;
	vt_objects_update_and_log_changes();
	vt_callstack_end_calls_below_sp(tid);
	vt_windows_update_did_lanes_change();
	was_discarded = update_translated_lanes();
	was_discarded |= start_counters_did_kinds_change(tid, thread_number) ||
			 vt_segment_is_memory_of_steps_used_up();
	if (was_discarded)
		discard_all_code_and_update_chasing();
	was_discarded |= vt_callstack_discard_new_return_sites();
	return !update_single_instr_did_discard(tid) && !was_discarded;
}

void vt_switch_count_executed_before_fault(ThreadId tid)
{
	if (vt_recording_plan != NULL)
		vt_counters_count_segment_before_fault(tid, VG_(get_IP)(tid));
}

void vt_switch_stop_counters_add_to_totals(ThreadId tid)
{
	if (vt_recording_plan != NULL)
		vt_counters_stop_thread_add_to_totals(tid);
}

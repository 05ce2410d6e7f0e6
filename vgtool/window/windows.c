/* SPDX-License-Identifier: GPL-2.0-or-later */
/* windows.c - opens and closes windows (parts of a run that are recorded); see
   windows.h */

#include "vgtool/window/windows.h"

#include "vgtool/core/plan_view.h"
#include "vgtool/transport/connection.h"
#include "vgtool/transport/ring.h"
#include "vgtool/window/events.h"

enum state { WAITING, OPEN, OVER };

struct window {
	enum state state;
	/* get_current_sampling_count_or_ns() when the window opened */
	ULong count_at_opening;
	UInt n_intervals_passed; /* number of the window's intervals that are
				    over, since the process's beginning; not
				    reset by an opening */
	ULong openings;		 /* times that the window was opened */
	Bool is_recording;	 /* open and, if it has samples or intervals,
				    inside one */
	Bool is_requested;	 /* a command to open or close the window waits,
				    see to_open */
	Bool to_open;		 /* the command: True to open, False to close
				    the window */
	Bool is_inherited;	 /* was open in the parent at the fork, and has
				    not opened in this process yet */
};

static struct window *windows;
static UInt n_windows;
static ULong lanes; /* lanes (windows' thread filters), of whatever thread, that
		       record now, a bit each */
static Bool any_requested; /* some window's is_requested is set */
static Bool paused;	   /* recording is paused; a forked child inherits
			      this */

/* Mark @window, which was open in the parent at the fork, so that the next
   vt_windows_update_did_lanes_change() opens it. */
static void mark_window_as_inherited(UInt window)
{
	UInt till = vt_plan_window(window)->till;

	windows[window].is_inherited = True;
	if (till != PT_NO_EVENT)
		vt_event_reset_and_arm_in_forked_child(till);
}

void vt_windows_init_from_plan(void)
{
	struct window *parents = windows;
	UInt i, n_parents = n_windows;

	n_windows = vt_recording_plan->windows.n;
	windows = VG_(calloc)("vt.windows", n_windows + 1, sizeof(*windows));
	lanes = 0;
	for (i = 0; i < n_windows && i < n_parents; i++)
		if (parents[i].state == OPEN)
			mark_window_as_inherited(i);
	VG_(free)(parents);
}

void vt_windows_request_open_or_close(UInt window, Bool open)
{
	if (vt_recording_plan == NULL || window >= vt_recording_plan->windows.n)
		return;
	windows[window].is_requested = any_requested = True;
	windows[window].to_open = open;
}

UInt vt_windows_request_by_name_return_count(
	const HChar *name_of_window_or_event_if_closing, Bool open)
{
	UInt i, n = 0;

	for (i = 0;
	     vt_recording_plan != NULL && i < vt_recording_plan->windows.n;
	     i++) {
		const struct pt_window *w = vt_plan_window(i);
		Bool called =
			VG_(strcmp)(
				vt_plan_string_at_offset_in_strings(w->name),
				name_of_window_or_event_if_closing) == 0;
		Bool waits = w->on != PT_NO_EVENT &&
			     vt_event_is_or_includes_named_request(
				     w->on, name_of_window_or_event_if_closing);

		if (called || (waits && !open))
			vt_windows_request_open_or_close(i, open);
		n += called || waits;
	}
	return n;
}

void vt_windows_set_recording_paused(Bool is_paused)
{
	paused = is_paused;
}

Bool vt_windows_is_recording_paused(void)
{
	return paused;
}

const HChar *vt_windows_state_word(UInt window, ULong *opening_count)
{
	static const HChar *const words[] = {
		[WAITING] = "waiting", [OPEN] = "open", [OVER] = "over"};

	*opening_count = windows[window].openings;
	if (windows[window].is_requested)
		return windows[window].to_open ? "opening" : "closing";
	return words[windows[window].state];
}

/* Return the present count, or time [ns], by which the samples or intervals of
   @w are measured. */
static ULong get_current_sampling_count_or_ns(const struct pt_window *w)
{
	if (w->n_intervals != 0)
		return vt_counters_total(VT_INSTRUCTIONS, 0);
	switch (w->sample_unit) {
	case PT_COUNT_INSTRUCTIONS:
		return vt_counters_total(VT_INSTRUCTIONS, 0);
	case PT_COUNT_ACCESSES:
		return vt_counters_total(VT_ACCESSES, 0);
	default:
		return vt_clock_monotonic_now_ns();
	}
}

/* Whether the samples or intervals of @w depend on a count of counters.h; set
   @kind to the kind that is counted. */
static Bool does_sampling_need_counter(const struct pt_window *w,
				       enum vt_counter_kind *kind)
{
	*kind = VT_INSTRUCTIONS;
	if (w->n_intervals != 0)
		return True;
	if (w->sample_unit == PT_COUNT_ACCESSES)
		*kind = VT_ACCESSES;
	return w->sample_every != 0 && w->sample_unit != PT_COUNT_NS;
}

/* Whether window @w with state @s, if it were open, would be inside a sample or
   interval now; True if it has neither. Advance n_intervals_passed of @s. Set
   @count_left to the count or time [ns] until this changes, ~0 if it never
   does. */
static Bool update_is_in_sample_or_interval(const struct pt_window *w,
					    struct window *s, ULong *count_left)
{
	ULong now, in;

	*count_left = ~0ULL;
	if (w->n_intervals == 0 && w->sample_every == 0)
		return True;
	now = get_current_sampling_count_or_ns(w);
	if (w->n_intervals == 0) {
		in = (now - s->count_at_opening) % w->sample_every;
		*count_left =
			(in < w->sample_for ? w->sample_for : w->sample_every) -
			in;
		return in < w->sample_for;
	}
	while (s->n_intervals_passed < w->n_intervals &&
	       now >= vt_plan_interval(w->first_interval +
				       s->n_intervals_passed)
				       ->start +
			       vt_plan_interval(w->first_interval +
						s->n_intervals_passed)
				       ->duration)
		s->n_intervals_passed++;
	if (s->n_intervals_passed == w->n_intervals)
		return False;
	in = vt_plan_interval(w->first_interval + s->n_intervals_passed)->start;
	*count_left = (now < in ? in
				: in + vt_plan_interval(w->first_interval +
							s->n_intervals_passed)
						  ->duration) -
		      now;
	return now >= in;
}

static void open_window_arm_events_write_ring_unit(UInt window)
{
	const struct pt_window *w = vt_plan_window(window);

	windows[window].state = OPEN;
	windows[window].openings++;
	windows[window].count_at_opening = get_current_sampling_count_or_ns(w);
	if (w->till != PT_NO_EVENT && windows[window].is_requested)
		vt_event_reset_and_arm(w->till, False);
	if (w->till != PT_NO_EVENT && !windows[window].is_inherited)
		vt_event_reset_and_arm(w->till, True);
	windows[window].is_inherited = False;
	vt_ring_write_or_skip_control_unit(PT_WINDOW_OPEN, window, NULL, 0);
}

static void close_window_arm_events_write_ring_unit(UInt window)
{
	const struct pt_window *w = vt_plan_window(window);

	windows[window].state = w->flags & PT_WINDOW_REOPENS ? WAITING : OVER;
	if (windows[window].state == WAITING) {
		if (w->on != PT_NO_EVENT)
			vt_event_reset_and_arm(w->on, False);
		if (w->till != PT_NO_EVENT)
			vt_event_reset_and_arm(w->till, False);
	}
	vt_ring_write_or_skip_control_unit(PT_WINDOW_CLOSE, window, NULL, 0);
}

static Bool is_open_requested_or_event_true(UInt window)
{
	const struct pt_window *w = vt_plan_window(window);

	if (windows[window].is_inherited ||
	    (windows[window].is_requested && windows[window].to_open))
		return True;
	return windows[window].state == WAITING &&
	       (w->on == PT_NO_EVENT ||
		vt_event_has_happened_or_holds_now(w->on));
}

static Bool is_close_requested_or_event_true(UInt window)
{
	const struct pt_window *w = vt_plan_window(window);

	if (windows[window].is_requested)
		return !windows[window].to_open;
	return w->till != PT_NO_EVENT &&
	       vt_event_has_happened_or_holds_now(w->till);
}

/* Open or close @window if its event has happened or a command requests it.
   It may open and close in one call. */
static void open_or_close_window_on_event_or_request(UInt window)
{
	if (windows[window].state != OPEN &&
	    is_open_requested_or_event_true(window))
		open_window_arm_events_write_ring_unit(window);
	if (windows[window].state == OPEN &&
	    is_close_requested_or_event_true(window))
		close_window_arm_events_write_ring_unit(window);
	windows[window].is_requested = False;
}

/* If @window has a warm-up, write a unit that marks where the window begins to
   record, with the number of instructions retired so far. */
static void write_recording_start_if_has_warmup(UInt window)
{
	ULong instret = vt_counters_total(VT_INSTRUCTIONS, 0);

	if (vt_plan_window(window)->n_warm != 0)
		vt_ring_write_or_skip_control_unit(PT_WINDOW_RECORDS, window,
						   &instret, 1);
}

/* Return the number of instructions that the process still retires until
   @window, which is not recording, opens if it is waiting, or else begins to
   record; 0 if that is not known. */
static ULong instrs_until_recording_0_if_unknown(UInt window)
{
	const struct pt_window *w = vt_plan_window(window);
	enum vt_counter_kind kind;
	ULong remaining;

	if (windows[window].state == WAITING)
		return w->on == PT_NO_EVENT
			       ? 0
			       : vt_event_total_instrs_left_or_0(w->on);
	if (!does_sampling_need_counter(w, &kind) || kind != VT_INSTRUCTIONS)
		return 0;
	update_is_in_sample_or_interval(w, &windows[window], &remaining);
	return remaining;
}

/* Whether the warm-up of @window must be recorded now: the window is not
   recording and not over, and opens or, if it is open, begins to record after
   at most `warmup` instructions, or after an unknown number. */
static Bool is_warmup_to_be_recorded_now(UInt window)
{
	const struct pt_window *w = vt_plan_window(window);

	return w->n_warm != 0 && windows[window].state != OVER &&
	       !windows[window].is_recording &&
	       instrs_until_recording_0_if_unknown(window) <= w->warmup;
}

/* Return a mask with @lane_count bits from bit @first_lane upwards. */
static ULong mask_of_consecutive_lanes(UInt first_lane, UInt lane_count)
{
	return lane_count == 0 ? 0 : ~0ULL >> (64 - lane_count) << first_lane;
}

/* Update is_recording of all windows, and write a unit for each window with a
   warm-up that begins to record. Return the lanes (windows' thread filters)
   that record now, a bit each; 0 if recording is paused. */
static ULong update_and_return_recording_lanes(void)
{
	ULong to_record = 0, remaining;
	UInt i;

	for (i = 0; i < vt_recording_plan->windows.n; i++) {
		const struct pt_window *w = vt_plan_window(i);
		Bool records = windows[i].state == OPEN &&
			       update_is_in_sample_or_interval(w, &windows[i],
							       &remaining);

		if (records && !windows[i].is_recording)
			write_recording_start_if_has_warmup(i);
		windows[i].is_recording = records;
		if (records)
			to_record |= mask_of_consecutive_lanes(w->first_lane,
							       w->n_lanes);
		else if (is_warmup_to_be_recorded_now(i))
			to_record |= mask_of_consecutive_lanes(
				w->first_lane + w->n_lanes, w->n_warm);
	}
	return paused ? 0 : to_record;
}

/* Store the open windows as a bitmask in the tool's page, where the daemon
   reads it for `alleria control`. */
static void publish_open_window_mask(void)
{
	ULong open = 0;
	UInt i;

	for (i = 0; i < vt_recording_plan->windows.n; i++)
		open |= (ULong)(windows[i].state == OPEN) << i;
	/* Relaxed: nothing else is read because of it. */
	pt_store_relaxed(&vt_ring_tool_or_sink_page()->windows, open);
}

static void open_or_close_all_windows(void)
{
	UInt i;

	for (i = 0; i < vt_recording_plan->windows.n; i++)
		open_or_close_window_on_event_or_request(i);
	publish_open_window_mask();
}

Bool vt_windows_update_did_lanes_change(void)
{
	ULong before = lanes;

	if (vt_event_record_due_has_any_happened() || any_requested)
		open_or_close_all_windows();
	any_requested = False;
	lanes = update_and_return_recording_lanes();
	return lanes != before;
}

Bool vt_windows_is_any_waiting_or_open(void)
{
	UInt i;

	for (i = 0; i < vt_recording_plan->windows.n; i++)
		if (windows[i].state != OVER)
			return True;
	return False;
}

ULong vt_windows_recording_lanes(void)
{
	return lanes;
}

/* Return the lanes that record thread number @thread_number now, a bit each. In
   each window, a thread belongs to the first lane (filter) that names this
   thread or any thread, and to the warm-up lane of that lane. */
ULong vt_windows_recording_lanes_of_thread(UInt thread_number)
{
	ULong found = 0;
	UInt i, k;

	for (i = 0; i < vt_recording_plan->windows.n; i++) {
		const struct pt_window *w = vt_plan_window(i);

		for (k = w->first_lane; k < w->first_lane + w->n_lanes; k++)
			if (vt_plan_lane(k)->thread == thread_number ||
			    vt_plan_lane(k)->thread == 0) {
				found |= 1ULL << k;
				if (w->n_warm != 0)
					found |= 1ULL << (k + w->n_lanes);
				break;
			}
	}
	return found & lanes;
}

/* Reduce the limit of instructions in @limits_by_kind [VT_N_COUNTERS] to the
   number of instructions until the warm-up of @window must begin. Return the
   kinds that must be counted for that, bit 1 << enum vt_counter_kind each; 0 if
   the window has no warm-up, is recording or is over. */
static UInt lower_limit_to_warmup_return_kind_mask(UInt window,
						   ULong *limits_by_kind)
{
	const struct pt_window *w = vt_plan_window(window);
	ULong remaining = 0;

	if (w->n_warm == 0 || windows[window].state == OVER ||
	    windows[window].is_recording)
		return 0;
	if (!is_warmup_to_be_recorded_now(window))
		remaining =
			instrs_until_recording_0_if_unknown(window) - w->warmup;
	if (remaining != 0 && remaining < limits_by_kind[VT_INSTRUCTIONS])
		limits_by_kind[VT_INSTRUCTIONS] = remaining;
	return 1u << VT_INSTRUCTIONS;
}

UInt vt_windows_reduce_limits_get_kind_mask(UInt thread_number,
					    ULong *limits_by_kind)
{
	UInt i, kinds = vt_event_reduce_limits_get_counted_kinds(
			thread_number, limits_by_kind);
	enum vt_counter_kind kind;
	ULong remaining;

	for (i = 0; i < vt_recording_plan->windows.n; i++) {
		const struct pt_window *w = vt_plan_window(i);

		kinds |= lower_limit_to_warmup_return_kind_mask(i,
								limits_by_kind);
		if (windows[i].state == OVER ||
		    !does_sampling_need_counter(w, &kind) ||
		    (windows[i].state == WAITING && w->n_intervals == 0))
			continue;
		kinds |= 1u << kind;
		if (windows[i].state == OPEN) {
			update_is_in_sample_or_interval(w, &windows[i],
							&remaining);
			limits_by_kind[kind] = remaining < limits_by_kind[kind]
						       ? remaining
						       : limits_by_kind[kind];
		}
	}
	return kinds;
}

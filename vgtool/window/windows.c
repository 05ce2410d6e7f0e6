/* SPDX-License-Identifier: GPL-2.0-or-later */
/* windows.c - which windows are open; see windows.h */

#include "vgtool/window/windows.h"

#include "vgtool/core/plan_view.h"
#include "vgtool/transport/connection.h"
#include "vgtool/transport/ring.h"
#include "vgtool/window/events.h"

enum state { WAITING, OPEN, OVER };

struct window {
	enum state state;
	ULong base;  /* where sampling began to count */
	UInt passed; /* intervals that are over */
	ULong openings;
	Bool taking;  /* what comes now is recorded */
	Bool ordered; /* from outside: */
	Bool to_open; /* that, or to close */
};

static struct window *windows;
static ULong lanes; /* wanted now */
static Bool any_ordered;
static Bool paused; /* a forked child goes on with it */

void vt_windows_begin(void)
{
	VG_(free)(windows);
	windows = VG_(calloc)("vt.windows", vt_given->windows.n + 1,
			      sizeof(*windows));
	lanes = 0;
}

void vt_windows_order(UInt window, Bool open)
{
	if (vt_given == NULL || window >= vt_given->windows.n)
		return;
	windows[window].ordered = any_ordered = True;
	windows[window].to_open = open;
}

UInt vt_windows_call(const HChar *name, Bool open)
{
	UInt i, n = 0;

	for (i = 0; vt_given != NULL && i < vt_given->windows.n; i++) {
		const struct pt_window *w = vt_given_window(i);
		Bool called = VG_(strcmp)(vt_given_string(w->name), name) == 0;
		Bool waits =
			w->on != PT_NO_EVENT && vt_watch_waits(w->on, name);

		if (called || (waits && !open))
			vt_windows_order(i, open);
		n += called || waits;
	}
	return n;
}

void vt_windows_pause(Bool on)
{
	paused = on;
}

Bool vt_windows_are_paused(void)
{
	return paused;
}

const HChar *vt_windows_state(UInt window, ULong *openings)
{
	static const HChar *const words[] = {
		[WAITING] = "waiting", [OPEN] = "open", [OVER] = "over"};

	*openings = windows[window].openings;
	if (windows[window].ordered)
		return windows[window].to_open ? "opening" : "closing";
	return words[windows[window].state];
}

/* What a window's samples or intervals count. */
static ULong sample_count(const struct pt_window *w)
{
	if (w->n_intervals != 0)
		return vt_meter_total(VT_INSTRUCTIONS, 0);
	switch (w->sample_unit) {
	case PT_COUNT_INSTRUCTIONS:
		return vt_meter_total(VT_INSTRUCTIONS, 0);
	case PT_COUNT_ACCESSES:
		return vt_meter_total(VT_ACCESSES, 0);
	default:
		return vt_control_now_ns();
	}
}

/* Whether that is on the meter. */
static Bool samples(const struct pt_window *w, enum vt_metered *what)
{
	*what = VT_INSTRUCTIONS;
	if (w->n_intervals != 0)
		return True;
	if (w->sample_unit == PT_COUNT_ACCESSES)
		*what = VT_ACCESSES;
	return w->sample_every != 0 && w->sample_unit != PT_COUNT_NS;
}

/* Whether an open window takes what comes now. @left: how long it stays so. */
static Bool takes(const struct pt_window *w, struct window *s, ULong *left)
{
	ULong now, in;

	*left = ~0ULL;
	if (w->n_intervals == 0 && w->sample_every == 0)
		return True;
	now = sample_count(w);
	if (w->n_intervals == 0) {
		in = (now - s->base) % w->sample_every;
		*left = (in < w->sample_for ? w->sample_for : w->sample_every) -
			in;
		return in < w->sample_for;
	}
	while (s->passed < w->n_intervals &&
	       now >= vt_given_interval(w->first_interval + s->passed)->start +
			       vt_given_interval(w->first_interval + s->passed)
				       ->duration)
		s->passed++;
	if (s->passed == w->n_intervals)
		return False;
	in = vt_given_interval(w->first_interval + s->passed)->start;
	*left = (now < in
			 ? in
			 : in + vt_given_interval(w->first_interval + s->passed)
					   ->duration) -
		now;
	return now >= in;
}

static void open_window(UInt i)
{
	const struct pt_window *w = vt_given_window(i);

	windows[i].state = OPEN;
	windows[i].openings++;
	windows[i].base = sample_count(w);
	if (w->till != PT_NO_EVENT && windows[i].ordered)
		vt_watch_arm(w->till, False);
	if (w->till != PT_NO_EVENT)
		vt_watch_arm(w->till, True);
	vt_ring_unit(PT_WINDOW_OPEN, i, NULL, 0);
}

static void close_window(UInt i)
{
	const struct pt_window *w = vt_given_window(i);

	windows[i].state = w->flags & PT_WINDOW_REOPENS ? WAITING : OVER;
	if (windows[i].state == WAITING) {
		if (w->on != PT_NO_EVENT)
			vt_watch_arm(w->on, False);
		if (w->till != PT_NO_EVENT)
			vt_watch_arm(w->till, False);
	}
	vt_ring_unit(PT_WINDOW_CLOSE, i, NULL, 0);
}

static Bool wants_to_open(UInt i)
{
	const struct pt_window *w = vt_given_window(i);

	if (windows[i].ordered && windows[i].to_open)
		return True;
	return windows[i].state == WAITING &&
	       (w->on == PT_NO_EVENT || vt_watch_holds(w->on));
}

static Bool wants_to_close(UInt i)
{
	const struct pt_window *w = vt_given_window(i);

	if (windows[i].ordered)
		return !windows[i].to_open;
	return w->till != PT_NO_EVENT && vt_watch_holds(w->till);
}

/* A window may open and close at once, but no event happens meanwhile. */
static void settle_window(UInt i)
{
	if (windows[i].state != OPEN && wants_to_open(i))
		open_window(i);
	if (windows[i].state == OPEN && wants_to_close(i))
		close_window(i);
	windows[i].ordered = False;
}

/* What came before may have to be simulated first. */
static void begin_to_take(UInt i)
{
	ULong far = vt_meter_total(VT_INSTRUCTIONS, 0);

	if (vt_given_window(i)->n_warm != 0)
		vt_ring_unit(PT_WINDOW_TAKES, i, &far, 1);
}

/* How many instructions the process executes until a window takes what comes,
   as far as that can be known: 0: it may do so at once. */
static ULong distance(UInt i)
{
	const struct pt_window *w = vt_given_window(i);
	enum vt_metered what;
	ULong left;

	if (windows[i].state == WAITING)
		return w->on == PT_NO_EVENT ? 0 : vt_watch_distance(w->on);
	if (!samples(w, &what) || what != VT_INSTRUCTIONS)
		return 0;
	takes(w, &windows[i], &left);
	return left;
}

/* Whether what comes may have to be simulated before what is recorded. */
static Bool is_warm(UInt i)
{
	const struct pt_window *w = vt_given_window(i);

	return w->n_warm != 0 && windows[i].state != OVER &&
	       !windows[i].taking && distance(i) <= w->warmup;
}

static ULong lanes_from(UInt first, UInt n)
{
	return n == 0 ? 0 : ~0ULL >> (64 - n) << first;
}

static ULong lanes_wanted(void)
{
	ULong wanted = 0, left;
	UInt i;

	for (i = 0; i < vt_given->windows.n; i++) {
		const struct pt_window *w = vt_given_window(i);
		Bool taking = windows[i].state == OPEN &&
			      takes(w, &windows[i], &left);

		if (taking && !windows[i].taking)
			begin_to_take(i);
		windows[i].taking = taking;
		if (taking)
			wanted |= lanes_from(w->first_lane, w->n_lanes);
		else if (is_warm(i))
			wanted |= lanes_from(w->first_lane + w->n_lanes,
					     w->n_warm);
	}
	return paused ? 0 : wanted;
}

/* For who asks the daemon. */
static void show_open(void)
{
	ULong open = 0;
	UInt i;

	for (i = 0; i < vt_given->windows.n; i++)
		open |= (ULong)(windows[i].state == OPEN) << i;
	/* Nothing is read because of it, so it is in no order. */
	pt_store_relaxed(&vt_ring_page()->windows, open);
}

static void settle_windows(void)
{
	UInt i;

	for (i = 0; i < vt_given->windows.n; i++)
		settle_window(i);
	show_open();
}

Bool vt_windows_settle(void)
{
	ULong before = lanes;

	if (vt_watch_look() || any_ordered)
		settle_windows();
	any_ordered = False;
	lanes = lanes_wanted();
	return lanes != before;
}

Bool vt_windows_may_open(void)
{
	UInt i;

	for (i = 0; i < vt_given->windows.n; i++)
		if (windows[i].state != OVER)
			return True;
	return False;
}

ULong vt_windows_lanes(void)
{
	return lanes;
}

/* A window's lane for a thread: its own, else that for any other; and that
   one's warm twin. */
ULong vt_windows_lanes_of(UInt thread)
{
	ULong found = 0;
	UInt i, k;

	for (i = 0; i < vt_given->windows.n; i++) {
		const struct pt_window *w = vt_given_window(i);

		for (k = w->first_lane; k < w->first_lane + w->n_lanes; k++)
			if (vt_given_lane(k)->thread == thread ||
			    vt_given_lane(k)->thread == 0) {
				found |= 1ULL << k;
				if (w->n_warm != 0)
					found |= 1ULL << (k + w->n_lanes);
				break;
			}
	}
	return found & lanes;
}

/* Warm lanes are wanted from as many instructions before an opening on, and by
   then instructions must have been counted. */
static UInt left_cold(UInt i, ULong *left)
{
	const struct pt_window *w = vt_given_window(i);
	ULong to = 0;

	if (w->n_warm == 0 || windows[i].state == OVER || windows[i].taking)
		return 0;
	if (!is_warm(i))
		to = distance(i) - w->warmup;
	if (to != 0 && to < left[VT_INSTRUCTIONS])
		left[VT_INSTRUCTIONS] = to;
	return 1u << VT_INSTRUCTIONS;
}

UInt vt_windows_left(UInt thread, ULong *left)
{
	UInt i, kinds = vt_watch_left(thread, left);
	enum vt_metered what;
	ULong to;

	for (i = 0; i < vt_given->windows.n; i++) {
		const struct pt_window *w = vt_given_window(i);

		kinds |= left_cold(i, left);
		if (windows[i].state == OVER || !samples(w, &what) ||
		    (windows[i].state == WAITING && w->n_intervals == 0))
			continue;
		kinds |= 1u << what;
		if (windows[i].state == OPEN) {
			takes(w, &windows[i], &to);
			left[what] = to < left[what] ? to : left[what];
		}
	}
	return kinds;
}

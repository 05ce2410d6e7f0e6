/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * windows.h - opens and closes windows by their events and by commands, and
 * logs which parts of the recording plan have taken effect
 */
#ifndef VGTOOL_WINDOW_WINDOWS_H
#define VGTOOL_WINDOW_WINDOWS_H

#include "vgtool/core/prelude.h"

/* Start anew with the windows of the present plan (vt_recording_plan). In a
   forked child the next vt_windows_update_did_lanes_change() opens those that
   were open in the parent at the fork. Call after vt_event_init_from_plan(). */
void vt_windows_init_from_plan(void);

/* Request that @window opens, or closes unless @open, as the daemon or the
   program commands. vt_windows_update_did_lanes_change() carries it out. */
void vt_windows_request_open_or_close(UInt window, Bool open);

/* Request that the windows with the name @name_of_window_or_event_if_closing
   open or close. Unless @open, also close windows that open at a client request
   with that name. Return: the number of windows with that name or with such a
   request. */
UInt vt_windows_request_by_name_return_count(
	const HChar *name_of_window_or_event_if_closing, Bool open);

/* Pause all recording, with or without windows, if @is_paused, else resume
   it. */
void vt_windows_set_recording_paused(Bool is_paused);

/* Whether recording is paused. */
Bool vt_windows_is_recording_paused(void);

/* Return the state of @window as a word: waiting, open, over, or, while a
   command waits, opening or closing. Set @opening_count to the number of times
   that the window was opened. */
const HChar *vt_windows_state_word(UInt window, ULong *opening_count);

/*
 * Open and close windows by events and requests, write a unit (record of the
 * stream) for each opening and closing, and update the lanes (windows' thread
 * filters) that record.
 *
 * Context: no translated code is running.
 * Return: whether the lanes that record have changed.
 */
Bool vt_windows_update_did_lanes_change(void);

/* Whether some window is waiting or open, so that it may record later or now.
   */
Bool vt_windows_is_any_waiting_or_open(void);

/* Return the lanes (windows' thread filters) that record now, a bit each: those
   of open windows (only inside a sample or interval, if a window has these),
   and those of warm-ups. 0 while recording is paused. */
ULong vt_windows_recording_lanes(void);

/* Return those lanes of vt_windows_recording_lanes() that apply to thread
   number @thread_number. */
ULong vt_windows_recording_lanes_of_thread(UInt thread_number);

/* Reduce @limits_by_kind [VT_N_COUNTERS] to the counts that remain for thread
   number @thread_number until an event happens, or until a sample (a part of a
   window that is recorded) or a warm-up (recording before a window) begins or
   ends. Return the kinds that must be counted, bit 1 << enum vt_counter_kind
   each. */
UInt vt_windows_reduce_limits_get_kind_mask(UInt thread_number,
					    ULong *limits_by_kind);

/* Log which parts of the plan have taken effect, when the image ends or may
   end: records PT_LOG_OUTCOME hold the counts of events, and which images and
   functions were not found. The user learns from them why a window did not
   open. Context: no translated code is running. */
void vt_outcome_log_plan(void);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * events.h - records which of the plan's events have happened
 *
 * An event (proto/window.h) is something in the program that opens or closes a
 * window. Events are recorded as soon as they happen, also while translated
 * code runs; but events of counts and times are recorded when
 * vt_event_record_due_has_any_happened() is called. windows.h opens and closes
 * windows by the recorded events later, when no code runs. Without a plan
 * nothing is recorded. An event is armed when a window begins to wait for it.
 */
#ifndef VGTOOL_WINDOW_EVENTS_H
#define VGTOOL_WINDOW_EVENTS_H

#include "vgtool/core/prelude.h"
#include "vgtool/instrument/counters.h"

/* Start anew with the events of the present plan (vt_recording_plan). */
void vt_event_init_from_plan(void);

/* Record that thread @thread_number of this process starts or ends.
   @alive_count: number of threads alive after that. */
void vt_event_trigger_on_thread_start_or_end(UInt thread_number, Bool is_start,
					     UInt alive_count);

/* Record that signal number @signal is delivered to thread number
   @thread_number. */
void vt_event_trigger_on_signal(UInt signal, UInt thread_number);

/* Record a client request with the name @name by thread number @thread_number;
   0: the request is by a user, not by the program. */
void vt_event_trigger_on_request(const HChar *name, UInt thread_number);

/* Record that the object file @path was mapped or, unless @is_load, unmapped,
   so that the plan's events that wait for this have happened. */
void vt_event_trigger_on_image_load_or_unload(const HChar *path, Bool is_load);

/* Record that @event has happened, in another process or in this one. The
   daemon is not informed. */
void vt_event_set_happened(UInt event);

/* Record a call of @function_number (number in functions.h) by @thread_number.
   @call_serial: number of the call, different from those of all other calls. */
void vt_event_trigger_on_call(UInt function_number, UInt thread_number,
			      ULong call_serial);

/* Record that the call @call_serial has returned or was unwound, or that its
   thread ends. */
void vt_event_trigger_on_return(ULong call_serial);

/* Whether some CALL or RETURN event of this process names the function with
   number @function_number in functions.h. */
Bool vt_event_has_any_for_function(UInt function_number);

/* Record all events whose count or time has been reached. Return: whether any
   event may have happened since the last call of this function, also one that
   another function recorded. */
Bool vt_event_record_due_has_any_happened(void);

/* Whether @event waits in this process for a client request with the name
   @request_name, or is ALL or ANY of events of which at least one does. */
Bool vt_event_is_or_includes_named_request(UInt event,
					   const HChar *request_name);

/* Whether the condition of @event holds: that it has happened since it was
   armed; for a THREADS event of this process, that the number of threads alive
   is now in its range; for ALL or ANY, that this holds for all or any of its
   events. */
Bool vt_event_has_happened_or_holds_now(UInt event);

/* Whether @event has been recorded since it was armed. Events that are ALL or
   ANY of others are never recorded. */
Bool vt_event_has_happened(UInt event);

/* Return the number in functions.h of the function whose call or return in this
   process is @event; ~0 if @event is another one. */
UInt vt_event_function_number_or_none(UInt event);

/* Return the number that the log reports for @event (struct pt_log_outcome):
   the count or time [ns] that it has reached, the calls, requests or signals
   since it was armed, or the largest number of threads alive; 0 for an event of
   another process. */
ULong vt_event_count_or_ns_for_log(UInt event);

/* Arm @event, or each event of which it is ALL or ANY: it has not happened, and
   its counts begin anew. If @has_window_just_opened, only events that count
   from the opening of their window on (PT_EVENT_SINCE_OPEN) are armed, and
   others do not change; else such events count nothing until it opens. */
void vt_event_reset_and_arm(UInt event, Bool has_window_just_opened);

/* In a forked child, arm @event, or each event of which it is ALL or ANY, which
   closes a window that was open in the parent at the fork. Its counts begin
   with the child. A RETURN event whose call the child has inherited happens
   when that call returns in the child. */
void vt_event_reset_and_arm_in_forked_child(UInt event);

/* Return the number of instructions that the process still retires until @event
   happens; 0 if @event is no sum of the instructions of all threads of this
   process, or has happened. */
ULong vt_event_total_instrs_left_or_0(UInt event);

/* Reduce @limits_by_kind [VT_N_COUNTERS] (how many instructions, accesses and
   so on thread number @thread_number may execute) to what remains until the
   next events that open or close windows. Return the kinds that must be
   counted, bit 1 << enum vt_counter_kind each. */
UInt vt_event_reduce_limits_get_counted_kinds(UInt thread_number,
					      ULong *limits_by_kind);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* events.c - records which events have happened; see events.h */

#include "vgtool/window/events.h"

#include "vgtool/core/plan_view.h"
#include "vgtool/transport/connection.h"
#include "vgtool/window/call_return.h"
#include "vgtool/window/functions.h"

/* State of an event of the plan. */
struct event {
	Bool happened;
	UInt function;	  /* CALL, RETURN of this process: number in
			     functions.h; else ~0 */
	UInt calls;	  /* calls, requests or signals since it was armed */
	ULong activation; /* RETURN: number of the call at whose return the
			     event happens; 0: that call has not come yet */
	ULong inherited; /* in a forked child: activation in the parent, if that
			    call runs in the child; else 0 */
	ULong *base;	 /* counts when it was armed, by thread number; [0]: of
			     all threads. TIME: times [ns] instead */
	UInt n_base;
	ULong began_ns; /* TIME: start of the event's thread; 0: not started */
	Bool idle;	/* counts only while its window is open, which it is not
			   now */
};

static struct event *events;
static UInt n_events;
static ULong start_ns; /* time at which the plan began */
static Bool has_news;  /* an event may have happened since the last
			  vt_event_record_due_has_any_happened() */
static UInt n_alive;   /* threads alive */
static UInt max_alive; /* largest number of threads alive since the plan
			  began */
static Bool has_time;  /* the plan has events of kind TIME */

/* Whether event @e waits for something in this process; events with process
   number 0 do so in every process. */
static Bool is_event_of_this_process(const struct pt_event *e)
{
	return e->process == 0 || e->process == vt_recording_plan->process;
}

static Bool is_event_of_thread_or_any(const struct pt_event *e,
				      UInt thread_number)
{
	return e->thread == 0 || e->thread == thread_number;
}

/* If @event is a call or return in this process, add the function that it names
   to those that functions.h searches for, and store its number; else store ~0.
   */
static void find_or_add_and_store_event_function(UInt event)
{
	const struct pt_event *e = vt_plan_event(event);
	const HChar *image = vt_plan_string_at_offset_in_strings(e->image);
	struct vt_named_function named = {
		.image_kind = image[0] == 0		    ? PT_IMAGE_MAIN
			      : e->flags & PT_EVENT_BY_PATH ? PT_IMAGE_PATH
							    : PT_IMAGE_NAME,
		.image = image,
		.name = vt_plan_string_at_offset_in_strings(e->name),
		.decorated = (e->flags & PT_EVENT_DECORATED) != 0,
	};

	if ((e->kind == PT_EVENT_CALL || e->kind == PT_EVENT_RETURN) &&
	    is_event_of_this_process(e))
		events[event].function =
			vt_functions_find_or_add_get_number(&named);
	else
		events[event].function = ~0u;
}

/* Replace the events by those of the present plan, all zero. In a forked child,
   set `inherited` from the events of the parent. */
static void replace_events_and_note_inherited_calls(void)
{
	struct event *parents = events;
	UInt i, n_parents = n_events;

	n_events = vt_recording_plan->events.n;
	events = VG_(calloc)("vt.watch", n_events + 1, sizeof(*events));
	for (i = 0; i < n_parents; i++) {
		if (i < n_events &&
		    vt_callstack_is_call_running(parents[i].activation))
			events[i].inherited = parents[i].activation;
		VG_(free)(parents[i].base);
	}
	VG_(free)(parents);
}

void vt_event_init_from_plan(void)
{
	UInt i;

	replace_events_and_note_inherited_calls();
	start_ns = vt_clock_monotonic_now_ns();
	has_time = False;
	max_alive = 0;
	for (i = 0; i < vt_recording_plan->events.n; i++) {
		find_or_add_and_store_event_function(i);
		events[i].happened =
			(vt_plan_event(i)->flags & PT_EVENT_HAPPENED) != 0;
		events[i].idle =
			(vt_plan_event(i)->flags & PT_EVENT_SINCE_OPEN) != 0;
		has_time |= vt_plan_event(i)->kind == PT_EVENT_TIME;
	}
	has_news = True;
}

Bool vt_event_has_any_for_function(UInt function_number)
{
	UInt i;

	for (i = 0;
	     vt_recording_plan != NULL && i < vt_recording_plan->events.n; i++)
		if (events[i].function == function_number)
			return True;
	return False;
}

void vt_event_set_happened(UInt event)
{
	if (vt_recording_plan == NULL || event >= vt_recording_plan->events.n ||
	    events[event].happened)
		return;
	events[event].happened = True;
	has_news = True;
}

/* Record that @event has happened in this process. If other processes may wait
   for it, inform the daemon, even if it has happened before. */
static void set_happened_and_notify_daemon(UInt event)
{
	if (vt_plan_event(event)->process != 0)
		vt_connection_send_await_or_drop_if_full(PT_MSG_HAPPENED,
							 event);
	vt_event_set_happened(event);
}

/* Return the first event of this process and of @kind from number @event_index
   on, and set @event_index to its number; NULL if there is none. */
static const struct pt_event *
find_this_process_event_of_kind_from(UInt *event_index, UInt kind)
{
	for (; vt_recording_plan != NULL &&
	       *event_index < vt_recording_plan->events.n;
	     ++*event_index)
		if (vt_plan_event(*event_index)->kind == kind &&
		    is_event_of_this_process(vt_plan_event(*event_index)))
			return vt_plan_event(*event_index);
	return NULL;
}

/* Whether the number of threads alive is in the range that event @e names. */
static Bool is_alive_thread_count_in_event_range(const struct pt_event *e)
{
	return n_alive >= e->count && n_alive <= e->most;
}

void vt_event_trigger_on_thread_start_or_end(UInt thread_number, Bool is_start,
					     UInt alive_count)
{
	const struct pt_event *e;
	UInt i;

	n_alive = alive_count;
	max_alive = n_alive > max_alive ? n_alive : max_alive;
	for (i = 0;
	     (e = find_this_process_event_of_kind_from(
		      &i, is_start ? PT_EVENT_CREATION : PT_EVENT_TERMINATION));
	     i++)
		if (e->thread == thread_number ||
		    (is_start && e->thread == 0 && thread_number == 1))
			set_happened_and_notify_daemon(i);
	for (i = 0;
	     (e = find_this_process_event_of_kind_from(&i, PT_EVENT_TIME)); i++)
		if (is_start && e->thread == thread_number)
			events[i].began_ns = vt_clock_monotonic_now_ns();
	for (i = 0;
	     (e = find_this_process_event_of_kind_from(&i, PT_EVENT_THREADS));
	     i++)
		if (is_alive_thread_count_in_event_range(e))
			set_happened_and_notify_daemon(i);
	has_news = True;
}

/* Count a signal or client request for @event. If @event waits for thread
   number @thread_number or for any thread, record that it has happened. */
static void count_event_trigger_if_of_thread_or_any(UInt event,
						    UInt thread_number)
{
	events[event].calls++;
	if (is_event_of_thread_or_any(vt_plan_event(event), thread_number))
		set_happened_and_notify_daemon(event);
}

void vt_event_trigger_on_signal(UInt signal, UInt thread_number)
{
	const struct pt_event *e;
	UInt i;

	for (i = 0;
	     (e = find_this_process_event_of_kind_from(&i, PT_EVENT_SIGNAL));
	     i++)
		if (e->count == signal)
			count_event_trigger_if_of_thread_or_any(i,
								thread_number);
}

void vt_event_trigger_on_request(const HChar *name, UInt thread_number)
{
	const struct pt_event *e;
	UInt i;

	for (i = 0;
	     (e = find_this_process_event_of_kind_from(&i, PT_EVENT_REQUEST));
	     i++)
		if (VG_(strcmp)(vt_plan_string_at_offset_in_strings(e->name),
				name) == 0)
			count_event_trigger_if_of_thread_or_any(i,
								thread_number);
}

void vt_event_trigger_on_image_load_or_unload(const HChar *path, Bool is_load)
{
	const struct pt_event *e;
	UInt i;

	for (i = 0; (e = find_this_process_event_of_kind_from(
			     &i, is_load ? PT_EVENT_LOAD : PT_EVENT_UNLOAD));
	     i++)
		if (vt_functions_does_path_match_image(
			    path,
			    e->flags & PT_EVENT_BY_PATH ? PT_IMAGE_PATH
							: PT_IMAGE_NAME,
			    vt_plan_string_at_offset_in_strings(e->image)))
			set_happened_and_notify_daemon(i);
}

void vt_event_trigger_on_call(UInt function_number, UInt thread_number,
			      ULong call_serial)
{
	const struct pt_event *e;
	UInt i;

	for (i = 0;
	     (e = find_this_process_event_of_kind_from(&i, PT_EVENT_CALL)); i++)
		if (events[i].function == function_number &&
		    is_event_of_thread_or_any(e, thread_number) &&
		    ++events[i].calls == e->count)
			set_happened_and_notify_daemon(i);
	for (i = 0;
	     (e = find_this_process_event_of_kind_from(&i, PT_EVENT_RETURN));
	     i++)
		if (events[i].function == function_number &&
		    is_event_of_thread_or_any(e, thread_number) &&
		    ++events[i].calls == e->count)
			events[i].activation = call_serial;
}

void vt_event_trigger_on_return(ULong call_serial)
{
	UInt i;

	for (i = 0; find_this_process_event_of_kind_from(&i, PT_EVENT_RETURN);
	     i++)
		if (events[i].activation == call_serial)
			set_happened_and_notify_daemon(i);
}

/* Return the time [ns] since the start of the thread that @event names (0 if
   that has not started), or since the plan began if @event names none. */
static ULong ns_since_named_thread_or_plan_start(UInt event)
{
	ULong start = vt_plan_event(event)->thread == 0
			      ? start_ns
			      : events[event].began_ns;

	return start == 0 ? 0 : vt_clock_monotonic_now_ns() - start;
}

/* Return the present value of the count, or of the time [ns], that @event waits
   for; 0 if it waits for neither. @thread_or_0: number of the thread whose
   count is returned; 0: sum of all threads. */
static ULong event_current_count_or_ns(UInt event, UInt thread_or_0)
{
	const struct pt_event *e = vt_plan_event(event);
	enum vt_counter_kind kind;

	if (e->kind == PT_EVENT_TIME)
		return ns_since_named_thread_or_plan_start(event);
	return vt_counters_try_map_event_kind(e->kind, &kind)
		       ? vt_counters_total(kind, thread_or_0)
		       : 0;
}

/* Return the count of thread number @thread_or_0 (0: of all threads together),
   or the time [ns], that remains until @event happens. */
static ULong remaining_count_or_ns_of_event(UInt event, UInt thread_or_0)
{
	const struct pt_event *e = vt_plan_event(event);
	ULong base = thread_or_0 < events[event].n_base
			     ? events[event].base[thread_or_0]
			     : 0;
	ULong done = event_current_count_or_ns(event, thread_or_0) - base;

	return done < e->count ? e->count - done : 0;
}

/* Whether event @e happens as soon as any single thread has reached its count
   by itself. */
static Bool is_counted_per_thread(const struct pt_event *e)
{
	return e->kind != PT_EVENT_TIME && e->thread == 0 &&
	       !(e->flags & PT_EVENT_SUM);
}

/* Return the count, or time [ns], that remains until @event happens. If each
   thread is counted separately, this is the smallest one of all threads. */
static ULong min_event_count_or_ns_left_of_threads(UInt event)
{
	const struct pt_event *e = vt_plan_event(event);
	ULong remaining, least = e->count;
	UInt thread;

	if (!is_counted_per_thread(e))
		return remaining_count_or_ns_of_event(event, e->thread);
	for (thread = 1; thread < vt_counters_thread_number_limit(); thread++) {
		remaining = remaining_count_or_ns_of_event(event, thread);
		least = remaining < least ? remaining : least;
	}
	return least;
}

/* Record each event of this process whose count or time has been reached and
   that has not happened yet. */
static void record_events_as_happened_if_due(void)
{
	enum vt_counter_kind kind;
	UInt i;

	for (i = 0; i < vt_recording_plan->events.n; i++) {
		const struct pt_event *e = vt_plan_event(i);

		if (!events[i].happened && !events[i].idle &&
		    is_event_of_this_process(e) &&
		    (e->kind == PT_EVENT_TIME ||
		     vt_counters_try_map_event_kind(e->kind, &kind)) &&
		    min_event_count_or_ns_left_of_threads(i) == 0)
			set_happened_and_notify_daemon(i);
	}
}

Bool vt_event_is_or_includes_named_request(UInt event,
					   const HChar *request_name)
{
	const struct pt_event *e = vt_plan_event(event);
	UInt k;

	if (e->kind == PT_EVENT_ALL || e->kind == PT_EVENT_ANY)
		for (k = e->first; k < e->first + e->n; k++)
			if (vt_event_is_or_includes_named_request(k,
								  request_name))
				return True;
	return e->kind == PT_EVENT_REQUEST && is_event_of_this_process(e) &&
	       VG_(strcmp)(vt_plan_string_at_offset_in_strings(e->name),
			   request_name) == 0;
}

Bool vt_event_has_happened_or_holds_now(UInt event)
{
	const struct pt_event *e = vt_plan_event(event);
	UInt k;

	if (e->kind == PT_EVENT_THREADS && is_event_of_this_process(e))
		return is_alive_thread_count_in_event_range(e);
	if (e->kind != PT_EVENT_ALL && e->kind != PT_EVENT_ANY)
		return events[event].happened;
	for (k = e->first; k < e->first + e->n; k++)
		if (vt_event_has_happened_or_holds_now(k) ==
		    (e->kind == PT_EVENT_ANY))
			return e->kind == PT_EVENT_ANY;
	return e->kind == PT_EVENT_ALL;
}

Bool vt_event_has_happened(UInt event)
{
	return events[event].happened;
}

UInt vt_event_function_number_or_none(UInt event)
{
	return events[event].function;
}

ULong vt_event_count_or_ns_for_log(UInt event)
{
	const struct pt_event *e = vt_plan_event(event);
	enum vt_counter_kind kind;

	if (!is_event_of_this_process(e))
		return 0;
	if (e->kind == PT_EVENT_THREADS)
		return max_alive;
	if (e->kind == PT_EVENT_TIME ||
	    vt_counters_try_map_event_kind(e->kind, &kind))
		return e->count - min_event_count_or_ns_left_of_threads(event);
	return events[event].calls;
}

void vt_event_reset_and_arm(UInt event, Bool has_window_just_opened)
{
	const struct pt_event *e = vt_plan_event(event);
	struct event *state = &events[event];
	UInt k;

	if (e->kind == PT_EVENT_ALL || e->kind == PT_EVENT_ANY) {
		for (k = e->first; k < e->first + e->n; k++)
			vt_event_reset_and_arm(k, has_window_just_opened);
		return;
	}
	if (has_window_just_opened && !(e->flags & PT_EVENT_SINCE_OPEN))
		return;
	state->happened = False;
	state->idle =
		!has_window_just_opened && (e->flags & PT_EVENT_SINCE_OPEN);
	state->calls = 0;
	state->activation = 0;
	state->n_base = vt_counters_thread_number_limit();
	state->base = VG_(realloc)("vt.watch", state->base,
				   (state->n_base + 1) * sizeof(*state->base));
	for (k = 0; k < state->n_base; k++)
		state->base[k] = event_current_count_or_ns(event, k);
}

void vt_event_reset_and_arm_in_forked_child(UInt event)
{
	const struct pt_event *e = vt_plan_event(event);
	UInt k;

	if (e->kind == PT_EVENT_ALL || e->kind == PT_EVENT_ANY)
		for (k = e->first; k < e->first + e->n; k++)
			vt_event_reset_and_arm_in_forked_child(k);
	events[event].idle = False;
	if (events[event].inherited == 0)
		return;
	events[event].activation = events[event].inherited;
	events[event].calls = e->count; /* no later call is the count-th */
}

Bool vt_event_record_due_has_any_happened(void)
{
	Bool any;

	if (has_time || vt_counters_get_counted_kinds())
		record_events_as_happened_if_due();
	any = has_news;
	has_news = False;
	return any;
}

ULong vt_event_total_instrs_left_or_0(UInt event)
{
	const struct pt_event *e = vt_plan_event(event);

	if (e->kind != PT_EVENT_INSTRUCTIONS || !is_event_of_this_process(e) ||
	    !(e->flags & PT_EVENT_SUM) || events[event].happened)
		return 0;
	return remaining_count_or_ns_of_event(event, 0);
}

UInt vt_event_reduce_limits_get_counted_kinds(UInt thread_number,
					      ULong *limits_by_kind)
{
	enum vt_counter_kind kind;
	UInt i, kinds = 0;

	for (i = 0; i < vt_recording_plan->events.n; i++) {
		const struct pt_event *e = vt_plan_event(i);
		ULong remaining;

		if (events[i].happened || events[i].idle ||
		    !is_event_of_this_process(e) ||
		    !vt_counters_try_map_event_kind(e->kind, &kind))
			continue;
		kinds |= 1u << kind;
		if (e->thread != 0 && e->thread != thread_number)
			continue;
		remaining = remaining_count_or_ns_of_event(
			i,
			is_counted_per_thread(e) ? thread_number : e->thread);
		limits_by_kind[kind] = remaining < limits_by_kind[kind]
					       ? remaining
					       : limits_by_kind[kind];
	}
	return kinds;
}

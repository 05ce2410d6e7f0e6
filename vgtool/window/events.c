/* SPDX-License-Identifier: GPL-2.0-or-later */
/* events.c - records which events have happened; see events.h */

#include "vgtool/window/events.h"

#include "vgtool/core/plan_view.h"
#include "vgtool/transport/connection.h"
#include "vgtool/window/functions.h"

/* State of an event of the plan. */
struct event {
	Bool happened;
	UInt function;	  /* CALL, RETURN: number in functions.h; else ~0 */
	UInt calls;	  /* calls, requests or signals since it was armed */
	ULong activation; /* RETURN: number of the call whose return is the
			     event; 0: not called yet */
	ULong *base;	  /* counts when it was armed, by thread; 0: all */
	UInt n_base;
	ULong began_ns; /* TIME: start of the event's thread; 0: not started */
	Bool idle;	/* counts only from the opening of its window on, and
			   the window is closed */
};

static struct event *events;
static UInt n_events;
static ULong start_ns;	/* time at which the plan began */
static Bool has_news;	/* see vt_event_update() */
static UInt alive;	/* number of threads */
static UInt most_alive; /* largest number of threads so far */
static Bool has_time;	/* the plan has events of kind TIME */

/* Whether event @e is one of this process, or of every process. */
static Bool is_ours(const struct pt_event *e)
{
	return e->process == 0 || e->process == vt_recording_plan->process;
}

static Bool is_thread(const struct pt_event *e, UInt thread)
{
	return e->thread == 0 || e->thread == thread;
}

/* Find the function of event @i, if it has one. */
static void add_function(UInt i)
{
	const struct pt_event *e = vt_plan_event(i);
	const HChar *image = vt_plan_string(e->image);
	struct vt_named_function w = {
		.image_kind = image[0] == 0		    ? PT_IMAGE_MAIN
			      : e->flags & PT_EVENT_BY_PATH ? PT_IMAGE_PATH
							    : PT_IMAGE_NAME,
		.image = image,
		.name = vt_plan_string(e->name),
		.decorated = (e->flags & PT_EVENT_DECORATED) != 0,
	};

	if ((e->kind == PT_EVENT_CALL || e->kind == PT_EVENT_RETURN) &&
	    is_ours(e))
		events[i].function = vt_functions_add_name(&w);
	else
		events[i].function = ~0u;
}

void vt_event_reset(void)
{
	UInt i;

	for (i = 0; i < n_events; i++)
		VG_(free)(events[i].base);
	VG_(free)(events);
	n_events = vt_recording_plan->events.n;
	events = VG_(calloc)("vt.watch", vt_recording_plan->events.n + 1,
			     sizeof(*events));
	start_ns = vt_clock_now_ns();
	has_time = False;
	most_alive = 0;
	for (i = 0; i < vt_recording_plan->events.n; i++) {
		add_function(i);
		events[i].happened =
			(vt_plan_event(i)->flags & PT_EVENT_HAPPENED) != 0;
		events[i].idle =
			(vt_plan_event(i)->flags & PT_EVENT_SINCE_OPEN) != 0;
		has_time |= vt_plan_event(i)->kind == PT_EVENT_TIME;
	}
	has_news = True;
}

Bool vt_event_has_function(UInt function)
{
	UInt i;

	for (i = 0;
	     vt_recording_plan != NULL && i < vt_recording_plan->events.n; i++)
		if (events[i].function == function)
			return True;
	return False;
}

void vt_event_set_happened(UInt i)
{
	if (vt_recording_plan == NULL || i >= vt_recording_plan->events.n ||
	    events[i].happened)
		return;
	events[i].happened = True;
	has_news = True;
}

/* Record that event @i has happened in this process. Inform the daemon if other
   processes may wait for it, even if it has happened before. */
static void record_event(UInt i)
{
	if (vt_plan_event(i)->process != 0)
		vt_connection_send(PT_MSG_HAPPENED, i);
	vt_event_set_happened(i);
}

/* Return the next event of this process of kind @kind, from number @i on, and
   set @i to its number; NULL if there is none. */
static const struct pt_event *next_event(UInt *i, UInt kind)
{
	for (; vt_recording_plan != NULL && *i < vt_recording_plan->events.n;
	     ++*i)
		if (vt_plan_event(*i)->kind == kind &&
		    is_ours(vt_plan_event(*i)))
			return vt_plan_event(*i);
	return NULL;
}

/* Whether the number of threads alive is in the range of event @e. */
static Bool has_threads(const struct pt_event *e)
{
	return alive >= e->count && alive <= e->most;
}

void vt_event_record_thread(UInt number, Bool starts, UInt n_alive)
{
	const struct pt_event *e;
	UInt i;

	alive = n_alive;
	most_alive = alive > most_alive ? alive : most_alive;
	for (i = 0; (e = next_event(&i, starts ? PT_EVENT_CREATION
					       : PT_EVENT_TERMINATION));
	     i++)
		if (e->thread == number ||
		    (starts && e->thread == 0 && number == 1))
			record_event(i);
	for (i = 0; (e = next_event(&i, PT_EVENT_TIME)); i++)
		if (starts && e->thread == number)
			events[i].began_ns = vt_clock_now_ns();
	for (i = 0; (e = next_event(&i, PT_EVENT_THREADS)); i++)
		if (has_threads(e))
			record_event(i);
	has_news = True;
}

/* Count a signal or request of event @i, which happens if it waits for
   @thread. */
static void count_call(UInt i, UInt thread)
{
	events[i].calls++;
	if (is_thread(vt_plan_event(i), thread))
		record_event(i);
}

void vt_event_record_signal(UInt signal, UInt thread)
{
	const struct pt_event *e;
	UInt i;

	for (i = 0; (e = next_event(&i, PT_EVENT_SIGNAL)); i++)
		if (e->count == signal)
			count_call(i, thread);
}

void vt_event_record_request(const HChar *name, UInt thread)
{
	const struct pt_event *e;
	UInt i;

	for (i = 0; (e = next_event(&i, PT_EVENT_REQUEST)); i++)
		if (VG_(strcmp)(vt_plan_string(e->name), name) == 0)
			count_call(i, thread);
}

void vt_event_record_image(const HChar *path, Bool loaded)
{
	const struct pt_event *e;
	UInt i;

	for (i = 0;
	     (e = next_event(&i, loaded ? PT_EVENT_LOAD : PT_EVENT_UNLOAD));
	     i++)
		if (vt_functions_is_image(path,
					  e->flags & PT_EVENT_BY_PATH
						  ? PT_IMAGE_PATH
						  : PT_IMAGE_NAME,
					  vt_plan_string(e->image)))
			record_event(i);
}

void vt_event_record_call(UInt function, UInt thread, ULong activation)
{
	const struct pt_event *e;
	UInt i;

	for (i = 0; (e = next_event(&i, PT_EVENT_CALL)); i++)
		if (events[i].function == function && is_thread(e, thread) &&
		    ++events[i].calls == e->count)
			record_event(i);
	for (i = 0; (e = next_event(&i, PT_EVENT_RETURN)); i++)
		if (events[i].function == function && is_thread(e, thread) &&
		    ++events[i].calls == e->count)
			events[i].activation = activation;
}

void vt_event_record_return(ULong activation)
{
	UInt i;

	for (i = 0; next_event(&i, PT_EVENT_RETURN); i++)
		if (events[i].activation == activation)
			record_event(i);
}

/* Return the time [ns] since the start of event @i's thread or process. */
static ULong time_of(UInt i)
{
	ULong from =
		vt_plan_event(i)->thread == 0 ? start_ns : events[i].began_ns;

	return from == 0 ? 0 : vt_clock_now_ns() - from;
}

/* Return the present count, or time [ns], of event @i for thread number
   @thread; 0: all threads. */
static ULong count_of(UInt i, UInt thread)
{
	const struct pt_event *e = vt_plan_event(i);
	enum vt_counter_kind what;

	if (e->kind == PT_EVENT_TIME)
		return time_of(i);
	return vt_counters_has_event_kind(e->kind, &what)
		       ? vt_counters_total(what, thread)
		       : 0;
}

/* Return the remaining count until event @i happens by thread number @thread;
   0: by all threads together. */
static ULong left_of(UInt i, UInt thread)
{
	const struct pt_event *e = vt_plan_event(i);
	ULong base = thread < events[i].n_base ? events[i].base[thread] : 0;
	ULong done = count_of(i, thread) - base;

	return done < e->count ? e->count - done : 0;
}

/* Whether event @e happens when any single thread reaches the count. */
static Bool is_of_each(const struct pt_event *e)
{
	return e->kind != PT_EVENT_TIME && e->thread == 0 &&
	       !(e->flags & PT_EVENT_SUM);
}

/* Return the remaining count of event @i of the thread that is nearest to
   it. */
static ULong least_left(UInt i)
{
	const struct pt_event *e = vt_plan_event(i);
	ULong left, least = e->count;
	UInt thread;

	if (!is_of_each(e))
		return left_of(i, e->thread);
	for (thread = 1; thread < vt_counters_thread_limit(); thread++) {
		left = left_of(i, thread);
		least = left < least ? left : least;
	}
	return least;
}

/* Record the events whose count or time has been reached. */
static void check_counts(void)
{
	enum vt_counter_kind what;
	UInt i;

	for (i = 0; i < vt_recording_plan->events.n; i++) {
		const struct pt_event *e = vt_plan_event(i);

		if (!events[i].happened && !events[i].idle && is_ours(e) &&
		    (e->kind == PT_EVENT_TIME ||
		     vt_counters_has_event_kind(e->kind, &what)) &&
		    least_left(i) == 0)
			record_event(i);
	}
}

Bool vt_event_is_request(UInt i, const HChar *request)
{
	const struct pt_event *e = vt_plan_event(i);
	UInt k;

	if (e->kind == PT_EVENT_ALL || e->kind == PT_EVENT_ANY)
		for (k = e->first; k < e->first + e->n; k++)
			if (vt_event_is_request(k, request))
				return True;
	return e->kind == PT_EVENT_REQUEST && is_ours(e) &&
	       VG_(strcmp)(vt_plan_string(e->name), request) == 0;
}

Bool vt_event_is_satisfied(UInt i)
{
	const struct pt_event *e = vt_plan_event(i);
	UInt k;

	if (e->kind == PT_EVENT_THREADS && is_ours(e))
		return has_threads(e);
	if (e->kind != PT_EVENT_ALL && e->kind != PT_EVENT_ANY)
		return events[i].happened;
	for (k = e->first; k < e->first + e->n; k++)
		if (vt_event_is_satisfied(k) == (e->kind == PT_EVENT_ANY))
			return e->kind == PT_EVENT_ANY;
	return e->kind == PT_EVENT_ALL;
}

Bool vt_event_has_happened(UInt i)
{
	return events[i].happened;
}

UInt vt_event_function(UInt i)
{
	return events[i].function;
}

ULong vt_event_count(UInt i)
{
	const struct pt_event *e = vt_plan_event(i);
	enum vt_counter_kind what;

	if (!is_ours(e))
		return 0;
	if (e->kind == PT_EVENT_THREADS)
		return most_alive;
	if (e->kind == PT_EVENT_TIME ||
	    vt_counters_has_event_kind(e->kind, &what))
		return e->count - least_left(i);
	return events[i].calls;
}

void vt_event_arm(UInt i, Bool opening)
{
	const struct pt_event *e = vt_plan_event(i);
	struct event *to = &events[i];
	UInt k;

	if (e->kind == PT_EVENT_ALL || e->kind == PT_EVENT_ANY) {
		for (k = e->first; k < e->first + e->n; k++)
			vt_event_arm(k, opening);
		return;
	}
	if (opening && !(e->flags & PT_EVENT_SINCE_OPEN))
		return;
	to->happened = False;
	to->idle = !opening && (e->flags & PT_EVENT_SINCE_OPEN);
	to->calls = 0;
	to->activation = 0;
	to->n_base = vt_counters_thread_limit();
	to->base = VG_(realloc)("vt.watch", to->base,
				(to->n_base + 1) * sizeof(*to->base));
	for (k = 0; k < to->n_base; k++)
		to->base[k] = count_of(i, k);
}

Bool vt_event_update(void)
{
	Bool any;

	if (has_time || vt_counters_kinds())
		check_counts();
	any = has_news;
	has_news = False;
	return any;
}

ULong vt_event_instrs_left(UInt i)
{
	const struct pt_event *e = vt_plan_event(i);

	if (e->kind != PT_EVENT_INSTRUCTIONS || !is_ours(e) ||
	    !(e->flags & PT_EVENT_SUM) || events[i].happened)
		return 0;
	return left_of(i, 0);
}

UInt vt_event_limit_counters(UInt thread, ULong *left)
{
	enum vt_counter_kind what;
	UInt i, kinds = 0;

	for (i = 0; i < vt_recording_plan->events.n; i++) {
		const struct pt_event *e = vt_plan_event(i);
		ULong to;

		if (events[i].happened || events[i].idle || !is_ours(e) ||
		    !vt_counters_has_event_kind(e->kind, &what))
			continue;
		kinds |= 1u << what;
		if (e->thread != 0 && e->thread != thread)
			continue;
		to = left_of(i, is_of_each(e) ? thread : e->thread);
		left[what] = to < left[what] ? to : left[what];
	}
	return kinds;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* events.c - the events that windows wait for; see events.h */

#include "vgtool/window/events.h"

#include "vgtool/core/plan_view.h"
#include "vgtool/transport/connection.h"
#include "vgtool/window/functions.h"

/* What has come of an event so far. */
struct event {
	Bool happened;
	UInt function;	  /* of CALL and RETURN: functions.h */
	UInt calls;	  /* or requests, or signals; since it was armed */
	ULong activation; /* of RETURN: the call that has to return; or 0 */
	ULong *base;	  /* of counts: where they began; by thread, 0: all */
	UInt n_base;
	ULong began_ns; /* of TIME: the thread did; 0: it has not */
	Bool idle;	/* until its window opens */
};

static struct event *events;
static UInt n_events;
static ULong start_ns; /* of the process */
static Bool news;      /* something has happened */
static UInt alive;     /* threads */
static UInt most_alive;
static Bool has_time; /* some event waits for a time */

static Bool is_ours(const struct pt_event *e)
{
	return e->process == 0 || e->process == vt_given->process;
}

static Bool is_thread(const struct pt_event *e, UInt thread)
{
	return e->thread == 0 || e->thread == thread;
}

static void want_function(UInt i)
{
	const struct pt_event *e = vt_given_event(i);
	const HChar *image = vt_given_string(e->image);
	struct vt_wanted w = {
		.image_kind = image[0] == 0		    ? PT_IMAGE_MAIN
			      : e->flags & PT_EVENT_BY_PATH ? PT_IMAGE_PATH
							    : PT_IMAGE_NAME,
		.image = image,
		.name = vt_given_string(e->name),
		.decorated = (e->flags & PT_EVENT_DECORATED) != 0,
	};

	if ((e->kind == PT_EVENT_CALL || e->kind == PT_EVENT_RETURN) &&
	    is_ours(e))
		events[i].function = vt_functions_want(&w);
	else
		events[i].function = ~0u;
}

void vt_watch_begin(void)
{
	UInt i;

	for (i = 0; i < n_events; i++)
		VG_(free)(events[i].base);
	VG_(free)(events);
	n_events = vt_given->events.n;
	events = VG_(calloc)("vt.watch", vt_given->events.n + 1,
			     sizeof(*events));
	start_ns = vt_control_now_ns();
	has_time = False;
	most_alive = 0;
	for (i = 0; i < vt_given->events.n; i++) {
		want_function(i);
		events[i].happened =
			(vt_given_event(i)->flags & PT_EVENT_HAPPENED) != 0;
		events[i].idle =
			(vt_given_event(i)->flags & PT_EVENT_SINCE_OPEN) != 0;
		has_time |= vt_given_event(i)->kind == PT_EVENT_TIME;
	}
	news = True;
}

Bool vt_watch_names(UInt function)
{
	UInt i;

	for (i = 0; vt_given != NULL && i < vt_given->events.n; i++)
		if (events[i].function == function)
			return True;
	return False;
}

void vt_watch_happened(UInt i)
{
	if (vt_given == NULL || i >= vt_given->events.n || events[i].happened)
		return;
	events[i].happened = True;
	news = True;
}

/* In this process: others may wait for it, too, and more often. */
static void happened(UInt i)
{
	if (vt_given_event(i)->process != 0)
		vt_control_send(PT_MSG_HAPPENED, i);
	vt_watch_happened(i);
}

/* The next of our own events of a kind, from @i on. */
static const struct pt_event *next_event(UInt *i, UInt kind)
{
	for (; vt_given != NULL && *i < vt_given->events.n; ++*i)
		if (vt_given_event(*i)->kind == kind &&
		    is_ours(vt_given_event(*i)))
			return vt_given_event(*i);
	return NULL;
}

static Bool is_many(const struct pt_event *e)
{
	return alive >= e->count && alive <= e->most;
}

void vt_watch_thread(UInt number, Bool starts, UInt n_alive)
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
			happened(i);
	for (i = 0; (e = next_event(&i, PT_EVENT_TIME)); i++)
		if (starts && e->thread == number)
			events[i].began_ns = vt_control_now_ns();
	for (i = 0; (e = next_event(&i, PT_EVENT_THREADS)); i++)
		if (is_many(e))
			happened(i);
	news = True;
}

/* It may be that it is awaited from another thread. */
static void came(UInt i, UInt thread)
{
	events[i].calls++;
	if (is_thread(vt_given_event(i), thread))
		happened(i);
}

void vt_watch_signal(UInt signal, UInt thread)
{
	const struct pt_event *e;
	UInt i;

	for (i = 0; (e = next_event(&i, PT_EVENT_SIGNAL)); i++)
		if (e->count == signal)
			came(i, thread);
}

void vt_watch_request(const HChar *name, UInt thread)
{
	const struct pt_event *e;
	UInt i;

	for (i = 0; (e = next_event(&i, PT_EVENT_REQUEST)); i++)
		if (VG_(strcmp)(vt_given_string(e->name), name) == 0)
			came(i, thread);
}

void vt_watch_image(const HChar *path, Bool loaded)
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
					  vt_given_string(e->image)))
			happened(i);
}

void vt_watch_called(UInt function, UInt thread, ULong activation)
{
	const struct pt_event *e;
	UInt i;

	for (i = 0; (e = next_event(&i, PT_EVENT_CALL)); i++)
		if (events[i].function == function && is_thread(e, thread) &&
		    ++events[i].calls == e->count)
			happened(i);
	for (i = 0; (e = next_event(&i, PT_EVENT_RETURN)); i++)
		if (events[i].function == function && is_thread(e, thread) &&
		    ++events[i].calls == e->count)
			events[i].activation = activation;
}

void vt_watch_returned(ULong activation)
{
	UInt i;

	for (i = 0; next_event(&i, PT_EVENT_RETURN); i++)
		if (events[i].activation == activation)
			happened(i);
}

static ULong time_of(UInt i)
{
	ULong from =
		vt_given_event(i)->thread == 0 ? start_ns : events[i].began_ns;

	return from == 0 ? 0 : vt_control_now_ns() - from;
}

/* Where an event's count stands, of a thread or (0) of all. */
static ULong count_of(UInt i, UInt thread)
{
	const struct pt_event *e = vt_given_event(i);
	enum vt_metered what;

	if (e->kind == PT_EVENT_TIME)
		return time_of(i);
	return vt_meter_counts(e->kind, &what) ? vt_meter_total(what, thread)
					       : 0;
}

/* What is left of it. */
static ULong left_of(UInt i, UInt thread)
{
	const struct pt_event *e = vt_given_event(i);
	ULong base = thread < events[i].n_base ? events[i].base[thread] : 0;
	ULong done = count_of(i, thread) - base;

	return done < e->count ? e->count - done : 0;
}

/* Whether each thread counts for itself. */
static Bool is_of_each(const struct pt_event *e)
{
	return e->kind != PT_EVENT_TIME && e->thread == 0 &&
	       !(e->flags & PT_EVENT_SUM);
}

/* Of whom it may be that counts. */
static ULong least_left(UInt i)
{
	const struct pt_event *e = vt_given_event(i);
	ULong left, least = e->count;
	UInt thread;

	if (!is_of_each(e))
		return left_of(i, e->thread);
	for (thread = 1; thread < vt_meter_threads(); thread++) {
		left = left_of(i, thread);
		least = left < least ? left : least;
	}
	return least;
}

static void look_at_counts(void)
{
	enum vt_metered what;
	UInt i;

	for (i = 0; i < vt_given->events.n; i++) {
		const struct pt_event *e = vt_given_event(i);

		if (!events[i].happened && !events[i].idle && is_ours(e) &&
		    (e->kind == PT_EVENT_TIME ||
		     vt_meter_counts(e->kind, &what)) &&
		    least_left(i) == 0)
			happened(i);
	}
}

Bool vt_watch_waits(UInt i, const HChar *request)
{
	const struct pt_event *e = vt_given_event(i);
	UInt k;

	if (e->kind == PT_EVENT_ALL || e->kind == PT_EVENT_ANY)
		for (k = e->first; k < e->first + e->n; k++)
			if (vt_watch_waits(k, request))
				return True;
	return e->kind == PT_EVENT_REQUEST && is_ours(e) &&
	       VG_(strcmp)(vt_given_string(e->name), request) == 0;
}

Bool vt_watch_holds(UInt i)
{
	const struct pt_event *e = vt_given_event(i);
	UInt k;

	if (e->kind == PT_EVENT_THREADS && is_ours(e))
		return is_many(e);
	if (e->kind != PT_EVENT_ALL && e->kind != PT_EVENT_ANY)
		return events[i].happened;
	for (k = e->first; k < e->first + e->n; k++)
		if (vt_watch_holds(k) == (e->kind == PT_EVENT_ANY))
			return e->kind == PT_EVENT_ANY;
	return e->kind == PT_EVENT_ALL;
}

Bool vt_watch_has(UInt i)
{
	return events[i].happened;
}

UInt vt_watch_function(UInt i)
{
	return events[i].function;
}

ULong vt_watch_count(UInt i)
{
	const struct pt_event *e = vt_given_event(i);
	enum vt_metered what;

	if (!is_ours(e))
		return 0;
	if (e->kind == PT_EVENT_THREADS)
		return most_alive;
	if (e->kind == PT_EVENT_TIME || vt_meter_counts(e->kind, &what))
		return e->count - least_left(i);
	return events[i].calls;
}

void vt_watch_arm(UInt i, Bool opening)
{
	const struct pt_event *e = vt_given_event(i);
	struct event *to = &events[i];
	UInt k;

	if (e->kind == PT_EVENT_ALL || e->kind == PT_EVENT_ANY) {
		for (k = e->first; k < e->first + e->n; k++)
			vt_watch_arm(k, opening);
		return;
	}
	if (opening && !(e->flags & PT_EVENT_SINCE_OPEN))
		return;
	to->happened = False;
	to->idle = !opening && (e->flags & PT_EVENT_SINCE_OPEN);
	to->calls = 0;
	to->activation = 0;
	to->n_base = vt_meter_threads();
	to->base = VG_(realloc)("vt.watch", to->base,
				(to->n_base + 1) * sizeof(*to->base));
	for (k = 0; k < to->n_base; k++)
		to->base[k] = count_of(i, k);
}

Bool vt_watch_look(void)
{
	Bool any;

	if (has_time || vt_meter_wanted())
		look_at_counts();
	any = news;
	news = False;
	return any;
}

ULong vt_watch_distance(UInt i)
{
	const struct pt_event *e = vt_given_event(i);

	if (e->kind != PT_EVENT_INSTRUCTIONS || !is_ours(e) ||
	    !(e->flags & PT_EVENT_SUM) || events[i].happened)
		return 0;
	return left_of(i, 0);
}

UInt vt_watch_left(UInt thread, ULong *left)
{
	enum vt_metered what;
	UInt i, kinds = 0;

	for (i = 0; i < vt_given->events.n; i++) {
		const struct pt_event *e = vt_given_event(i);
		ULong to;

		if (events[i].happened || events[i].idle || !is_ours(e) ||
		    !vt_meter_counts(e->kind, &what))
			continue;
		kinds |= 1u << what;
		if (e->thread != 0 && e->thread != thread)
			continue;
		to = left_of(i, is_of_each(e) ? thread : e->thread);
		left[what] = to < left[what] ? to : left[what];
	}
	return kinds;
}

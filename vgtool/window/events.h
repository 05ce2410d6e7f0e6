/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * events.h - the events that windows wait for
 *
 * What happens is noted at once, wherever that is; conclusions are drawn while
 * no code runs. Without a plan nothing is noted.
 */
#ifndef VGTOOL_WINDOW_EVENTS_H
#define VGTOOL_WINDOW_EVENTS_H

#include "vgtool/core/prelude.h"
#include "vgtool/instrument/counters.h"

/* Starts anew with the plan that is given. */
void vt_watch_begin(void);

/* Notes what has happened in this process. */
void vt_watch_thread(UInt number, Bool starts, UInt alive);
void vt_watch_signal(UInt signal, UInt thread);

/* @thread: 0: somebody outside asks. */
void vt_watch_request(const HChar *name, UInt thread);
void vt_watch_image(const HChar *path, Bool loaded);

/* In another one. */
void vt_watch_happened(UInt event);

/*
 * A function that a CALL or RETURN event names has been called, by the thread
 * with that number; @activation is unlike those of all other calls. It has
 * returned, or was unwound.
 */
void vt_watch_called(UInt function, UInt thread, ULong activation);
void vt_watch_returned(ULong activation);

/* Whether some CALL or RETURN event names the function (functions.h). */
Bool vt_watch_names(UInt function);

/* Notes what follows from counts and clocks. Return: whether anything has
   happened since it was last asked. */
Bool vt_watch_look(void);

/* Whether an event is, or is made of, a request with that name. */
Bool vt_watch_waits(UInt event, const HChar *request);

/* Whether an event has happened since it was armed; whether so many threads are
   alive now. */
Bool vt_watch_holds(UInt event);

/* Whether it has happened, for whatever it is made of; its function
   (functions.h), ~0 where it has none; its count (pt_log_outcome). */
Bool vt_watch_has(UInt event);
UInt vt_watch_function(UInt event);
ULong vt_watch_count(UInt event);

/* Begins to wait for an event anew. @opening: only for what counts from there
   on. */
void vt_watch_arm(UInt event, Bool opening);

/* How many instructions the process executes until an event happens, as far as
   that can be known: 0: it may happen at once. */
ULong vt_watch_distance(UInt event);

/* Lessens what is left [VT_METERED] to what the nearest count is away, for a
   thread about to run; returns a bit for each kind that counts. */
UInt vt_watch_left(UInt thread, ULong *left);

#endif

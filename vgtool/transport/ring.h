/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ring.h - the producer's half of the ring: chunks, units, log
 *
 * Generated code reaches the ring through one pointer, vt_ring_page(), which
 * each thread keeps in a shadow register. So a forked child, or a program
 * whose daemon died, goes on with another page: the sink, private memory that
 * is overwritten again and again.
 */
#ifndef VGTOOL_TRANSPORT_RING_H
#define VGTOOL_TRANSPORT_RING_H

#include "vgtool/core/prelude.h"

/* [bytes] of a chunk behind the limit: for control units, for later parts of a
   block, and for blocks that do not look at the limit. */
enum { VT_RESERVE = 32 << 10 };

/* Starts with the sink. */
void vt_ring_init(void);

/* Maps the daemon's memory; False when it does not look like a ring. */
Bool vt_ring_attach(Int fd, ULong bytes);

/* Back to the sink; what was written stays readable for the daemon. */
void vt_ring_detach(void);

/* End the recording for want of memory. Later units are written to the sink,
   and the daemon is notified by pt_tool_page.overfull. Context: no code is
   running. */
void vt_ring_stop(void);

/* Store how the image ended, that it may end (PT_EXEC), or that it has not
   (PT_ALIVE), where the daemon reads it. @value: see struct pt_tool_page. */
void vt_ring_set_ending(enum pt_ending, ULong value);

/* In a forked child: drops the parent's memory, unread and unwritten. */
void vt_ring_forget(void);

Bool vt_ring_is_attached(void);

/* Is now or was once, if only in an ancestor: there may be code that writes
   units, and a fault is found by them. */
Bool vt_ring_was_attached(void);

/* Never NULL. */
struct pt_tool_page *vt_ring_page(void);

/* The sink, with room: for threads that are not recorded. */
struct pt_tool_page *vt_ring_sink(void);

/* No unit is open: what runs next may have none. */
void vt_ring_close_unit(void);

/* Messages that the daemon has sent for windows' sake. */
ULong vt_ring_orders(void);

/**
 * vt_ring_make_room() - Before a thread enters generated code: go on to the
 * next chunk when this one is nearly full.
 *
 * Return: False when the daemon has released none yet: leave the scheduler's
 *         time slice and try again. Waits one slice (50 ms) at most.
 */
Bool vt_ring_make_room(void);

/* The units of the chunk that was handed over last, once: they stay until the
   next is. NULL: there is none, or they were asked for. */
const UInt *vt_ring_handed_over(const UInt **end);

/* Hands what there is of the chunk to the daemon, if the next one is free.
   Context: no code is running. */
void vt_ring_flush(void);

/* Writes a control unit between two block units; @word may be NULL. Does not
   wait: one that has no room counts as skipped. */
void vt_ring_unit(enum pt_kind kind, UInt id, const ULong *word, UInt n);

/* The unit begun last. */
UInt *vt_ring_open_unit(void);

/* It has become so long [bytes]. */
void vt_ring_end_unit(UInt bytes);

/**
 * vt_ring_log() - Append a record to the log; waits for room.
 *
 * Return: False when the daemon is gone.
 */
Bool vt_ring_log(const void *record, UInt bytes);

/* Accesses of a block, or a control unit, that the daemon cannot be told of:
   the run is lossy. */
void vt_ring_count_skipped(UInt accesses);

/* Store how many messages to the daemon were lost, in all, for its report. No-op
   without a ring. */
void vt_ring_set_lost_messages(UInt n);

/* [bytes] ever logged. */
ULong vt_ring_log_head(void);

#endif

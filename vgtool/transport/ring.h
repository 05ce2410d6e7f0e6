/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ring.h - writes the ring, as its producer: chunks, units and the log
 *
 * The ring is memory that tool and daemon share. It has chunks, which are
 * filled with units (records of executed blocks and of other events) and
 * published whole, and the log, which describes blocks. Generated code reaches
 * the ring through one pointer, vt_ring_tool_or_sink_page(), which each thread
 * holds in a shadow register. The pointer can thus be exchanged: a forked child
 * without a daemon, and a program whose daemon has ended, write to the sink,
 * which is private memory that is overwritten again and again.
 *
 * To detach means to write to the sink from now on.
 */
#ifndef VGTOOL_TRANSPORT_RING_H
#define VGTOOL_TRANSPORT_RING_H

#include "vgtool/core/prelude.h"

/* [bytes] at the end of a chunk, above its limit. They are reserved for control
   units, for the second and later units of a block, and for blocks that do not
   check the limit. */
enum { VT_RESERVE = 32 << 10 };

/* Write to the sink from now on. Call once before all other functions. */
void vt_ring_switch_to_sink_page(void);

/* Map the daemon's memory (@ring_fd, @memory_bytes) and write to its ring from
   now on. Return: False if the memory cannot be mapped or holds no valid ring.
   */
Bool vt_ring_try_attach(Int ring_fd, ULong memory_bytes);

/* Write to the sink from now on. The ring stays mapped, and the daemon can
   still read its content. */
void vt_ring_detach_to_sink(void);

/* End the recording because descriptions of code take too much memory. Later
   units are written to the sink; pt_tool_page.overfull notifies the daemon.
   Context: no translated code is running. */
void vt_ring_set_overfull_and_stop_recording(void);

/* Store in the tool's page how the process ended, or that exec may end its
   present program (PT_EXEC), or that this exec has failed (PT_ALIVE). @value:
   exit code of PT_EXITED, or signal of PT_FATAL; else 0. */
void vt_ring_store_process_ending(enum pt_ending, ULong value);

/* Unmap the parent's ring in a forked child, and write to the sink from now on.
   Do nothing if the parent had no daemon at the fork. */
void vt_ring_unmap_parents_ring(void);

/* Whether units are written to a daemon's ring, not to the sink. */
Bool vt_ring_is_attached(void);

/* Whether this process, or an ancestor by fork, has ever attached a ring. If
   so, there may be translated code that writes units; after a fault in such
   code, the unit begun last shows where the fault is. */
Bool vt_ring_was_ever_attached(void);

/* Return the tool's page of the ring, or the sink's page. Never NULL. */
struct pt_tool_page *vt_ring_tool_or_sink_page(void);

/* Return the sink's page, for threads that are not recorded. If a ring is
   attached, first set the sink's cursor back to its start. */
struct pt_tool_page *vt_ring_rewind_sink_page(void);

/* Move the cursor (the address of the unit being written) past the last unit,
   because the code that runs next may write none, and the cursor must not point
   to another block's unit. */
void vt_ring_move_cursor_past_last_unit(void);

/* Return the number of messages that the daemon has sent so far and that must
   be executed soon: see pt_daemon_page.orders. */
ULong vt_ring_n_socket_messages_from_daemon(void);

/**
 * vt_ring_publish_if_full_has_room() - Publish the chunk and
 * begin the next one if the chunk is full up to its limit. Call before a thread
 * enters generated code.
 *
 * Return: False if the daemon has not released the next chunk, after waiting
 *         for at most 50 ms. The caller then ends the thread's time slice and
 *         calls again.
 */
Bool vt_ring_publish_if_full_has_room(void);

/* Return the units of the chunk that vt_ring_publish_if_full_has_room() has
   published last, and set @units_end to their end. They are valid until the
   next unit is written, which may overwrite them. NULL: there is no such chunk,
   or it was returned before. */
const UInt *vt_ring_get_last_published_units_once(const UInt **units_end);

/* Publish the current chunk, even if it is not full, begin the next one, and
   notify the daemon. Do nothing without a ring, or if the place for the next
   chunk is not free. Context: no translated code is running. */
void vt_ring_publish_chunk_if_room_and_notify(void);

/* Write a control unit (a unit that is no block's) with @word_count words.
   @words may be NULL if @word_count is 0. Does not wait: without room, the unit
   is counted as skipped. Context: no block's unit is being written. */
void vt_ring_write_or_skip_control_unit(enum pt_kind kind, UInt id,
					const ULong *words, UInt word_count);

/* Whether the chunk is full up to its limit, so that blocks return to the
   scheduler instead of beginning a unit. */
Bool vt_ring_is_current_chunk_full(void);

/* Write a control unit as vt_ring_write_or_skip_control_unit() does, but wait
   for room as long as the daemon lives. Context: no translated code is running.
   */
void vt_ring_write_control_unit_when_room(enum pt_kind kind, UInt id,
					  const ULong *words, UInt word_count);

/* Return the address of the header of the unit that was begun last (the
   cursor). The unit is in the current chunk, in the ring or in staging. */
UInt *vt_ring_last_begun_unit(void);

/* Set the length of the unit begun last to @unit_bytes; the next unit begins
   after it. */
void vt_ring_set_end_of_last_begun_unit(UInt unit_bytes);

/**
 * vt_ring_await_room_and_append_log() - Append a record to the log; wait for
 * room.
 * @bytes: size of @record, a multiple of 8, at most PT_MAX_RECORD.
 *
 * Return: False if no daemon is attached or it has ended.
 */
Bool vt_ring_await_room_and_append_log(const void *record, UInt bytes);

/* Add @skipped_count to the accesses, marks and control units that could not be
   recorded; the run is then lossy. */
void vt_ring_add_to_skipped_record_count(UInt skipped_count);

/* Store @message_count as the total number of lost messages in the tool's page,
   for the daemon's report. Do nothing without a ring. */
void vt_ring_store_lost_message_count(UInt message_count);

/* Return the number of bytes logged since the ring was attached. */
ULong vt_ring_n_logged_bytes(void);

#endif

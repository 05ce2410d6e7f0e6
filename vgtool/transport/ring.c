/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ring.c - writes the ring, as its producer; see ring.h */

#include "vgtool/transport/ring.h"

#include <pub_tool_aspacemgr.h>
#include <pub_tool_vki.h>

#include "proto/stream.h"
#include "vgtool/core/valgrind_core.h"
#include "vgtool/transport/connection.h"
#include "vgtool/transport/staging.h"

enum {
	SINK = PT_MIN_CHUNK, /* [bytes] */
	CHUNK_TAIL = 8,	     /* [bytes] at a chunk's end without a unit, because
				recovery may read one slot past the last unit */
	SLICE_MS = 50,
	CHUNKS_TO_NOTIFY = 2, /* when so many published chunks are not released,
				 the daemon is sent a message; a ring has at
				 least as many chunks */
};

static struct pt_tool_page sink_page;
static ULong sink[SINK / 8];
static UChar *place0;	 /* address of the ring's first place for a chunk */
static Addr chunk_start; /* first byte of the chunk being written, which is in
			    the ring, in staging or in the sink */

static struct pt_tool_page *page; /* the ring's page that the tool writes, or
				     the sink's page */
static const struct pt_daemon_page *released; /* the ring's page that the daemon
						 writes */
static UChar *log_bytes;
static ULong mapped;	 /* [bytes] of the mappings of the daemon's page and of
			    the rest of the ring, together */
static UInt chunk_bytes; /* [bytes] of a chunk */
static UInt max_chunks;	 /* chunks that fit the mapping */
static struct pt_places places;
static Bool was_attached;
/* the ring's page after vt_ring_set_overfull_and_stop_recording(), else NULL */
static struct pt_tool_page *stopped_page;
static UInt log_size;	   /* [bytes] */
static ULong log_notified; /* log head that the last PT_MSG_LOG
					     reported */
/* The units that vt_ring_publish_if_full_has_room() has published last, until
   vt_ring_get_last_published_units_once() returns them. */
static struct {
	const UInt *unit, *end; /* unit is NULL: there are none */
} handed_over;

/* Return the address in the ring at which chunk @chunk_number is stored. */
static void *chunk_address_in_ring(ULong chunk_number)
{
	return place0 +
	       (ULong)pt_ring_place_index_of_chunk(places, chunk_number) *
		       chunk_bytes;
}

UInt *vt_ring_last_begun_unit(void)
{
	return (UInt *)pt_load_cursor(page);
}

void vt_ring_set_end_of_last_begun_unit(UInt unit_bytes)
{
	page->next = pt_load_cursor(page) + unit_bytes;
}

/* Write a control unit at @unit, then move the cursor to it. */
static void write_control_unit_set_cursor_to_it(UInt *unit, enum pt_kind kind,
						UInt id, const ULong *words,
						UInt word_count)
{
	unit[0] = pt_encode_control_unit_header(kind, 8 + 8 * word_count);
	unit[1] = id;
	VG_(memcpy)(unit + 2, words, 8 * word_count);
	pt_store_cursor_after_compiler_fence(page, (Addr)unit);
	vt_ring_set_end_of_last_begun_unit(8 + 8 * word_count);
}

/* Return the number of chunks that the daemon has released. */
static ULong released_chunk_count(void)
{
	/*
	 * Pairs with the store-release of released in the daemon's
	 * daemon/client/ring.c: its reads of the chunk are done before we write
	 * it.
	 */
	return pt_load_acquire(&released->released);
}

/* Use a larger ring, with more places for chunks, from chunk @chunk_number on
   if the daemon has announced that the ring grows there. */
static void use_larger_ring_if_announced_at_chunk(ULong chunk_number)
{
	/*
	 * Pairs with the store-release of grow_at in the daemon's
	 * daemon/client/ring.c: grow_to is visible, and the new places are
	 * there.
	 */
	ULong grow_at = pt_load_acquire(&released->grow_at);
	ULong grow_to = pt_load_relaxed(&released->grow_to); /* the daemon has
						stored it before grow_at */

	if (grow_at == chunk_number && grow_to > places.n &&
	    grow_to <= max_chunks)
		places = pt_places_after_growth(places, grow_at, grow_to);
}

/* Whether the place of chunk @chunk_number in the ring is free; if the daemon
   has announced that the ring grows at this chunk, use the larger ring. Reads
   the number of released chunks before grow_at: the daemon announces a larger
   ring before it releases the chunks that allow this chunk to begin. */
static Bool use_announced_larger_ring_is_place_free(ULong chunk_number)
{
	ULong n_released = released_chunk_count();

	use_larger_ring_if_announced_at_chunk(chunk_number);
	return chunk_number < n_released + places.n;
}

/* Return the address at which the units of a chunk are to be written: its place
   in the ring; or staging (the sink, without a ring) if the chunk is to be
   staged or its place is not free. */
static Addr chunk_write_address_or_staging(ULong chunk_number)
{
	if (!vt_ring_is_attached() || vt_staging_is_chosen_for_next_chunk() ||
	    !use_announced_larger_ring_is_place_free(chunk_number))
		return page->staging;
	return (Addr)chunk_address_in_ring(chunk_number);
}

/*
 * Begin chunk @chunk_number. The process may be killed after each store, so the
 * order matters: first the cursor leaves the previous chunk, which is
 * published, then the number of this chunk is stored.
 */
static void begin_chunk_and_set_cursor(ULong chunk_number)
{
	chunk_start = chunk_write_address_or_staging(chunk_number);
	pt_store_cursor_after_compiler_fence(page, chunk_start);
	pt_store_after_compiler_fence(
		(uint64_t *)chunk_start,
		pt_control_unit_first_word(PT_CHUNK, (UInt)chunk_number,
					   PT_CHUNK_HEAD));
	page->next = chunk_start + PT_CHUNK_HEAD;
	page->limit = chunk_start + chunk_bytes - PT_MAX_UNIT - VT_RESERVE;
	vt_staging_resume_trial_timer();
}

void vt_ring_switch_to_sink_page(void)
{
	handed_over.unit = NULL;
	page = &sink_page;
	page->staging = (Addr)sink;
	chunk_bytes = SINK;
	places = (struct pt_places){0, 1};
	begin_chunk_and_set_cursor(0);
}

Bool vt_ring_was_ever_attached(void)
{
	return was_attached;
}

Bool vt_ring_is_attached(void)
{
	return page != &sink_page;
}

struct pt_tool_page *vt_ring_tool_or_sink_page(void)
{
	return page;
}

struct pt_tool_page *vt_ring_rewind_sink_page(void)
{
	if (page != &sink_page) {
		sink_page.next = (Addr)sink;
		pt_store_cursor_after_compiler_fence(&sink_page, (Addr)sink);
		sink_page.limit = (Addr)sink + SINK - PT_MAX_UNIT - VT_RESERVE;
	}
	return &sink_page;
}

void vt_ring_move_cursor_past_last_unit(void)
{
	*(UInt *)page->next = 0;
	pt_store_cursor_after_compiler_fence(page, page->next);
}

ULong vt_ring_n_socket_messages_from_daemon(void)
{
	if (!vt_ring_is_attached())
		return 0;
	/* Pairs with the store-release of orders in the daemon: the message has
	   been sent. */
	return pt_load_acquire(&released->orders);
}

/* Map @bytes of @fd from @offset on, shared. Return NULL on failure. */
static void *map_file_shared_or_null(Int fd, ULong offset, ULong bytes,
				     UInt prot)
{
	SysRes r = VG_(am_shared_mmap_file_float_valgrind)(bytes, prot, fd,
							   offset);

	return sr_isError(r) ? NULL : (void *)sr_Res(r);
}

/* Whether the sizes in the daemon's page are valid and fit @memory_bytes of
   memory. */
static Bool has_valid_ring_sizes(const struct pt_daemon_page *d,
				 ULong memory_bytes)
{
	return d->chunk_bytes >= PT_MIN_CHUNK &&
	       d->chunk_bytes % PT_PAGE == 0 && d->n_chunks >= 2 &&
	       d->log_bytes >= 2 * PT_MAX_RECORD &&
	       (d->log_bytes & (d->log_bytes - 1)) == 0 &&
	       2 * PT_PAGE + (ULong)d->log_bytes +
			       (1 + (ULong)d->n_chunks) * d->chunk_bytes <=
		       memory_bytes;
}

Bool vt_ring_try_attach(Int ring_fd, ULong memory_bytes)
{
	const struct pt_daemon_page *d =
		map_file_shared_or_null(ring_fd, 0, PT_PAGE, VKI_PROT_READ);
	struct pt_tool_page *p;

	if (d == NULL)
		return False;
	p = has_valid_ring_sizes(d, memory_bytes)
		    ? map_file_shared_or_null(ring_fd, PT_PAGE,
					      memory_bytes - PT_PAGE,
					      VKI_PROT_READ | VKI_PROT_WRITE)
		    : NULL;
	if (p == NULL) {
		VG_(am_munmap_valgrind)((Addr)d, PT_PAGE);
		return False;
	}
	released = d;
	page = p;
	mapped = memory_bytes;
	chunk_bytes = d->chunk_bytes;
	places = (struct pt_places){0, d->n_chunks};
	log_size = d->log_bytes;
	max_chunks = (memory_bytes - 2 * PT_PAGE - log_size) / chunk_bytes - 1;
	log_notified = 0;
	log_bytes = (UChar *)p + PT_PAGE;
	page->staging = (Addr)log_bytes + log_size;
	place0 = (UChar *)page->staging + chunk_bytes;
	begin_chunk_and_set_cursor(0);
	was_attached = True;
	return True;
}

void vt_ring_detach_to_sink(void)
{
	vt_ring_switch_to_sink_page();
}

void vt_ring_set_overfull_and_stop_recording(void)
{
	if (!vt_ring_is_attached())
		return;
	pt_store_relaxed(&page->overfull, 1);
	stopped_page = page;
	vt_ring_switch_to_sink_page();
}

void vt_ring_store_process_ending(enum pt_ending ending, ULong value)
{
	struct pt_tool_page *p = stopped_page != NULL ? stopped_page : page;

	p->ending_value = value;
	p->ending = ending;
}

void vt_ring_unmap_parents_ring(void)
{
	Addr daemon_page = (Addr)released;
	Addr tool_page = (Addr)(stopped_page != NULL ? stopped_page : page);

	if (!vt_ring_is_attached() && stopped_page == NULL)
		return;
	stopped_page = NULL;
	vt_ring_switch_to_sink_page();
	VG_(am_munmap_valgrind)(daemon_page, PT_PAGE);
	VG_(am_munmap_valgrind)(tool_page, mapped - PT_PAGE);
}

/*
 * Send the daemon a message when the second unreleased chunk is published. A
 * daemon that is still busy with earlier chunks finds the later ones without a
 * message, so most chunks send none: a message costs as much as writing
 * thousands of units. The daemon is informed in any case when the ring is full
 * and when the program ends.
 */
static void notify_daemon_at_2nd_unreleased(ULong published_chunk_count)
{
	if (published_chunk_count - released_chunk_count() == CHUNKS_TO_NOTIFY)
		vt_connection_send_await_or_drop_if_full(PT_MSG_CHUNK,
							 published_chunk_count);
}

/* Publish the current chunk, copying it to the ring if it is in staging (memory
   for one chunk that stays in the tool's cache), and begin the next one. Call
   only after grow_ring_and_can_publish_chunk() has returned True. May send the
   daemon a message. */
static void publish_chunk_and_begin_next(void)
{
	ULong number = pt_load_relaxed(&page->published); /* only the tool
							     writes it */
	ULong committed = page->next - chunk_start;
	Bool staged = chunk_start == page->staging;

	vt_staging_resume_trial_timer();
	((ULong *)chunk_start)[1] = committed;
	if (staged)
		pt_copy_nontemporal_and_fence(chunk_address_in_ring(number),
					      (void *)chunk_start, committed);
	vt_staging_pause_trial_timer();
	vt_staging_add_chunk_cost_to_trial(committed, staged);
	/*
	 * Pairs with the load-acquire of published in the daemon's
	 * daemon/client/ring.c: the units and the committed length are visible
	 * before the chunk counts as finished. pt_copy_nontemporal_and_fence()
	 * ends with a fence, since a release alone does not order its
	 * non-temporal stores.
	 */
	pt_store_release(&page->published, number + 1);
	notify_daemon_at_2nd_unreleased(number + 1);
	begin_chunk_and_set_cursor(number + 1);
}

/* Return the number of the chunk whose place must be free before the current
   chunk can be published: the current chunk if it is in staging, else the next
   one. Return 0, whose place is always free, if the next one will be in
   staging. */
static ULong next_chunk_needing_ring_place(void)
{
	ULong number = pt_load_relaxed(&page->published); /* only the tool
							     writes it */

	if (chunk_start == page->staging)
		return number;
	return vt_staging_is_chosen_for_next_chunk() ? 0 : number + 1;
}

/* Whether the current chunk can be published and the next one can begin; first
   use the larger ring if the daemon has announced it. */
static Bool grow_ring_and_can_publish_chunk(void)
{
	return use_announced_larger_ring_is_place_free(
		next_chunk_needing_ring_place());
}

/* Request PT_MSG_ROOM from the daemon, and wait at most SLICE_MS for a message
   of any type and execute it. Add the time to wait_ns, and 1 to waits.
   @released_chunk_count_above: the daemon sends PT_MSG_ROOM when more chunks
   than this are released; ~0ULL: when it has read from the log. */
static void ask_daemon_for_room_wait_one_slice(ULong released_chunk_count_above)
{
	ULong start = vt_clock_monotonic_now_ns();

	vt_connection_send_await_or_drop_if_full(PT_MSG_WAIT,
						 released_chunk_count_above);
	if (!vt_connection_execute_msg_is_connected(SLICE_MS))
		return; /* detached: page is the sink */
	pt_store_relaxed(&page->wait_ns, pt_load_relaxed(&page->wait_ns) +
						 vt_clock_monotonic_now_ns() -
						 start);
	pt_store_relaxed(&page->waits, pt_load_relaxed(&page->waits) + 1);
}

Bool vt_ring_publish_if_full_has_room(void)
{
	if (page->next <= page->limit)
		return True;
	vt_staging_pause_trial_timer();
	if (!vt_ring_is_attached()) {
		begin_chunk_and_set_cursor(0);
		return True;
	}
	/* Wait until a quarter of the ring is free, so that the daemon does not
	   wake the tool for each chunk. */
	if (!grow_ring_and_can_publish_chunk())
		ask_daemon_for_room_wait_one_slice(
			next_chunk_needing_ring_place() - places.n +
			places.n / 4);
	if (!vt_ring_is_attached())
		return True;
	if (!grow_ring_and_can_publish_chunk())
		return False;
	handed_over.unit = (const UInt *)chunk_start;
	handed_over.end = (const UInt *)page->next;
	publish_chunk_and_begin_next();
	return True;
}

const UInt *vt_ring_get_last_published_units_once(const UInt **units_end)
{
	const UInt *unit = handed_over.unit;

	*units_end = handed_over.end;
	handed_over.unit = NULL;
	return unit;
}

void vt_ring_publish_chunk_if_room_and_notify(void)
{
	if (!vt_ring_is_attached() || !grow_ring_and_can_publish_chunk())
		return;
	publish_chunk_and_begin_next();
	vt_connection_send_await_or_drop_if_full(
		PT_MSG_CHUNK,
		pt_load_relaxed(&page->published)); /* only the tool
							       writes it */
}

void vt_ring_add_to_skipped_record_count(UInt skipped_count)
{
	pt_store_relaxed(&page->skipped,
			 pt_load_relaxed(&page->skipped) + skipped_count);
}

void vt_ring_store_lost_message_count(UInt message_count)
{
	if (vt_ring_is_attached())
		pt_store_relaxed(&page->lost_messages, message_count);
}

/* Whether the current chunk, with its reserve, has room for a unit of
   @unit_bytes. */
static Bool does_unit_fit_if_reserve_is_used(UInt unit_bytes)
{
	return page->next + unit_bytes <=
	       page->limit + PT_MAX_UNIT + VT_RESERVE - CHUNK_TAIL;
}

void vt_ring_write_or_skip_control_unit(enum pt_kind kind, UInt id,
					const ULong *words, UInt word_count)
{
	UInt bytes = 8 + 8 * word_count;

	/* The reserve holds thousands of control units, and there is room in it
	   again at every entry to generated code. Only the end of thousands of
	   threads at once needs more. */
	if (!does_unit_fit_if_reserve_is_used(bytes) && vt_ring_is_attached() &&
	    grow_ring_and_can_publish_chunk())
		publish_chunk_and_begin_next();
	if (does_unit_fit_if_reserve_is_used(bytes))
		write_control_unit_set_cursor_to_it((UInt *)page->next, kind,
						    id, words, word_count);
	else
		vt_ring_add_to_skipped_record_count(1);
}

Bool vt_ring_is_current_chunk_full(void)
{
	return page->next > page->limit;
}

void vt_ring_write_control_unit_when_room(enum pt_kind kind, UInt id,
					  const ULong *words, UInt word_count)
{
	while (!vt_ring_publish_if_full_has_room())
		;
	vt_ring_write_or_skip_control_unit(kind, id, words, word_count);
}

ULong vt_ring_n_logged_bytes(void)
{
	return pt_load_relaxed(&page->log_head);
}

/* Whether the log has room for @bytes. */
static Bool log_has_room(UInt bytes)
{
	/*
	 * Pairs with the store-release of log_tail in the daemon's
	 * daemon/client/ring.c: it has copied the bytes before we overwrite
	 * them.
	 */
	ULong tail = pt_load_acquire(&released->log_tail);

	return vt_ring_n_logged_bytes() - tail + bytes <= log_size;
}

/* Wait until the log has room for @bytes. Return: False if no ring is attached
   any more. */
static Bool wait_for_log_room_is_attached(UInt bytes)
{
	while (vt_ring_is_attached() && !log_has_room(bytes))
		ask_daemon_for_room_wait_one_slice(~0ULL);
	return vt_ring_is_attached();
}

/* Append @record to the log, which has room for it without wrapping around. */
static void append_log_record_that_fits(const void *record, UInt bytes)
{
	ULong head = vt_ring_n_logged_bytes();

	VG_(memcpy)(log_bytes + (head & (log_size - 1)), record, bytes);
	/*
	 * Pairs with the load-acquire of log_head in the daemon's
	 * daemon/client/ring.c: the record is visible before its end is.
	 */
	pt_store_release(&page->log_head, head + bytes);
}

/* Fill the last @bytes of the log's memory with a padding record, because a
   record must not wrap around. */
static void append_log_padding_record(UInt bytes)
{
	struct pt_log_head filler = {PT_LOG_PAD, bytes};
	ULong head = vt_ring_n_logged_bytes();

	VG_(memcpy)
	(log_bytes + (head & (log_size - 1)), &filler, sizeof(filler));
	/* Pairs with the load-acquire of log_head in the daemon. */
	pt_store_release(&page->log_head, head + bytes);
}

Bool vt_ring_await_room_and_append_log(const void *record, UInt bytes)
{
	UInt to_end;

	tl_assert(bytes % 8 == 0 && bytes <= PT_MAX_RECORD);
	if (!vt_ring_is_attached())
		return False;
	to_end = log_size - (vt_ring_n_logged_bytes() & (log_size - 1));
	if (!wait_for_log_room_is_attached(to_end < bytes ? to_end + bytes
							  : bytes))
		return False;
	if (to_end < bytes)
		append_log_padding_record(to_end);
	append_log_record_that_fits(record, bytes);
	if (vt_ring_n_logged_bytes() - log_notified > log_size / 4) {
		log_notified = vt_ring_n_logged_bytes();
		vt_connection_send_await_or_drop_if_full(PT_MSG_LOG,
							 log_notified);
	}
	return True;
}

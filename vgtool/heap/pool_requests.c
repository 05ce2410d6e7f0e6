/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pool_requests.c - obeys client requests by which a program announces blocks
 * of its own allocators; see heap.h
 *
 * Requests about a block have no effect in a call of an allocator function,
 * which is recorded itself.
 */

#include "vgtool/heap/heap.h"

#include <pub_tool_clreq.h>

#include "vgtool/heap/block_events.h"
#include "vgtool/heap/running_calls.h"
#include "vgtool/heap/sites.h"
#include "vgtool/transport/connection.h"
#include "vgtool/transport/ring.h"

static void await_room_in_ring(void)
{
	while (!vt_ring_publish_if_full_has_room())
		;
}

/* Record that an element (a block that the program announces by a client
   request) was allocated; its site is the call stack of thread @tid, which
   makes the request. @is_of_pool: the element belongs to pool @pool. */
static void record_element_birth(ThreadId tid, Addr addr, SizeT bytes,
				 Bool is_of_pool, Addr pool)
{
	struct vt_element e = {.addr = addr,
			       .bytes = bytes,
			       .is_of_pool = is_of_pool,
			       .pool = pool};

	await_room_in_ring();
	e.site = vt_sites_find_or_add_request_call_stack(tid);
	vt_blocks_record_element_birth(&e, 0);
}

static void record_element_death(Addr addr)
{
	await_room_in_ring();
	vt_blocks_record_death_unless_null(addr, True);
}

/* Record that the element (a block that the program announces) at @old now has
   @bytes at @addr. If neither an element nor a heap block is known at @old, it
   is new and has no site. Nothing is recorded if @old or @addr is 0. */
static void record_element_resizing(Addr old, Addr addr, SizeT bytes)
{
	await_room_in_ring();
	if (old != 0 && addr != 0)
		vt_blocks_record_resizing(
			old, &(struct vt_element){.addr = addr, .bytes = bytes},
			True);
}

static void record_deaths_of_pool(Addr pool)
{
	const struct vt_element *e;

	while ((e = vt_elements_find_newest_of_pool(pool)) != NULL)
		record_element_death(e->addr);
}

/* Record that of element @e only the part in [@kept_start, @kept_start +
   @kept_size) remains, if that is not all of it, or its death if nothing
   remains. */
static void record_element_trimming(struct vt_element e, Addr kept_start,
				    SizeT kept_size)
{
	Addr first = e.addr > kept_start ? e.addr : kept_start;
	Addr end = e.addr + e.bytes < kept_start + kept_size
			   ? e.addr + e.bytes
			   : kept_start + kept_size;

	if (first >= end)
		record_element_death(e.addr);
	else if (first != e.addr || end != e.addr + e.bytes)
		record_element_resizing(e.addr, first, end - first);
}

/* Cut all elements of a pool to [@start, @start + @size). An element that is
   cut moves to the beginning of the pool's list, so each is reached once. */
static void cut_pool_elements_to_range(Addr pool, Addr start, SizeT size)
{
	const struct vt_element *e = vt_elements_find_newest_of_pool(pool);
	const struct vt_element *next;

	for (; e != NULL; e = next) {
		next = vt_elements_find_next_of_pool(e);
		record_element_trimming(*e, start, size);
	}
}

/* Obey a request about a single block, unless thread @tid is in a call of an
   allocator function. */
static void execute_block_request(ThreadId tid, const UWord *arg)
{
	if (vt_running_calls_current_or_null(tid) != NULL)
		return;
	switch (arg[0]) {
	case VG_USERREQ__MALLOCLIKE_BLOCK:
		record_element_birth(tid, arg[1], arg[2], False, 0);
		break;
	case VG_USERREQ__MEMPOOL_ALLOC:
		record_element_birth(tid, arg[2], arg[3], True, arg[1]);
		break;
	case VG_USERREQ__FREELIKE_BLOCK:
		record_element_death(arg[1]);
		break;
	case VG_USERREQ__MEMPOOL_FREE:
		record_element_death(arg[2]);
		break;
	case VG_USERREQ__RESIZEINPLACE_BLOCK:
		record_element_resizing(arg[1], arg[1], arg[3]);
		break;
	case VG_USERREQ__MEMPOOL_CHANGE:
		record_element_resizing(arg[2], arg[3], arg[4]);
		break;
	}
}

Bool vt_heap_execute_if_block_request(ThreadId tid, const UWord *arg)
{
	if (!(vt_connection_field_bits_from_welcome() & PT_FIELD_DATA))
		return False;
	switch (arg[0]) {
	case VG_USERREQ__MALLOCLIKE_BLOCK:
	case VG_USERREQ__MEMPOOL_ALLOC:
	case VG_USERREQ__FREELIKE_BLOCK:
	case VG_USERREQ__MEMPOOL_FREE:
	case VG_USERREQ__RESIZEINPLACE_BLOCK:
	case VG_USERREQ__MEMPOOL_CHANGE:
		execute_block_request(tid, arg);
		return True;
	case VG_USERREQ__CREATE_MEMPOOL:
		return True;
	case VG_USERREQ__DESTROY_MEMPOOL:
		record_deaths_of_pool(arg[1]);
		return True;
	case VG_USERREQ__MEMPOOL_TRIM:
		cut_pool_elements_to_range(arg[1], arg[2], arg[3]);
		return True;
	case VG_USERREQ__MOVE_MEMPOOL:
		vt_elements_move_all_to_pool(arg[1], arg[2]);
		return True;
	default:
		return False;
	}
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* client_requests.c - obeys requests of the program; see client_requests.h */

#include "vgtool/process/client_requests.h"

#include <pub_tool_aspacemgr.h>
#include <pub_tool_clreq.h>
#include <pub_tool_vki.h>
#include <valgrind/alleria.h>

#include "vgtool/core/message.h"
#include "vgtool/heap/heap.h"
#include "vgtool/intercept/calls.h"
#include "vgtool/core/threads.h"
#include "vgtool/transport/named_marks.h"
#include "vgtool/transport/ring.h"
#include "vgtool/window/events.h"
#include "vgtool/window/windows.h"

_Static_assert((int)PT_MAX_NAME == (int)ALLERIA_LONGEST_NAME,
	       "a program's names have room");

static UWord stopped_categories; /* categories of records (ALLERIA_COLLECT_*)
				    that are stopped; inherited by a forked
				    child */

static Bool is_byte_readable(Addr addr)
{
	return VG_(am_is_valid_for_client)(addr, 1, VKI_PROT_READ);
}

static void report_unreadable_name_once(void)
{
	static Bool is_reported;

	if (!is_reported)
		vt_message_print(
			"the program gives a name that cannot be read");
	is_reported = True;
}

/* Copy the program's string at @program_addr, truncated to PT_MAX_NAME bytes,
   and a NUL to @name, which has PT_MAX_NAME + 1 bytes. Return: whether the
   string is readable; the first one that is not is reported to the user. */
static Bool copy_truncated_name_from_program(Addr program_addr, HChar *name)
{
	UInt i;

	for (i = 0; i < PT_MAX_NAME; i++) {
		if ((i == 0 || (program_addr + i) % PT_PAGE == 0) &&
		    !is_byte_readable(program_addr + i)) {
			report_unreadable_name_once();
			return False;
		}
		name[i] = ((const HChar *)program_addr)[i];
		if (name[i] == 0)
			return True;
	}
	name[i] = 0;
	return True;
}

UInt vt_requests_switch_windows(const HChar *window_or_event_name, Bool open,
				UInt requesting_thread_number)
{
	vt_mark_write_or_skip(open ? PT_NAMED_BEGIN : PT_NAMED_END,
			      window_or_event_name, 0, 0);
	if (open)
		vt_event_trigger_on_request(window_or_event_name,
					    requesting_thread_number);
	return vt_windows_request_by_name_return_count(window_or_event_name,
						       open);
}

static void write_mark_and_trigger_named_event(const HChar *name,
					       UInt thread_number)
{
	vt_mark_write_or_skip(PT_NAMED_EVENT, name, 0, 0);
	vt_event_trigger_on_request(name, thread_number);
}

/* Start or stop the recording of the categories whose bits are set in
   @category_mask, and write a mark for each of them. Accesses and calls are
   started or stopped; for allocations and locks the mark is all. @start: True:
   start; False: stop. */
static void start_or_stop_collection_write_marks(UWord category_mask,
						 Bool start)
{
	static const HChar *const names[] = {"calls", "accesses", "allocations",
					     "locks"};
	UInt i;

	stopped_categories = start ? stopped_categories & ~category_mask
				   : stopped_categories | category_mask;
	vt_windows_set_recording_paused(
		(stopped_categories & ALLERIA_COLLECT_ACCESSES) != 0);
	vt_calls_set_paused((stopped_categories & ALLERIA_COLLECT_CALLS) != 0);
	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (category_mask & 1u << i)
			vt_mark_write_or_skip(start ? PT_NAMED_START
						    : PT_NAMED_STOP,
					      names[i], 0, 0);
}

static void invert_collection_of_each_category(UWord category_mask)
{
	UWord were_stopped = category_mask & stopped_categories;

	start_or_stop_collection_write_marks(
		category_mask & ~stopped_categories, False);
	start_or_stop_collection_write_marks(were_stopped, True);
}

/* Obey a request that has a name as an argument: write a mark, record an event,
   open or close windows, or name a memory region. Do nothing if the name is
   unreadable. */
static void execute_named_request(const UWord *arg, UInt thread_number)
{
	HChar name[PT_MAX_NAME + 1];
	UWord request = arg[0];
	Bool region = request == VG_USERREQ__ALLERIA_REGION;

	if (!copy_truncated_name_from_program(arg[region ? 3 : 1], name))
		return;
	switch (request) {
	case VG_USERREQ__ALLERIA_MARK:
		vt_mark_write_or_skip(PT_NAMED_MARK, name, 0, 0);
		break;
	case VG_USERREQ__ALLERIA_EVENT:
		write_mark_and_trigger_named_event(name, thread_number);
		break;
	case VG_USERREQ__ALLERIA_WINDOW_BEGIN:
	case VG_USERREQ__ALLERIA_WINDOW_END:
		vt_requests_switch_windows(
			name, request == VG_USERREQ__ALLERIA_WINDOW_BEGIN,
			thread_number);
		break;
	case VG_USERREQ__ALLERIA_REGION:
		vt_mark_write_or_skip(PT_NAMED_REGION, name, arg[1], arg[2]);
		vt_heap_record_region(arg[1], arg[2], name);
		break;
	}
}

/* Obey a client request. @thread_number: number of the thread that makes it.
   Return: False if the request is not one of Alleria's. */
static Bool execute_if_alleria_request(const UWord *arg, UInt thread_number)
{
	switch (arg[0]) {
	case VG_USERREQ__ALLERIA_MARK:
	case VG_USERREQ__ALLERIA_EVENT:
	case VG_USERREQ__ALLERIA_WINDOW_BEGIN:
	case VG_USERREQ__ALLERIA_WINDOW_END:
	case VG_USERREQ__ALLERIA_REGION:
		execute_named_request(arg, thread_number);
		return True;
	case VG_USERREQ__ALLERIA_START:
	case VG_USERREQ__ALLERIA_STOP:
		start_or_stop_collection_write_marks(
			arg[1], arg[0] == VG_USERREQ__ALLERIA_START);
		return True;
	case VG_USERREQ__ALLERIA_TOGGLE:
		invert_collection_of_each_category(arg[1]);
		return True;
	case VG_USERREQ__ALLERIA_FLUSH:
		vt_ring_publish_chunk_if_room_and_notify();
		return True;
	case VG_USERREQ__ALLERIA_RUNNING:
		return True;
	default:
		return False;
	}
}

static Bool handle_client_or_gdb_request(ThreadId tid, UWord *arg, UWord *ret)
{
	Bool is_ours;

	if (arg[0] == VG_USERREQ__GDB_MONITOR_COMMAND)
		is_ours = vt_monitor_execute_if_ours((const HChar *)arg[1]);
	else
		is_ours = execute_if_alleria_request(arg,
						     vt_thread_number(tid)) ||
			  vt_heap_execute_if_block_request(tid, arg);
	*ret = is_ours;
	return is_ours;
}

void vt_requests_register_callback(void)
{
	VG_(needs_client_requests)(handle_client_or_gdb_request);
}

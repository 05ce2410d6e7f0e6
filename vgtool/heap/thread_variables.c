/* SPDX-License-Identifier: GPL-2.0-or-later */
/* thread_variables.c - records thread-local variables; see
   thread_variables.h */

#include "vgtool/heap/thread_variables.h"

#include <libvex_guest_amd64.h>
#include <pub_tool_machine.h>
#include <pub_tool_threadstate.h>

#include "vgtool/core/memory.h"
#include "vgtool/core/threads.h"
#include "vgtool/heap/mappings.h"
#include "vgtool/heap/text_unit.h"
#include "vgtool/heap/tls_segment.h"

enum {
	DTV_ENTRY_BYTES = 16,
	MAX_DISTANCE = 1 << 26, /* [bytes] greatest distance of a copy from the
				   structure of its thread */
};

/* An object with thread-local variables. */
struct object {
	Addr code_start;
	UInt number; /* number of the object's PT_MAPPED unit */
	UInt order;  /* order of the mapping of its code, from
			vt_mappings_find_sequence_number_or_0() */
	struct vt_tls_segment segment;
};

static struct object *objects; /* sorted by `order` */
static UInt n_objects, objects_size;
static Bool is_started; /* units of a thread were written; objects that are
			   mapped from now on are ignored */
/* By ThreadId: the thread whose units were written, and the memory of its
   variables. NULL: no units were written. */
static struct written {
	UInt number; /* number of the thread whose units were written; 0:
			none */
	Addr start, end;
} * written;

/* Insert @o after the objects that were mapped before it. */
static void insert_object_by_mapping_order(const struct object *o)
{
	UInt i;

	if (n_objects == objects_size) {
		objects_size = objects_size ? 2 * objects_size : 16;
		objects = VG_(realloc)("vt.heap.tls", objects,
				       objects_size * sizeof(*objects));
	}
	for (i = n_objects++; i > 0 && objects[i - 1].order > o->order; i--)
		objects[i] = objects[i - 1];
	objects[i] = *o;
}

void vt_thread_variables_add_object(const DebugInfo *di, UInt object_number)
{
	struct object o = {
		.code_start = VG_(DebugInfo_get_text_avma)(di),
		.number = object_number,
	};
	UInt i;

	for (i = 0; i < n_objects; i++) {
		if (objects[i].code_start == o.code_start) {
			objects[i].number = object_number;
			return;
		}
	}
	if (is_started || !vt_tls_segment_read_with_variables(
				  &o.segment, VG_(DebugInfo_get_filename)(di)))
		return;
	o.order = vt_mappings_find_sequence_number_or_0(o.code_start);
	insert_object_by_mapping_order(&o);
}

/* Return the address of the copy of the variables of objects[@object_index]
   that belongs to the thread whose structure is at @thread_struct_addr; 0 if it
   is not known. */
static Addr find_copy_of_variables_or_0(Addr thread_struct_addr,
					UInt object_index)
{
	const struct vt_tls_segment *s = &objects[object_index].segment;
	Addr table =
		vt_memory_read_word_or_0(thread_struct_addr + sizeof(Addr));
	Addr start;

	if (vt_memory_read_word_or_0(table - DTV_ENTRY_BYTES) <
	    object_index + 1)
		return 0;
	start = vt_memory_read_word_or_0(table + (Addr)(object_index + 1) *
							 DTV_ENTRY_BYTES);
	return thread_struct_addr - start <= MAX_DISTANCE &&
			       thread_struct_addr - start >= s->bytes &&
			       (start & (s->align - 1)) == s->address_remainder
		       ? start
		       : 0;
}

/* Write a unit for each variable of @o. The copy of thread @thread_number is at
   @start. */
static void write_thread_variable_units_of_object(const struct object *o,
						  Addr start,
						  UInt thread_number)
{
	UInt i;

	for (i = 0; i < o->segment.n; i++) {
		const struct vt_tls_variable *v = &o->segment.variable[i];

		vt_text_unit_write_when_room(PT_THREAD_VARIABLE, o->number,
					     (ULong[]){start + v->offset,
						       v->bytes, thread_number,
						       v->offset},
					     4, v->name);
	}
}

/* Write units for the variables of thread number @thread_number, whose
   structure is at @thread_struct_addr. Return: the lowest address of the
   variables; @thread_struct_addr if there are none. */
static Addr write_variables_return_lowest_addr(Addr thread_struct_addr,
					       UInt thread_number)
{
	Addr lowest = thread_struct_addr;
	UInt i;

	for (i = 0; i < n_objects; i++) {
		Addr start = find_copy_of_variables_or_0(thread_struct_addr, i);

		if (start == 0)
			continue;
		write_thread_variable_units_of_object(&objects[i], start,
						      thread_number);
		if (start < lowest)
			lowest = start;
	}
	return lowest;
}

static Addr read_address_of_thread_structure(ThreadId tid)
{
	Addr addr;

	VG_(get_shadow_regs_area)
	(tid, (UChar *)&addr, 0, offsetof(VexGuestAMD64State, guest_FS_CONST),
	 sizeof(addr));
	return addr;
}

/* Whether units were written for a thread whose glibc structure (to which its
   register FS points) is at @thread. A thread that clone() creates without
   CLONE_SETTLS uses its parent's. */
static Bool is_structure_of_written_thread(Addr thread)
{
	ThreadId tid;

	for (tid = 1; written != NULL && tid < VG_N_THREADS; tid++)
		if (written[tid].number != 0 && written[tid].end == thread)
			return True;
	return False;
}

/* glibc initialises the copies of a thread in the order of the objects, so all
   are known when that of the last object is. */
void vt_thread_variables_write_units_once(ThreadId tid)
{
	UInt number = vt_thread_number(tid);
	Addr thread;

	if (n_objects == 0 ||
	    (written != NULL && written[tid].number == number))
		return;
	thread = read_address_of_thread_structure(tid);
	if (thread == 0 ||
	    find_copy_of_variables_or_0(thread, n_objects - 1) == 0 ||
	    is_structure_of_written_thread(thread))
		return;
	if (written == NULL)
		written =
			VG_(calloc)("vt.heap", VG_N_THREADS, sizeof(*written));
	is_started = True;
	written[tid] = (struct written){
		.number = number,
		.start = write_variables_return_lowest_addr(thread, number),
		.end = thread,
	};
}

void vt_thread_variables_write_end(ThreadId tid)
{
	struct written *w = written != NULL ? &written[tid] : NULL;

	if (w == NULL || w->number == 0)
		return;
	vt_ring_write_control_unit_when_room(
		PT_THREAD_VARIABLES_END, w->number,
		(ULong[]){w->start, w->end - w->start}, 2);
	w->number = 0;
}

void vt_thread_variables_set_all_unwritten(void)
{
	if (written != NULL)
		VG_(memset)(written, 0, VG_N_THREADS * sizeof(*written));
}

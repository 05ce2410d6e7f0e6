/* SPDX-License-Identifier: GPL-2.0-or-later */
/* heap.c - records heap blocks, stacks and variables; see heap.h */

#include "vgtool/heap/heap.h"

#include <pub_tool_machine.h>
#include <pub_tool_options.h>
#include <pub_tool_threadstate.h>

#include "vgtool/core/threads.h"
#include "vgtool/heap/allocators.h"
#include "vgtool/heap/allocator_calls.h"
#include "vgtool/heap/block_events.h"
#include "vgtool/heap/elements.h"
#include "vgtool/heap/live_blocks.h"
#include "vgtool/heap/mappings.h"
#include "vgtool/heap/regions.h"
#include "vgtool/heap/return_sites.h"
#include "vgtool/heap/sites.h"
#include "vgtool/heap/stacks.h"
#include "vgtool/heap/thread_variables.h"
#include "vgtool/heap/variables.h"
#include "vgtool/transport/connection.h"
#include "vgtool/transport/objects.h"
#include "vgtool/transport/ring.h"

static Bool is_started;

static Addr
	extended_mapping; /* address in the mapping that the running system call
			     extends; 0: none */

static Bool is_allocator_entry(Addr pc)
{
	return vt_allocators_find_by_entry(pc) != NULL;
}

static const struct vt_block_hook hook = {
	.find_helper = vt_heap_find_helper_of_code_block,
	.is_entry = is_allocator_entry,
	.check_jump = vt_heap_end_calls_left_by_sp_jump,
};

static void add_allocators_write_variables_of_object(const DebugInfo *di)
{
	vt_allocators_add_from_object(di);
	vt_allocators_write_changed_user_named();
	vt_variables_add_object(di);
}

static void remove_unmapped_allocators_and_variables(const HChar *path,
						     Addr start, SizeT size)
{
	vt_allocators_remove_in_range(start, size);
	vt_variables_remove_object_write_unmap(start, size);
	vt_sites_mark_unmapped(start, size);
}

static const struct vt_object_listener listener = {
	add_allocators_write_variables_of_object,
	remove_unmapped_allocators_and_variables};

/* Without its shortcuts (VT_SHORTCUTS), the tool cannot keep VEX from
   continuing a block at the entry of an allocator, except by forbidding it
   everywhere. */
void vt_heap_start_recording_data_objects(void)
{
	is_started = True;
	if (vt_connection_allocators_or_null() != NULL)
		vt_allocators_init_from_users_list(
			vt_connection_allocators_or_null());
	vt_objects_add_listener(&listener);
	vt_block_hook_set_block_begin_hook(&hook);
#ifndef VT_SHORTCUTS
	VG_(clo_vex_control).guest_chase = False;
#endif
}

Bool vt_heap_log_object_files_drop_stale_code(void)
{
	if (!is_started)
		return False;
	vt_objects_update_and_log_changes();
	return vt_return_sites_discard_code_of_added();
}

void vt_heap_write_units_of_stack_and_tls(ThreadId tid)
{
	if (!is_started)
		return;
	vt_stacks_write_range_unit_once(tid);
	vt_thread_variables_write_units_once(tid);
}

void vt_heap_push_signal_handler(ThreadId tid)
{
	if (is_started)
		vt_heap_push_handler_if_in_allocator(tid);
}

void vt_heap_pop_signal_handler(ThreadId tid)
{
	if (is_started)
		vt_heap_pop_handler_if_on_top(tid);
}

void vt_heap_end_thread_calls_stack_variables(ThreadId tid)
{
	if (!is_started)
		return;
	vt_heap_remove_calls_of_thread(tid);
	vt_stacks_write_end_of_thread_to_ring(tid);
	vt_thread_variables_write_end(tid);
}

void vt_heap_record_region(Addr start, SizeT size, const HChar *name)
{
	if (is_started)
		vt_regions_write_unit_and_store(start, size, name);
}

void vt_heap_remove_elements_write_map_unit(Addr start, SizeT size,
					    UInt mapping_flags)
{
	if (!is_started)
		return;
	vt_blocks_remove_elements_and_regions(start, size);
	vt_mappings_add_and_write_unit(start, size, mapping_flags,
				       extended_mapping);
}

void vt_heap_remove_elements_write_unmap_unit(Addr start, SizeT size)
{
	if (!is_started)
		return;
	vt_blocks_remove_elements_and_regions(start, size);
	vt_mappings_remove_and_write_unit(start, size);
}

void vt_heap_record_mapping_move(Addr from, Addr to, SizeT moved_bytes)
{
	if (!is_started)
		return;
	vt_blocks_remove_elements_and_regions(from, moved_bytes);
	vt_blocks_remove_elements_and_regions(to, moved_bytes);
	vt_mappings_move_and_write_control_unit(from, to, moved_bytes);
	extended_mapping = to;
}

void vt_heap_set_mapping_extended_by_syscall(Addr mapping_addr_or_0)
{
	extended_mapping = mapping_addr_or_0;
}

void vt_heap_write_inherited_to_ring_in_child(ThreadId tid)
{
	if (!is_started)
		return;
	vt_heap_remove_allocator_calls_of_others(tid);
	vt_stacks_clear_all_note_if_main_ended(tid);
	vt_thread_variables_set_all_unwritten();
	vt_allocators_write_all_user_named();
	vt_variables_renumber_files_write_units();
	vt_sites_write_all_in_forked_child();
	vt_mappings_write_unit_for_each();
	vt_live_write_births_of_all_blocks();
	vt_elements_write_all_births();
	vt_regions_write_all();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * heap.h - records the heap blocks, stacks and variables of the program
 *
 * Nothing is recorded until vt_heap_start_recording_data_objects() is called.
 */
#ifndef VGTOOL_HEAP_HEAP_H
#define VGTOOL_HEAP_HEAP_H

#include "vgtool/core/prelude.h"

/* Begin to record data objects: heap blocks, variables, stacks and mapped
   memory. Call before the first block of code is translated. */
void vt_heap_start_recording_data_objects(void);

/* Log the objects that were mapped or unmapped, with their variables. Discard
   the translations of code at new return addresses of allocator calls, because
   that code does not check for a return yet. Return: whether there were new
   return addresses. Context: no translated code is running. */
Bool vt_heap_log_object_files_drop_stale_code(void);

/* Write a PT_STACK unit with the range that the stack of thread @tid can have,
   unless that was done before. Likewise write its PT_THREAD_VARIABLE units, as
   soon as the addresses of its thread-local variables are known. Waits for room
   in the ring. */
void vt_heap_write_units_of_stack_and_tls(ThreadId tid);

/* Update the stack of allocator calls of thread @tid: a signal handler of it is
   about to run; the handler returns; the thread ends. At its end, also write
   units that end its stack and its thread-local variables; waits for room in
   the ring. */
void vt_heap_push_signal_handler(ThreadId tid);
void vt_heap_pop_signal_handler(ThreadId tid);
void vt_heap_end_thread_calls_stack_variables(ThreadId tid);

/* Obey a client request of thread @tid by which a program announces blocks of
   its own allocators: VALGRIND_MALLOCLIKE_BLOCK, VALGRIND_MEMPOOL_ALLOC and
   their like. @arg: [6], which can have any value. May wait for room in the
   ring. Return: whether it is such a request, and heap blocks are recorded.
   Context: no translated code is running. Defined in pool_requests.c. */
Bool vt_heap_execute_if_block_request(ThreadId tid, const UWord *arg);

/* Record that the program named the @size bytes at @start as a region or, if
   @size is 0, that the region which contains @start ended. Waits for room in
   the ring. */
void vt_heap_record_region(Addr start, SizeT size, const HChar *name);

/* Record that memory was mapped, in place of what was mapped there, and remove
   the regions and elements (blocks of pools and of allocators that the user
   names) there.
   @mapping_flags: of enum pt_memory. */
void vt_heap_remove_elements_write_map_unit(Addr start, SizeT size,
					    UInt mapping_flags);

/* Record that all mapped memory in a range was unmapped, and remove the regions
   and elements (blocks of pools and of allocators that the user names) there.
   */
void vt_heap_remove_elements_write_unmap_unit(Addr start, SizeT size);

/* Record that @moved_bytes of memory were moved from @from to @to, and remove
   the regions and elements at both. Memory that the running system call maps
   then extends the mapping at @to. */
void vt_heap_record_mapping_move(Addr from, Addr to, SizeT moved_bytes);

/* Treat memory that the next system call maps as an extension of the mapping at
   @mapping_addr_or_0, as for mremap(); 0: as a mapping of its own. Call before
   each system call. */
void vt_heap_set_mapping_extended_by_syscall(Addr mapping_addr_or_0);

/* Remove the allocator calls of all threads except @tid, the only one of a
   forked child, and write all that the child has inherited: objects, call
   stacks of allocations (sites), mappings, live heap blocks, elements (blocks
   of pools and of allocators that the user names), and regions. */
void vt_heap_write_inherited_to_ring_in_child(ThreadId tid);

#endif

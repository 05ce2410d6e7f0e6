/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel_writes.c - records effects of the system; see kernel_writes.h
 *
 * If values are recorded, PT_WRITTEN units record memory that something else
 * than the program's instructions has written. A reader that recomputes memory
 * from values then knows which bytes are unknown. Writes of other processes to
 * shared memory are not recorded, since Valgrind does not report them.
 */

#include "vgtool/process/kernel_writes.h"

#include <pub_tool_threadstate.h>

#include "vgtool/core/valgrind_core.h"
#include "vgtool/heap/heap.h"
#include "vgtool/transport/connection.h"
#include "vgtool/transport/ring.h"

enum {
	UNKNOWN_CORE = ~0u,
	CHILD_CLEARTID = 0x200000, /* flag of clone() */
};

static UInt last_core = UNKNOWN_CORE;

/* Addresses of the words that the kernel clears when threads end, by Valgrind's
   number of the thread; 0: none. [0] is the word of the thread that clone() is
   about to create. NULL: no thread has such a word. */
static Addr *cleared_at_end;

static void record_write_if_values_recorded(enum pt_writer writer, Addr addr,
					    SizeT bytes)
{
	ULong word[] = {addr, bytes};

	if (bytes > 0 &&
	    (vt_connection_field_bits_from_welcome() & PT_FIELD_VALUES))
		vt_ring_write_or_skip_control_unit(PT_WRITTEN, writer, word, 2);
}

static void record_valgrind_core_write(CorePart part, ThreadId tid, Addr a,
				       SizeT bytes)
{
	record_write_if_values_recorded(
		part == Vg_CoreSysCall	? PT_BY_SYSTEM_CALL
		: part == Vg_CoreSignal ? PT_BY_SIGNAL
					: PT_BY_VALGRIND,
		a, bytes);
}

static UInt memory_flags(Bool r, Bool w, Bool x)
{
	return (r ? PT_MEMORY_READABLE : 0) | (w ? PT_MEMORY_WRITABLE : 0) |
	       (x ? PT_MEMORY_EXECUTABLE : 0);
}

/* Record new mapped memory, also as a write if values are recorded, and remove
   the heap's elements there. */
static void record_new_mapping(Addr a, SizeT bytes, Bool r, Bool w, Bool x,
			       ULong handle)
{
	record_write_if_values_recorded(PT_BY_MAPPING, a, bytes);
	vt_heap_remove_elements_write_map_unit(a, bytes, memory_flags(r, w, x));
}

static void record_growth_by_brk(Addr a, SizeT bytes, ThreadId tid)
{
	record_write_if_values_recorded(PT_BY_MAPPING, a, bytes);
	vt_heap_remove_elements_write_map_unit(
		a, bytes, memory_flags(True, True, False) | PT_MEMORY_OF_BRK);
}

static void record_remap(Addr from, Addr to, SizeT bytes)
{
	record_write_if_values_recorded(PT_BY_MAPPING, to, bytes);
	vt_heap_record_mapping_move(from, to, bytes);
}

/* Record memory that is mapped before the program's first instruction. */
static void record_startup_mapping(Addr a, SizeT bytes, Bool r, Bool w, Bool x,
				   ULong handle)
{
	vt_heap_remove_elements_write_map_unit(a, bytes, memory_flags(r, w, x));
}

/* Record a write even if futex() has failed: another writer, such as the kernel
   at the end of a thread, may have changed the word. Valgrind reports only the
   writes of calls that succeed. */
void vt_system_record_futex_call_write(Addr futex_addr)
{
	record_write_if_values_recorded(PT_BY_SYSTEM_CALL, futex_addr,
					sizeof(UInt));
}

static void store_addr_of_word_cleared_at_thread_end(ThreadId tid, Addr word)
{
	if (cleared_at_end == NULL)
		cleared_at_end = VG_(calloc)("vt.system", VG_N_THREADS,
					     sizeof(*cleared_at_end));
	cleared_at_end[tid] = word;
}

void vt_system_store_word_cleared_at_end(ThreadId tid, UInt syscall_number,
					 const UWord *args)
{
	if (syscall_number == __NR_set_tid_address)
		store_addr_of_word_cleared_at_thread_end(tid, args[0]);
	else if (syscall_number == __NR_clone)
		store_addr_of_word_cleared_at_thread_end(
			0, args[0] & CHILD_CLEARTID ? args[3] : 0);
}

void vt_system_note_word_cleared_at_child_end(ThreadId child)
{
	if (cleared_at_end == NULL)
		return;
	cleared_at_end[child] = cleared_at_end[0];
	cleared_at_end[0] = 0;
}

void vt_system_record_clear_at_thread_end(ThreadId tid)
{
	if (cleared_at_end == NULL || cleared_at_end[tid] == 0)
		return;
	record_write_if_values_recorded(PT_BY_SYSTEM_CALL, cleared_at_end[tid],
					sizeof(UInt));
	cleared_at_end[tid] = 0;
}

void vt_system_register_memory_callbacks(void)
{
	VG_(track_post_mem_write)(record_valgrind_core_write);
	VG_(track_new_mem_mmap)(record_new_mapping);
	VG_(track_new_mem_brk)(record_growth_by_brk);
	VG_(track_copy_mem_remap)(record_remap);
	VG_(track_new_mem_startup)(record_startup_mapping);
	VG_(track_die_mem_munmap)(vt_heap_remove_elements_write_unmap_unit);
	VG_(track_die_mem_brk)(vt_heap_remove_elements_write_unmap_unit);
}

void vt_system_record_cpu_if_changed(void)
{
	UInt core;

	if (!(vt_connection_field_bits_from_welcome() & PT_FIELD_CORES))
		return;
	if (sr_isError(vt_syscall3(__NR_getcpu, (UWord)&core, 0, 0)) ||
	    core == last_core)
		return;
	last_core = core;
	vt_ring_write_or_skip_control_unit(PT_CORE, core, NULL, 0);
}

void vt_system_set_last_recorded_cpu_unknown(void)
{
	last_core = UNKNOWN_CORE;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel_writes.c - what the system does to the program; see kernel_writes.h
 *
 * Memory that is written by other than the program's instructions is told where
 * values are, so that who recomputes memory from them knows what he does not
 * know. Not told, since Valgrind is not: what other processes write to shared
 * memory.
 */

#include "vgtool/process/kernel_writes.h"

#include "vgtool/core/valgrind_core.h"
#include "vgtool/transport/connection.h"
#include "vgtool/transport/ring.h"

enum { NOWHERE = ~0u };

static UInt core = NOWHERE;

static void tell(enum pt_writer who, Addr a, SizeT bytes)
{
	ULong word[] = {a, bytes};

	if (bytes > 0 && (vt_control_fields() & PT_FIELD_VALUES))
		vt_ring_unit(PT_WRITTEN, who, word, 2);
}

static void memory_written(CorePart part, ThreadId tid, Addr a, SizeT bytes)
{
	tell(part == Vg_CoreSysCall  ? PT_BY_SYSTEM_CALL
	     : part == Vg_CoreSignal ? PT_BY_SIGNAL
				     : PT_BY_VALGRIND,
	     a, bytes);
}

static void memory_mapped(Addr a, SizeT bytes, Bool r, Bool w, Bool x,
			  ULong handle)
{
	tell(PT_BY_MAPPING, a, bytes);
}

static void heap_grown(Addr a, SizeT bytes, ThreadId tid)
{
	tell(PT_BY_MAPPING, a, bytes);
}

static void memory_moved(Addr from, Addr to, SizeT bytes)
{
	tell(PT_BY_MAPPING, to, bytes);
}

/* Others change it, the kernel among them when a thread ends; and Valgrind
   knows only of calls that succeed. */
void vt_system_waited(Addr futex)
{
	tell(PT_BY_SYSTEM_CALL, futex, sizeof(UInt));
}

void vt_system_register(void)
{
	VG_(track_post_mem_write)(memory_written);
	VG_(track_new_mem_mmap)(memory_mapped);
	VG_(track_new_mem_brk)(heap_grown);
	VG_(track_copy_mem_remap)(memory_moved);
}

void vt_system_look_at_core(void)
{
	UInt now;

	if (!(vt_control_fields() & PT_FIELD_CORES))
		return;
	if (sr_isError(vt_syscall3(__NR_getcpu, (UWord)&now, 0, 0)) ||
	    now == core)
		return;
	core = now;
	vt_ring_unit(PT_CORE, now, NULL, 0);
}

void vt_system_forget_core(void)
{
	core = NOWHERE;
}

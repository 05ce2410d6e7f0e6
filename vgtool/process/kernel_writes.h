/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel_writes.h - records effects of the system on the program: writes to its
 * memory, mappings, and moves between processors
 */
#ifndef VGTOOL_PROCESS_KERNEL_WRITES_H
#define VGTOOL_PROCESS_KERNEL_WRITES_H

#include "vgtool/core/prelude.h"

/* Register with Valgrind the callbacks that record writes by system calls, by
   signals, and by mmap(), brk() and mremap(), and the memory that is mapped and
   unmapped. Context: from pre_clo_init, before options are parsed. */
void vt_system_register_memory_callbacks(void);

/* If values are recorded, record that the 4 bytes of the futex at @futex_addr
   may have been written. Call after each futex(), even if it failed. */
void vt_system_record_futex_call_write(Addr futex_addr);

/* Store the address of the word that the kernel clears at a thread's end: that
   of thread @tid if the call is set_tid_address, of the thread that is about
   to be created if it is clone(). Call before each system call. */
void vt_system_store_word_cleared_at_end(ThreadId tid, UInt syscall_number,
					 const UWord *args);

/* Set the word of a new thread to that of the last clone(). Call when a thread
   begins. */
void vt_system_note_word_cleared_at_child_end(ThreadId child);

/* If values are recorded, record that the kernel clears the word of thread
   @tid, which ends. The kernel clears it some time later: an access in between
   still reads the old value. */
void vt_system_record_clear_at_thread_end(ThreadId tid);

/* If the daemon has requested processors, find the number of the current one by
   a system call, and record it if it has changed. */
void vt_system_record_cpu_if_changed(void);

/* Forget the processor recorded last, so that the processor is recorded again
   even if it has not changed. Call in a forked child, whose stream is new. */
void vt_system_set_last_recorded_cpu_unknown(void);

#endif

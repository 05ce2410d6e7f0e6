/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * thread_variables.h - records the thread-local variables of each thread
 *
 * The objects that are mapped when the program starts have a copy of their
 * thread-local variables for each thread, in the memory below a structure of
 * the thread to which, with glibc, the register FS points. The structure's
 * second word is the address of a table (DTV). Its entry k, of 16 bytes, has
 * the address of the copy of the k-th object with such variables, in the order
 * of mapping. An address is ignored if its alignment or its distance from the
 * structure does not fit the object's segment. Objects that are mapped later
 * have their variables in heap blocks of the dynamic linker, which are not
 * recorded here.
 */
#ifndef VGTOOL_HEAP_THREAD_VARIABLES_H
#define VGTOOL_HEAP_THREAD_VARIABLES_H

#include <pub_tool_debuginfo.h>

#include "vgtool/core/prelude.h"

/* Add an object that was mapped, if it has thread-local variables and those of
   no thread were written yet. @object_number: number of its PT_MAPPED unit. If
   it was added before, only set its number. */
void vt_thread_variables_add_object(const DebugInfo *, UInt object_number);

/* Write a PT_THREAD_VARIABLE unit for each thread-local variable of thread
   @tid. Do nothing if that was done before, if the addresses are not known yet,
   or if the thread shares the variables of another one. Waits for room in the
   ring. */
void vt_thread_variables_write_units_once(ThreadId tid);

/* Write a PT_THREAD_VARIABLES_END unit for thread @tid, which ends, if its
   variables were written. Waits for room in the ring. */
void vt_thread_variables_write_end(ThreadId tid);

/* Forget for which threads PT_THREAD_VARIABLE units were written to the ring,
   so that the next call of vt_thread_variables_write_units_once() for each
   thread writes them again. Call in a forked child, which has a ring of its
   own. */
void vt_thread_variables_set_all_unwritten(void);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mappings.h - records the memory that is mapped, and what has mapped it
 *
 * A forked child records those mappings that it inherits. An operation takes
 * O(n) time, as Valgrind's own list of segments does, which limits n.
 */
#ifndef VGTOOL_HEAP_MAPPINGS_H
#define VGTOOL_HEAP_MAPPINGS_H

#include "vgtool/core/prelude.h"

/* Record that the running thread, if there is one, has mapped memory, in place
   of what was mapped there. @flags: of enum pt_memory. @extended_addr: address
   in the mapping that it extends, or 0. Waits for room in the ring. */
void vt_mappings_add(Addr start, SizeT size, UInt flags, Addr extended_addr);

/* Record that what is mapped in a range was unmapped. */
void vt_mappings_remove(Addr start, SizeT size);

/* Record that the @size bytes that are mapped at @from were moved to @to, as
   one mapping. */
void vt_mappings_move(Addr from, Addr to, SizeT size);

/* Write a PT_MEMORY unit for each mapping. Waits for room in the ring. */
void vt_mappings_write_all(void);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mappings.h - records the memory that is mapped, and which call mapped it
 *
 * A forked child records the mappings that it inherits. An operation takes O(n)
 * time for n mappings. So does one of Valgrind's own list of segments, which
 * limits n.
 */
#ifndef VGTOOL_HEAP_MAPPINGS_H
#define VGTOOL_HEAP_MAPPINGS_H

#include "vgtool/core/prelude.h"

/* Record that @size bytes were mapped at @start, in place of what was mapped
   there: store the mapping in the list and write a PT_MEMORY unit, when the
   ring has room. The mapping's site is the call stack of the running thread,
   or 0 if no thread runs. @flags: of enum pt_memory. @extended_addr: address in
   a mapping of which the new mapping gets the site and the flags instead, or 0.
   Do nothing if @size is 0. */
void vt_mappings_add_and_write_unit(Addr start, SizeT size, UInt flags,
				    Addr extended_addr);

/* Record that the @size bytes at @start were unmapped: remove them from the
   list and write a PT_MEMORY_UNMAPPED unit, when the ring has room. Do nothing
   if @size is 0. */
void vt_mappings_remove_and_write_unit(Addr start, SizeT size);

/* Record that the @size bytes mapped at @from were moved to @to: store them as
   one mapping with the site and flags of that at @from, and write a
   PT_MEMORY_MOVED unit, when the ring has room. Do nothing if @size is 0 or no
   mapping contains @from. */
void vt_mappings_move_and_write_control_unit(Addr from, Addr to, SizeT size);

/* Return the sequence number of the mapping that contains @addr: a mapping that
   was made later has a greater one; memory that extended a mapping at its end
   has the number of that mapping. 0: no mapping contains @addr, or its mapping
   was moved there. */
UInt vt_mappings_find_sequence_number_or_0(Addr addr);

/* Find the mapping that contains @addr. Return: whether there is one; then
   [@start, @last], both inclusive, is its range: adjacent mappings that several
   calls have made are separate, unless one extended the other at its end. */
Bool vt_mappings_find_range(Addr addr, Addr *start, Addr *last);

/* Whether the mapping that contains @addr was made by brk() or by a function of
   an allocator. */
Bool vt_mappings_is_of_heap(Addr addr);

/* Write a PT_MEMORY unit for each mapping of the list, each when the ring has
   room. */
void vt_mappings_write_unit_for_each(void);

#endif

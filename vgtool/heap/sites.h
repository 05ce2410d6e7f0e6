/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sites.h - numbers the call stacks of allocations
 *
 * A site is a call stack of an allocator function, of a system call that maps
 * memory, or of a client request about a block. Each is written to the stream
 * once, as a PT_SITE unit, before the first event that has its number; the unit
 * is counted as skipped if the ring has no room.
 */
#ifndef VGTOOL_HEAP_SITES_H
#define VGTOOL_HEAP_SITES_H

#include "vgtool/core/prelude.h"

/* Write all sites, with their numbers, in a forked child, whose stream has
   none. Waits for room in the ring. */
void vt_sites_write_all_in_forked_child(void);

/* Mark the sites that have an address in [@start, @start + @size), whose code
   was unmapped: calls from the same addresses are of new sites from then on. */
void vt_sites_mark_unmapped(Addr start, SizeT size);

/* Return the number of the site at which thread @tid is calling the allocator
   function at @function_entry, whose first instruction runs next, or is mapping
   memory by a system call, with the program counter @function_entry. Writes the
   site if it is new. Return 0 if there are too many sites. */
UInt vt_sites_find_or_add_and_write_unit(ThreadId tid, Addr function_entry);

/* As vt_sites_find_or_add_and_write_unit(), but the function at
   @function_entry, which returns to @return_addr, is running, and may have
   called others. */
UInt vt_sites_find_or_add_in_function(ThreadId tid, Addr function_entry,
				      Addr return_addr);

/* Return the number of the site of the client request that thread @tid makes.
   Writes the site if it is new. Return 0 if there are too many sites. The
   function that makes the request counts as an allocator, so only its callers
   are recorded. If its caller is in another object file or not known, the
   function itself is recorded as the innermost caller. */
UInt vt_sites_find_or_add_request_call_stack(ThreadId tid);

#endif

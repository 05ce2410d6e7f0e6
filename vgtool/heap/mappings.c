/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mappings.c - records the memory that is mapped; see mappings.h */

#include "vgtool/heap/mappings.h"

#include <pub_tool_aspacemgr.h>
#include <pub_tool_machine.h>
#include <pub_tool_threadstate.h>

#include "vgtool/heap/allocator_calls.h"
#include "vgtool/heap/sites.h"
#include "vgtool/heap/text_unit.h"
#include "vgtool/transport/ring.h"

struct mapping {
	Addr start, last;
	UInt site;  /* number of the PT_SITE that mapped the memory, or 0 */
	UInt flags; /* enum pt_memory */
	UInt order; /* sequence number: a mapping that was made later has a
		       greater one; 0: it was moved to its address */
};

static struct mapping *mappings; /* sorted by address; no overlaps */
static UInt n_mappings, mappings_size;
static UInt last_order; /* greatest order of a mapping so far */

/* ---- the list ---- */

/* Return the index of the first mapping whose last byte is at @addr or after
   it; n_mappings if there is none. */
static UInt first_mapping_index_ending_at_or_after(Addr addr)
{
	UInt low = 0, high = n_mappings;

	while (low < high) {
		UInt middle = low + (high - low) / 2;

		if (mappings[middle].last < addr)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Insert a copy of @m at index @index; the mappings from @index on move up by
   one. */
static void insert_mapping_copy_at(UInt index, const struct mapping *m)
{
	if (n_mappings == mappings_size) {
		mappings_size = mappings_size ? 2 * mappings_size : 64;
		mappings = VG_(realloc)("vt.heap.mappings", mappings,
					mappings_size * sizeof(*mappings));
	}
	VG_(memmove)
	(mappings + index + 1, mappings + index,
	 (n_mappings++ - index) * sizeof(*mappings));
	mappings[index] = *m;
}

/* Delete the mappings with index @first_index to @end_index - 1 from the list.
   */
static void delete_mappings(UInt first_index, UInt end_index)
{
	VG_(memmove)
	(mappings + first_index, mappings + end_index,
	 (n_mappings - end_index) * sizeof(*mappings));
	n_mappings -= end_index - first_index;
}

/* Remove the bytes @start to @last, both inclusive, from the list. A mapping
   that lies partly outside keeps these parts; one that contains the range
   becomes two. */
static void cut_range_out_of_mappings(Addr start, Addr last)
{
	UInt i = first_mapping_index_ending_at_or_after(start), end;

	if (i < n_mappings && mappings[i].start < start) {
		struct mapping below = mappings[i];

		below.last = start - 1;
		mappings[i].start = start;
		insert_mapping_copy_at(i++, &below);
	}
	for (end = i; end < n_mappings && mappings[end].last <= last; end++)
		;
	if (end < n_mappings && mappings[end].start <= last)
		mappings[end].start = last + 1;
	delete_mappings(i, end);
}

/* Insert a copy of @m in place of the mappings in its address range. */
static void replace_range_by_mapping(const struct mapping *m)
{
	cut_range_out_of_mappings(m->start, m->last);
	insert_mapping_copy_at(first_mapping_index_ending_at_or_after(m->start),
			       m);
}

/* Insert a copy of @m in place of the mappings in its address range. If the
   mapping that ends directly before it has the same site and flags, extend
   that one instead. */
static void insert_or_merge_mapping(const struct mapping *m)
{
	UInt i;

	cut_range_out_of_mappings(m->start, m->last);
	i = first_mapping_index_ending_at_or_after(m->start);
	if (i > 0 && mappings[i - 1].last + 1 == m->start &&
	    mappings[i - 1].site == m->site &&
	    mappings[i - 1].flags == m->flags)
		mappings[i - 1].last = m->last;
	else
		insert_mapping_copy_at(i, m);
}

/* Return the mapping that contains @addr, or NULL. */
static const struct mapping *find_mapping_containing(Addr addr)
{
	UInt i = first_mapping_index_ending_at_or_after(addr);

	return i < n_mappings && mappings[i].start <= addr ? &mappings[i]
							   : NULL;
}

/* ---- events ---- */

static const HChar *file_path_or_heap_label_or_empty(const struct mapping *m)
{
	const NSegment *segment = VG_(am_find_nsegment)(m->start);
	const HChar *path = segment ? VG_(am_get_filename)(segment) : NULL;

	if (m->flags & PT_MEMORY_OF_BRK)
		return "[heap]";
	return path != NULL ? path : "";
}

static void write_memory_unit_when_room(const struct mapping *m,
					Addr extended_mapping_addr_or_0)
{
	ULong word[] = {m->start, m->last - m->start + 1, m->flags,
			extended_mapping_addr_or_0};

	vt_text_unit_write_when_room(PT_MEMORY, m->site, word, 4,
				     file_path_or_heap_label_or_empty(m));
}

/* Set @m->site to the call stack of the running thread, and add
   PT_MEMORY_OF_ALLOCATOR to its flags if the thread is in a function of an
   allocator. Do nothing if no thread is running. */
static void set_mapping_site_to_current_call_stack(struct mapping *m)
{
	ThreadId tid = VG_(get_running_tid)();

	if (tid == VG_INVALID_THREADID)
		return;
	if (vt_heap_find_or_add_site_of_running_call(tid, &m->site))
		m->flags |= PT_MEMORY_OF_ALLOCATOR;
	else
		m->site = vt_sites_find_or_add_and_write_unit(tid,
							      VG_(get_IP)(tid));
}

void vt_mappings_add_and_write_unit(Addr start, SizeT size, UInt flags,
				    Addr extended_addr)
{
	struct mapping m = {.start = start,
			    .last = start + size - 1,
			    .flags = flags,
			    .order = ++last_order};
	const struct mapping *extended = find_mapping_containing(extended_addr);

	if (size == 0)
		return;
	if (extended != NULL) {
		m.site = extended->site;
		m.flags = extended->flags;
		insert_or_merge_mapping(&m);
	} else {
		set_mapping_site_to_current_call_stack(&m);
		replace_range_by_mapping(&m);
	}
	write_memory_unit_when_room(&m, extended_addr);
}

void vt_mappings_remove_and_write_unit(Addr start, SizeT size)
{
	ULong word[] = {start, size};

	if (size == 0)
		return;
	cut_range_out_of_mappings(start, start + size - 1);
	vt_ring_write_control_unit_when_room(PT_MEMORY_UNMAPPED, 0, word, 2);
}

void vt_mappings_move_and_write_control_unit(Addr from, Addr to, SizeT size)
{
	const struct mapping *found = find_mapping_containing(from);
	struct mapping m = {.start = to, .last = to + size - 1};
	ULong word[] = {from, to, size};

	if (size == 0 || found == NULL)
		return;
	m.site = found->site;
	m.flags = found->flags;
	cut_range_out_of_mappings(from, from + size - 1);
	replace_range_by_mapping(&m);
	vt_ring_write_control_unit_when_room(PT_MEMORY_MOVED, 0, word, 3);
}

UInt vt_mappings_find_sequence_number_or_0(Addr addr)
{
	const struct mapping *m = find_mapping_containing(addr);

	return m != NULL ? m->order : 0;
}

Bool vt_mappings_find_range(Addr addr, Addr *start, Addr *last)
{
	const struct mapping *m = find_mapping_containing(addr);

	if (m == NULL)
		return False;
	*start = m->start;
	*last = m->last;
	return True;
}

Bool vt_mappings_is_of_heap(Addr addr)
{
	const struct mapping *m = find_mapping_containing(addr);

	return m != NULL &&
	       (m->flags & (PT_MEMORY_OF_BRK | PT_MEMORY_OF_ALLOCATOR)) != 0;
}

void vt_mappings_write_unit_for_each(void)
{
	UInt i;

	for (i = 0; i < n_mappings; i++)
		write_memory_unit_when_room(&mappings[i], 0);
}

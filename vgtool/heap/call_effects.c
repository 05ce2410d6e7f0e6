/* SPDX-License-Identifier: GPL-2.0-or-later */
/* call_effects.c - records the effects of calls on blocks; see
   call_effects.h */

#include "vgtool/heap/call_effects.h"

#include <pub_tool_debuginfo.h>
#include <pub_tool_vki.h>

#include "vgtool/core/memory.h"
#include "vgtool/heap/block_events.h"
#include "vgtool/window/functions.h"

/* Record that @c has returned a new block of @size bytes at @addr. It is an
   element if the user has named the function. @array_element_bytes: [bytes] of
   an element of an array; 0: the block was not allocated as one. */
static void record_block_birth(ThreadId tid, const struct vt_heap_call *c,
			       Addr addr, SizeT size, SizeT array_element_bytes)
{
	vt_running_calls_flag_resize_addr_reused(tid, addr);
	if (c->function->is_users)
		vt_blocks_record_element_birth(
			&(struct vt_element){.addr = addr,
					     .bytes = size,
					     .site = c->site,
					     .wrapper = c->wrapped_block},
			array_element_bytes);
	else
		vt_blocks_record_heap_birth(addr, size, c->site,
					    array_element_bytes);
}

/* Whether the addresses of code @a and @b are in the same object file, and it
   is one of the system's (below /lib, /usr/lib and the like). */
static Bool are_in_same_system_object_file(Addr a, Addr b)
{
	DiEpoch now = VG_(current_DiEpoch)();
	const DebugInfo *di = VG_(find_DebugInfo)(now, a);

	return di != NULL && di == VG_(find_DebugInfo)(now, b) &&
	       !vt_functions_does_path_match_image(
		       VG_(DebugInfo_get_filename)(di), PT_IMAGE_NO_SYSTEM,
		       NULL);
}

void vt_call_record_death_of_freed_block(const struct vt_heap_call *c,
					 Addr entry)
{
	if (vt_blocks_has_any_starting_at(c->pointer) ||
	    !are_in_same_system_object_file(entry, c->return_addr))
		vt_blocks_record_death_unless_null(c->pointer,
						   c->function->is_users);
}

Bool vt_call_has_block_as_argument(const struct vt_heap_call *c, Addr addr)
{
	return addr == c->pointer ||
	       (c->pointer != 0 &&
		vt_blocks_element_of_wrapper_at_or_0(addr) == c->pointer);
}

void vt_call_record_nested_free(const struct vt_heap_call *outer,
				const struct vt_heap_call *c)
{
	if (!vt_call_has_block_as_argument(outer, c->pointer) &&
	    vt_blocks_has_any_starting_at(c->pointer))
		vt_blocks_record_death_unless_null(c->pointer,
						   c->function->is_users);
}

/* Record that @c, a call that resizes a block to @size bytes, has returned
   @result. If that is NULL, the old block was freed if @size is 0, or if the
   function frees it at failure; otherwise the call has failed, and nothing is
   recorded. If there was no old block, a new one is recorded. */
static void record_realloc_as_resize_birth_or_death(
	ThreadId tid, const struct vt_heap_call *c, Addr result, SizeT size)
{
	Addr old = c->is_reused ? 0 : c->pointer;

	if (result == 0) {
		if (size == 0 || c->function->frees_at_failure)
			vt_blocks_record_death_unless_null(
				old, c->function->is_users);
		return;
	}
	if (old == 0) {
		record_block_birth(tid, c, result, size, 0);
		return;
	}
	vt_running_calls_flag_resize_addr_reused(tid, result);
	vt_blocks_record_resizing(
		old,
		&(struct vt_element){.addr = result,
				     .bytes = size,
				     .site = c->site,
				     .wrapper = c->wrapped_block},
		c->function->is_users);
}

/* Return the size of the string at @addr with its NUL, in bytes; the size up to
   the first byte that cannot be read if that comes first. */
static SizeT measure_string_with_nul(Addr addr)
{
	struct vt_readable_range m = {0};
	SizeT n = 0;

	while (vt_memory_is_readable_cached(&m, addr + n, 1))
		if (*(const HChar *)(addr + n++) == 0)
			break;
	return n;
}

Addr vt_call_find_block(const struct vt_heap_call *c, UWord result,
			SizeT *bytes)
{
	const struct vt_allocator *f = c->function;

	*bytes = c->size;
	switch (f->kind) {
	case PT_ALLOCATES:
		if (f->rounds_to_pages)
			*bytes = VG_PGROUNDUP(c->size);
		else if (f->returns_string && result != 0)
			*bytes = measure_string_with_nul(result);
		return result;
	case PT_ALLOCATES_ARRAY:
	case PT_RESIZES_ARRAY:
		*bytes = c->size * c->count;
		return result;
	case PT_RESIZES:
		if (!f->returns_size)
			return result;
		*bytes = result;
		return c->pointer;
	case PT_ALLOCATES_OUT:
		if ((UInt)result != 0)
			return 0;
		/* fallthrough */
	case PT_STORES:
		return vt_memory_read_word_or_0(c->pointer);
	default:
		return 0;
	}
}

void vt_call_record_allocation_or_resize(ThreadId tid,
					 const struct vt_heap_call *c,
					 Addr addr, SizeT bytes)
{
	if (vt_running_calls_is_resize(c))
		record_realloc_as_resize_birth_or_death(tid, c, addr, bytes);
	else if (addr != 0)
		record_block_birth(
			tid, c, addr, bytes,
			c->function->kind == PT_ALLOCATES_ARRAY ? c->size : 0);
}

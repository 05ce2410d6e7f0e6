/* SPDX-License-Identifier: GPL-2.0-or-later */
/* block_events.c - records what happens to blocks; see block_events.h */

#include "vgtool/heap/block_events.h"

#include "vgtool/heap/live_blocks.h"
#include "vgtool/heap/regions.h"
#include "vgtool/transport/ring.h"

void vt_blocks_remove_elements_and_regions(Addr addr, SizeT bytes)
{
	vt_elements_remove_blocks_in_range(addr, bytes);
	vt_regions_cut_out(addr, bytes);
}

void vt_blocks_record_heap_birth(Addr addr, SizeT bytes, UInt site,
				 SizeT array_element_bytes)
{
	ULong word[3] = {addr, bytes, array_element_bytes};

	vt_blocks_remove_elements_and_regions(addr, bytes);
	vt_live_add_or_replace_block(addr, bytes, site);
	vt_ring_write_or_skip_control_unit(PT_BORN, site, word,
					   array_element_bytes != 0 ? 3 : 2);
}

void vt_blocks_record_element_birth(const struct vt_element *e,
				    SizeT array_element_bytes)
{
	ULong word[4];
	UInt n = vt_elements_fill_birth_words(e, array_element_bytes, word);

	if (e->addr == 0)
		return;
	vt_elements_add_copy_remove_in_its_range(e);
	vt_ring_write_or_skip_control_unit(PT_ELEMENT_BORN, e->site, word, n);
}

static Bool is_heap_or_suballocated_block_start(Addr addr)
{
	return vt_live_has_block(addr) || vt_elements_is_element_start(addr);
}

Addr vt_blocks_element_of_wrapper_at_or_0(Addr wrapper_start)
{
	const struct vt_element *e;

	if (wrapper_start == 0 ||
	    is_heap_or_suballocated_block_start(wrapper_start))
		return 0;
	e = vt_elements_find_first_from(wrapper_start);
	return e != NULL && e->wrapper == wrapper_start ? e->addr : 0;
}

Bool vt_blocks_has_any_starting_at(Addr addr)
{
	return is_heap_or_suballocated_block_start(addr) ||
	       vt_blocks_element_of_wrapper_at_or_0(addr) != 0;
}

/* Remove the heap block at @addr, with its elements and the regions that
   overlap it. Return: whether there was one; then *@removed describes it. */
static Bool remove_heap_block_and_elements(Addr addr,
					   struct vt_live_block *removed)
{
	if (!vt_live_remove_block(addr, removed))
		return False;
	vt_blocks_remove_elements_and_regions(addr, removed->bytes);
	return True;
}

/* Remove the heap block at @addr with its elements, or the element there; if
   both begin there, the element if @prefers_element, else the heap block. */
static void remove_block_or_element_if_any(Addr addr, Bool prefers_element)
{
	struct vt_live_block block;
	struct vt_element element;

	if (prefers_element && vt_elements_remove(addr, &element))
		return;
	if (!remove_heap_block_and_elements(addr, &block))
		vt_elements_remove(addr, &element);
}

/* Record that the element that is the only content of the block of malloc() at
   @addr was freed. Return: False if there is none. */
static Bool try_record_death_of_block_sole_element(Addr addr)
{
	ULong word = vt_blocks_element_of_wrapper_at_or_0(addr);
	struct vt_element element;

	if (word == 0)
		return False;
	vt_elements_remove(word, &element);
	vt_ring_write_or_skip_control_unit(PT_ELEMENT_DIED, 0, &word, 1);
	return True;
}

void vt_blocks_record_death_unless_null(Addr addr, Bool prefers_element)
{
	ULong word = addr;

	if (addr == 0 || try_record_death_of_block_sole_element(addr))
		return;
	remove_block_or_element_if_any(addr, prefers_element);
	vt_ring_write_or_skip_control_unit(
		prefers_element ? PT_ELEMENT_DIED : PT_DIED, 0, &word, 1);
}

/* Replace the heap block at @old, and its elements, by one of @bytes at @addr
   with the same site. Return: False if there is no heap block at @old. */
static Bool try_resize_heap_block(Addr old, Addr addr, SizeT bytes)
{
	struct vt_live_block block;

	if (!remove_heap_block_and_elements(old, &block))
		return False;
	vt_blocks_remove_elements_and_regions(addr, bytes);
	vt_live_add_or_replace_block(addr, bytes, block.site);
	return True;
}

/* Replace the element (a block of a pool or of an allocator that the user
   names) at @old by one of @bytes at @addr with the same site, the call stack
   that allocated it. @wrapper: its wrapper; 0: the element has none if it has
   moved, else the same as before. Return: False if there is no element at
   @old. */
static Bool try_move_or_resize_element(Addr old, Addr addr, SizeT bytes,
				       Addr wrapper)
{
	struct vt_element element;

	if (!vt_elements_remove(old, &element))
		return False;
	element.addr = addr;
	element.bytes = bytes;
	if (wrapper != 0 || addr != old)
		element.wrapper = wrapper;
	vt_elements_add_copy_remove_in_its_range(&element);
	return True;
}

/* Add a heap block, or @e if @is_element, that was resized; no block is known
   at its old address. */
static void add_live_heap_block_or_element(const struct vt_element *e,
					   Bool is_element)
{
	if (is_element) {
		vt_elements_add_copy_remove_in_its_range(e);
	} else {
		vt_blocks_remove_elements_and_regions(e->addr, e->bytes);
		vt_live_add_or_replace_block(e->addr, e->bytes, e->site);
	}
}

/* Resize the heap block or element at @old, as vt_blocks_record_resizing()
   does. Return: False if there is neither. */
static Bool try_replace_resized_block_or_element(Addr old,
						 const struct vt_element *e,
						 Bool prefers_element)
{
	if (prefers_element)
		return try_move_or_resize_element(old, e->addr, e->bytes,
						  e->wrapper) ||
		       try_resize_heap_block(old, e->addr, e->bytes);
	return try_resize_heap_block(old, e->addr, e->bytes) ||
	       try_move_or_resize_element(old, e->addr, e->bytes, e->wrapper);
}

/* Record that @e was allocated, as a heap block unless @is_element. */
static void record_birth(const struct vt_element *e, Bool is_element)
{
	if (is_element)
		vt_blocks_record_element_birth(e, 0);
	else
		vt_blocks_record_heap_birth(e->addr, e->bytes, e->site, 0);
}

void vt_blocks_record_resizing(Addr old, const struct vt_element *e,
			       Bool prefers_element)
{
	ULong word[3] = {old, e->addr, e->bytes};

	if (try_record_death_of_block_sole_element(old)) {
		record_birth(e, prefers_element);
		return;
	}
	if (!try_replace_resized_block_or_element(old, e, prefers_element))
		add_live_heap_block_or_element(e, prefers_element);
	vt_ring_write_or_skip_control_unit(prefers_element ? PT_ELEMENT_RESIZED
							   : PT_RESIZED,
					   e->site, word, 3);
}

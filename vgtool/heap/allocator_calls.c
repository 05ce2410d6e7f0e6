/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * allocator_calls.c - detects calls of allocator functions; see
 * allocator_calls.h
 */

#include "vgtool/heap/allocator_calls.h"

#include <libvex_guest_amd64.h>
#include <pub_tool_machine.h>
#include <pub_tool_threadstate.h>

#include "vgtool/core/memory.h"
#include "vgtool/heap/allocators.h"
#include "vgtool/heap/call_effects.h"
#include "vgtool/heap/nested_calls.h"
#include "vgtool/heap/return_sites.h"
#include "vgtool/heap/running_calls.h"
#include "vgtool/heap/sites.h"
#include "vgtool/transport/ring.h"

Bool vt_heap_find_or_add_site_of_running_call(ThreadId tid, UInt *site)
{
	struct vt_heap_call *c = vt_running_calls_current_or_null(tid);

	if (c == NULL)
		return False;
	if (c->site == 0)
		c->site = vt_sites_find_or_add_in_function(tid, c->entry,
							   c->return_addr);
	*site = c->site;
	return True;
}

/* Return the value of the guest register of thread @tid at offset
   @guest_state_offset of the guest state. */
static UWord read_guest_register(ThreadId tid, PtrdiffT guest_state_offset)
{
	UWord value;

	VG_(get_shadow_regs_area)
	(tid, (UChar *)&value, 0, guest_state_offset, sizeof(value));
	return value;
}

/* Return the integer argument with index @argument_index of the function that
   thread @tid calls, whose first instruction runs next; 0 if there is no such
   argument. */
static UWord read_integer_argument_or_0_if_none(ThreadId tid,
						UInt argument_index)
{
	static const UShort offset[PT_MAX_ARGUMENTS] = {
		offsetof(VexGuestAMD64State, guest_RDI),
		offsetof(VexGuestAMD64State, guest_RSI),
		offsetof(VexGuestAMD64State, guest_RDX),
		offsetof(VexGuestAMD64State, guest_RCX),
		offsetof(VexGuestAMD64State, guest_R8),
		offsetof(VexGuestAMD64State, guest_R9),
	};

	return argument_index < PT_MAX_ARGUMENTS
		       ? read_guest_register(tid, offset[argument_index])
		       : 0;
}

/* Read the arguments of a call of @f, whose first instruction is at @entry,
   that thread @tid begins with the stack pointer @sp. Return: the call, whose
   site is not set. */
static struct vt_heap_call read_call_arguments(ThreadId tid,
					       const struct vt_allocator *f,
					       Addr entry, Addr sp)
{
	return (struct vt_heap_call){
		.function = f,
		.entry = entry,
		.sp = sp,
		.return_addr = vt_memory_read_word_or_0(sp),
		.pointer = read_integer_argument_or_0_if_none(tid, f->pointer),
		.size = f->size == PT_NO_ARGUMENT
				? f->bytes
				: read_integer_argument_or_0_if_none(tid,
								     f->size),
		.count = read_integer_argument_or_0_if_none(tid, f->count),
	};
}

/* Push the outermost call @c of the function at @function_entry on the stack of
   running calls of thread @tid. If the function frees a block, record the end
   of the block; else find or write the call's site. Add the call's return
   address to the return sites (return_sites.h); a new address ends the time
   slice. */
static void push_call_record_free_or_add_alloc_site(ThreadId tid,
						    struct vt_heap_call *c,
						    Addr function_entry)
{
	if (c->function->kind == PT_FREES)
		vt_call_record_death_of_freed_block(c, function_entry);
	else
		c->site = vt_sites_find_or_add_and_write_unit(tid,
							      function_entry);
	vt_running_calls_push(tid, c);
	vt_return_sites_add(tid, c->return_addr);
}

/* Begin a call of @f, whose first instruction is at @entry: inside the current
   call of thread @tid, or as an outermost one if there is no current call. */
static void begin_outermost_or_nested_allocator_call(
	ThreadId tid, const struct vt_allocator *f, Addr entry, Addr sp)
{
	struct vt_heap_call *outer = vt_running_calls_current_or_null(tid);
	struct vt_heap_call c = read_call_arguments(tid, f, entry, sp);

	if (outer == NULL)
		push_call_record_free_or_add_alloc_site(tid, &c, entry);
	else
		vt_nested_calls_begin_call(tid, outer, &c);
}

/* Remove the calls of thread @tid that the stack pointer @sp has left, and
   record the effects of the calls inside them that have returned. */
static void remove_calls_below_sp(ThreadId tid, Addr sp)
{
	vt_running_calls_remove_below_sp(tid, sp);
	vt_nested_calls_record_allocated_blocks(tid);
}

/* Remove the allocator calls that the stack pointer has left; if @entry is the
   first instruction of an allocator function, begin a call of it. Helper that
   runs before the first instruction of a block. Return: True: the chunk is
   full, so that the block must yield at @yield_addr and run again, and nothing
   was done. If @yield_addr is 0, the block cannot yield, and the result is
   False. */
static VG_REGPARM(2) ULong
	check_allocator_call_or_yield(Addr entry, Addr yield_addr)
{
	const struct vt_allocator *f = vt_allocators_find_by_entry(entry);
	ThreadId tid = VG_(get_running_tid)();
	Addr sp = VG_(get_SP)(tid);

	if (yield_addr != 0 && vt_ring_is_current_chunk_full())
		return True;
	remove_calls_below_sp(tid, sp);
	if (f != NULL)
		begin_outermost_or_nested_allocator_call(tid, f, entry, sp);
	vt_ring_move_cursor_past_last_unit();
	return False;
}

/* Whether @c, the current call or NULL, has returned to @pc with the stack
   pointer @sp. */
static Bool has_current_call_returned(const struct vt_heap_call *c, Addr pc,
				      Addr sp)
{
	return c != NULL && c->sp + sizeof(Addr) == sp && c->return_addr == pc;
}

/* Record the blocks that the outermost call @c, which has returned @result, has
   allocated or resized, with those that it has allocated beside its result. */
static void record_effects_of_returned_call(ThreadId tid,
					    struct vt_heap_call *c,
					    UWord result)
{
	SizeT bytes;
	Addr addr = vt_call_find_block(c, result, &bytes);

	vt_nested_calls_record_nonwrapper_blocks(tid, c, addr, bytes);
	vt_call_record_allocation_or_resize(tid, c, addr, bytes);
}

/* If the current allocator call has returned to @pc, record its effect and
   remove it; else store the result of the call inside it that has returned to
   @pc, if any, and remove the calls that the stack pointer has left. Runs, and
   returns, as check_allocator_call_or_yield() does. */
static VG_REGPARM(2) ULong
	check_allocator_return_or_yield(Addr pc, Addr yield_addr)
{
	ThreadId tid = VG_(get_running_tid)();
	Addr sp = VG_(get_SP)(tid);
	struct vt_heap_call *c = vt_running_calls_current_or_null(tid);
	UWord result = read_guest_register(
		tid, offsetof(VexGuestAMD64State, guest_RAX));

	if (yield_addr != 0 && vt_ring_is_current_chunk_full())
		return True;
	if (has_current_call_returned(c, pc, sp)) {
		record_effects_of_returned_call(tid, c, result);
		vt_running_calls_remove_top(tid);
	} else {
		if (c != NULL)
			vt_nested_calls_store_inner_call_result(tid, c, pc, sp,
								result);
		remove_calls_below_sp(tid, sp);
	}
	vt_ring_move_cursor_past_last_unit();
	return False;
}

/* Check for a return to @pc, and then for a call of the function at @pc.
   Return: whether the chunk is full, so that the block must yield at
   @yield_addr and run again. */
static VG_REGPARM(2) ULong
	check_return_then_call_or_yield(Addr pc, Addr yield_addr)
{
	return check_allocator_return_or_yield(pc, yield_addr) ||
	       check_allocator_call_or_yield(pc, yield_addr);
}

vt_block_helper vt_heap_find_helper_of_code_block(Addr block_addr)
{
	Bool returns = vt_return_sites_has(block_addr);

	if (vt_allocators_find_by_entry(block_addr) != NULL)
		return returns ? check_return_then_call_or_yield
			       : check_allocator_call_or_yield;
	return returns ? check_allocator_return_or_yield : NULL;
}

VG_REGPARM(1) void vt_heap_end_calls_left_by_sp_jump(Addr sp)
{
	ThreadId tid = VG_(get_running_tid)();

	vt_running_calls_remove_below_sp(tid, sp);
	vt_running_calls_store_lowest_sp(tid);
}

void vt_heap_push_handler_if_in_allocator(ThreadId tid)
{
	if (vt_running_calls_current_or_null(tid) != NULL)
		vt_running_calls_push(
			tid, &(struct vt_heap_call){.sp = VG_(get_SP)(tid)});
}

void vt_heap_pop_handler_if_on_top(ThreadId tid)
{
	if (vt_running_calls_is_handler_on_top(tid))
		vt_running_calls_remove_top(tid);
}

void vt_heap_remove_calls_of_thread(ThreadId tid)
{
	vt_running_calls_remove_allocator_calls(tid);
	vt_nested_calls_discard_returned(tid);
}

void vt_heap_remove_allocator_calls_of_others(ThreadId remaining_tid)
{
	ThreadId other;

	for (other = 1; other < VG_N_THREADS; other++)
		if (other != remaining_tid)
			vt_heap_remove_calls_of_thread(other);
}

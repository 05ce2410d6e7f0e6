/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * allocator_calls.c - detects calls of allocator functions; see
 * allocator_calls.h
 */

#include "vgtool/heap/allocator_calls.h"

#include <pub_tool_debuginfo.h>
#include <pub_tool_hashtable.h>
#include <pub_tool_machine.h>
#include <pub_tool_threadstate.h>

#include "vgtool/core/memory.h"
#include "vgtool/core/threads.h"
#include "vgtool/core/valgrind_core.h"
#include "vgtool/heap/allocators.h"
#include "vgtool/heap/block_events.h"
#include "vgtool/heap/sites.h"
#include "vgtool/instrument/emit.h"
#include "vgtool/instrument/instrument.h"
#include "vgtool/transport/ring.h"
#include "vgtool/window/functions.h"

#define NO_LIMIT (~0ULL)

/* An outermost call of an allocator function, or a signal handler. */
struct vt_heap_call {
	const struct vt_allocator *function; /* NULL: a signal handler */
	Addr sp; /* stack pointer at the function's first instruction, which
		    points to the return address; of a signal handler: when its
		    signal was delivered */
	Addr return_addr;
	UInt site;	/* number of the call's site; 0 in a call that frees */
	Bool is_reused; /* in a call that resizes a block: another thread was
			   given a new block at the old address already */
	UWord pointer, size, count; /* the function's arguments */
};

/* Allocator calls and signal handlers of a thread that have not ended,
   outermost first. Between two calls there is a handler. */
struct stack {
	struct vt_heap_call *call;
	UInt n, size;
};

/* An address to which calls return. The first two members are those of
   Valgrind's hash table. */
struct return_site {
	struct return_site *next;
	UWord pc;
	struct return_site *next_new;
};

static struct stack *stacks; /* by ThreadId */
static VgHashTable *return_sites;
static struct return_site *new_return_sites; /* list, by next_new: addresses
						whose code may not call the
						helper yet */
static UInt n_resizing; /* number of calls on the stacks of all threads that
			   resize a block */

/* Return the stack of calls of thread @tid. Allocates the stacks of all threads
   at the first call. */
static struct stack *get_allocator_calls_of_thread(ThreadId tid)
{
	if (stacks == NULL)
		stacks = VG_(calloc)("vt.heap", VG_N_THREADS, sizeof(*stacks));
	return &stacks[tid];
}

/* Store the lowest stack pointer of the calls of thread @tid, or NO_LIMIT if
   there is none, in its shadow register VT_SHADOW_HEAP_SP: only a jump that
   sets a higher stack pointer can leave a call. */
static void store_lowest_call_sp_in_shadow_reg(ThreadId tid)
{
	const struct stack *s = get_allocator_calls_of_thread(tid);
	ULong limit = NO_LIMIT;
	UInt i;

	for (i = 0; i < s->n; i++)
		if (s->call[i].sp < limit)
			limit = s->call[i].sp;
	VG_(set_shadow_regs_area)
	(tid, 1, VT_SHADOW_HEAP_SP, sizeof(limit), (const UChar *)&limit);
}

static Bool is_resizing_call(const struct vt_heap_call *c)
{
	return c->function != NULL && (c->function->kind == PT_RESIZES ||
				       c->function->kind == PT_RESIZES_ARRAY);
}

/* Remove the calls from index @first_index on from the stack of thread @tid,
   without recording any effect, and update n_resizing and the shadow
   register. */
static void remove_calls_from_index(ThreadId tid, UInt first_index)
{
	struct stack *s = get_allocator_calls_of_thread(tid);

	while (s->n > first_index)
		n_resizing -= is_resizing_call(&s->call[--s->n]);
	store_lowest_call_sp_in_shadow_reg(tid);
}

/* Push a copy of @c on the stack of calls of thread @tid, and update n_resizing
   and the shadow register. */
static void push_call(ThreadId tid, const struct vt_heap_call *c)
{
	struct stack *s = get_allocator_calls_of_thread(tid);

	if (s->n == s->size) {
		s->size = s->size ? 2 * s->size : 4;
		s->call = VG_(realloc)("vt.heap", s->call,
				       s->size * sizeof(*s->call));
	}
	s->call[s->n++] = *c;
	n_resizing += is_resizing_call(c);
	store_lowest_call_sp_in_shadow_reg(tid);
}

/* Remove, from the stack of calls of thread @tid, the outermost call or handler
   whose frame lies below @sp on the same stack, and all that it has called. */
static void remove_calls_below_sp(ThreadId tid, Addr sp)
{
	const struct stack *s = get_allocator_calls_of_thread(tid);
	UInt i;

	for (i = 0; i < s->n; i++)
		if (s->call[i].sp < sp &&
		    vt_thread_has_both_on_one_stack(tid, s->call[i].sp, sp)) {
			remove_calls_from_index(tid, i);
			return;
		}
}

/* Return the allocator call that thread @tid is in; NULL if it is in none, or
   in a signal handler that has interrupted a call and makes none itself. */
static struct vt_heap_call *current_allocator_call_or_null(ThreadId tid)
{
	struct stack *s = get_allocator_calls_of_thread(tid);

	return s->n > 0 && s->call[s->n - 1].function != NULL
		       ? &s->call[s->n - 1]
		       : NULL;
}

Bool vt_heap_find_site_of_running_call(ThreadId tid, UInt *site)
{
	const struct vt_heap_call *c = current_allocator_call_or_null(tid);

	if (c != NULL)
		*site = c->site;
	return c != NULL;
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

/* ---- events ---- */

/* Set `is_reused` in each call of another thread than @tid that is resizing the
   block at @addr: the call has freed that address, because thread @tid was
   given a new block there. */
static void flag_resizes_of_reused_address(ThreadId tid, Addr addr)
{
	struct vt_heap_call *c;
	ThreadId other;

	if (n_resizing == 0)
		return;
	for (other = 1; other < VG_N_THREADS; other++) {
		c = other != tid && stacks[other].n > 0
			    ? current_allocator_call_or_null(other)
			    : NULL;
		if (c != NULL && is_resizing_call(c) && c->pointer == addr)
			c->is_reused = True;
	}
}

/* Record that @c has returned a new block of @size bytes at @addr. It is an
   element if the user has named the function. @part_bytes: [bytes] of an
   element of an array; 0: the block was not allocated as one. */
static void record_block_birth(ThreadId tid, const struct vt_heap_call *c,
			       Addr addr, SizeT size, SizeT part_bytes)
{
	flag_resizes_of_reused_address(tid, addr);
	if (c->function->is_users)
		vt_blocks_record_element_birth(
			&(struct vt_element){
				.addr = addr, .bytes = size, .site = c->site},
			part_bytes);
	else
		vt_blocks_record_heap_birth(addr, size, c->site, part_bytes);
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

/* Record that @c, a call of the function at @entry, frees a block, unless no
   live block is known there and the caller is in the function's own object
   file, one of the system's. An allocator may free memory internally that the
   program has freed before, as glibc does with the cache of a thread that ends.
   */
static void record_free_unless_internal(const struct vt_heap_call *c,
					Addr entry)
{
	if (vt_blocks_has(c->pointer) ||
	    !are_in_same_system_object_file(entry, c->return_addr))
		vt_blocks_record_death_unless_null(c->pointer,
						   c->function->is_users);
}

/* Record that @c, a call that resizes a block to @size bytes, has returned
   @result. If that is NULL, the old block was freed if @size is 0; otherwise
   the call has failed, and nothing is recorded. If there was no old block, a
   new one is recorded. */
static void record_resize_birth_or_death(ThreadId tid,
					 const struct vt_heap_call *c,
					 Addr result, SizeT size)
{
	Addr old = c->is_reused ? 0 : c->pointer;

	if (result == 0) {
		if (size == 0)
			vt_blocks_record_death_unless_null(
				old, c->function->is_users);
		return;
	}
	if (old == 0) {
		record_block_birth(tid, c, result, size, 0);
		return;
	}
	flag_resizes_of_reused_address(tid, result);
	vt_blocks_record_resizing(old, result, size, c->site,
				  c->function->is_users);
}

/* Record the block that call @c, which has returned @result, has allocated or
   resized. Calls that free are recorded when they begin. */
static void record_returned_allocation_or_resize(ThreadId tid,
						 const struct vt_heap_call *c,
						 UWord result)
{
	switch (c->function->kind) {
	case PT_ALLOCATES:
		if (result != 0)
			record_block_birth(tid, c, result, c->size, 0);
		break;
	case PT_ALLOCATES_ARRAY:
		if (result != 0)
			record_block_birth(tid, c, result, c->size * c->count,
					   c->size);
		break;
	case PT_ALLOCATES_OUT:
		if ((UInt)result != 0)
			break;
		/* fallthrough */
	case PT_STORES:
		result = vt_memory_read_word_or_0(c->pointer);
		if (result != 0)
			record_block_birth(tid, c, result, c->size, 0);
		break;
	case PT_RESIZES:
		record_resize_birth_or_death(tid, c, result, c->size);
		break;
	case PT_RESIZES_ARRAY:
		record_resize_birth_or_death(tid, c, result,
					     c->size * c->count);
		break;
	}
}

/* ---- detection ---- */

/* Add the return address @pc to return_sites, unless it is there. If it is new,
   end the time slice of thread @tid, so that the code there is translated again
   before it runs. */
static void add_return_site_end_slice_if_new(ThreadId tid, Addr pc)
{
	struct return_site *b;

	if (return_sites == NULL)
		return_sites = VG_(HT_construct)("vt.heap");
	if (VG_(HT_lookup)(return_sites, pc) != NULL)
		return;
	b = VG_(malloc)("vt.heap", sizeof(*b));
	*b = (struct return_site){.pc = pc, .next_new = new_return_sites};
	new_return_sites = b;
	VG_(HT_add_node)(return_sites, b);
	vt_instrument_end_time_slice(tid, False);
}

Bool vt_heap_discard_code_at_new_return_sites(void)
{
	Bool any = new_return_sites != NULL;

	for (; new_return_sites != NULL;
	     new_return_sites = new_return_sites->next_new)
		VG_(discard_translations)(new_return_sites->pc, 1, "alleria");
	return any;
}

/* Return the integer argument with index @argument of the function that thread
   @tid calls, whose first instruction runs next; 0 if there is no such
   argument. */
static UWord read_argument_or_0(ThreadId tid, UInt argument)
{
	static const UShort offset[PT_MAX_ARGUMENTS] = {
		offsetof(VexGuestAMD64State, guest_RDI),
		offsetof(VexGuestAMD64State, guest_RSI),
		offsetof(VexGuestAMD64State, guest_RDX),
		offsetof(VexGuestAMD64State, guest_RCX),
		offsetof(VexGuestAMD64State, guest_R8),
		offsetof(VexGuestAMD64State, guest_R9),
	};

	return argument < PT_MAX_ARGUMENTS
		       ? read_guest_register(tid, offset[argument])
		       : 0;
}

/* Push an outermost call of @f, whose first instruction is at @entry, on the
   stack of thread @tid. If @f frees, record that; else find or write the call's
   site. Add the return address, which may end the time slice. */
static void push_call_and_record_free(ThreadId tid,
				      const struct vt_allocator *f, Addr entry,
				      Addr sp)
{
	struct vt_heap_call c = {
		.function = f,
		.sp = sp,
		.return_addr = vt_memory_read_word_or_0(sp),
		.pointer = read_argument_or_0(tid, f->pointer),
		.size = f->size == PT_NO_ARGUMENT
				? f->bytes
				: read_argument_or_0(tid, f->size),
		.count = read_argument_or_0(tid, f->count),
	};

	if (f->kind == PT_FREES)
		record_free_unless_internal(&c, entry);
	else
		c.site = vt_sites_find_or_add_and_write(tid, entry);
	push_call(tid, &c);
	add_return_site_end_slice_if_new(tid, c.return_addr);
}

/* Remove the calls that the stack pointer has left; if @entry is the first
   instruction of an allocator function, begin an outermost call of it. Helper
   that runs before the first instruction of a block. Return: whether the chunk
   is full, so that the block must yield at @yield_addr and run again: then
   nothing was done. Never if @yield_addr is 0. */
static VG_REGPARM(2) ULong
	check_allocator_call_or_yield(Addr entry, Addr yield_addr)
{
	const struct vt_allocator *f = vt_allocators_find_by_entry(entry);
	ThreadId tid = VG_(get_running_tid)();
	Addr sp = VG_(get_SP)(tid);

	if (yield_addr != 0 && vt_ring_is_current_chunk_full())
		return True;
	remove_calls_below_sp(tid, sp);
	if (f != NULL && current_allocator_call_or_null(tid) == NULL) {
		push_call_and_record_free(tid, f, entry, sp);
		vt_ring_move_cursor_past_last_unit();
	}
	return False;
}

/* If the current allocator call has returned to @pc, record its effect and
   remove it; else remove the calls that the stack pointer has left. Runs, and
   returns, as check_allocator_call_or_yield() does. */
static VG_REGPARM(2) ULong
	check_allocator_return_or_yield(Addr pc, Addr yield_addr)
{
	ThreadId tid = VG_(get_running_tid)();
	Addr sp = VG_(get_SP)(tid);
	struct vt_heap_call *c = current_allocator_call_or_null(tid);

	if (yield_addr != 0 && vt_ring_is_current_chunk_full())
		return True;
	if (c == NULL || c->sp + sizeof(Addr) != sp || c->return_addr != pc) {
		remove_calls_below_sp(tid, sp);
		return False;
	}
	record_returned_allocation_or_resize(
		tid, c,
		read_guest_register(tid,
				    offsetof(VexGuestAMD64State, guest_RAX)));
	vt_ring_move_cursor_past_last_unit();
	remove_calls_from_index(tid, get_allocator_calls_of_thread(tid)->n - 1);
	return False;
}

/* Check for a return to @pc, and then for a call of the function at @pc.
   Return: whether the block must yield, as check_allocator_call_or_yield()
   does. */
static VG_REGPARM(2) ULong
	check_return_then_call_or_yield(Addr pc, Addr yield_addr)
{
	return check_allocator_return_or_yield(pc, yield_addr) ||
	       check_allocator_call_or_yield(pc, yield_addr);
}

vt_block_helper vt_heap_find_helper_for_block(Addr pc)
{
	Bool returns = return_sites != NULL &&
		       VG_(HT_lookup)(return_sites, pc) != NULL;

	if (vt_allocators_find_by_entry(pc) != NULL)
		return returns ? check_return_then_call_or_yield
			       : check_allocator_call_or_yield;
	return returns ? check_allocator_return_or_yield : NULL;
}

VG_REGPARM(1) void vt_heap_end_calls_left_by_sp_jump(Addr sp)
{
	ThreadId tid = VG_(get_running_tid)();

	remove_calls_below_sp(tid, sp);
	store_lowest_call_sp_in_shadow_reg(tid);
}

void vt_heap_push_handler_if_in_allocator(ThreadId tid)
{
	if (current_allocator_call_or_null(tid) != NULL)
		push_call(tid, &(struct vt_heap_call){.sp = VG_(get_SP)(tid)});
}

void vt_heap_pop_handler_if_on_top(ThreadId tid)
{
	UInt n = get_allocator_calls_of_thread(tid)->n;

	if (n > 0 && stacks[tid].call[n - 1].function == NULL)
		remove_calls_from_index(tid, n - 1);
}

void vt_heap_remove_calls_of_thread(ThreadId tid)
{
	remove_calls_from_index(tid, 0);
}

void vt_heap_remove_calls_of_other_threads(ThreadId remaining_tid)
{
	ThreadId other;

	for (other = 1; other < VG_N_THREADS; other++)
		if (other != remaining_tid &&
		    get_allocator_calls_of_thread(other)->n > 0)
			remove_calls_from_index(other, 0);
}

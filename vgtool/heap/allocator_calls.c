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
#include "vgtool/heap/live_blocks.h"
#include "vgtool/heap/sites.h"
#include "vgtool/instrument/emit.h"
#include "vgtool/instrument/instrument.h"
#include "vgtool/transport/ring.h"
#include "vgtool/window/functions.h"

#define NO_LIMIT (~0ULL)

enum { N_ARGS = 3 };

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
	UWord arg[N_ARGS]; /* the function's first integer arguments */
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
	return c->function != NULL && (c->function->kind == VT_RESIZES ||
				       c->function->kind == VT_RESIZES_ARRAY);
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

/* Return the word at @addr of the program's memory; 0 if it cannot be read. */
static Addr read_program_word_or_0(Addr addr)
{
	struct vt_readable_range m = {0};

	return vt_memory_is_readable_cached(&m, addr, sizeof(Addr))
		       ? *(const Addr *)addr
		       : 0;
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
		if (c != NULL && is_resizing_call(c) &&
		    c->arg[c->function->pointer] == addr)
			c->is_reused = True;
	}
}

/* Record that @c has returned a new block of @size bytes at @addr: add it to
   the live blocks and write a PT_BORN unit. @element_bytes: [bytes] of an
   element; 0: the block was not allocated as an array. */
static void record_block_birth(ThreadId tid, const struct vt_heap_call *c,
			       Addr addr, SizeT size, SizeT element_bytes)
{
	ULong word[3] = {addr, size, element_bytes};

	flag_resizes_of_reused_address(tid, addr);
	vt_live_add_or_replace_block(addr, size, c->site);
	vt_ring_write_or_skip_control_unit(PT_BORN, c->site, word,
					   element_bytes != 0 ? 3 : 2);
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

/* Record that the block at @addr was freed: remove it from the live blocks and
   write a PT_DIED unit. No-op if @addr is 0. */
static void record_block_death_unless_null(Addr addr)
{
	ULong word = addr;

	if (addr == 0)
		return;
	vt_live_remove_block(addr, NULL);
	vt_ring_write_or_skip_control_unit(PT_DIED, 0, &word, 1);
}

/* Record that the function at @entry, called from @return_addr, frees the block
   at @addr, unless no live block is known there and the caller is in the
   function's own object file, one of the system's. An allocator may free memory
   internally that the program has freed before, as glibc does with the cache of
   a thread that ends. */
static void record_free_unless_internal(Addr addr, Addr entry, Addr return_addr)
{
	if (vt_live_has_block(addr) ||
	    !are_in_same_system_object_file(entry, return_addr))
		record_block_death_unless_null(addr);
}

/* Record that @c, a call that resizes a block to @size bytes, has returned
   @result. If that is NULL, the old block was freed if @size is 0; otherwise
   the call has failed, and nothing is recorded. If there was no old block, a
   new one is recorded, else a PT_RESIZED unit is written. */
static void record_resize_birth_or_death(ThreadId tid,
					 const struct vt_heap_call *c,
					 Addr result, SizeT size)
{
	Addr old = c->is_reused ? 0 : c->arg[c->function->pointer];
	ULong word[3] = {old, result, size};
	UInt site = c->site; /* of the block's birth, if that was recorded */

	if (result == 0) {
		if (size == 0)
			record_block_death_unless_null(old);
		return;
	}
	if (old == 0) {
		record_block_birth(tid, c, result, size, 0);
		return;
	}
	flag_resizes_of_reused_address(tid, result);
	vt_live_remove_block(old, &site);
	vt_live_add_or_replace_block(result, size, site);
	vt_ring_write_or_skip_control_unit(PT_RESIZED, c->site, word, 3);
}

/* Record the block that call @c, which has returned @result, has allocated or
   resized. Calls that free are recorded when they begin. */
static void record_effect_of_returned_call(ThreadId tid,
					   const struct vt_heap_call *c,
					   UWord result)
{
	const struct vt_allocator *f = c->function;
	SizeT size = c->arg[f->size];

	switch (f->kind) {
	case VT_ALLOCATES:
		if (result != 0)
			record_block_birth(tid, c, result, size, 0);
		break;
	case VT_ALLOCATES_ARRAY:
		if (result != 0)
			record_block_birth(tid, c, result,
					   size * c->arg[f->count], size);
		break;
	case VT_ALLOCATES_OUT:
		if ((UInt)result == 0)
			record_block_birth(
				tid, c,
				read_program_word_or_0(c->arg[f->pointer]),
				size, 0);
		break;
	case VT_RESIZES:
		record_resize_birth_or_death(tid, c, result, size);
		break;
	case VT_RESIZES_ARRAY:
		record_resize_birth_or_death(tid, c, result,
					     size * c->arg[f->count]);
		break;
	}
}

/* ---- detection ---- */

/* Add the return address @pc to return_sites, unless it is there. If it is new,
   end the time slice of thread @tid, so that the code there is translated again
   before it runs. */
static void add_return_site_end_time_slice(ThreadId tid, Addr pc)
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
		.return_addr = read_program_word_or_0(sp),
		.arg = {read_guest_register(
				tid, offsetof(VexGuestAMD64State, guest_RDI)),
			read_guest_register(
				tid, offsetof(VexGuestAMD64State, guest_RSI)),
			read_guest_register(
				tid, offsetof(VexGuestAMD64State, guest_RDX))},
	};

	if (f->kind == VT_FREES)
		record_free_unless_internal(c.arg[f->pointer], entry,
					    c.return_addr);
	else
		c.site = vt_sites_find_or_add_and_write(tid, entry);
	push_call(tid, &c);
	add_return_site_end_time_slice(tid, c.return_addr);
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
	record_effect_of_returned_call(
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

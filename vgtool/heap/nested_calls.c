/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nested_calls.c - stores allocations inside a call; see nested_calls.h */

#include "vgtool/heap/nested_calls.h"

#include <pub_tool_hashtable.h>
#include <pub_tool_threadstate.h>

#include "vgtool/core/memory.h"
#include "vgtool/core/threads.h"
#include "vgtool/heap/call_effects.h"
#include "vgtool/heap/return_sites.h"
#include "vgtool/heap/sites.h"

/* A call that has returned. */
struct returned_call {
	struct vt_heap_call call;
	UWord result;
};

/* Node of a hash table: where the call with a result is in its list. */
struct result_index {
	VgHashNode node; /* key: the address that the call returned */
	UInt index;
};

/* Calls with different results. */
struct list {
	struct returned_call *item;
	UInt n, size;
	VgHashTable *by_result; /* struct result_index; NULL: never used */
};

struct vt_nested_calls {
	struct vt_heap_call running; /* the call that was stored last; function
					NULL: it has returned */
	struct list returned;
};

/* By ThreadId: calls that have returned, inside an outermost call that was left
   without a return; NULL: all empty. */
static struct list *returned_by_thread;

static struct result_index *find_index_by_result(const struct list *l,
						 UWord result)
{
	return l->by_result ? VG_(HT_lookup)(l->by_result, result) : NULL;
}

static void add_index_of_result(struct list *l, UWord result, UInt index)
{
	struct result_index *new =
		VG_(calloc)("vt.heap.nested", 1, sizeof(*new));

	new->node.key = result;
	new->index = index;
	if (l->by_result == NULL)
		l->by_result = VG_(HT_construct)("vt.heap.nested");
	VG_(HT_add_node)(l->by_result, new);
}

/* Append call @c with its result, the address of a block, to the list. If the
   list has a call with the same result, replace that one: its block was freed
   by a call that is not known. */
static void append_call_or_replace_one_of_equal_result(
	struct list *l, const struct vt_heap_call *c, UWord result)
{
	const struct result_index *old = find_index_by_result(l, result);

	if (old != NULL) {
		l->item[old->index] = (struct returned_call){*c, result};
		return;
	}
	if (l->n == l->size) {
		l->size = l->size ? 2 * l->size : 4;
		l->item = VG_(realloc)("vt.heap.nested", l->item,
				       l->size * sizeof(*l->item));
	}
	add_index_of_result(l, result, l->n);
	l->item[l->n++] = (struct returned_call){*c, result};
}

/* Remove the call with result @addr from the list: its block was freed or
   resized. The last call of the list takes its place. Return: whether there was
   one. */
static Bool remove_returned_call_by_result(struct list *l, Addr addr)
{
	struct result_index *removed =
		addr ? find_index_by_result(l, addr) : NULL;
	const struct returned_call *last;

	if (removed == NULL)
		return False;
	last = &l->item[--l->n];
	find_index_by_result(l, last->result)->index = removed->index;
	l->item[removed->index] = *last;
	VG_(HT_remove)(l->by_result, addr);
	VG_(free)(removed);
	return True;
}

static void empty_list_keep_allocation(struct list *l)
{
	if (l->by_result != NULL)
		VG_(HT_destruct)(l->by_result, VG_(free));
	l->by_result = NULL;
	l->n = 0;
}

/* Store @inner as the allocation inside @outer that began last. Return: whether
   the previous one had ended. False: @inner is the first one, or the previous
   one has called it and its return address is still on the stack. */
static Bool
replace_nested_call_had_previous_one_ended(struct vt_heap_call *outer,
					   const struct vt_heap_call *inner)
{
	Addr sp = outer->nested_sp, return_addr = outer->nested_return_addr;

	outer->nested_sp = inner->sp;
	outer->nested_return_addr = inner->return_addr;
	return sp != 0 &&
	       (inner->sp >= sp || vt_memory_read_word_or_0(sp) != return_addr);
}

/* Store @inner as the running allocation inside @outer. If it resizes the block
   of a stored call, remove that call, and store @inner as a new allocation. */
static void set_running_nested_call(ThreadId tid, struct vt_heap_call *outer,
				    const struct vt_heap_call *inner,
				    Addr function_entry)
{
	if (outer->nested == NULL)
		outer->nested = VG_(calloc)("vt.heap.nested", 1,
					    sizeof(*outer->nested));
	outer->nested->running = *inner;
	outer->nested->running.site =
		vt_sites_find_or_add_and_write(tid, function_entry);
	if ((inner->function->kind == PT_RESIZES ||
	     inner->function->kind == PT_RESIZES_ARRAY) &&
	    remove_returned_call_by_result(&outer->nested->returned,
					   inner->pointer))
		outer->nested->running.pointer = 0;
	vt_return_sites_add_and_end_time_slice_if_new(tid, inner->return_addr);
}

void vt_nested_calls_begin_call_or_record_free(ThreadId tid,
					       struct vt_heap_call *outer,
					       const struct vt_heap_call *inner,
					       Addr entry)
{
	if (inner->function->returns_size)
		return;
	if (inner->function->kind != PT_FREES) {
		if (replace_nested_call_had_previous_one_ended(outer, inner))
			set_running_nested_call(tid, outer, inner, entry);
	} else if (outer->nested == NULL ||
		   !remove_returned_call_by_result(&outer->nested->returned,
						   inner->pointer)) {
		/* A resizing call that still runs inside @outer, such as
		   realloc(p, 0), frees its own block by this call. The block's
		   end is recorded below; without its address, the resizing call
		   does not record an end of this block when it returns or is
		   left. */
		if (outer->nested != NULL &&
		    outer->nested->running.function != NULL &&
		    outer->nested->running.pointer == inner->pointer)
			outer->nested->running.pointer = 0;
		vt_call_record_death_of_other_block_freed_inside(outer, inner);
	}
}

void vt_nested_calls_store_result_if_returned(struct vt_heap_call *outer,
					      Addr pc, Addr sp, UWord result)
{
	struct vt_nested_calls *n = outer->nested;

	if (n == NULL || n->running.function == NULL ||
	    n->running.sp + sizeof(Addr) != sp || n->running.return_addr != pc)
		return;
	/* PT_ALLOCATES_OUT and PT_STORES store the block's address through a
	   pointer argument, which can point into a frame that was left. */
	if (n->running.function->kind != PT_ALLOCATES_OUT &&
	    n->running.function->kind != PT_STORES)
		append_call_or_replace_one_of_equal_result(&n->returned,
							   &n->running, result);
	n->running.function = NULL;
}

void vt_nested_calls_move_returned_to_threads_list(
	ThreadId tid, struct vt_nested_calls *nested)
{
	UInt i;

	if (nested == NULL)
		return;
	if (returned_by_thread == NULL)
		returned_by_thread = VG_(calloc)("vt.heap.nested", VG_N_THREADS,
						 sizeof(*returned_by_thread));
	for (i = 0; i < nested->returned.n; i++)
		append_call_or_replace_one_of_equal_result(
			&returned_by_thread[tid],
			&nested->returned.item[i].call,
			nested->returned.item[i].result);
	empty_list_keep_allocation(&nested->returned);
}

void vt_nested_calls_record_allocations_of_left_call(ThreadId tid)
{
	UInt i;

	for (i = 0; returned_by_thread != NULL && i < returned_by_thread[tid].n;
	     i++)
		vt_call_record_returned_allocation_or_resize(
			tid, &returned_by_thread[tid].item[i].call,
			returned_by_thread[tid].item[i].result);
	vt_nested_calls_discard_returned_of_left_call(tid);
}

void vt_nested_calls_discard_returned_of_left_call(ThreadId tid)
{
	if (returned_by_thread != NULL)
		empty_list_keep_allocation(&returned_by_thread[tid]);
}

void vt_nested_calls_free(struct vt_nested_calls *nested)
{
	if (nested == NULL)
		return;
	empty_list_keep_allocation(&nested->returned);
	VG_(free)(nested->returned.item);
	VG_(free)(nested);
}

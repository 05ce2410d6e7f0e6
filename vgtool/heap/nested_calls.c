/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nested_calls.c - stores allocations inside a call; see nested_calls.h */

#include "vgtool/heap/nested_calls.h"

#include <pub_tool_hashtable.h>
#include <pub_tool_threadstate.h>

#include "vgtool/core/memory.h"
#include "vgtool/core/threads.h"
#include "vgtool/heap/block_events.h"
#include "vgtool/heap/call_effects.h"
#include "vgtool/heap/return_sites.h"
#include "vgtool/heap/sites.h"

enum {
	MAX_UNINDEXED = 8, /* results of a list that are searched in turn */
	MAX_WRAPPER_BYTES = 64, /* of a block that malloc() returned to a
				   function that wraps it: most bytes by which
				   it is larger than the function's result */
};

/* A call that has returned, with the block that it allocated or resized. */
struct returned_call {
	struct vt_heap_call call;
	Addr addr;
	SizeT bytes;
};

/* Node of a hash table: where the call of a block is in its list. */
struct block_index {
	VgHashNode node; /* key: the address of the block */
	UInt index;
};

/* Calls with blocks at different addresses. */
struct list {
	struct returned_call *item;
	UInt n, size;
	VgHashTable *by_addr; /* struct block_index; NULL: the list has had at
				 most MAX_UNINDEXED calls since it was empty */
};

struct vt_nested_calls {
	struct vt_heap_call running;  /* the call that was stored last; function
					NULL: it has returned */
	struct returned_call resized; /* call of the block that `running`
					 resizes, removed from `returned`;
					 address 0: none */
	struct list returned;
	struct vt_nested_calls *next_unused;
};

static struct vt_nested_calls *unused; /* list of empty ones, to be used again
					*/
static struct list
	*returned_by_thread; /* by ThreadId: calls that have returned, inside an
			     outermost call that was left without a return;
			     NULL: all empty */

/* Return the index of the call in the list whose block is at @addr; the length
   of the list if there is none. */
static UInt find_call_index_by_block(const struct list *l, Addr addr)
{
	const struct block_index *found;
	UInt i;

	if (l->by_addr != NULL) {
		found = VG_(HT_lookup)(l->by_addr, addr);
		return found != NULL ? found->index : l->n;
	}
	for (i = 0; i < l->n && l->item[i].addr != addr; i++)
		;
	return i;
}

static void add_to_index(struct list *l, UInt index)
{
	struct block_index *new =
		VG_(calloc)("vt.heap.nested", 1, sizeof(*new));

	new->node.key = l->item[index].addr;
	new->index = index;
	VG_(HT_add_node)(l->by_addr, new);
}

/* Add the last call of the list to the index; make the index if the list has
   become too long to be searched without. */
static void add_last_call_to_index_if_needed(struct list *l)
{
	UInt i;

	if (l->by_addr != NULL) {
		add_to_index(l, l->n - 1);
	} else if (l->n > MAX_UNINDEXED) {
		l->by_addr = VG_(HT_construct)("vt.heap.nested");
		for (i = 0; i < l->n; i++)
			add_to_index(l, i);
	}
}

/* Append @c to the list. If the list has a call with a block at the same
   address, replace that one: its block was freed by a call that is not
   known. */
static void
append_call_or_replace_one_of_same_block(struct list *l,
					 const struct returned_call *c)
{
	UInt old = find_call_index_by_block(l, c->addr);

	if (old < l->n) {
		l->item[old] = *c;
		return;
	}
	if (l->n == l->size) {
		l->size = l->size ? 2 * l->size : 4;
		l->item = VG_(realloc)("vt.heap.nested", l->item,
				       l->size * sizeof(*l->item));
	}
	l->item[l->n++] = *c;
	add_last_call_to_index_if_needed(l);
}

/* Remove the call with the block at @addr from the list: the block was freed or
   resized. The last call of the list takes its place. Return: whether there was
   one; then *@removed is a copy of it. */
static Bool remove_returned_call_by_block(struct list *l, Addr addr,
					  struct returned_call *removed)
{
	UInt i = find_call_index_by_block(l, addr);
	struct block_index *moved;

	if (i == l->n)
		return False;
	*removed = l->item[i];
	l->item[i] = l->item[--l->n];
	if (l->by_addr != NULL) {
		VG_(free)(VG_(HT_remove)(l->by_addr, addr));
		moved = VG_(HT_lookup)(l->by_addr, l->item[i].addr);
		if (moved != NULL)
			moved->index = i;
	}
	return True;
}

static void empty_list_keep_allocation(struct list *l)
{
	if (l->by_addr != NULL)
		VG_(HT_destruct)(l->by_addr, VG_(free));
	l->by_addr = NULL;
	l->n = 0;
}

/* Return the call inside @outer that is stored and has not returned; NULL if
   there is none. */
static const struct vt_heap_call *
find_running_nested_call(const struct vt_heap_call *outer)
{
	return outer->nested != NULL && outer->nested->running.function != NULL
		       ? &outer->nested->running
		       : NULL;
}

/* Whether @inner was called, or jumped to, by the code of the function at
   @function_entry, which was called with the stack pointer @function_sp. */
static Bool is_called_by_function(const struct vt_heap_call *inner,
				  Addr function_entry, Addr function_sp)
{
	return inner->sp == function_sp ||
	       inner->return_addr - function_entry <
		       vt_allocators_get_code_bytes(function_entry);
}

/* Whether @inner was called by @outer's own code, as malloc() by operator new,
   or by that of the call inside @outer that began last. */
static Bool
is_called_by_outer_or_its_last_nested(const struct vt_heap_call *inner,
				      const struct vt_heap_call *outer)
{
	return is_called_by_function(inner, outer->entry, outer->sp) ||
	       (outer->nested_sp != 0 &&
		is_called_by_function(inner, outer->nested_entry,
				      outer->nested_sp));
}

/* Whether the allocation inside @outer that began last has ended before @inner
   begins. False: there is none, or it has called @inner and its return address
   is still on the stack. */
static Bool has_nested_call_ended_before_next(const struct vt_heap_call *outer,
					      const struct vt_heap_call *inner)
{
	return outer->nested_sp != 0 &&
	       (inner->sp >= outer->nested_sp ||
		vt_memory_read_word_or_0(outer->nested_sp) !=
			outer->nested_return_addr);
}

/* Whether the allocation @inner, which begins inside @outer, is stored; see
   nested_calls.h. */
static Bool is_nested_call_to_be_stored(const struct vt_heap_call *outer,
					const struct vt_heap_call *inner)
{
	const struct vt_heap_call *running = find_running_nested_call(outer);

	if (has_nested_call_ended_before_next(outer, inner))
		return True;
	if (outer->function->is_users)
		return running == NULL || running->function->is_users;
	return running == NULL &&
	       !is_called_by_outer_or_its_last_nested(inner, outer);
}

/* Return an empty structure; one that was used before, if there is one. */
static struct vt_nested_calls *allocate_nested_calls_or_use_again(void)
{
	struct vt_nested_calls *n = unused;

	if (n == NULL)
		return VG_(calloc)("vt.heap.nested", 1, sizeof(*n));
	unused = n->next_unused;
	return n;
}

/* Whether @inner resizes the wrapper of the block that @outer resizes. */
static Bool
is_resize_of_wrapper_of_outers_block(const struct vt_heap_call *inner,
				     const struct vt_heap_call *outer)
{
	return inner->pointer != outer->pointer &&
	       vt_call_has_block_as_argument(outer, inner->pointer);
}

/* Prepare @n, the calls inside @outer, for @inner, a call that resizes. If it
   resizes the block of a stored call, remove that call, and keep a copy.
   Return: whether @inner is to be stored as a new allocation: its block is that
   of a stored call or the wrapper of the block that @outer resizes. */
static Bool
remove_resized_call_is_inner_new_block(struct vt_nested_calls *n,
				       const struct vt_heap_call *inner,
				       const struct vt_heap_call *outer)
{
	if (remove_returned_call_by_block(&n->returned, inner->pointer,
					  &n->resized))
		return True;
	if (n->resized.addr != inner->pointer)
		n->resized.addr = 0;
	return is_resize_of_wrapper_of_outers_block(inner, outer);
}

/* Store @inner as the running allocation inside @outer. */
static void set_running_nested_call(ThreadId tid, struct vt_heap_call *outer,
				    const struct vt_heap_call *inner)
{
	if (outer->nested == NULL)
		outer->nested = allocate_nested_calls_or_use_again();
	outer->nested->running = *inner;
	outer->nested->running.site =
		vt_sites_find_or_add_and_write_unit(tid, inner->entry);
	if (vt_running_calls_is_resize(inner) &&
	    remove_resized_call_is_inner_new_block(outer->nested, inner, outer))
		outer->nested->running.pointer = 0;
	vt_return_sites_add(tid, inner->return_addr);
}

/* Store the allocation @inner, which begins inside @outer, if it is to be
   stored. In any case, remember it as the nested call of @outer that began
   last. */
static void begin_nested_allocation(ThreadId tid, struct vt_heap_call *outer,
				    const struct vt_heap_call *inner)
{
	if (is_nested_call_to_be_stored(outer, inner))
		set_running_nested_call(tid, outer, inner);
	outer->nested_sp = inner->sp;
	outer->nested_return_addr = inner->return_addr;
	outer->nested_entry = inner->entry;
}

/* Record that @inner, which begins inside @outer, frees a block, unless the
   block was allocated inside @outer. */
static void
record_free_unless_allocated_in_outer(struct vt_heap_call *outer,
				      const struct vt_heap_call *inner)
{
	struct vt_nested_calls *n = outer->nested;
	struct returned_call removed;

	if (n != NULL && remove_returned_call_by_block(
				 &n->returned, inner->pointer, &removed))
		return;
	/* n->running, a resizing call that still runs inside @outer, may free
	   its own block by calling @inner, as realloc(p, 0) does. The end of
	   the block is recorded below. n->running loses the address of the
	   block, so that it does not record the end again when it returns. */
	if (n != NULL && n->running.function != NULL &&
	    n->running.pointer == inner->pointer)
		n->running.pointer = 0;
	vt_call_record_nested_free(outer, inner);
}

void vt_nested_calls_begin_call(ThreadId tid, struct vt_heap_call *outer,
				const struct vt_heap_call *inner)
{
	if (inner->function->kind == PT_FREES)
		record_free_unless_allocated_in_outer(outer, inner);
	else if (!inner->function->returns_size)
		begin_nested_allocation(tid, outer, inner);
}

/* Whether @c, a call inside @outer of a function that resizes, was given a
   block that existed when @outer began and that @outer itself does not resize.
   The call may also have freed the block, or failed. */
static Bool is_resize_of_other_known_block(const struct vt_heap_call *c,
					   const struct vt_heap_call *outer)
{
	return vt_running_calls_is_resize(c) && c->pointer != 0 &&
	       !vt_call_has_block_as_argument(outer, c->pointer) &&
	       vt_blocks_has_any_starting_at(c->pointer);
}

/* Store again the call of the block that the running call inside @n, which has
   returned @r, was to resize, if it has failed without freeing the block. */
static void store_again_if_resizing_failed(struct vt_nested_calls *n,
					   const struct returned_call *r)
{
	if (n->resized.addr != 0 && r->addr == 0 && r->bytes != 0 &&
	    !r->call.function->frees_at_failure)
		append_call_or_replace_one_of_same_block(&n->returned,
							 &n->resized);
	n->resized.addr = 0;
}

void vt_nested_calls_store_inner_call_result(ThreadId tid,
					     struct vt_heap_call *outer,
					     Addr pc, Addr sp, UWord result)
{
	struct vt_nested_calls *n = outer->nested;
	struct returned_call r;

	if (n == NULL || n->running.function == NULL ||
	    n->running.sp + sizeof(Addr) != sp || n->running.return_addr != pc)
		return;
	r.call = n->running;
	r.addr = vt_call_find_block(&r.call, result, &r.bytes);
	if (is_resize_of_other_known_block(&r.call, outer))
		vt_call_record_allocation_or_resize(tid, &r.call, r.addr,
						    r.bytes);
	else if (r.addr != 0)
		append_call_or_replace_one_of_same_block(&n->returned, &r);
	store_again_if_resizing_failed(n, &r);
	n->running.function = NULL;
}

/* Whether a function wraps malloc(): its result, @bytes at @addr, lies in the
   block that the inner call @c has returned, which is at most MAX_WRAPPER_BYTES
   larger. */
static Bool does_malloc_block_hold_only_result(const struct returned_call *c,
					       Addr addr, SizeT bytes)
{
	return addr - c->addr < (c->bytes ? c->bytes : 1) &&
	       c->bytes <= bytes + MAX_WRAPPER_BYTES;
}

void vt_nested_calls_record_nonwrapper_blocks(ThreadId tid,
					      struct vt_heap_call *outer,
					      Addr addr, SizeT bytes)
{
	const struct returned_call *c;
	UInt i;

	if (outer->nested == NULL || !outer->function->is_users)
		return;
	for (i = 0; i < outer->nested->returned.n; i++) {
		c = &outer->nested->returned.item[i];
		if (c->call.function->is_users)
			continue;
		if (addr != 0 &&
		    does_malloc_block_hold_only_result(c, addr, bytes))
			outer->wrapped_block = c->addr;
		else
			vt_call_record_allocation_or_resize(tid, &c->call,
							    c->addr, c->bytes);
	}
}

void vt_nested_calls_move_returned_to_thread(ThreadId tid,
					     struct vt_nested_calls *nested)
{
	UInt i;

	if (nested == NULL)
		return;
	if (returned_by_thread == NULL)
		returned_by_thread = VG_(calloc)("vt.heap.nested", VG_N_THREADS,
						 sizeof(*returned_by_thread));
	for (i = 0; i < nested->returned.n; i++)
		append_call_or_replace_one_of_same_block(
			&returned_by_thread[tid], &nested->returned.item[i]);
	empty_list_keep_allocation(&nested->returned);
}

void vt_nested_calls_record_allocated_blocks(ThreadId tid)
{
	const struct returned_call *c;
	UInt i;

	for (i = 0; returned_by_thread != NULL && i < returned_by_thread[tid].n;
	     i++) {
		c = &returned_by_thread[tid].item[i];
		vt_call_record_allocation_or_resize(tid, &c->call, c->addr,
						    c->bytes);
	}
	vt_nested_calls_discard_returned(tid);
}

void vt_nested_calls_discard_returned(ThreadId tid)
{
	if (returned_by_thread != NULL)
		empty_list_keep_allocation(&returned_by_thread[tid]);
}

void vt_nested_calls_free(struct vt_nested_calls *nested)
{
	if (nested == NULL)
		return;
	empty_list_keep_allocation(&nested->returned);
	nested->running.function = NULL;
	nested->resized.addr = 0;
	nested->next_unused = unused;
	unused = nested;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* running_calls.c - stores the allocator calls of threads; see
   running_calls.h */

#include "vgtool/heap/running_calls.h"

#include <pub_tool_machine.h>
#include <pub_tool_threadstate.h>

#include "vgtool/core/threads.h"
#include "vgtool/core/valgrind_core.h"
#include "vgtool/heap/nested_calls.h"
#include "vgtool/instrument/emit.h"

#define NO_LIMIT (~0ULL)

/* Allocator calls and signal handlers of a thread that have not ended,
   outermost first. Between two calls there is a handler. */
struct stack {
	struct vt_heap_call *call;
	UInt n, size;
};

static struct stack *stacks; /* by ThreadId: the calls that the thread is in */
static UInt n_resizing; /* number of calls that resize a block, on the stacks of
			   all threads */

/* Return the stack of calls of thread @tid. Allocates the stacks of all threads
   at the first call. */
static struct stack *get_allocator_calls_of_thread(ThreadId tid)
{
	if (stacks == NULL)
		stacks = VG_(calloc)("vt.heap", VG_N_THREADS, sizeof(*stacks));
	return &stacks[tid];
}

void vt_running_calls_store_lowest_sp(ThreadId tid)
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

Bool vt_running_calls_is_resize(const struct vt_heap_call *c)
{
	return c->function != NULL && (c->function->kind == PT_RESIZES ||
				       c->function->kind == PT_RESIZES_ARRAY);
}

/* Remove the calls from index @first_index on from the stack of thread @tid,
   without recording any effect, and update n_resizing and the shadow
   register. */
static void pop_allocator_calls_from_index(ThreadId tid, UInt first_index)
{
	struct stack *s = get_allocator_calls_of_thread(tid);

	while (s->n > first_index) {
		struct vt_heap_call *c = &s->call[--s->n];

		n_resizing -= vt_running_calls_is_resize(c);
		vt_nested_calls_free(c->nested);
	}
	vt_running_calls_store_lowest_sp(tid);
}

void vt_running_calls_push(ThreadId tid, const struct vt_heap_call *c)
{
	struct stack *s = get_allocator_calls_of_thread(tid);

	if (s->n == s->size) {
		s->size = s->size ? 2 * s->size : 4;
		s->call = VG_(realloc)("vt.heap", s->call,
				       s->size * sizeof(*s->call));
	}
	s->call[s->n++] = *c;
	n_resizing += vt_running_calls_is_resize(c);
	vt_running_calls_store_lowest_sp(tid);
}

/* Move the calls that have returned inside the calls from index
   @first_left_index on, which thread @tid has left without a return, to the
   list that vt_nested_calls_record_allocated_blocks() records. */
static void move_returned_calls_inside_left_calls(ThreadId tid,
						  UInt first_left_index)
{
	struct stack *s = get_allocator_calls_of_thread(tid);
	UInt i;

	for (i = first_left_index; i < s->n; i++)
		vt_nested_calls_move_returned_to_thread(tid, s->call[i].nested);
}

void vt_running_calls_remove_below_sp(ThreadId tid, Addr sp)
{
	const struct stack *s = get_allocator_calls_of_thread(tid);
	UInt i;

	for (i = 0; i < s->n; i++)
		if (s->call[i].sp < sp &&
		    vt_thread_is_same_stack(tid, s->call[i].sp, sp)) {
			move_returned_calls_inside_left_calls(tid, i);
			pop_allocator_calls_from_index(tid, i);
			return;
		}
}

struct vt_heap_call *vt_running_calls_current_or_null(ThreadId tid)
{
	struct stack *s = get_allocator_calls_of_thread(tid);

	return s->n > 0 && s->call[s->n - 1].function != NULL
		       ? &s->call[s->n - 1]
		       : NULL;
}

Bool vt_running_calls_is_handler_on_top(ThreadId tid)
{
	const struct stack *s = get_allocator_calls_of_thread(tid);

	return s->n > 0 && s->call[s->n - 1].function == NULL;
}

void vt_running_calls_remove_top(ThreadId tid)
{
	pop_allocator_calls_from_index(
		tid, get_allocator_calls_of_thread(tid)->n - 1);
}

void vt_running_calls_remove_allocator_calls(ThreadId tid)
{
	if (get_allocator_calls_of_thread(tid)->n > 0)
		pop_allocator_calls_from_index(tid, 0);
}

void vt_running_calls_flag_resize_addr_reused(ThreadId allocating_tid,
					      Addr addr)
{
	struct vt_heap_call *c;
	ThreadId other;
	UInt i;

	if (n_resizing == 0)
		return;
	for (other = 1; other < VG_N_THREADS; other++)
		for (i = 0; other != allocating_tid && i < stacks[other].n;
		     i++) {
			c = &stacks[other].call[i];
			if (vt_running_calls_is_resize(c) && c->pointer == addr)
				c->is_reused = True;
		}
}

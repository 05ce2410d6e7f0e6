/* SPDX-License-Identifier: GPL-2.0-or-later */
/* call_stack.c - follows calls and returns; see call_stack.h */

#include "analyzers/callgraph/call_stack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/array.h"

enum { MAX_THREAD = (1 << 20) - 1 };

/* ---- functions ---- */

static bool is_three_question_marks(const char *name)
{
	return strcmp(name, "???") == 0;
}

static bool is_dl_runtime_resolve_or_unknown_name(const char *name)
{
	static const char resolver[] = "_dl_runtime_resolve";

	return is_three_question_marks(name) ||
	       strncmp(name, resolver, sizeof(resolver) - 1) == 0;
}

static int64_t find_or_add_function_number(struct an_call_stacks *c,
					   const struct an_symbol *s)
{
	struct al_key key = {{(uintptr_t)s->function, (uintptr_t)s->object, 0}};
	int64_t i = al_key_table_find_or_add_index(&c->function_numbers, &key);

	if (i < 0 || al_array_reserve_zeroed(c->function, c->n_functions,
					     c->function_numbers.n) != 0)
		return AL_KEY_TABLE_NO_MEMORY;
	if (c->function[i].name == NULL)
		c->function[i] = (struct an_function){
			.name = s->function,
			.object = s->object,
			.is_stub = is_dl_runtime_resolve_or_unknown_name(
				s->function),
		};
	return i;
}

static bool
is_not_adjacent_or_other_function(const struct an_block_functions *e,
				  unsigned instr_index)
{
	const struct pt_instr *in = e->block->instr;

	return e->instr[instr_index].function !=
		       e->instr[instr_index - 1].function ||
	       in[instr_index].addr !=
		       in[instr_index - 1].addr + in[instr_index - 1].len;
}

int an_call_stacks_add_functions_of_block(struct an_call_stacks *c,
					  const struct an_block *b)
{
	struct an_block_functions *e;

	if (al_array_reserve_zeroed(c->block, c->n_blocks, b->id + 1u) != 0)
		return -ENOMEM;
	e = &c->block[b->id];
	e->block = b;
	e->instr = malloc((b->n_instrs + 1u) * sizeof(*e->instr));
	if (e->instr == NULL)
		return -ENOMEM;
	for (unsigned i = 0; i < b->n_instrs; i++) {
		struct an_symbol s;
		int64_t f;

		c->env->symbol(c->env->host, b, i, &s);
		f = find_or_add_function_number(c, &s);
		if (f < 0)
			return -ENOMEM;
		e->instr[i].function = (uint32_t)f;
		e->instr[i].is_discontinuous =
			i > 0 && is_not_adjacent_or_other_function(e, i);
	}
	return 0;
}

static uint32_t function_number_at_position(const struct an_call_stacks *c,
					    struct an_code_position p)
{
	return c->block[p.block->id].instr[p.instr].function;
}

static uint64_t instr_address_at_position(struct an_code_position p)
{
	return p.block->instr[p.instr].addr;
}

static uint64_t address_after_instr_at_position(struct an_code_position p)
{
	return instr_address_at_position(p) + p.block->instr[p.instr].len;
}

/* ---- frames ---- */

static void call_on_pop_and_remove_top_frame(struct an_call_stacks *c,
					     struct an_thread *t)
{
	struct an_frame *f = an_call_stacks_top_frame(t);

	c->on_pop(c->owner, t, f);
	t->active[f->function]--;
	t->n--;
}

/* Pop frames until @depth are left. */
static void pop_frames_until_depth(struct an_call_stacks *c,
				   struct an_thread *t, size_t depth)
{
	while (t->n > depth)
		call_on_pop_and_remove_top_frame(c, t);
}

static int push_frame_and_call_on_push(struct an_call_stacks *c,
				       struct an_thread *t, struct an_frame f,
				       struct an_code_position target)
{
	struct an_symbol s;

	f.function = function_number_at_position(c, target);
	if (al_array_reserve(t->frame, t->size, t->n + 1) != 0 ||
	    al_array_reserve_zeroed(t->active, t->n_active, f.function + 1u) !=
		    0)
		return -ENOMEM;
	if (c->function[f.function].path == NULL) {
		c->env->symbol(c->env->host, target.block, target.instr, &s);
		c->function[f.function].path = s.path;
	}
	f.is_recursive = t->active[f.function]++ > 0 &&
			 !is_three_question_marks(c->function[f.function].name);
	memcpy(f.cost_before, t->cost, sizeof(f.cost_before));
	t->frame[t->n++] = f;
	return c->on_push(c->owner, t->n > 1 ? &t->frame[t->n - 2] : NULL,
			  an_call_stacks_top_frame(t), target);
}

/* Return the number of frames from the bottom of the stack up to and including
   the topmost frame of @function_number, if all frames above it were pushed by
   jumps; else 0. */
static size_t depth_of_function_under_jump_frames(const struct an_thread *t,
						  uint32_t function_number)
{
	for (size_t n = t->n; n > 0; n--) {
		if (t->frame[n - 1].function == function_number)
			return n;
		if (t->frame[n - 1].kind != AN_FRAME_JUMP)
			break;
	}
	return 0;
}

/* Return the number of frames from the bottom of the stack up to and including
   the innermost (topmost) frame of @function_number; 0 if it has none. */
static size_t depth_of_topmost_frame_of_function(const struct an_thread *t,
						 uint32_t function_number)
{
	size_t n = t->n;

	while (n > 0 && t->frame[n - 1].function != function_number)
		n--;
	return n;
}

static int
pop_to_function_or_push_frame_for_jump(struct an_call_stacks *c,
				       struct an_thread *t,
				       struct an_code_position target)
{
	struct an_frame f = {.kind = AN_FRAME_JUMP, .call_site = t->last_instr};
	uint32_t function = function_number_at_position(c, target);
	size_t n = depth_of_function_under_jump_frames(t, function);

	if (n == 0 && !c->block[target.block->id].is_called)
		n = depth_of_topmost_frame_of_function(t, function);
	if (n > 0) {
		pop_frames_until_depth(c, t, n);
		return 0;
	}
	while (t->n > 1 &&
	       c->function[an_call_stacks_top_frame(t)->function].is_stub) {
		f = *an_call_stacks_top_frame(t);
		call_on_pop_and_remove_top_frame(c, t);
		if (f.kind != AN_FRAME_JUMP)
			break;
		if (an_call_stacks_top_frame(t)->function == function)
			return 0;
	}
	return push_frame_and_call_on_push(c, t, f, target);
}

static int
push_frame_for_call_unless_to_next_instr(struct an_call_stacks *c,
					 struct an_thread *t,
					 struct an_code_position target)
{
	struct an_frame f = {
		.kind = AN_FRAME_CALL,
		.call_site = t->last_instr,
		.return_to = address_after_instr_at_position(t->last_instr),
	};

	/* A call of the next instruction only determines its own address, as in
	   position-independent code. */
	if (f.return_to == instr_address_at_position(target))
		return 0;
	c->block[target.block->id].is_called = true;
	return push_frame_and_call_on_push(c, t, f, target);
}

/* Whether the caller of the top function is unknown: the stack is not empty,
   and all frames except the bottom one were pushed by jumps. */
static bool has_only_jump_frames_above_bottom_frame(const struct an_thread *t)
{
	size_t n = t->n;

	while (n > 1 && t->frame[n - 1].kind == AN_FRAME_JUMP)
		n--;
	return n == 1;
}

/* Return to @target: pop the frames above the caller of the call that returns
   there. If there is no such call above the topmost signal handler, pop all
   frames if the caller of the top function is not known, else none. A return
   pops no frame of a signal handler. */
static int
pop_frames_to_caller_at_target_return_0(struct an_call_stacks *c,
					struct an_thread *t,
					struct an_code_position target)
{
	size_t n = t->n;

	while (n > 0 && t->frame[n - 1].kind != AN_FRAME_SIGNAL &&
	       (t->frame[n - 1].kind != AN_FRAME_CALL ||
		t->frame[n - 1].return_to != instr_address_at_position(target)))
		n--;
	if (n > 0 && t->frame[n - 1].kind == AN_FRAME_CALL)
		pop_frames_until_depth(c, t, n - 1);
	else if (has_only_jump_frames_above_bottom_frame(t))
		pop_frames_until_depth(c, t, 0);
	return 0;
}

static void pop_frames_through_topmost_signal(struct an_call_stacks *c,
					      struct an_thread *t)
{
	size_t n = t->n;

	while (n > 0 && t->frame[n - 1].kind != AN_FRAME_SIGNAL)
		n--;
	if (n > 0)
		pop_frames_until_depth(c, t, n - 1);
}

static int update_stack_for_last_exit(struct an_call_stacks *c,
				      struct an_thread *t,
				      struct an_code_position target)
{
	if (t->signalled) {
		t->signalled = false;
		return push_frame_and_call_on_push(
			c, t,
			(struct an_frame){.kind = AN_FRAME_SIGNAL,
					  .call_site = t->last_instr},
			target);
	}
	switch (t->last_jump) {
	case PT_JUMP_CALL:
		return push_frame_for_call_unless_to_next_instr(c, t, target);
	case PT_JUMP_RET:
		return pop_frames_to_caller_at_target_return_0(c, t, target);
	case PT_JUMP_SYSCALL:
		if (instr_address_at_position(target) !=
		    address_after_instr_at_position(t->last_instr))
			pop_frames_through_topmost_signal(c, t);
	}
	return 0;
}

int an_call_stacks_update_for_instr(struct an_call_stacks *c,
				    struct an_code_position position,
				    struct an_thread **thread_out)
{
	struct an_thread *t;
	int err = 0;

	if (al_array_reserve_zeroed(c->thread, c->n_threads,
				    c->running_thread + 1u) != 0)
		return -ENOMEM;
	*thread_out = t = &c->thread[c->running_thread];
	if (t->n > 0)
		err = update_stack_for_last_exit(c, t, position);
	if (!err && t->n == 0) {
		t->signalled = false;
		return push_frame_and_call_on_push(
			c, t, (struct an_frame){.kind = AN_FRAME_FIRST},
			position);
	}
	if (!err && an_call_stacks_top_frame(t)->function !=
			    function_number_at_position(c, position))
		err = pop_to_function_or_push_frame_for_jump(c, t, position);
	return err;
}

void an_call_stacks_apply_mark(struct an_call_stacks *c,
			       const struct an_mark *m)
{
	if (m->kind == PT_THREAD)
		c->running_thread = m->id & MAX_THREAD;
	else if (m->kind == PT_SIGNAL && c->running_thread < c->n_threads)
		c->thread[c->running_thread].signalled = true;
	else if (m->kind == PT_THREAD_END && m->id < c->n_threads)
		pop_frames_until_depth(c, &c->thread[m->id], 0);
}

void an_call_stacks_pop_all(struct an_call_stacks *c)
{
	for (size_t i = 0; i < c->n_threads; i++)
		pop_frames_until_depth(c, &c->thread[i], 0);
}

void an_call_stacks_release(struct an_call_stacks *c)
{
	for (size_t i = 0; i < c->n_threads; i++) {
		free(c->thread[i].frame);
		free(c->thread[i].active);
	}
	for (size_t i = 0; i < c->n_blocks; i++)
		free(c->block[i].instr);
	free(c->thread);
	free(c->block);
	free(c->function);
	al_key_table_release(&c->function_numbers);
	c->thread = NULL;
	c->block = NULL;
	c->function = NULL;
	c->n_threads = c->n_blocks = c->n_functions = 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* call_stack.c - follows calls and returns; see call_stack.h */

#include "analyzers/callgraph/call_stack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_THREADS = (1 << 20) - 1 };

/* Enlarge an array, with zeroed elements, so that it has element @i. @n: its
   number of elements. Return: 0 or -ENOMEM. */
static int grow_array(void **array, size_t *n, size_t i, size_t bytes)
{
	size_t more = i < 16 ? 32 : 2 * i;
	char *p;

	if (i < *n)
		return 0;
	p = realloc(*array, more * bytes);
	if (p == NULL)
		return -ENOMEM;
	memset(p + *n * bytes, 0, (more - *n) * bytes);
	*array = p;
	*n = more;
	return 0;
}

/* ---- functions ---- */

static bool is_unknown(const char *name)
{
	return strcmp(name, "???") == 0;
}

static bool is_stub(const char *name)
{
	static const char resolver[] = "_dl_runtime_resolve";

	return is_unknown(name) ||
	       strncmp(name, resolver, sizeof(resolver) - 1) == 0;
}

static int64_t find_function(struct an_calls *c, const struct an_symbol *s)
{
	struct an_key key = {{(uintptr_t)s->function, (uintptr_t)s->object, 0}};
	int64_t i = an_index_find(&c->index, &key);
	void *p = c->function;

	if (i < 0 || grow_array(&p, &c->n_functions, (size_t)i,
				sizeof(*c->function)) != 0)
		return AN_INDEX_FULL;
	c->function = p;
	if (c->function[i].name == NULL)
		c->function[i] = (struct an_function){
			.name = s->function,
			.object = s->object,
			.is_stub = is_stub(s->function),
		};
	return i;
}

static bool arrives(const struct an_entries *e, unsigned i)
{
	const struct pt_instr *in = e->block->instr;

	return e->entry[i].function != e->entry[i - 1].function ||
	       in[i].addr != in[i - 1].addr + in[i - 1].len;
}

int an_calls_add(struct an_calls *c, const struct an_block *b)
{
	void *p = c->entries;
	struct an_entries *e;

	if (grow_array(&p, &c->n_entries, b->id, sizeof(*e)) != 0)
		return -ENOMEM;
	c->entries = p;
	e = &c->entries[b->id];
	e->block = b;
	e->entry = malloc((b->n_instrs + 1u) * sizeof(*e->entry));
	if (e->entry == NULL)
		return -ENOMEM;
	for (unsigned i = 0; i < b->n_instrs; i++) {
		struct an_symbol s;
		int64_t f;

		c->env->symbol(c->env->host, b, i, &s);
		f = find_function(c, &s);
		if (f < 0)
			return -ENOMEM;
		e->entry[i].function = (uint32_t)f;
		e->entry[i].arrives = i > 0 && arrives(e, i);
	}
	return 0;
}

static uint32_t function_of(const struct an_calls *c, struct an_place p)
{
	return c->entries[p.block->id].entry[p.instr].function;
}

static uint64_t address_of(struct an_place p)
{
	return p.block->instr[p.instr].addr;
}

static uint64_t address_after(struct an_place p)
{
	return address_of(p) + p.block->instr[p.instr].len;
}

/* ---- frames ---- */

static void pop(struct an_calls *c, struct an_thread *t)
{
	struct an_frame *f = an_calls_top(t);

	c->left(c->owner, t, f);
	t->active[f->function]--;
	t->n--;
}

/* Pop frames until @n are left. */
static void pop_to(struct an_calls *c, struct an_thread *t, size_t n)
{
	while (t->n > n)
		pop(c, t);
}

static int push(struct an_calls *c, struct an_thread *t, struct an_frame f,
		struct an_place target)
{
	void *frames = t->frame, *active = t->active;
	struct an_symbol s;

	f.function = function_of(c, target);
	if (grow_array(&frames, &t->size, t->n, sizeof(f)) != 0)
		return -ENOMEM;
	t->frame = frames;
	if (grow_array(&active, &t->n_active, f.function, sizeof(*t->active)) !=
	    0)
		return -ENOMEM;
	t->active = active;
	if (c->function[f.function].path == NULL) {
		c->env->symbol(c->env->host, target.block, target.instr, &s);
		c->function[f.function].path = s.path;
	}
	f.again = t->active[f.function]++ > 0 &&
		  !is_unknown(c->function[f.function].name);
	memcpy(f.before, t->cost, sizeof(f.before));
	t->frame[t->n++] = f;
	return c->entered(c->owner, t->n > 1 ? &t->frame[t->n - 2] : NULL,
			  an_calls_top(t), target);
}

/* Return the number of frames up to the one of function @f that the top
   function has jumped from, directly or by a chain of jumps; 0: there is
   none. */
static size_t find_jumper(const struct an_thread *t, uint32_t f)
{
	for (size_t n = t->n; n > 0; n--) {
		if (t->frame[n - 1].function == f)
			return n;
		if (t->frame[n - 1].kind != AN_FRAME_JUMP)
			break;
	}
	return 0;
}

/* Return the number of frames up to the topmost one of function @f, 0 if none,
   whatever their kind. */
static size_t find_frame(const struct an_thread *t, uint32_t f)
{
	size_t n = t->n;

	while (n > 0 && t->frame[n - 1].function != f)
		n--;
	return n;
}

static int follow_jump(struct an_calls *c, struct an_thread *t,
		       struct an_place to)
{
	struct an_frame f = {.kind = AN_FRAME_JUMP, .site = t->last};
	uint32_t function = function_of(c, to);
	size_t n = find_jumper(t, function);

	if (n == 0 && !c->entries[to.block->id].is_called)
		n = find_frame(t, function);
	if (n > 0) {
		pop_to(c, t, n);
		return 0;
	}
	while (t->n > 1 && c->function[an_calls_top(t)->function].is_stub) {
		f = *an_calls_top(t);
		pop(c, t);
		if (f.kind != AN_FRAME_JUMP)
			break;
		if (an_calls_top(t)->function == function)
			return 0;
	}
	return push(c, t, f, to);
}

static int follow_call(struct an_calls *c, struct an_thread *t,
		       struct an_place to)
{
	struct an_frame f = {
		.kind = AN_FRAME_CALL,
		.site = t->last,
		.return_to = address_after(t->last),
	};

	/* A call of the next instruction only determines its own address, as in
	   position-independent code. */
	if (f.return_to == address_of(to))
		return 0;
	c->entries[to.block->id].is_called = true;
	return push(c, t, f, to);
}

/* Whether the top function has no known caller: its chain of jumps begins with
   the first frame. */
static bool has_no_caller(const struct an_thread *t)
{
	size_t n = t->n;

	while (n > 1 && t->frame[n - 1].kind == AN_FRAME_JUMP)
		n--;
	return n == 1;
}

/* Return to @to: pop the frames up to the call that returns there. Frames of
   signal handlers are popped by return_from_signal() only. */
static int follow_return(struct an_calls *c, struct an_thread *t,
			 struct an_place to)
{
	size_t n = t->n;

	while (n > 0 && t->frame[n - 1].kind != AN_FRAME_SIGNAL &&
	       (t->frame[n - 1].kind != AN_FRAME_CALL ||
		t->frame[n - 1].return_to != address_of(to)))
		n--;
	if (n > 0 && t->frame[n - 1].kind == AN_FRAME_CALL)
		pop_to(c, t, n - 1);
	else if (has_no_caller(t))
		pop_to(c, t, 0);
	return 0;
}

static void return_from_signal(struct an_calls *c, struct an_thread *t)
{
	size_t n = t->n;

	while (n > 0 && t->frame[n - 1].kind != AN_FRAME_SIGNAL)
		n--;
	if (n > 0)
		pop_to(c, t, n - 1);
}

static int follow_exit(struct an_calls *c, struct an_thread *t,
		       struct an_place to)
{
	if (t->signalled) {
		t->signalled = false;
		return push(c, t,
			    (struct an_frame){.kind = AN_FRAME_SIGNAL,
					      .site = t->last},
			    to);
	}
	switch (t->jump) {
	case PT_JUMP_CALL:
		return follow_call(c, t, to);
	case PT_JUMP_RET:
		return follow_return(c, t, to);
	case PT_JUMP_SYSCALL:
		if (address_of(to) != address_after(t->last))
			return_from_signal(c, t);
	}
	return 0;
}

int an_calls_arrive(struct an_calls *c, struct an_place to,
		    struct an_thread **out)
{
	void *threads = c->thread;
	struct an_thread *t;
	int err = 0;

	if (grow_array(&threads, &c->n_threads, c->running, sizeof(*t)) != 0)
		return -ENOMEM;
	c->thread = threads;
	*out = t = &c->thread[c->running];
	if (t->n > 0)
		err = follow_exit(c, t, to);
	if (!err && t->n == 0)
		return push(c, t, (struct an_frame){.kind = AN_FRAME_FIRST},
			    to);
	if (!err && an_calls_top(t)->function != function_of(c, to))
		err = follow_jump(c, t, to);
	return err;
}

void an_calls_mark(struct an_calls *c, const struct an_mark *m)
{
	if (m->kind == PT_THREAD)
		c->running = m->id & MOST_THREADS;
	else if (m->kind == PT_SIGNAL && c->running < c->n_threads)
		c->thread[c->running].signalled = true;
	else if (m->kind == PT_THREAD_END && m->id < c->n_threads)
		pop_to(c, &c->thread[m->id], 0);
}

void an_calls_end(struct an_calls *c)
{
	for (size_t i = 0; i < c->n_threads; i++)
		pop_to(c, &c->thread[i], 0);
}

void an_calls_release(struct an_calls *c)
{
	for (size_t i = 0; i < c->n_threads; i++) {
		free(c->thread[i].frame);
		free(c->thread[i].active);
	}
	for (size_t i = 0; i < c->n_entries; i++)
		free(c->entries[i].entry);
	free(c->thread);
	free(c->entries);
	free(c->function);
	an_index_release(&c->index);
	c->thread = NULL;
	c->entries = NULL;
	c->function = NULL;
	c->n_threads = c->n_entries = c->n_functions = 0;
}

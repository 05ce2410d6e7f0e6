/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * call_stack.h - who called whom: a stack of frames for each thread
 *
 * Frames follow from how blocks were left and where control arrived; the
 * program's own stack is not looked at.
 *
 *   call              a frame, which a return to behind the call ends, with all
 *                     frames above it
 *   jump              to another function: a frame that ends with the one
 *                     below, for it is a call in last place; but back to a
 *                     function that jumped here, or to the middle of one that
 *                     is on the stack (longjmp(), a caught exception): frames
 *                     above that one end
 *   signal            its handler gets a frame on top of what was interrupted;
 *                     it ends when a system call comes back elsewhere
 *   stub              code without a name, as in .plt, or of the dynamic linker
 *                     that ends in a jump: its frame ends there, and whom it
 *                     jumps to was called from where the stub was
 *   return            from the last frame, as a forked child does, whose
 *                     callers are not known: the caller is the last frame
 */
#ifndef ANALYZERS_CALLGRAPH_CALL_STACK_H
#define ANALYZERS_CALLGRAPH_CALL_STACK_H

#include "analyzers/cost_table.h"
#include "analyzers/key_table.h"

/* An instruction. */
struct an_place {
	const struct an_block *block;
	unsigned instr;
};

/* Equal names in one object are one function. */
struct an_function {
	const char *name;
	const char *object;
	const char *path; /* of the source where it was entered first; NULL: it
			     was not yet */
	bool is_stub;
};

enum an_frame_kind {
	AN_FRAME_FIRST,
	AN_FRAME_CALL,
	AN_FRAME_JUMP,
	AN_FRAME_SIGNAL
};

struct an_frame {
	uint32_t function;
	uint8_t kind;	      /* enum an_frame_kind */
	bool again;	      /* the function was on the stack already */
	uint32_t note;	      /* for who uses the stack */
	uint64_t return_to;   /* address; of AN_FRAME_CALL */
	struct an_place site; /* that it was called from; not of the first */
	uint64_t before[AN_EVENTS]; /* the thread's costs when it began */
};

struct an_thread {
	struct an_frame *frame;
	size_t n; /* 0: it has not begun */
	size_t size;
	uint32_t *active; /* by function: frames */
	size_t n_active;
	uint64_t cost[AN_EVENTS]; /* up to now */
	struct an_place last;	  /* executed last; block NULL: none */
	uint8_t jump;		  /* enum pt_jump, how it was left */
	bool signalled;		  /* since then */
};

/* Of an instruction. */
struct an_entry {
	uint32_t function;
	bool arrives; /* it does not follow the one before it in its block, or
			 lies in another function */
};

/* Of a block. */
struct an_entries {
	const struct an_block *block;
	struct an_entry *entry; /* by instruction */
	bool is_called;		/* a call led here */
};

struct an_calls {
	const struct an_env *env;
	struct an_index index; /* of functions */
	struct an_function *function;
	size_t n_functions;
	struct an_entries *entries; /* by block */
	size_t n_entries;
	struct an_thread *thread; /* by number */
	size_t n_threads;
	uint32_t running;

	/* Told of each frame; 0 or -errno. @below: NULL for the first. */
	void *owner;
	int (*entered)(void *owner, const struct an_frame *below,
		       struct an_frame *frame, struct an_place target);
	void (*left)(void *owner, const struct an_thread *,
		     const struct an_frame *frame);
};

/* 0 or -ENOMEM. */
int an_calls_add(struct an_calls *, const struct an_block *);

void an_calls_mark(struct an_calls *, const struct an_mark *);

/**
 * an_calls_arrive() - The running thread is about to execute an instruction.
 *
 * To be called for the first of each execution, and for those that arrive.
 *
 * Return: 0 with the thread in @out, which has a frame; -ENOMEM.
 */
int an_calls_arrive(struct an_calls *, struct an_place, struct an_thread **out);

/* An execution ended with that instruction. */
static inline void an_calls_leave(struct an_thread *t, struct an_place last,
				  uint8_t jump)
{
	t->last = last;
	t->jump = jump;
}

/* The frame of what the thread executes. */
static inline struct an_frame *an_calls_top(const struct an_thread *t)
{
	return &t->frame[t->n - 1];
}

/* Ends all frames of all threads. */
void an_calls_end(struct an_calls *);

void an_calls_release(struct an_calls *);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * call_stack.h - follows calls and returns with a stack of frames for each
 * thread
 *
 * Frames are derived from how blocks were left and which code was executed
 * next; the program's own stack is not read.
 *
 *   call      pushes a frame. A return to the instruction after the call ends
 *             it, with all frames above it.
 *   jump      to another function pushes a frame that ends with the one below,
 *             because it is a tail call. But a jump back to a function that
 *             jumped here, or into the middle of one that is on the stack
 *             (longjmp(), a caught exception), ends the frames above that one.
 *   signal    pushes a frame for the handler on top of the interrupted one.
 *             It ends when a system call continues at another address.
 *   stub      is code without a name, as in .plt, or _dl_runtime_resolve* of
 *             the dynamic linker, that ends in a jump. Its frame ends there,
 *             and the function that it jumps to counts as called from where
 *             the stub was called.
 *   return    from the bottom frame, as in a forked child, whose callers are
 *             not known: the code returned to becomes the new bottom frame.
 */
#ifndef ANALYZERS_CALLGRAPH_CALL_STACK_H
#define ANALYZERS_CALLGRAPH_CALL_STACK_H

#include "analyzers/cost_table.h"
#include "base/tables/key_table.h"

/* A position in the code: an instruction of a block. */
struct an_code_position {
	const struct an_block *block;
	unsigned instr;
};

/* A function. Equal names in one object file are one function. */
struct an_function {
	const char *name;
	const char *object;
	const char *path; /* source file at its first entry; NULL: not entered
			     yet */
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
	uint8_t kind;	    /* enum an_frame_kind */
	bool is_recursive;  /* the function was on the stack already
			       (recursion); false if it has no name */
	uint32_t user_data; /* value that the analysis that uses the stack
			       stores in this frame */
	uint64_t return_to; /* return address; only in AN_FRAME_CALL */
	struct an_code_position call_site; /* position of the call or jump, or
				 of the last instruction before the signal;
				 unset in AN_FRAME_FIRST */
	uint64_t cost_before[AN_N_EVENTS]; /* costs of the thread when the frame
				       began */
};

struct an_thread {
	struct an_frame *frame;
	size_t n; /* number of frames; 0: the thread has not begun, or all its
		     frames were popped */
	size_t size;
	uint32_t *active; /* by function: number of its frames on the stack */
	size_t n_active;
	uint64_t cost[AN_N_EVENTS]; /* total cost of the instructions that the
				       thread has executed so far */
	struct an_code_position
		last_instr; /* last executed instruction; block NULL:
				     none */
	uint8_t last_jump;  /* enum pt_jump: how `last_instr` was left */
	bool signalled;	    /* a signal was delivered since the last
			       execution */
};

/* Precomputed data of an instruction of a block. */
struct an_instr_function {
	uint32_t function;
	bool is_discontinuous; /* not adjacent to the instruction before it in
				  its block, or in another function */
};

/* Data of a block: the functions of its instructions, which are precomputed,
   and whether it was called. */
struct an_block_functions {
	const struct an_block *block;
	struct an_instr_function *instr; /* by instruction */
	bool is_called;			 /* a call led to an instruction of
					    `block` */
};

struct an_call_stacks {
	const struct an_env *env;
	struct al_key_table function_numbers; /* assigns numbers to functions */
	struct an_function *function;
	size_t n_functions;
	struct an_block_functions *block; /* by block id */
	size_t n_blocks;
	struct an_thread *thread; /* by thread number */
	size_t n_threads;
	uint32_t running_thread;

	/* Callbacks, called when a frame was pushed and before it is popped.
	   below: the frame below, NULL for the bottom one. target: the first
	   instruction in the frame. on_push() returns 0 or -errno. */
	void *owner;
	int (*on_push)(void *owner, const struct an_frame *below,
		       struct an_frame *frame, struct an_code_position target);
	void (*on_pop)(void *owner, const struct an_thread *,
		       const struct an_frame *frame);
};

/* Add a block: find the function of each of its instructions. Return: 0 or
   -ENOMEM. */
int an_call_stacks_add_functions_of_block(struct an_call_stacks *,
					  const struct an_block *);

/* Apply a mark: switch the running thread (PT_THREAD), record that a signal was
   delivered to it (PT_SIGNAL), or pop all frames of a thread that has ended
   (PT_THREAD_END). Other marks are ignored. */

void an_call_stacks_apply_mark(struct an_call_stacks *, const struct an_mark *);

/**
 * an_call_stacks_update_for_instr() - Update the stack of the running thread,
 * which is about to execute the instruction at the given position.
 *
 * To be called for the first instruction of each execution, and for each with
 * an_instr_function.is_discontinuous.
 *
 * Return: 0 with the thread in @thread_out, which has at least one frame; or
 * -errno.
 */
int an_call_stacks_update_for_instr(struct an_call_stacks *,
				    struct an_code_position,
				    struct an_thread **thread_out);

/* Record that an execution ended with the instruction @last, or continues at
   one with an_instr_function.is_discontinuous after it. @jump: how @last was
   left (enum pt_jump). */
static inline void an_call_stacks_record_exec_end(struct an_thread *t,
						  struct an_code_position last,
						  uint8_t jump)
{
	t->last_instr = last;
	t->last_jump = jump;
}

/* Return the top frame of the thread's stack: of the function that it
   executes. */
static inline struct an_frame *
an_call_stacks_top_frame(const struct an_thread *t)
{
	return &t->frame[t->n - 1];
}

/* Pop all frames of all threads. */
void an_call_stacks_pop_all(struct an_call_stacks *);

void an_call_stacks_release(struct an_call_stacks *);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * events.h - finds the branches of a block, by Cachegrind's rules
 *
 * A conditional branch is a side exit that leads to code of the program. It was
 * taken if the block was left by it, unless VEX has inverted it: then it leads
 * to the next instruction. An indirect branch is the end of a block that jumps
 * or calls to an address that is not known before execution. Returns and system
 * calls do not count as indirect branches.
 */
#ifndef ANALYZERS_BRANCH_EVENTS_H
#define ANALYZERS_BRANCH_EVENTS_H

#include "analyzers/analyzer.h"
#include "analyzers/arena.h"
#include "analyzers/block_chain.h"

enum an_branch_kind {
	AN_CONDITIONAL,
	AN_INDIRECT_CALL,
	AN_INDIRECT_JUMP,
	AN_DIRECT_CALL,
	AN_RETURN,
};

/* A branch of a block. */
struct an_branch_event {
	uint64_t ip;
	uint64_t return_to; /* address after the branch, to which it returns
			       if it is a call */
	uint32_t number;    /* consecutive from 0 within one state of the
			    analysis */
	uint16_t instr;
	uint16_t first_exit; /* the branch was executed if the block was left by
				this exit or a later one */
	uint8_t kind;	     /* enum an_branch_kind */
	bool is_inverted;    /* conditional: taken if the block was not left
				by exit first_exit */
	bool never_leaves;   /* conditional: the branch's exit is in
				an_block.passed_exit, so no execution left the
				block by it */
};

/* The branches of a block in program order. */
struct an_branch_block {
	struct an_chained_block chained; /* an_chained_block.block is the block
					    of the stream */
	const struct an_branch_exit *exit; /* [n_exits of the block], see
					      an_branch_block_list_exits() */
	struct an_branch_event *event;	   /* [n] the branches of `block`, in
					  program order */
	unsigned n;
};

/* Set the first argument to the branches of a block, in an array that is
   allocated from the arena. They are numbered from @first_number on; `n` is set
   to their number. Return: 0 or -ENOMEM. */
int an_branch_block_init_with_branches(struct an_branch_block *,
				       const struct an_block *,
				       uint32_t first_number,
				       struct an_arena *);

/* Return how often a branch of the block was executed: the number of executions
   that left the block by the branch's first exit or a later one. */
uint64_t an_branch_event_exec_count(const struct an_block *,
				    const struct an_branch_event *);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exits.h - lists the conditional branches that an execution executes
 *
 * The exit by which an execution left its block determines the conditional
 * branches that it executed, and their directions. So they are listed once for
 * each exit; an execution only copies the list.
 */
#ifndef ANALYZERS_BRANCH_EXITS_H
#define ANALYZERS_BRANCH_EXITS_H

#include <string.h>

#include "analyzers/branch/events.h"
#include "analyzers/branch/model/model.h"

enum {
	AN_EXIT_FIRST = 4, /* branches that an exit stores itself; most exits
			      have no more */
	AN_EXIT_ROOM = PT_MAX_EXITS + AN_EXIT_FIRST,
};

/* The conditional branches that are executed by an execution which leaves the
   block by one exit, each as in an_directions.executed. */
struct an_branch_exit {
	uint32_t first[AN_EXIT_FIRST]; /* the first AN_EXIT_FIRST branches, or
					  all */
	const uint32_t *passed; /* [n] all branches, with their directions if
				   the block is not left there; the direction of
				   the last branch is in `last`; all exits of a
				   block share one array */
	uint32_t last;
	uint16_t n;	 /* number of branches, less than PT_MAX_EXITS */
	bool is_special; /* the execution also executes an indirect call or jump
			    or, if these are special, a direct call or return;
			    or ends with a system call */
};

/* Return the exits of a block, in an array of block->block->n_exits that is
   allocated from the arena; NULL if memory is short. @calls_are_special: direct
   calls and returns make an exit special, as indirect calls and jumps do. */
const struct an_branch_exit *
an_branch_block_list_exits(const struct an_branch_block *block,
			   bool calls_are_special, struct an_arena *);

/* Append the branches of an exit to a list of @branch_count, which has room for
   AN_EXIT_ROOM more. Return: the number of branches in the list. */
static inline unsigned
an_branch_exit_append_directions(const struct an_branch_exit *x,
				 uint32_t *branch_directions,
				 unsigned branch_count)
{
	memcpy(branch_directions + branch_count, x->first, sizeof(x->first));
	if (x->n > AN_EXIT_FIRST) {
		for (unsigned i = AN_EXIT_FIRST; i < x->n; i += AN_EXIT_FIRST)
			memcpy(branch_directions + branch_count + i,
			       x->passed + i, sizeof(x->first));
		branch_directions[branch_count + x->n - 1] = x->last;
	}
	return branch_count + x->n;
}

#endif

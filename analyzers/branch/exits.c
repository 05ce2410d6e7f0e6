/* SPDX-License-Identifier: GPL-2.0-or-later */
/* exits.c - lists the conditional branches that an execution executes; see
   exits.h */

#include "analyzers/branch/exits.h"

#include <stddef.h>

/* Store the conditional branches of a block in @passed, each with the direction
   that it has if the block is not left there. */
static void
list_branches_with_staying_direction(const struct an_branch_block *k,
				     uint32_t *passed)
{
	unsigned n = 0;

	for (unsigned i = 0; i < k->n; i++)
		if (k->event[i].kind == AN_CONDITIONAL)
			passed[n++] = an_direction(k->event[i].number,
						   k->event[i].is_inverted);
}

static bool
is_indirect_or_tracked_call_or_return(const struct an_branch_event *e,
				      bool tracks_calls_and_returns)
{
	switch (e->kind) {
	case AN_CONDITIONAL:
		return false;
	case AN_DIRECT_CALL:
	case AN_RETURN:
		return tracks_calls_and_returns;
	default:
		return true;
	}
}

/* Count the conditional branches that an execution executes which leaves the
   block by exit @exit_number, and set whether the exit is special. Return: the
   last of these branches; NULL if there is none. */
static const struct an_branch_event *
scan_exit_branches(struct an_branch_exit *x, const struct an_branch_block *k,
		   unsigned exit_number, bool calls_and_returns_are_special)
{
	const struct an_branch_event *last = NULL;

	x->is_special =
		k->chained.block->exit[exit_number].jump == PT_JUMP_SYSCALL;
	for (unsigned i = 0; i < k->n; i++) {
		const struct an_branch_event *e = &k->event[i];

		if (e->first_exit > exit_number)
			break;
		x->is_special |= is_indirect_or_tracked_call_or_return(
			e, calls_and_returns_are_special);
		if (e->kind != AN_CONDITIONAL)
			continue;
		last = e;
		x->n++;
	}
	return last;
}

static void
set_exit_last_and_first_few_directions(struct an_branch_exit *x,
				       const struct an_branch_event *last,
				       unsigned exit_number)
{
	bool leaves = last->first_exit == exit_number && !last->never_leaves;

	x->last = an_direction(last->number, leaves != last->is_inverted);
	for (unsigned i = 0; i < AN_EXIT_FIRST && i < x->n; i++)
		x->first[i] = i + 1u < x->n ? x->passed[i] : x->last;
}

const struct an_branch_exit *
an_branch_block_list_exits(const struct an_branch_block *k,
			   bool calls_are_special, struct an_arena *arena)
{
	unsigned n_exits = k->chained.block->n_exits;
	struct an_branch_exit *x = an_arena_alloc(arena, n_exits * sizeof(*x));
	uint32_t *passed =
		an_arena_alloc(arena, (k->n + AN_EXIT_FIRST) * sizeof(*passed));

	if (x == NULL || passed == NULL)
		return NULL;
	list_branches_with_staying_direction(k, passed);
	for (unsigned i = 0; i < n_exits; i++) {
		const struct an_branch_event *last;

		x[i] = (struct an_branch_exit){.passed = passed};
		last = scan_exit_branches(&x[i], k, i, calls_are_special);
		if (last != NULL)
			set_exit_last_and_first_few_directions(&x[i], last, i);
	}
	return x;
}

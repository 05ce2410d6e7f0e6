/* SPDX-License-Identifier: GPL-2.0-or-later */
/* branch_profile.c - samples where branches mostly lead; see
   branch_profile.h */

#include "vgtool/instrument/branch_profile.h"

#include <pub_tool_hashtable.h>

#include "vgtool/core/valgrind_core.h"
#include "vgtool/instrument/descriptors.h"
#include "vgtool/transport/ring.h"

enum {
	SAMPLE = 128,	   /* greatest number of units, from the beginning of
			      each chunk, whose exits are counted */
	COUNT_STEP = 64,   /* sampled units with the same exit that count once
			      for its branch; the first such count makes the
			      branch known */
	RETRANSLATE = 512, /* sampled units with the same exit that justify a
			      new translation of its block */
	/* At least PERIOD chunks, plus 1 / PART of all chunks so far, lie
	   between two calls that discard translations. Discarding is expensive,
	   because all other code must be looked up anew. */
	PERIOD = 32,
	PART = 8,
	MAX_PENDING = 1024, /* greatest number of translations that wait to be
			       discarded */
};

_Static_assert(RETRANSLATE % COUNT_STEP == 0,
	       "a branch is known when its block is forgotten, or it would be "
	       "again and again");

/* Counter of an exit of a block. A route is a number for a block and one of its
   exits. */
struct exit_counter {
	UInt n : 31; /* sampled units of executions that left by this
				  exit */
	/* vt_branch_usual_target_or_request_count() did not know its branch */
	UInt is_requested : 1;
};

/* A conditional branch at the end of blocks. The first two members are those of
   Valgrind's hash table. */
struct branch {
	struct branch *next;
	UWord addr;	/* address of the branch instruction */
	Addr target[2]; /* destinations; 0: not seen yet */
	UInt n[2]; /* by target: number of sampled executions that led to it,
		      divided by COUNT_STEP */
};

/* branches by address; NULL: vt_branch_usual_target_or_request_count() was not
   called yet */
static VgHashTable *branches;
static struct exit_counter *counters; /* counters of exits, by route */
static UInt n_counters;
/* last branch that vt_branch_usual_target_or_request_count() did not know,
   until the next block is described */
static Addr last_unknown;
static Addr pending[MAX_PENDING]; /* addresses of blocks whose translations are
				     to be discarded */
static UInt n_pending;
static UInt n_chunks;		   /* chunks sampled so far */
static UInt next_discard = PERIOD; /* value of n_chunks at which pending
				      translations are discarded */
Addr vt_branch_usual_target_or_request_count(Addr branch_addr)
{
	const struct branch *b;

	if (branches == NULL)
		branches = VG_(HT_construct)("vt.bias.branches");
	b = VG_(HT_lookup)(branches, branch_addr);
	if (b != NULL)
		return b->target[b->n[1] > b->n[0]];
	last_unknown = branch_addr;
	return 0;
}

/* Enlarge the array of counters, if needed, so that it has one for each exit of
   @b; its index is the exit's route, the number of a block and one of its
   exits. New counters are 0. */
static void reserve_exit_counters(const struct pt_log_block *b)
{
	UInt end = b->route + b->n_exits, n = 2 * end + 4096;

	if (end <= n_counters)
		return;
	counters =
		VG_(realloc)("vt.bias.ways", counters, n * sizeof(*counters));
	VG_(memset)
	(counters + n_counters, 0, (n - n_counters) * sizeof(*counters));
	n_counters = n;
}

/* Return the address of the last instruction of @b. */
static Addr last_instr_address(const struct pt_log_block *b)
{
	return vt_descriptor_instrs(b)[b->n_instrs - 1].addr;
}

/* Whether exit @x is an ordinary jump (no call, return, system call or signal)
   to a constant address. */
static Bool is_boring_jump_to_constant(const struct pt_exit *x)
{
	return x->jump == PT_JUMP_BORING && x->target != 0;
}

/* Return the first of the last two exits of @b if they are the two directions
   of a conditional branch, else NULL. */
static const struct pt_exit *
find_first_exit_of_final_branch_pair(const struct pt_log_block *b)
{
	const struct pt_exit *x = vt_descriptor_exits(b) + b->n_exits - 2;

	return b->n_exits >= 2 && b->n_instrs > 0 &&
			       x[0].n_instrs == x[1].n_instrs &&
			       is_boring_jump_to_constant(x) &&
			       is_boring_jump_to_constant(x + 1)
		       ? x
		       : NULL;
}

void vt_branch_mark_exits_to_count(const struct pt_log_block *new_block)
{
	UInt last = new_block->route + new_block->n_exits - 1;

	if (branches == NULL)
		return;
	reserve_exit_counters(new_block);
	if (find_first_exit_of_final_branch_pair(new_block) != NULL &&
	    last_instr_address(new_block) == last_unknown)
		counters[last].is_requested = counters[last - 1].is_requested =
			1;
	last_unknown = 0;
}

/* Add the branch at @addr if it is not known, and add 1 to its count for
   @target, for COUNT_STEP sampled executions that led there. */
static void add_branch_if_new_and_count_target(Addr addr, Addr target)
{
	struct branch *b = VG_(HT_lookup)(branches, addr);
	UInt i;

	if (b == NULL) {
		b = VG_(calloc)("vt.bias.branch", 1, sizeof(*b));
		b->addr = addr;
		b->target[0] = target;
		VG_(HT_add_node)(branches, b);
	}
	i = b->target[0] != target;
	b->target[i] = target;
	b->n[i]++;
}

/* Add 1, for COUNT_STEP sampled executions, to the count of the target of exit
   @route, in the branch to which the exit belongs; do nothing if the exit
   belongs to none. If the exit's counter has reached RETRANSLATE, add the block
   to those whose translation is to be discarded. Call when the exit's counter
   has reached a multiple of COUNT_STEP. */
static void count_branch_target_of_exit_route(UInt route)
{
	const struct pt_log_block *b = vt_descriptor_find_block_by_route(route);
	const struct pt_exit *x =
		b ? find_first_exit_of_final_branch_pair(b) : NULL;
	UInt first; /* route of the branch's first exit */

	if (x == NULL)
		return;
	first = b->route + b->n_exits - 2;
	if (route < first)
		return;
	add_branch_if_new_and_count_target(last_instr_address(b),
					   x[route - first].target);
	if (counters[route].n == RETRANSLATE && n_pending < MAX_PENDING)
		pending[n_pending++] = vt_descriptor_instrs(b)->addr;
}

/* Count an execution in the sample (the first units of a chunk) that left by
   exit @exit_route (number of a block and one of its exits), if that exit
   belongs to a branch whose target vt_branch_usual_target_or_request_count()
   did not know. */
static void count_sampled_branch_exit_if_requested(UInt exit_route)
{
	if (exit_route < n_counters && counters[exit_route].is_requested &&
	    ++counters[exit_route].n % COUNT_STEP == 0)
		count_branch_target_of_exit_route(exit_route);
}

/* Discard the translations of the blocks in pending[] if at least next_discard
   chunks were sampled. Return: whether any was discarded. */
static Bool try_discard_queued_code_if_due(void)
{
	if (n_pending == 0 || n_chunks < next_discard)
		return False;
	while (n_pending > 0)
		VG_(discard_translations)(pending[--n_pending], 1, "alleria");
	next_discard = n_chunks + PERIOD + n_chunks / PART;
	return True;
}

Bool vt_branch_count_sampled_exits_drop_code(void)
{
	const UInt *end, *unit = vt_ring_get_last_published_units_once(&end);
	UInt i;

	if (branches == NULL || unit == NULL)
		return False;
	for (i = 0; i < SAMPLE && unit < end; i++) {
		if (pt_unit_is_block(*unit))
			count_sampled_branch_exit_if_requested(
				pt_block_unit_route(*unit));
		unit += pt_unit_length_in_u32s(*unit);
	}
	n_chunks++;
	return try_discard_queued_code_if_due();
}

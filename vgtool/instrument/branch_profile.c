/* SPDX-License-Identifier: GPL-2.0-or-later */
/* branch_profile.c - where branches mostly lead; see branch_profile.h */

#include "vgtool/instrument/branch_profile.h"

#include <pub_tool_hashtable.h>

#include "vgtool/core/valgrind_core.h"
#include "vgtool/instrument/descriptors.h"
#include "vgtool/transport/ring.h"

enum {
	SAMPLE = 128, /* units of a chunk that are looked at */
	SOME = 64,    /* times that tell where a branch leads, and ... */
	OFTEN = 512,  /* ... that are worth a new translation */
	/* Chunks: code is forgotten no more often, nor than once in an eighth
	   of all chunks, for what is left must then be looked up anew. */
	PERIOD = 32,
	PART = 8,
	PENDING = 1024, /* blocks that are forgotten at once */
};

_Static_assert(OFTEN % SOME == 0,
	       "a branch is known when its block is forgotten, or it would be "
	       "again and again");

/* What is known of an exit, by route. */
struct way {
	UInt times : 31; /* that it was met */
	UInt grows : 1; /* its block would go on, if only it were known where */
};

/* A conditional branch at the end of blocks, by where it leads. */
struct branch {
	struct branch *next;
	UWord at;
	Addr to[2];
	UInt times[2]; /* SOME each */
};

static VgHashTable *branches; /* NULL: nobody has asked */
static struct way *ways;
static UInt n_ways;
static Addr in_vain; /* branch that was asked for, and not known */
static Addr pending[PENDING];
static UInt n_pending, n_chunks, due = PERIOD;

Addr vt_bias_of(Addr branch)
{
	const struct branch *b;

	if (branches == NULL)
		branches = VG_(HT_construct)("vt.bias.branches");
	b = VG_(HT_lookup)(branches, branch);
	if (b != NULL)
		return b->to[b->times[1] > b->times[0]];
	in_vain = branch;
	return 0;
}

/* Room for the exits of @b. */
static void reach(const struct pt_log_block *b)
{
	UInt end = b->route + b->n_exits, n = 2 * end + 4096;

	if (end <= n_ways)
		return;
	ways = VG_(realloc)("vt.bias.ways", ways, n * sizeof(*ways));
	VG_(memset)(ways + n_ways, 0, (n - n_ways) * sizeof(*ways));
	n_ways = n;
}

static Addr last_instr(const struct pt_log_block *b)
{
	return vt_log_instrs(b)[b->n_instrs - 1].addr;
}

static Bool leads_on(const struct pt_exit *x)
{
	return x->jump == PT_JUMP_BORING && x->target != 0;
}

/* The two exits of the conditional branch that a block ends with; or NULL. */
static const struct pt_exit *branch_of(const struct pt_log_block *b)
{
	const struct pt_exit *x = vt_log_exits(b) + b->n_exits - 2;

	return b->n_exits >= 2 && b->n_instrs > 0 &&
			       x[0].n_instrs == x[1].n_instrs && leads_on(x) &&
			       leads_on(x + 1)
		       ? x
		       : NULL;
}

void vt_bias_note(const struct pt_log_block *b)
{
	UInt last = b->route + b->n_exits - 1;

	if (branches == NULL)
		return;
	reach(b);
	if (branch_of(b) != NULL && last_instr(b) == in_vain)
		ways[last].grows = ways[last - 1].grows = 1;
	in_vain = 0;
}

/* A branch led to @to again. */
static void count(Addr at, Addr to)
{
	struct branch *b = VG_(HT_lookup)(branches, at);
	UInt way;

	if (b == NULL) {
		b = VG_(calloc)("vt.bias.branch", 1, sizeof(*b));
		b->at = at;
		b->to[0] = to;
		VG_(HT_add_node)(branches, b);
	}
	way = b->to[0] != to;
	b->to[way] = to;
	b->times[way]++;
}

/* SOME times more, an exit was met. */
static void learn(UInt route)
{
	const struct pt_log_block *b = vt_log_find(route);
	const struct pt_exit *x = b ? branch_of(b) : NULL;
	UInt first; /* of the branch's */

	if (x == NULL)
		return;
	first = b->route + b->n_exits - 2;
	if (route < first)
		return;
	count(last_instr(b), x[route - first].target);
	if (ways[route].times == OFTEN && n_pending < PENDING)
		pending[n_pending++] = vt_log_instrs(b)->addr;
}

/* Most exits are not asked for. */
static void meet(UInt route)
{
	if (route < n_ways && ways[route].grows &&
	    ++ways[route].times % SOME == 0)
		learn(route);
}

static Bool forget(void)
{
	if (n_pending == 0 || n_chunks < due)
		return False;
	while (n_pending > 0)
		VG_(discard_translations)(pending[--n_pending], 1, "alleria");
	due = n_chunks + PERIOD + n_chunks / PART;
	return True;
}

Bool vt_bias_look(void)
{
	const UInt *end, *unit = vt_ring_handed_over(&end);
	UInt i;

	if (branches == NULL || unit == NULL)
		return False;
	for (i = 0; i < SAMPLE && unit < end; i++) {
		if (pt_unit_is_block(*unit))
			meet(pt_unit_route(*unit));
		unit += pt_unit_length(*unit);
	}
	n_chunks++;
	return forget();
}

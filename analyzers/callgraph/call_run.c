/* SPDX-License-Identifier: GPL-2.0-or-later */
/* call_run.c - runs batches for analyses of calls; see call_run.h */

#include "analyzers/callgraph/call_run.h"

#include <errno.h>

#include <string.h>

#include "analyzers/cache/model/access_runs.h"

int an_callrun_add(struct an_callrun *r, const struct an_block *block)
{
	const struct an_env *env = r->calls.env;
	int err = 0;

	if (r->hierarchy.geometry == NULL)
		err = an_hierarchy_init(&r->hierarchy, env->geometry);
	return err ? err : an_calls_add(&r->calls, block);
}

/* Counts an access, and what it misses; @event: the first of its three. */
static void count(struct an_callrun *r, int path, struct an_ref ref,
		  enum an_event event, uint64_t cost[AN_EVENTS])
{
	struct an_hierarchy *h = &r->hierarchy;
	int levels = 0;

	cost[event]++;
	if (r->counts_only)
		return;
	if (!h->apart ||
	    an_first_access(&h->first[path], ref.addr, ref.size, ref.write))
		levels = an_hierarchy_access(h, path, ref.addr, ref.size,
					     ref.write);
	cost[event + 1] += levels > 0;
	cost[event + 2] += levels == h->depth[path];
}

/* One instruction and its accesses from @access on. Return: the next one's. */
static unsigned count_all(struct an_callrun *r, struct an_place at,
			  unsigned access, unsigned n_accesses,
			  const uint32_t *slots, uint64_t cost[AN_EVENTS])
{
	const struct an_block *b = at.block;
	const struct pt_instr *i = &b->instr[at.instr];
	struct an_ref ref = {i->addr, i->len, false};

	count(r, AN_INSTRUCTION, ref, AN_IR, cost);
	for (; access < n_accesses && b->access[access].instr <= at.instr;
	     access++)
		if (an_block_ref(b, r->hierarchy.smallest_line, access, slots,
				 &ref))
			count(r, AN_DATA, ref,
			      b->access[access].kind == PT_STORE ? AN_DW
								 : AN_DR,
			      cost);
	return access;
}

/* Control comes to an instruction, from the one before it in the block if
   there is one: Valgrind goes on with a block where a jump or a call leads to,
   and the latter stores where it came from; a string instruction, which stores
   too, comes back to itself. @access: the next. */
static int arrive(struct an_callrun *r, struct an_place at, unsigned access,
		  struct an_thread **t)
{
	struct an_place from = {at.block, at.instr - 1};
	const struct pt_access *a = at.block->access + access - 1;
	const struct pt_instr *to = &at.block->instr[at.instr];
	bool is_call = at.instr > 0 && access > 0 && a->instr == from.instr &&
		       a->kind == PT_STORE && a->size == 8 &&
		       to->addr != to[-1].addr;

	if (at.instr > 0)
		an_calls_leave(*t, from,
			       is_call ? PT_JUMP_CALL : PT_JUMP_BORING);
	return an_calls_arrive(&r->calls, at, t);
}

static int execute(struct an_callrun *r, const struct an_batch *batch,
		   struct an_exec e)
{
	const struct an_entries *entries = &r->calls.entries[e.block];
	const struct pt_exit *x = &entries->block->exit[an_exit(e)];
	struct an_place at = {entries->block, 0};
	struct an_thread *t = NULL;
	unsigned access = 0;
	int err = 0;

	for (; at.instr < x->n_instrs && !err; at.instr++) {
		uint64_t cost[AN_EVENTS] = {0};

		if (at.instr == 0 || entries->entry[at.instr].arrives)
			err = arrive(r, at, access, &t);
		if (err)
			return err;
		access = count_all(r, at, access, x->n_accesses,
				   batch->base + an_at(e), cost);
		for (int i = 0; i < AN_EVENTS; i++)
			t->cost[i] += cost[i];
		err = r->spend(r->calls.owner, an_calls_top(t), at, cost);
	}
	at.instr--;
	if (t != NULL)
		an_calls_leave(t, at, x->jump);
	return err;
}

/* The caches see it, and nobody else. */
static void warm_up(struct an_callrun *r, const struct an_batch *batch,
		    struct an_exec e)
{
	const struct an_block *b = r->calls.entries[e.block].block;
	const struct pt_exit *x = &b->exit[an_exit(e)];
	uint64_t cost[AN_EVENTS] = {0};
	unsigned access = 0;

	for (unsigned i = 0; i < x->n_instrs; i++)
		access = count_all(r, (struct an_place){b, i}, access,
				   x->n_accesses, batch->base + an_at(e), cost);
}

int an_callrun_run(struct an_callrun *r, const struct an_batch *batch)
{
	size_t mark = 0;
	int err = 0;

	for (int path = 0; r->hierarchy.apart && path < 2; path++)
		an_first_wind(&r->hierarchy.first[path]);
	for (size_t i = 0; batch->warm && i < batch->n_execs; i++)
		warm_up(r, batch, batch->exec[i]);
	if (batch->warm)
		return 0;
	for (size_t i = 0; i < batch->n_execs && !err; i++) {
		for (; mark < batch->n_marks && batch->mark[mark].before <= i;
		     mark++)
			an_calls_mark(&r->calls, &batch->mark[mark]);
		err = execute(r, batch, batch->exec[i]);
	}
	for (; mark < batch->n_marks; mark++)
		an_calls_mark(&r->calls, &batch->mark[mark]);
	if (!err && an_hierarchy_failed(&r->hierarchy))
		err = -ENOMEM;
	return err;
}

void an_callrun_release(struct an_callrun *r)
{
	an_hierarchy_release(&r->hierarchy);
	an_calls_release(&r->calls);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* call_run.c - runs batches for analyses of calls; see call_run.h */

#include "analyzers/callgraph/call_run.h"

#include <errno.h>

#include <string.h>

#include "analyzers/cache/model/access_runs.h"

int an_callrun_add(struct an_callrun *r, const struct an_block *block)
{
	const struct an_env *env = r->stacks.env;
	int err = 0;

	if (r->hierarchy.geometry == NULL)
		err = an_hierarchy_init(&r->hierarchy, env->geometry);
	return err ? err : an_call_stacks_add_block(&r->stacks, block);
}

/* Count an access and its misses. @event: the first of its three events. */
static void count_access(struct an_callrun *r, int path, struct an_ref ref,
			 enum an_event event, uint64_t cost[AN_N_EVENTS])
{
	struct an_hierarchy *h = &r->hierarchy;
	int levels = 0;

	cost[event]++;
	if (r->counts_only)
		return;
	if (!h->separate_l1 ||
	    an_l1_access(&h->l1[path], ref.addr, ref.size, ref.write))
		levels = an_hierarchy_access(h, path, ref.addr, ref.size,
					     ref.write);
	cost[event + 1] += levels > 0;
	cost[event + 2] += levels == h->depth[path];
}

/* Count an instruction and its data accesses, from number @access on. Return:
   the number of the next access. */
static unsigned count_instr(struct an_callrun *r, struct an_code_position place,
			    unsigned access, unsigned n_accesses,
			    const uint32_t *slots, uint64_t cost[AN_N_EVENTS])
{
	const struct an_block *b = place.block;
	const struct pt_instr *i = &b->instr[place.instr];
	struct an_ref ref = {i->addr, i->len, false};

	count_access(r, AN_INSTRUCTION, ref, AN_IR, cost);
	for (; access < n_accesses && b->access[access].instr <= place.instr;
	     access++)
		if (an_block_ref(b, r->hierarchy.smallest_line, access, slots,
				 &ref))
			count_access(r, AN_DATA, ref,
				     b->access[access].kind == PT_STORE ? AN_DW
									: AN_DR,
				     cost);
	return access;
}

/* Update the call stack before an instruction that control may have reached
   from elsewhere. If it is not the first of its block, Valgrind has continued
   the block at the target of a jump or a call. A call is recognised by its
   store of the return address; a string instruction also stores, but jumps to
   itself. @access: number of the next access. */
static int enter_instr(struct an_callrun *r, struct an_code_position place,
		       unsigned access, struct an_thread **t)
{
	struct an_code_position from = {place.block, place.instr - 1};
	const struct pt_access *a = place.block->access + access - 1;
	const struct pt_instr *to = &place.block->instr[place.instr];
	bool is_call = place.instr > 0 && access > 0 &&
		       a->instr == from.instr && a->kind == PT_STORE &&
		       a->size == 8 && to->addr != to[-1].addr;

	if (place.instr > 0)
		an_call_stacks_end_exec(
			*t, from, is_call ? PT_JUMP_CALL : PT_JUMP_BORING);
	return an_call_stacks_begin_instr(&r->stacks, place, t);
}

static int execute(struct an_callrun *r, const struct an_batch *batch,
		   struct an_exec e)
{
	const struct an_block_functions *entries = &r->stacks.block[e.block];
	const struct pt_exit *x = &entries->block->exit[an_exit(e)];
	struct an_code_position place = {entries->block, 0};
	struct an_thread *t = NULL;
	unsigned access = 0;
	int err = 0;

	for (; place.instr < x->n_instrs && !err; place.instr++) {
		uint64_t cost[AN_N_EVENTS] = {0};

		if (place.instr == 0 ||
		    entries->instr[place.instr].is_discontinuous)
			err = enter_instr(r, place, access, &t);
		if (err)
			return err;
		access = count_instr(r, place, access, x->n_accesses,
				     batch->slots + an_exec_slot_offset(e),
				     cost);
		for (int i = 0; i < AN_N_EVENTS; i++)
			t->cost[i] += cost[i];
		err = r->add_cost(r->stacks.owner, an_call_stacks_top_frame(t),
				  place, cost);
	}
	place.instr--;
	if (t != NULL)
		an_call_stacks_end_exec(t, place, x->jump);
	return err;
}

/* Simulate the caches for an execution in a warm-up batch; costs and call
   stacks do not change. */
static void warm_up(struct an_callrun *r, const struct an_batch *batch,
		    struct an_exec e)
{
	const struct an_block *b = r->stacks.block[e.block].block;
	const struct pt_exit *x = &b->exit[an_exit(e)];
	uint64_t cost[AN_N_EVENTS] = {0};
	unsigned access = 0;

	for (unsigned i = 0; i < x->n_instrs; i++)
		access = count_instr(r, (struct an_code_position){b, i}, access,
				     x->n_accesses,
				     batch->slots + an_exec_slot_offset(e),
				     cost);
}

int an_callrun_run(struct an_callrun *r, const struct an_batch *batch)
{
	size_t mark = 0;
	int err = 0;

	for (int path = 0; r->hierarchy.separate_l1 && path < 2; path++)
		an_l1_renumber_times(&r->hierarchy.l1[path]);
	for (size_t i = 0; batch->warm && i < batch->n_execs; i++)
		warm_up(r, batch, batch->exec[i]);
	if (batch->warm)
		return 0;
	for (size_t i = 0; i < batch->n_execs && !err; i++) {
		for (; mark < batch->n_marks &&
		       batch->mark[mark].before_exec <= i;
		     mark++)
			an_call_stacks_add_mark(&r->stacks, &batch->mark[mark]);
		err = execute(r, batch, batch->exec[i]);
	}
	for (; mark < batch->n_marks; mark++)
		an_call_stacks_add_mark(&r->stacks, &batch->mark[mark]);
	if (!err && an_hierarchy_has_failed(&r->hierarchy))
		err = -ENOMEM;
	return err;
}

void an_callrun_release(struct an_callrun *r)
{
	an_hierarchy_release(&r->hierarchy);
	an_call_stacks_release(&r->stacks);
}

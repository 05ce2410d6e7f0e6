/* SPDX-License-Identifier: GPL-2.0-or-later */
/* call_run.c - runs batches for analyses of calls; see call_run.h */

#include "analyzers/callgraph/call_run.h"

#include <errno.h>

#include <string.h>

#include "analyzers/cache/model/access_runs.h"

int an_callrun_lazy_init_add_block(struct an_callrun *r,
				   const struct an_block *block)
{
	const struct an_env *env = r->stacks.env;
	int err = 0;

	if (r->hierarchy.geometry == NULL)
		err = an_hierarchy_init(&r->hierarchy, env->geometry);
	return err ? err
		   : an_call_stacks_add_functions_of_block(&r->stacks, block);
}

/* Count an access in @cost and, unless r->counts_only is set, simulate it and
   count its misses. @event: event of the access (AN_IR, AN_DR or AN_DW); the
   two after it are misses of the first and of the last level. */
static void simulate_and_count_access(struct an_callrun *r, int path,
				      struct an_ref ref, enum an_event event,
				      uint64_t cost[AN_N_EVENTS])
{
	struct an_hierarchy *h = &r->hierarchy;
	int levels = 0;

	cost[event]++;
	if (r->counts_only)
		return;
	if (!h->separate_l1 ||
	    an_l1_simulate_access_is_miss(&h->l1[path], ref.addr, ref.size,
					  ref.write))
		levels = an_hierarchy_use_below_l1_missed_count(
			h, path, ref.addr, ref.size, ref.write);
	cost[event + 1] += levels > 0;
	cost[event + 2] += levels == h->depth[path];
}

/* Simulate an instruction and its data accesses from number @next_access up to
   and without @end_access, and count them in @cost. Return: number of the first
   access after them. */
static unsigned
simulate_and_count_instr(struct an_callrun *r, struct an_code_position position,
			 unsigned next_access, unsigned end_access,
			 const uint32_t *slots, uint64_t cost[AN_N_EVENTS])
{
	const struct an_block *b = position.block;
	const struct pt_instr *i = &b->instr[position.instr];
	struct an_ref ref = {i->addr, i->len, false};

	simulate_and_count_access(r, AN_INSTRUCTION, ref, AN_IR, cost);
	for (; next_access < end_access &&
	       b->access[next_access].instr <= position.instr;
	     next_access++)
		if (an_block_compute_access_ref(b, r->hierarchy.smallest_line,
						next_access, slots, &ref))
			simulate_and_count_access(
				r, AN_DATA, ref,
				b->access[next_access].kind == PT_STORE ? AN_DW
									: AN_DR,
				cost);
	return next_access;
}

/* Update the call stack before an instruction that is the first of its block,
   or not adjacent to the one before it, or of another function. If it is not
   adjacent, Valgrind has continued the block at the target of a jump or a call.
   A call is recognised by its store of the return address; a string instruction
   also stores, but jumps to itself. @n_accesses_before_instr: number of the
   next access. */
static int update_stack_before_nonadjacent_instr(
	struct an_callrun *r, struct an_code_position position,
	unsigned n_accesses_before_instr, struct an_thread **thread_inout)
{
	struct an_code_position from = {position.block, position.instr - 1};
	const struct pt_access *a =
		position.block->access + n_accesses_before_instr - 1;
	const struct pt_instr *to = &position.block->instr[position.instr];
	bool is_call = position.instr > 0 && n_accesses_before_instr > 0 &&
		       a->instr == from.instr && a->kind == PT_STORE &&
		       a->size == 8 && to->addr != to[-1].addr;

	if (position.instr > 0)
		an_call_stacks_record_exec_end(*thread_inout, from,
					       is_call ? PT_JUMP_CALL
						       : PT_JUMP_BORING);
	return an_call_stacks_update_for_instr(&r->stacks, position,
					       thread_inout);
}

static int simulate_exec_and_charge_frames(struct an_callrun *r,
					   const struct an_batch *batch,
					   struct an_exec e)
{
	const struct an_block_functions *functions = &r->stacks.block[e.block];
	const struct pt_exit *x =
		&functions->block->exit[an_exec_exit_number(e)];
	struct an_code_position position = {functions->block, 0};
	struct an_thread *t = NULL;
	unsigned access = 0;
	int err = 0;

	for (; position.instr < x->n_instrs && !err; position.instr++) {
		uint64_t cost[AN_N_EVENTS] = {0};

		if (position.instr == 0 ||
		    functions->instr[position.instr].is_discontinuous)
			err = update_stack_before_nonadjacent_instr(r, position,
								    access, &t);
		if (err)
			return err;
		access = simulate_and_count_instr(
			r, position, access, x->n_accesses,
			batch->slots + an_exec_first_slot_word_index(e), cost);
		for (int i = 0; i < AN_N_EVENTS; i++)
			t->cost[i] += cost[i];
		err = r->add_cost(r->stacks.owner, an_call_stacks_top_frame(t),
				  position, cost);
	}
	position.instr--;
	if (t != NULL)
		an_call_stacks_record_exec_end(t, position, x->jump);
	return err;
}

/* Simulate the caches for an execution in a warm-up batch; costs and call
   stacks do not change. */
static void simulate_warmup_exec_caches_only(struct an_callrun *r,
					     const struct an_batch *batch,
					     struct an_exec e)
{
	const struct an_block *b = r->stacks.block[e.block].block;
	const struct pt_exit *x = &b->exit[an_exec_exit_number(e)];
	uint64_t cost[AN_N_EVENTS] = {0};
	unsigned access = 0;

	for (unsigned i = 0; i < x->n_instrs; i++)
		access = simulate_and_count_instr(
			r, (struct an_code_position){b, i}, access,
			x->n_accesses,
			batch->slots + an_exec_first_slot_word_index(e), cost);
}

int an_callrun_simulate_batch_and_add_costs(struct an_callrun *r,
					    const struct an_batch *batch)
{
	size_t mark = 0;
	int err = 0;

	for (int path = 0; r->hierarchy.separate_l1 && path < 2; path++)
		an_l1_renumber_times_if_due(&r->hierarchy.l1[path]);
	for (size_t i = 0; batch->warm && i < batch->n_execs; i++)
		simulate_warmup_exec_caches_only(r, batch, batch->exec[i]);
	if (batch->warm)
		return 0;
	for (size_t i = 0; i < batch->n_execs && !err; i++) {
		for (; mark < batch->n_marks &&
		       batch->mark[mark].before_exec <= i;
		     mark++)
			an_call_stacks_apply_mark(&r->stacks,
						  &batch->mark[mark]);
		err = simulate_exec_and_charge_frames(r, batch, batch->exec[i]);
	}
	for (; mark < batch->n_marks; mark++)
		an_call_stacks_apply_mark(&r->stacks, &batch->mark[mark]);
	if (!err && an_hierarchy_ran_out_of_memory(&r->hierarchy))
		err = -ENOMEM;
	return err;
}

void an_callrun_release_caches_and_stacks(struct an_callrun *r)
{
	an_hierarchy_release(&r->hierarchy);
	an_call_stacks_release(&r->stacks);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* executions.c - follows the executions of blocks: the transfers of control
   between and inside them; and lists their accesses in runs of loops */

#include <errno.h>

#include "analyzers/loops/loops.h"
#include "base/tables/array.h"

enum { MAX_THREAD = (1 << 20) - 1 };

/* Return the address of the last access of instruction @instr in execution @e:
   where a call stores its return address, and a return loads it. 0: the
   instruction has no access. */
static uint64_t address_of_last_access(const struct an_loop_state *l,
				       struct an_exec e, unsigned instr)
{
	const struct an_block *b = l->block[e.block].block;
	unsigned n = b->exit[an_exec_exit_number(e)].n_accesses;
	const struct pt_access *a;

	while (n > 0 && b->access[n - 1].instr > instr)
		n--;
	if (n == 0 || b->access[n - 1].instr != instr)
		return 0;
	a = &b->access[n - 1];
	return a->delta + (a->slot == PT_NO_SLOT
				   ? 0
				   : an_exec_slot_value(l->batch, e, a->slot));
}

/* Set t->stack_access from the last instruction of execution @e, which left its
   block by @exit, if it is a call or return; from the instruction before an
   indirect jump, which is a return if that instruction pops its target. */
static void set_stack_access_of_last_instr(const struct an_loop_state *l,
					   struct an_loop_thread *t,
					   struct an_exec e,
					   const struct an_loop_exit *exit)
{
	const uint32_t *node = l->block[e.block].node;
	unsigned last = exit->n_instrs - 1u;
	const struct an_instr_node *n = &l->code.node[node[last]];

	if (n->branch_kind == AN_BRANCH_CALL ||
	    n->branch_kind == AN_BRANCH_RETURN)
		t->stack_access = address_of_last_access(l, e, last);
	else if (n->branch_kind == AN_BRANCH_JUMP && n->is_indirect)
		t->stack_access =
			last == 0 || l->code.node[node[last - 1]].branch_kind !=
						AN_BRANCH_NONE
				? 0
				: address_of_last_access(l, e, last - 1);
}

/* Push the frame of the call before instruction @instr of execution @e. Return:
   0 or -ENOMEM. */
static int push_frame_of_inner_call(struct an_loop_state *l,
				    struct an_loop_thread *t, struct an_exec e,
				    unsigned instr)
{
	const uint32_t *node = l->block[e.block].node;

	t->stack_access = address_of_last_access(l, e, instr - 1);
	return an_loops_push_call_frame(l, t, node[instr - 1], node[instr]);
}

/* Set the function of @node, which the thread executes in its top frame, if it
   was not executed before; tail() needs it for dependences. */
static void set_function_of_node_if_unset(struct an_loop_state *l,
					  const struct an_loop_thread *t,
					  uint32_t node)
{
	uint32_t entry = t->frame[t->n_frames - 1].entry;

	if (l->node[node].function != 0)
		return;
	l->node[node].function = entry + 1;
	if (l->of != NULL)
		an_loops_append_event(l->inflight_of_batch,
				      (struct an_loop_access_group){
					      .event = AN_LOOP_NODE_FUNCTION,
					      .index = node,
					      .value = entry});
}

/* Follow all transfers inside an execution that leaves its block by an exit for
   the first time: add their edges to the graph, and list its accesses.
   @executed_instr_count: executed instructions. Return: 0 or -ENOMEM. */
static int follow_new_transfers_and_list_accesses(struct an_loop_state *l,
						  struct an_loop_thread *t,
						  struct an_exec e,
						  unsigned executed_instr_count)
{
	const struct an_loop_block *b = &l->block[e.block];
	int err;

	set_function_of_node_if_unset(l, t, b->node[0]);
	err = an_loops_list_accesses_of_instr(l, t, e, 0);
	for (unsigned i = 1; i < executed_instr_count && !err; i++) {
		int64_t back = 0;

		if (an_loops_is_after_call(l, b, i))
			err = push_frame_of_inner_call(l, t, e, i);
		else if (!an_loops_is_rep_prefix_repetition(l, b->node[i - 1],
							    b->node[i]))
			back = an_loops_follow_edge_get_back_edge(
				l, t, b->node[i - 1], b->node[i]);
		if (back < 0)
			return (int)back;
		set_function_of_node_if_unset(l, t, b->node[i]);
		if (!err)
			err = an_loops_list_accesses_of_instr(l, t, e, i);
	}
	return err;
}

/* List the accesses @first_access to @end_access - 1 of @list, that of the
   execution's block, in groups of one loop. Accesses in no run of a loop are
   left out, unless a run of a chosen loop is active. Return: 0 or -ENOMEM. */
static int list_accesses_grouped_by_loop(struct an_loop_state *l,
					 const struct an_loop_thread *t,
					 const struct an_loop_access_list *list,
					 struct an_exec e,
					 unsigned first_access,
					 unsigned end_access)
{
	struct an_loop_access_group group = {
		.first_slot_word = an_exec_first_slot_word_index(e)};
	int err = 0;

	for (unsigned end; first_access < end_access && !err;
	     first_access = end) {
		const struct an_loop_access_place *p =
			&list->place[first_access];
		const struct an_loop_run *run = t->top_run;

		end = p->end_of_loop < end_access ? p->end_of_loop : end_access;
		if (run->loop != p->loop)
			run = an_loops_newest_top_frame_run_or_null(t, p->loop);
		if (run == NULL && t->n_chosen == 0)
			continue;
		group.access = &list->access[first_access];
		group.run = run == NULL ? 0 : run->number;
		group.lane = run == NULL ? 0 : run->lane;
		group.n_accesses = (uint16_t)(end - first_access);
		err = an_loops_append_access_group(l->inflight_of_batch, group);
	}
	return err;
}

/* Follow the edge to the header of loop @loop_index if it is a back edge and
   the loop's run is the newest of the top frame and not chosen. Return: whether
   the edge was followed. */
static inline bool
iterate_unchosen_newest_run_if_back_edge(struct an_loop_thread *t,
					 uint32_t loop_index,
					 uint32_t back_edge_number_or_0)
{
	struct an_loop_run *r = t->top_run;

	if (back_edge_number_or_0 == 0 || r->loop != loop_index || r->is_chosen)
		return false;
	r->iterations++;
	return true;
}

/* Follow the transfer of control @event inside execution @e, which is no back
   edge to the header of the newest run, unless that run is of a chosen loop.
   Return: 0 or -ENOMEM. */
static int follow_inner_transfer(struct an_loop_state *l,
				 struct an_loop_thread *t, struct an_exec e,
				 const struct an_loop_event *event)
{
	return event->is_call ? push_frame_of_inner_call(l, t, e, event->instr)
			      : an_loops_iterate_or_begin_run(l, t, event->loop,
							      event->back);
}

/* Call list_accesses_grouped_by_loop() for block @b unless there is no access.
   */
static inline int list_groups_of_accesses_if_any(struct an_loop_state *l,
						 const struct an_loop_thread *t,
						 const struct an_loop_block *b,
						 struct an_exec e,
						 unsigned first_access,
						 unsigned end_access)
{
	return first_access == end_access
		       ? 0
		       : list_accesses_grouped_by_loop(
				 l, t, b->list, e, first_access, end_access);
}

static int follow_transfers_inside_exec(struct an_loop_state *l,
					struct an_loop_thread *t,
					struct an_exec e,
					const struct an_loop_exit *exit)
{
	const struct an_loop_block *b = &l->block[e.block];
	unsigned first_access = 0;
	int err = 0;

	for (unsigned i = 0; i < b->n_events && !err; i++) {
		const struct an_loop_event *v = &b->event[i];

		if (v->instr >= exit->n_instrs)
			break;
		/* Accesses before and after such a back edge are in the same
		   runs. */
		if (iterate_unchosen_newest_run_if_back_edge(t, v->loop,
							     v->back))
			continue;
		err = list_groups_of_accesses_if_any(l, t, b, e, first_access,
						     v->first_access);
		first_access = v->first_access;
		if (!err)
			err = follow_inner_transfer(l, t, e, v);
	}
	return err ? err
		   : list_groups_of_accesses_if_any(l, t, b, e, first_access,
						    exit->n_listed);
}

/* Follow an execution that leaves its block by @exit for the first time; the
   next one lists the block anew. Return: 0 or -ENOMEM. */
static int follow_first_exec_that_takes_block_exit(struct an_loop_state *l,
						   struct an_loop_thread *t,
						   struct an_exec e,
						   struct an_loop_exit *exit)
{
	exit->is_seen = true;
	l->block[e.block].generation = 0;
	return follow_new_transfers_and_list_accesses(l, t, e, exit->n_instrs);
}

/* Find the run of the loop of an execution by @block_exit, whose members
   describe it, of a block that follows exit @previous_block_exit by a known
   edge, which is counted. @run_out: receives the run; NULL: none is concerned.
   Return: false, with nothing changed, if a run of that loop begins. */
static inline bool
try_follow_known_edge(struct an_loop_state *l, const struct an_loop_thread *t,
		      const struct an_loop_exit *previous_block_exit,
		      const struct an_loop_exit *block_exit,
		      struct an_loop_run **run_out)
{
	struct an_loop_run *run = t->top_run;

	*run_out = NULL;
	if (block_exit->begins_at_header && previous_block_exit->back == 0)
		return false;
	if (run->loop != block_exit->loop) {
		if (block_exit->loop == AN_NO_LOOP)
			return true;
		run = an_loops_newest_top_frame_run_or_null(t,
							    block_exit->loop);
		if (run == NULL)
			return block_exit->n_headers == 0;
	}
	l->back_count[previous_block_exit->back]++;
	*run_out = run;
	return true;
}

/* Follow an execution by @exit as try_follow_known_edge() describes it: iterate
   the loop of its headers, and append its accesses at *@group. Return: false,
   with nothing changed, if a run of that loop begins. */
static inline bool try_follow_exec_unless_run_begins(
	struct an_loop_state *l, struct an_loop_thread *t,
	const struct an_loop_exit *last, const struct an_loop_exit *exit,
	const struct an_loop_access_list *list, struct an_exec e,
	struct an_loop_access_group **group)
{
	struct an_loop_run *run;

	if (!try_follow_known_edge(l, t, last, exit, &run))
		return false;
	if (run == NULL)
		return true;
	if (run != t->top_run && exit->n_headers > 0)
		an_loops_end_runs_begun_after(l, t, run);
	run->iterations += exit->n_headers;
	if (exit->n_listed > 0)
		*(*group)++ = (struct an_loop_access_group){
			.access = list->access,
			.run = run->number,
			.lane = run->lane,
			.first_slot_word = an_exec_first_slot_word_index(e),
			.n_accesses = exit->n_listed};
	return true;
}

/* Append the accesses @first to @end - 1 of b->list, made by execution @e in
   run @run of a loop (NULL: in none), to the list of the chunk.
   @begins_iteration: the run, which is of a chosen loop, begins an iteration
   before them. */
static inline __attribute__((always_inline)) void
append_access_group_of_run(struct an_loop_state *l,
			   const struct an_loop_run *run, bool begins_iteration,
			   const struct an_loop_block *b, unsigned first,
			   unsigned end, struct an_exec e)
{
	if (begins_iteration || end > first)
		an_loops_append_event(
			l->inflight_of_batch,
			(struct an_loop_access_group){
				.access = b->list == NULL
						  ? NULL
						  : &b->list->access[first],
				.run = run == NULL ? 0 : run->number,
				.lane = run == NULL ? 0 : run->lane,
				.first_slot_word =
					an_exec_first_slot_word_index(e),
				.n_accesses = (uint16_t)(end - first),
				.event = begins_iteration ? AN_LOOP_ITERATES
							  : AN_LOOP_NO_EVENT});
}

/* Begin the next iteration of @run, which ends the runs inside it. Return:
   whether it is of a chosen loop. */
static inline bool begin_next_iteration_is_chosen_loop(struct an_loop_state *l,
						       struct an_loop_thread *t,
						       struct an_loop_run *run)
{
	if (run != t->top_run)
		an_loops_end_runs_begun_after(l, t, run);
	run->iterations++;
	return run->is_chosen;
}

/* Follow an execution like try_follow_exec_unless_run_begins(), while a run of
   a chosen loop is active. The headers inside the block divide its
   accesses. */
static bool try_follow_exec_in_chosen_run(struct an_loop_state *l,
					  struct an_loop_thread *t,
					  const struct an_loop_exit *last,
					  const struct an_loop_exit *exit,
					  const struct an_loop_block *b,
					  struct an_exec e)
{
	unsigned first = 0, n_inside = exit->n_headers - exit->begins_at_header;
	struct an_loop_run *run;
	bool iterates;

	if (!try_follow_known_edge(l, t, last, exit, &run))
		return false;
	iterates = exit->begins_at_header &&
		   begin_next_iteration_is_chosen_loop(l, t, run);
	for (unsigned i = 0; i < n_inside; i++) {
		append_access_group_of_run(l, run, iterates, b, first,
					   b->event[i].first_access, e);
		first = b->event[i].first_access;
		iterates = begin_next_iteration_is_chosen_loop(l, t, run);
	}
	append_access_group_of_run(l, run, iterates, b, first, exit->n_listed,
				   e);
	return true;
}

/* Follow executions @first to @end - 1 up to one whose exit or transfer to its
   block is not known, or with which a run of a loop begins, or inside which
   more must be followed than back edges of one run. @is_chosen_run_active:
   t->n_chosen > 0. l->inflight_of_batch has room for a group of each execution.
   Return: the index of that execution; @end: there is none. */
static inline __attribute__((always_inline)) size_t
follow_execs_to_unknown_exit_or_new_run(struct an_loop_state *l,
					struct an_loop_thread *t,
					const struct an_batch *batch,
					size_t first, size_t end,
					bool is_chosen_run_active)
{
	struct an_loop_inflight *in = l->inflight_of_batch;
	struct an_loop_access_group *group = in->group + in->n_groups;
	struct an_loop_exit *last = t->last_exit;
	const struct an_loop_block *block = l->block;
	const uint32_t generation = l->generation;
	size_t i = last == NULL ? end : first;

	for (; i < end; i++) {
		struct an_exec e = batch->exec[i];
		const struct an_loop_block *b = &block[e.block];
		struct an_loop_exit *exit = &b->exit[an_exec_exit_number(e)];

		if (exit->plain_generation != generation ||
		    last->follower != e.block + 1 ||
		    !(is_chosen_run_active
			      ? try_follow_exec_in_chosen_run(l, t, last, exit,
							      b, e)
			      : try_follow_exec_unless_run_begins(
					l, t, last, exit, b->list, e, &group)))
			break;
		last = exit;
	}
	if (last == NULL || i == first)
		return first;
	t->block = batch->exec[i - 1].block;
	t->last_exit = last;
	set_stack_access_of_last_instr(l, t, batch->exec[i - 1], last);
	if (!is_chosen_run_active)
		in->n_groups = (size_t)(group - in->group);
	return i;
}

/* Whether block @b, number @block_id, is known to follow the exit that thread
   @t took last, and does not begin at the header of a loop. */
static inline bool is_known_nonheader_follower(const struct an_loop_state *l,
					       const struct an_loop_thread *t,
					       const struct an_loop_block *b,
					       uint32_t block_id)
{
	return b->generation == l->generation && b->header_of == 0 &&
	       t->last_exit != NULL && t->last_exit->follower == block_id + 1;
}

static int follow_execution(struct an_loop_state *l, struct an_loop_thread *t,
			    struct an_exec e)
{
	struct an_loop_block *b = &l->block[e.block];
	struct an_loop_exit *exit = &b->exit[an_exec_exit_number(e)];
	int err = 0;

	if (exit->n_instrs == 0)
		return 0;
	if (!is_known_nonheader_follower(l, t, b, e.block))
		err = an_loops_follow_last_exit_to_block(l, t, e.block);
	if (!err && exit->is_seen && b->generation != l->generation)
		err = an_loops_update_block_lists(l, b);
	if (!err && exit->is_seen)
		err = follow_transfers_inside_exec(l, t, e, exit);
	else if (!err)
		err = follow_first_exec_that_takes_block_exit(l, t, e, exit);
	t->block = e.block;
	t->last_exit = exit;
	set_stack_access_of_last_instr(l, t, e, exit);
	return err;
}

/* Follow executions @first to @end - 1 of a batch, between which there are no
   marks. Return: 0 or -ENOMEM. */
static int follow_execs_of_running_thread(struct an_loop_state *l,
					  const struct an_batch *batch,
					  size_t first, size_t end)
{
	struct an_loop_thread *t;
	int err = 0;

	if (first >= end)
		return 0;
	if (al_array_reserve_zeroed(l->thread, l->n_threads, l->running + 1u) !=
	    0)
		return -ENOMEM;
	t = &l->thread[l->running];
	while (first < end && !err) {
		err = an_loops_reserve_groups(l->inflight_of_batch,
					      end - first);
		if (!err && t->n_chosen > 0)
			first = follow_execs_to_unknown_exit_or_new_run(
				l, t, batch, first, end, true);
		else if (!err)
			first = follow_execs_to_unknown_exit_or_new_run(
				l, t, batch, first, end, false);
		if (first < end && !err)
			err = follow_execution(l, t, batch->exec[first++]);
	}
	return err;
}

static void expect_signal_handler(struct an_loop_thread *t)
{
	t->signalled = true;
	t->last_exit = NULL;
}

static void switch_thread(struct an_loop_state *l, uint32_t thread)
{
	l->running = thread;
	if (l->of != NULL)
		an_loops_append_event(l->inflight_of_batch,
				      (struct an_loop_access_group){
					      .event = AN_LOOP_THREAD_SWITCH,
					      .index = thread});
}

static void update_threads_for_mark(struct an_loop_state *l,
				    const struct an_mark *m)
{
	if (m->kind == PT_THREAD)
		switch_thread(l, m->id & MAX_THREAD);
	else if (m->kind == PT_SIGNAL && l->running < l->n_threads)
		expect_signal_handler(&l->thread[l->running]);
	else if (m->kind == PT_THREAD_END && m->id < l->n_threads)
		an_loops_end_runs_and_reset_thread(l, &l->thread[m->id]);
	else if (m->kind == PT_WINDOW_OPEN)
		an_loops_end_runs_and_reset_threads(l);
}

int an_loops_follow_batch(struct an_loop_state *l, const struct an_batch *batch)
{
	size_t exec = 0;
	int err = 0;

	l->batch = batch;
	l->inflight_of_batch = &l->inflight[batch->inflight_slot];
	for (size_t i = 0; i <= batch->n_marks && !err; i++) {
		size_t end = i < batch->n_marks ? batch->mark[i].before_exec
						: batch->n_execs;

		err = follow_execs_of_running_thread(l, batch, exec, end);
		exec = end;
		if (i < batch->n_marks)
			update_threads_for_mark(l, &batch->mark[i]);
	}
	return !err && l->inflight_of_batch->lacks_events ? -ENOMEM : err;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * runs.c - follows the calls and loops of threads
 *
 * A run of a loop begins when its header is reached by another edge than a back
 * edge, or as the first instruction of a called function. The run ends when its
 * function reaches the header by such an edge again, when a loop around it
 * iterates or begins a new run, or when its function is left. Between, each
 * back edge is an iteration more. A back edge continues the last run: the
 * header dominates its source, so the function has passed the header, and every
 * instruction since belongs to the body. A back edge without a run, such as the
 * one by which the loop is found, begins one with 2 iterations.
 */
#include <errno.h>
#include <stdlib.h>

#include "analyzers/loops/loops.h"
#include "base/tables/array.h"

/* ---- runs ---- */

static void add_ended_run_to_loop_statistics(struct an_loop_state *l,
					     const struct an_loop_run *r)
{
	struct an_loop *loop = &l->loop[r->loop];

	loop->runs++;
	if (r->iterations < loop->least)
		loop->least = r->iterations;
	if (r->iterations > loop->most)
		loop->most = r->iterations;
}

/* Set t->top_run after the runs or frames of thread @t have changed. */
static void set_top_run(struct an_loop_thread *t)
{
	static struct an_loop_run no_run = {.loop = UINT32_MAX};
	bool has_run = t->n_frames > 0 &&
		       t->n_runs > t->frame[t->n_frames - 1].first_run;

	t->top_run = has_run ? &t->run[t->n_runs - 1] : &no_run;
}

/* Append an event of thread @t, with the number of runs or calls that remain
   active after it. It is not inline, because it is called only if the option
   `of` names functions. */
static __attribute__((noinline)) void append_thread_event_remaining_count(
	struct an_loop_state *l, const struct an_loop_thread *t,
	enum an_loop_event_kind event, size_t remaining_count)
{
	an_loops_append_event(l->inflight_of_batch,
			      (struct an_loop_access_group){
				      .event = event,
				      .index = (uint32_t)(t - l->thread),
				      .value = remaining_count});
}

/* End the newest runs of loops in thread @t until @remaining_count runs remain,
   without an event. */
static inline void end_runs_until_count_without_event(struct an_loop_state *l,
						      struct an_loop_thread *t,
						      size_t remaining_count)
{
	while (t->n_runs > remaining_count) {
		const struct an_loop_run *r = &t->run[--t->n_runs];

		add_ended_run_to_loop_statistics(l, r);
		an_run_lanes_mark_lane_unused(&l->loop[r->loop].lanes, r->lane);
	}
	set_top_run(t);
}

/* End runs like end_runs_until_count_remains(), and append the event that runs
   of chosen loops end, if any does. */
static __attribute__((noinline)) void
end_runs_with_event_if_chosen_ones_end(struct an_loop_state *l,
				       struct an_loop_thread *t,
				       size_t remaining_count)
{
	size_t n_chosen = t->n_chosen;

	for (size_t i = remaining_count; i < t->n_runs; i++)
		t->n_chosen -= t->run[i].is_chosen;
	if (t->n_chosen != n_chosen)
		append_thread_event_remaining_count(l, t, AN_LOOP_RUNS_END,
						    t->n_chosen);
	end_runs_until_count_without_event(l, t, remaining_count);
}

/* End the newest runs of loops in thread @t until @remaining_count runs remain.
   */
static void end_runs_until_count_remains(struct an_loop_state *l,
					 struct an_loop_thread *t,
					 size_t remaining_count)
{
	if (t->n_chosen > 0)
		end_runs_with_event_if_chosen_ones_end(l, t, remaining_count);
	else
		end_runs_until_count_without_event(l, t, remaining_count);
}

void an_loops_end_runs_begun_after(struct an_loop_state *l,
				   struct an_loop_thread *t,
				   const struct an_loop_run *run)
{
	end_runs_until_count_remains(l, t, (size_t)(run - t->run) + 1);
}

static int push_new_run_of_loop(struct an_loop_state *l,
				struct an_loop_thread *t, uint32_t loop_index,
				uint64_t initial_iterations)
{
	struct an_loop_run *r;
	int lane;

	if (al_array_reserve_zeroed(t->run, t->max_runs, t->n_runs + 1) != 0)
		return -ENOMEM;
	lane = an_run_lanes_reserve_free_lane(&l->loop[loop_index].lanes);
	if (lane < 0)
		return lane;
	r = &t->run[t->n_runs++];
	r->loop = loop_index;
	r->lane = (uint16_t)lane;
	r->iterations = initial_iterations;
	r->number = ++l->n_runs;
	r->is_chosen = l->loop[loop_index].is_chosen;
	set_top_run(t);
	if (!r->is_chosen)
		return 0;
	t->n_chosen++;
	return an_loops_append_access_group(
		l->inflight_of_batch,
		(struct an_loop_access_group){
			.event = AN_LOOP_RUN_BEGINS,
			.value = l->loop[loop_index].header,
			.run = r->number,
			.index = loop_index,
			.n_accesses = (uint16_t)initial_iterations});
}

struct an_loop_run *
an_loops_newest_top_frame_run_or_null(const struct an_loop_thread *t,
				      uint32_t loop_index)
{
	size_t first = t->frame[t->n_frames - 1].first_run;

	for (size_t i = t->n_runs; i > first; i--)
		if (t->run[i - 1].loop == loop_index)
			return &t->run[i - 1];
	return NULL;
}

int an_loops_iterate_or_begin_run(struct an_loop_state *l,
				  struct an_loop_thread *t, uint32_t loop_index,
				  uint32_t back_edge_number_or_0)
{
	struct an_loop_run *r =
		an_loops_newest_top_frame_run_or_null(t, loop_index);

	if (back_edge_number_or_0 != 0 && r != NULL) {
		an_loops_end_runs_begun_after(l, t, r);
		r->iterations++;
		return r->is_chosen ? an_loops_append_access_group(
					      l->inflight_of_batch,
					      (struct an_loop_access_group){
						      .event = AN_LOOP_ITERATES,
						      .run = r->number})
				    : 0;
	}
	if (r != NULL)
		end_runs_until_count_remains(l, t, (size_t)(r - t->run));
	return push_new_run_of_loop(l, t, loop_index,
				    back_edge_number_or_0 != 0 ? 2 : 1);
}

/* End the newest runs of loops in the top frame whose headers are in the body
   (stamped) of the loop of @header_node, up to one of that loop; then count
   that @header_node was reached. Called when a thread executes a back edge that
   is new. Return: 0 or -ENOMEM. */
static int end_inner_runs_and_iterate_header(struct an_loop_state *l,
					     struct an_loop_thread *t,
					     uint32_t header_node,
					     uint32_t back_edge_number_or_0)
{
	size_t first = t->frame[t->n_frames - 1].first_run;
	size_t n = t->n_runs;

	while (n > first) {
		uint32_t header = l->loop[t->run[n - 1].loop].header;

		if (header == header_node || l->node[header].stamp != l->stamp)
			break;
		n--;
	}
	end_runs_until_count_remains(l, t, n);
	return an_loops_iterate_or_begin_run(l, t,
					     l->node[header_node].header_of - 1,
					     back_edge_number_or_0);
}

/* ---- calls ---- */

/* Append the event that frame @pushed_frame is pushed while a run of a chosen
   loop is active. */
static __attribute__((noinline)) void
append_call_event_of_pushed_frame(struct an_loop_state *l,
				  struct an_loop_thread *t,
				  struct an_loop_frame *pushed_frame)
{
	pushed_frame->n_listed_before = t->n_listed_calls++;
	an_loops_append_event(
		l->inflight_of_batch,
		(struct an_loop_access_group){.event = AN_LOOP_CALL,
					      .index = pushed_frame->call});
}

/* Push frame @f, mark @entry_node as the entry of a function, and begin a run
   of a loop if the node is its header. Return: 0 or -ENOMEM. */
static int push_frame_at_entry(struct an_loop_state *l,
			       struct an_loop_thread *t, struct an_loop_frame f,
			       uint32_t entry_node)
{
	if (al_array_reserve_zeroed(t->frame, t->max_frames, t->n_frames + 1) !=
	    0)
		return -ENOMEM;
	f.first_run = (uint32_t)t->n_runs;
	if (t->n_chosen > 0)
		append_call_event_of_pushed_frame(l, t, &f);
	f.entry = entry_node;
	t->frame[t->n_frames++] = f;
	set_top_run(t);
	l->node[entry_node].is_entry = l->node[entry_node].is_reached = true;
	if (l->node[entry_node].header_of == 0)
		return 0;
	return push_new_run_of_loop(l, t, l->node[entry_node].header_of - 1, 1);
}

int an_loops_push_call_frame(struct an_loop_state *l, struct an_loop_thread *t,
			     uint32_t call_node, uint32_t entry_node)
{
	const struct an_instr_node *n = &l->code.node[call_node];

	return push_frame_at_entry(
		l, t,
		(struct an_loop_frame){.return_to = n->address + n->len,
				       .return_slot = t->stack_access,
				       .call = call_node},
		entry_node);
}

/* End the runs of the frames of thread @t from @oldest on, and append the event
   that their calls end, if these were listed. */
static __attribute__((noinline)) void
end_runs_and_calls_with_events(struct an_loop_state *l,
			       struct an_loop_thread *t,
			       const struct an_loop_frame *oldest)
{
	end_runs_with_event_if_chosen_ones_end(l, t, oldest->first_run);
	if (oldest->n_listed_before == t->n_listed_calls)
		return;
	t->n_listed_calls = oldest->n_listed_before;
	append_thread_event_remaining_count(l, t, AN_LOOP_CALLS_END,
					    t->n_listed_calls);
}

/* Remove frames of the thread until @remaining_count remain, and end the runs
   of loops that began in the removed frames. There are at least
   @remaining_count. */
static void pop_frames_and_end_their_runs(struct an_loop_state *l,
					  struct an_loop_thread *t,
					  size_t remaining_count)
{
	const struct an_loop_frame *oldest = &t->frame[remaining_count];

	if (t->n_frames > remaining_count && t->n_chosen > 0)
		end_runs_and_calls_with_events(l, t, oldest);
	else if (t->n_frames > remaining_count)
		end_runs_until_count_without_event(l, t, oldest->first_run);
	t->n_frames = remaining_count;
	set_top_run(t);
}

/* ---- transfers ---- */

int64_t an_loops_follow_edge_get_back_edge(struct an_loop_state *l,
					   struct an_loop_thread *t,
					   uint32_t from_node, uint32_t to_node)
{
	bool is_new_back;
	int64_t back = an_loops_find_or_add_edge_get_back_edge(
		l, from_node, to_node, &is_new_back);
	int err = 0;

	if (back < 0)
		return back;
	if (is_new_back)
		err = end_inner_runs_and_iterate_header(l, t, to_node,
							(uint32_t)back);
	else if (l->node[to_node].header_of)
		err = an_loops_iterate_or_begin_run(
			l, t, l->node[to_node].header_of - 1, (uint32_t)back);
	return err ? err : back;
}

/* Count an execution of the edge with an_loop_edge.back @back_number_or_error,
   between two blocks. Return: 0; @back_number_or_error if it is negative. */
static int count_edge_between_blocks(struct an_loop_state *l,
				     int64_t back_number_or_error)
{
	if (back_number_or_error < 0)
		return (int)back_number_or_error;
	l->back_count[back_number_or_error]++;
	return 0;
}

/* Return the number of frames that remain after a return to @address, which
   removes a frame and all newer ones: the newest frame with the return address
   in the memory from which the return loaded it, even if an exception has
   changed it; if there is none, the newest above the newest handler that
   returns to @address. All remain if there is none. */
static size_t count_frames_after_return(const struct an_loop_thread *t,
					uint64_t address)
{
	size_t n = t->n_frames;

	while (n > 1 && (t->stack_access == 0 ||
			 t->frame[n - 1].return_slot != t->stack_access))
		n--;
	if (n > 1)
		return n - 1;
	n = t->n_frames;
	while (n > 1 && !t->frame[n - 1].is_handler &&
	       t->frame[n - 1].return_to != address)
		n--;
	return n > 1 && !t->frame[n - 1].is_handler ? n - 1 : t->n_frames;
}

/* Return the number of frames that remain after an indirect jump, which is a
   return if its target was loaded from where a return address is, as at the
   end of a search for the handler of an exception. The stack grows down. */
static size_t
number_of_frames_after_indirect_jump(const struct an_loop_thread *t)
{
	size_t n = t->n_frames;

	while (n > 1 && t->frame[n - 1].return_slot < t->stack_access)
		n--;
	return n > 1 && t->frame[n - 1].return_slot == t->stack_access &&
			       t->stack_access != 0
		       ? n - 1
		       : t->n_frames;
}

/* Return the call that the instruction of @node follows; AN_NO_NODE: none was
   executed. */
static uint32_t find_call_before_node(const struct an_loop_state *l,
				      uint32_t node)
{
	enum { SHORTEST = 2, LONGEST = 8 }; /* [bytes] of a call */
	const struct an_instr_node *n = &l->code.node[node];

	for (unsigned len = SHORTEST; len <= LONGEST; len++) {
		int64_t call = an_code_map_find_node_or_newest(
			&l->code, n->address - len, n->version);

		if (call >= 0 && l->node[call].function != 0 &&
		    l->code.node[call].len == len &&
		    l->code.node[call].branch_kind == AN_BRANCH_CALL)
			return (uint32_t)call;
	}
	return AN_NO_NODE;
}

/* Remove frames until @remaining_count remain, and follow the edge to
   @target_node from the call that the thread leaves, if one is left. If none
   is, as when a coroutine continues, follow the edge from the call before
   @target_node; if there is none, mark @target_node as an entry. Return: 0 or
   -ENOMEM. */
static int leave_calls_and_follow_edge(struct an_loop_state *l,
				       struct an_loop_thread *t,
				       size_t remaining_count,
				       uint32_t target_node)
{
	uint32_t call = remaining_count < t->n_frames
				? t->frame[remaining_count].call
				: AN_NO_NODE;
	int64_t back;

	if (call == AN_NO_NODE)
		call = find_call_before_node(l, target_node);
	if (call == AN_NO_NODE) {
		l->node[target_node].is_entry =
			l->node[target_node].is_reached = true;
		return 0;
	}
	pop_frames_and_end_their_runs(l, t, remaining_count);
	back = an_loops_follow_edge_get_back_edge(l, t, call, target_node);
	return count_edge_between_blocks(l, back);
}

bool an_loops_is_jump_to_other_object(const struct an_loop_state *l,
				      uint32_t from, uint32_t to)
{
	const struct an_instr_node *f = &l->code.node[from],
				   *t = &l->code.node[to];
	struct an_symbol source, target;

	if (f->branch_kind != AN_BRANCH_JUMP || !f->is_indirect)
		return false;
	l->env->symbol(l->env->host, f->block, f->instr, &source);
	l->env->symbol(l->env->host, t->block, t->instr, &target);
	return source.object != target.object;
}

/* Whether the indirect jump from @from_node to @to_node leads behind a call in
   a function of another object file, as longjmp() does. */
static bool is_indirect_jump_like_longjmp(const struct an_loop_state *l,
					  uint32_t from_node, uint32_t to_node)
{
	return !l->node[to_node].is_entry && l->node[to_node].function != 0 &&
	       l->node[to_node].function != l->node[from_node].function &&
	       find_call_before_node(l, to_node) != AN_NO_NODE &&
	       an_loops_is_jump_to_other_object(l, from_node, to_node);
}

/* Return the number of frames that remain after a long jump to @node: the
   newest frame of its function, and all older ones; all if there is none. */
static size_t count_frames_to_function_of_node(const struct an_loop_state *l,
					       const struct an_loop_thread *t,
					       uint32_t node)
{
	size_t n = t->n_frames;

	while (n > 0 && t->frame[n - 1].entry + 1 != l->node[node].function)
		n--;
	return n > 0 ? n : t->n_frames;
}

/* Return whether the transfer between two nodes is an indirect jump that is a
   return, or a long jump. @remaining_count_out: receives the number of frames
   that then remain. */
static bool does_indirect_jump_leave_call(const struct an_loop_state *l,
					  const struct an_loop_thread *t,
					  uint32_t from_node, uint32_t to_node,
					  size_t *remaining_count_out)
{
	const struct an_instr_node *from = &l->code.node[from_node];

	if (from->branch_kind != AN_BRANCH_JUMP || !from->is_indirect)
		return false;
	*remaining_count_out = number_of_frames_after_indirect_jump(t);
	if (*remaining_count_out < t->n_frames)
		return true;
	*remaining_count_out = count_frames_to_function_of_node(l, t, to_node);
	return is_indirect_jump_like_longjmp(l, from_node, to_node);
}

/* Return whether the thread has left a signal handler by a system call at
   @from_node that did not continue after it but at @to_node; if so, remove the
   frames down to and including the handler's. @to_node may have no edge: the
   signal came before it. */
static bool pop_handler_if_left_by_system_call(struct an_loop_state *l,
					       struct an_loop_thread *t,
					       uint32_t from_node,
					       uint32_t to_node)
{
	size_t n = t->n_frames;

	if (l->code.node[from_node].branch_kind != AN_BRANCH_SYSTEM_CALL ||
	    an_node_is_followed_by_address(&l->code.node[from_node],
					   l->code.node[to_node].address))
		return false;
	while (n > 1 && !t->frame[n - 1].is_handler)
		n--;
	if (n <= 1)
		return false;
	l->node[to_node].is_reached = true;
	pop_frames_and_end_their_runs(l, t, n - 1);
	return true;
}

/* Follow the transfer from @from_node, the last instruction of an execution, to
   @to_node, the first one of the next. @back_number_out_unless_call_or_return:
   receives an_loop_edge.back if the transfer is no call, return, long jump,
   repetition or end of a handler, else is unchanged. Return: 0 or -ENOMEM. */
static int follow_transfer_between_blocks(
	struct an_loop_state *l, struct an_loop_thread *t, uint32_t from_node,
	uint32_t to_node, int64_t *back_number_out_unless_call_or_return)
{
	unsigned kind = l->code.node[from_node].branch_kind;
	size_t remaining_count;

	if (kind == AN_BRANCH_CALL)
		return an_loops_push_call_frame(l, t, from_node, to_node);
	if (kind == AN_BRANCH_RETURN)
		return leave_calls_and_follow_edge(
			l, t,
			count_frames_after_return(
				t, l->code.node[to_node].address),
			to_node);
	if (does_indirect_jump_leave_call(l, t, from_node, to_node,
					  &remaining_count))
		return leave_calls_and_follow_edge(l, t, remaining_count,
						   to_node);
	if (an_loops_is_rep_prefix_repetition(l, from_node, to_node))
		return an_loops_add_repetitions(l, to_node, 1);
	if (pop_handler_if_left_by_system_call(l, t, from_node, to_node))
		return 0;
	*back_number_out_unless_call_or_return =
		an_loops_follow_edge_get_back_edge(l, t, from_node, to_node);
	return count_edge_between_blocks(
		l, *back_number_out_unless_call_or_return);
}

/* Begin a frame for a signal handler, or for the first execution of a thread,
   at block @b. Return: 0 or -ENOMEM. */
static int push_frame_of_handler_or_thread(struct an_loop_state *l,
					   struct an_loop_thread *t,
					   const struct an_loop_block *b)
{
	struct an_loop_frame f = {.call = AN_NO_NODE,
				  .is_handler =
					  t->signalled && t->n_frames > 0};

	t->signalled = false;
	return push_frame_at_entry(l, t, f, b->node[0]);
}

int an_loops_follow_last_exit_to_block(struct an_loop_state *l,
				       struct an_loop_thread *t, uint32_t id)
{
	const struct an_loop_block *b = &l->block[id], *last;
	struct an_loop_exit *exit = t->last_exit;
	int64_t back = -1;
	int err;

	if (t->signalled || t->n_frames == 0 || exit == NULL)
		return push_frame_of_handler_or_thread(l, t, b);
	if (exit->follower == id + 1) {
		l->back_count[exit->back]++;
		return l->node[b->node[0]].header_of
			       ? an_loops_iterate_or_begin_run(
					 l, t,
					 l->node[b->node[0]].header_of - 1,
					 exit->back)
			       : 0;
	}
	last = &l->block[t->block];
	if (last->block->exit[exit - last->exit].jump == PT_JUMP_SIGNAL)
		return 0;
	err = follow_transfer_between_blocks(
		l, t, last->node[exit->n_instrs - 1], b->node[0], &back);
	if (!err && back >= 0) {
		exit->follower = id + 1;
		exit->back = (uint32_t)back & INT32_MAX;
	}
	return err;
}

void an_loops_end_runs_and_reset_thread(struct an_loop_state *l,
					struct an_loop_thread *t)
{
	pop_frames_and_end_their_runs(l, t, 0);
	if (l->of != NULL)
		append_thread_event_remaining_count(l, t, AN_LOOP_THREAD_RESET,
						    0);
	t->last_exit = NULL;
	t->signalled = false;
}

void an_loops_end_runs_and_reset_threads(struct an_loop_state *l)
{
	for (size_t i = 0; i < l->n_threads; i++)
		an_loops_end_runs_and_reset_thread(l, &l->thread[i]);
}

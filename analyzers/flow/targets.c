/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * targets.c - finds the targets of indirect branches, returns and system calls
 *
 * The target is what the thread executes next. A signal handler can come
 * between: the branch waits until the handler's system call continues the
 * interrupted code. Code that is executed before a window (a recorded part of
 * the run) opens is not recorded, so a branch that a thread executed before
 * that has no known target.
 */
#include <errno.h>
#include <stdlib.h>

#include "analyzers/flow/flow.h"
#include "base/tables/array.h"

enum { MAX_THREAD = (1 << 20) - 1, CACHE_SIZE = 1 << 12 };

/* Cache of the edges that were counted last; the index is a hash of both
   nodes. */
struct an_target_cache {
	struct {
		uint32_t from, to; /* nodes of the branch and of its target */
		uint32_t edge;	   /* number of the edge plus 1; 0: the entry is
				      empty */
	} entry[CACHE_SIZE];
};

static enum an_edge_kind
map_indirect_branch_to_edge_kind(const struct an_instr_node *branch)
{
	switch (branch->branch_kind) {
	case AN_BRANCH_CALL:
		return AN_EDGE_CALL;
	case AN_BRANCH_RETURN:
		return AN_EDGE_RETURN;
	case AN_BRANCH_SYSTEM_CALL:
		return AN_EDGE_SYSTEM_CALL;
	default:
		return AN_EDGE_INDIRECT;
	}
}

/* Return the number of an edge in t->edges, which is added with the count 0 if
   it is new; -1 if memory is short. */
static int64_t find_or_add_target_edge_number(struct an_flow_targets *t,
					      uint32_t branch_node,
					      uint32_t target_node,
					      enum an_edge_kind kind)
{
	struct al_key key = {{branch_node, target_node, kind}};
	int64_t i = al_key_table_find_or_add_index(&t->edges, &key);

	if (i < 0 ||
	    al_array_reserve_zeroed(t->count, t->max_counts, t->edges.n) != 0)
		return -1;
	return i;
}

/* Add 1 to the count of the edge from indirect branch @branch_node to
   @target_node; the kind of the edge follows from the branch. Return: 0 or
   -ENOMEM. */
static int increment_branch_target_count(struct an_flow *f,
					 uint32_t branch_node,
					 uint32_t target_node)
{
	struct an_flow_targets *t = &f->targets;
	uint32_t hash =
		(branch_node * 0x9e3779b1u ^ target_node * 0x85ebca6bu) >> 20;
	int64_t edge;

	if (t->cache->entry[hash].from == branch_node &&
	    t->cache->entry[hash].to == target_node &&
	    t->cache->entry[hash].edge > 0) {
		t->count[t->cache->entry[hash].edge - 1]++;
		return 0;
	}
	edge = find_or_add_target_edge_number(
		t, branch_node, target_node,
		map_indirect_branch_to_edge_kind(&f->code.node[branch_node]));
	if (edge < 0)
		return -ENOMEM;
	t->cache->entry[hash].from = branch_node;
	t->cache->entry[hash].to = target_node;
	t->cache->entry[hash].edge = (uint32_t)edge + 1;
	t->count[edge]++;
	return 0;
}

static int grow_threads_to_hold(struct an_flow_targets *t,
				uint32_t thread_number)
{
	size_t first = t->n_threads;

	if (al_array_reserve(t->thread, t->n_threads,
			     (size_t)thread_number + 1) != 0)
		return -ENOMEM;
	for (size_t i = first; i < t->n_threads; i++)
		t->thread[i] = (struct an_flow_thread){
			.branch = AN_FLOW_NO_NODE,
			.last = AN_FLOW_NO_NODE,
		};
	return 0;
}

/* ---- signals ---- */

/* Append the branch of the thread whose target is not known yet, or
   AN_FLOW_NO_NODE, to t->interrupted (branches that a signal interrupted), and
   set t->branch to AN_FLOW_NO_NODE. Return: 0 or -ENOMEM. */
static int push_branch_as_interrupted_and_clear(struct an_flow_thread *t)
{
	if (al_array_reserve(t->interrupted, t->max_interrupted,
			     t->n_interrupted + 1) != 0)
		return -ENOMEM;
	t->interrupted[t->n_interrupted++] = t->branch;
	t->branch = AN_FLOW_NO_NODE;
	return 0;
}

/* Count the edge from the instruction that the thread executed last, if it is
   known, to @handler_node, the first instruction of a signal handler. Store the
   thread's branch without a target until the handler returns. t->last is not
   changed. Return: 0 or -ENOMEM. */
static int increment_handler_edge_push_branch(struct an_flow *f,
					      struct an_flow_thread *t,
					      uint32_t handler_node)
{
	int64_t edge = 0;
	int err;

	if (t->last != AN_FLOW_NO_NODE)
		edge = find_or_add_target_edge_number(
			&f->targets, t->last, handler_node, AN_EDGE_HANDLER);
	if (edge < 0)
		return -ENOMEM;
	if (t->last != AN_FLOW_NO_NODE)
		f->targets.count[edge]++;
	err = push_branch_as_interrupted_and_clear(t);
	t->signalled = false;
	return err;
}

/* Whether the thread has left a signal handler by its last branch: it is in a
   handler, t->branch is a system call, and @target_node, where it continued, is
   not directly after the call. */
static bool has_syscall_left_signal_handler(const struct an_flow *f,
					    const struct an_flow_thread *t,
					    uint32_t target_node)
{
	const struct an_instr_node *n = &f->code.node[t->branch];

	return t->n_interrupted > 0 &&
	       n->branch_kind == AN_BRANCH_SYSTEM_CALL &&
	       !an_node_is_followed_by_address(
		       n, f->code.node[target_node].address);
}

/* Count the edge from the thread's branch without a target, if it has one, to
   @target_node, and set t->branch to AN_FLOW_NO_NODE. If the branch left signal
   handlers, also count edges from the branches that these interrupted. Return:
   0 or -ENOMEM. */
static int count_pending_branch_edge(struct an_flow *f,
				     struct an_flow_thread *t,
				     uint32_t target_node)
{
	uint32_t branch = t->branch;
	int err;

	if (branch == AN_FLOW_NO_NODE)
		return 0;
	err = increment_branch_target_count(f, branch, target_node);
	while (!err && has_syscall_left_signal_handler(f, t, target_node)) {
		t->branch = t->interrupted[--t->n_interrupted];
		if (t->branch == AN_FLOW_NO_NODE)
			break;
		err = increment_branch_target_count(f, t->branch, target_node);
	}
	t->branch = AN_FLOW_NO_NODE;
	return err;
}

/* ---- batches ---- */

/* Reset a thread: it has no branch without a target, no last instruction, no
   active handlers and no delivered signal. */
static void reset_thread_branches_and_signal(struct an_flow_thread *t)
{
	t->branch = t->last = AN_FLOW_NO_NODE;
	t->n_interrupted = 0;
	t->signalled = false;
}

static void apply_mark_to_threads(struct an_flow_targets *t,
				  const struct an_mark *m)
{
	switch (m->kind) {
	case PT_THREAD:
		t->running = m->id & MAX_THREAD;
		break;
	case PT_SIGNAL:
		if (t->running < t->n_threads)
			t->thread[t->running].signalled = true;
		break;
	case PT_THREAD_END:
		if (m->id < t->n_threads)
			reset_thread_branches_and_signal(&t->thread[m->id]);
		break;
	case PT_WINDOW_OPEN:
		for (size_t i = 0; i < t->n_threads; i++)
			reset_thread_branches_and_signal(&t->thread[i]);
		break;
	}
}

/* Follow an execution of thread @t: count the edges to it from a signalled
   instruction or a branch without a target, and set t->branch if it ends with
   such a branch. Return: 0 or -ENOMEM. */
static int count_pending_edge_to_block_execution(struct an_flow *f,
						 struct an_flow_thread *t,
						 struct an_exec e)
{
	const struct an_flow_block *b = &f->block[e.block];
	unsigned exit = an_exec_exit_number(e);
	unsigned n = b->block->exit[exit].n_instrs;
	int err = 0;

	if (n == 0)
		return 0;
	if (t->signalled)
		err = increment_handler_edge_push_branch(f, t, b->first_node);
	else if (t->branch != AN_FLOW_NO_NODE)
		err = count_pending_branch_edge(f, t, b->first_node);
	if (b->is_followed[exit])
		t->branch = b->node[n - 1];
	return err;
}

/* Set t->last to the last instruction of executions @exec to @end - 1. It is
   not changed if they have none. */
static void set_last_instr_of_execs(const struct an_flow *f,
				    struct an_flow_thread *t,
				    const struct an_exec *exec,
				    const struct an_exec *end)
{
	while (end > exec) {
		const struct an_flow_block *b = &f->block[(--end)->block];
		unsigned n = b->block->exit[an_exec_exit_number(*end)].n_instrs;

		if (n > 0) {
			t->last = b->node[n - 1];
			return;
		}
	}
}

/* Return the first of executions @exec to @end - 1 that may end with a branch
   without a target; @end: none of them. Most executions end otherwise. */
static const struct an_exec *
find_branch_without_target_or_end(const struct an_flow *f,
				  const struct an_exec *exec,
				  const struct an_exec *end)
{
	const struct an_flow_block *block = f->block;

	while (exec < end &&
	       an_exec_exit_number(*exec) < block[exec->block].first_followed)
		exec++;
	return exec;
}

/* Follow executions @exec to @end - 1 of the running thread, between which
   there are no marks. Return: 0 or -ENOMEM. */
static int count_edges_to_running_thread_execs(struct an_flow *f,
					       const struct an_exec *exec,
					       const struct an_exec *end)
{
	struct an_flow_thread *t;
	int err = 0;

	if (f->targets.running >= f->targets.n_threads &&
	    grow_threads_to_hold(&f->targets, f->targets.running) != 0)
		return -ENOMEM;
	t = &f->targets.thread[f->targets.running];
	for (const struct an_exec *e = exec; !err; e++) {
		if (t->branch == AN_FLOW_NO_NODE && !t->signalled)
			e = find_branch_without_target_or_end(f, e, end);
		if (e == end)
			break;
		err = count_pending_edge_to_block_execution(f, t, *e);
	}
	set_last_instr_of_execs(f, t, exec, end);
	return err;
}

int an_flow_add_batch_to_target_counts(struct an_flow *f,
				       const struct an_batch *batch)
{
	size_t exec = 0;
	int err = 0;

	if (f->targets.cache == NULL)
		f->targets.cache = calloc(1, sizeof(*f->targets.cache));
	if (f->targets.cache == NULL)
		return -ENOMEM;
	for (size_t i = 0; i <= batch->n_marks && !err; i++) {
		size_t end = i < batch->n_marks ? batch->mark[i].before_exec
						: batch->n_execs;

		if (exec < end)
			err = count_edges_to_running_thread_execs(
				f, batch->exec + exec, batch->exec + end);
		exec = end;
		if (i < batch->n_marks)
			apply_mark_to_threads(&f->targets, &batch->mark[i]);
	}
	return err;
}

void an_flow_targets_release(struct an_flow_targets *t)
{
	for (size_t i = 0; i < t->n_threads; i++)
		free(t->thread[i].interrupted);
	free(t->thread);
	free(t->count);
	free(t->cache);
	al_key_table_release(&t->edges);
	*t = (struct an_flow_targets){0};
}

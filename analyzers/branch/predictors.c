/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * predictors.c - predicts the branches of executions by some of the models
 *
 * The target of an indirect branch or a return is the address of the next block
 * that its thread executes. So the branch is stored until that block is
 * executed; if a signal handler runs first, until the handler has returned.
 */

#include "analyzers/branch/predictors.h"

#include <errno.h>
#include <stdlib.h>

#include "base/tables/array.h"

enum {
	STACK = 16, /* addresses in a return stack; the oldest is overwritten */
	HANDLERS = 16, /* maximum number of nested signal handlers whose
			  interrupted branch is saved */
	MAX_THREAD = (1 << 20) - 1,
};

struct an_branch_thread {
	struct an_branch_event *waiting; /* branch whose target is not known
					    yet; NULL: none */
	struct an_branch_event *interrupted[HANDLERS];
	unsigned n_interrupted;
	uint64_t after_syscall; /* address after a system call that ended the
				   thread's last block; 0: none did */
	uint64_t stack[STACK];	/* ring of return addresses */
	unsigned top, depth;
};

/* ---- models ---- */

/* List the models that have a state by what they predict. */
static void list_direction_and_target_predictors(struct an_branch_predictors *p)
{
	p->n_predictors = p->n_observers = p->n_target_predictors = 0;
	p->predicts_returns = false;
	for (unsigned i = 0; i < AN_N_BRANCH_MODELS; i++) {
		const struct an_branch_model *m = an_branch_models[i];

		if (p->state[i] == NULL)
			continue;
		p->predicts_returns |= m->predicts_returns;
		if (m->predict_directions)
			p->predictor[p->n_predictors++] = (uint8_t)i;
		if (m->see_directions)
			p->observer[p->n_observers++] = (uint8_t)i;
		if (m->predict_target)
			p->target_predictor[p->n_target_predictors++] =
				(uint8_t)i;
	}
}

int an_branch_predictors_add_model(struct an_branch_predictors *p,
				   unsigned model_index)
{
	const struct an_branch_model *m = an_branch_models[model_index];

	p->state[model_index] = calloc(1, m->state_size);
	if (p->state[model_index] == NULL)
		return -ENOMEM;
	if (m->init)
		m->init(p->state[model_index]);
	list_direction_and_target_predictors(p);
	return 0;
}

void an_branch_predictors_move_model(struct an_branch_predictors *to,
				     struct an_branch_predictors *from,
				     unsigned model_index)
{
	void *state = from->state[model_index];

	from->state[model_index] = NULL;
	to->state[model_index] = state;
	list_direction_and_target_predictors(from);
	list_direction_and_target_predictors(to);
}

/* ---- blocks ---- */

/* Make room for one block more, and for @n_branches more. Return: 0 or
   -ENOMEM. */
static int reserve_block_and_branches(struct an_branch_predictors *p,
				      unsigned n_branches)
{
	size_t n = p->n_branches + n_branches, n_blocks = p->n_blocks + 1;

	if (al_array_reserve(p->block, p->blocks_size, n_blocks) != 0 ||
	    al_array_reserve(p->exits, p->exits_size, n_blocks) != 0 ||
	    al_array_reserve(p->ip, p->ip_size, n) != 0 ||
	    (p->state[0] != NULL &&
	     al_array_reserve_zeroed(p->n_missed, p->missed_size, n) != 0))
		return -ENOMEM;
	return 0;
}

static int
append_block_exits_and_branch_addresses(struct an_branch_predictors *p,
					const struct an_branch_block *new_block)
{
	if (reserve_block_and_branches(p, new_block->n) != 0)
		return -ENOMEM;
	for (unsigned i = 0; i < new_block->n; i++)
		p->ip[p->n_branches++] = new_block->event[i].ip;
	p->exits[p->n_blocks] = new_block->exit;
	p->block[p->n_blocks++] = new_block;
	return 0;
}

/* Append the blocks of the chain up to number @total_block_count. Return: 0 or
   -ENOMEM. */
static int append_unread_blocks_of_chain(struct an_branch_predictors *p,
					 size_t total_block_count)
{
	struct an_chained_block *b;
	int err = 0;

	while (!err && (b = an_chain_reader_next_or_null(
				&p->reader, total_block_count)) != NULL)
		err = append_block_exits_and_branch_addresses(
			p, (const struct an_branch_block *)b);
	return err;
}

/* ---- predictions ---- */

/* Let the observers learn the listed branches from @first on, of @end_listed.
   */
static void show_listed_branches_to_observers(struct an_branch_predictors *p,
					      unsigned first,
					      unsigned end_listed)
{
	struct an_directions d = {p->ip, p->executed + first,
				  end_listed - first};

	for (unsigned i = 0; i < p->n_observers; i++)
		an_branch_models[p->observer[i]]->see_directions(
			p->state[p->observer[i]], &d);
}

/* Predict the first @n branches of the list, in order, by each model, and count
   the wrong predictions. */
static void predict_listed_branches_count_misses(struct an_branch_predictors *p,
						 unsigned n)
{
	uint32_t missed[AN_LISTED_BRANCHES + AN_EXIT_ROOM + 1];
	struct an_directions d = {p->ip, p->executed, n};

	for (unsigned i = 0; i < p->n_predictors; i++) {
		unsigned model = p->predictor[i];
		unsigned n_missed = an_branch_models[model]->predict_directions(
			p->state[model], &d, missed);

		p->counts[model].conditional_missed += n_missed;
		for (unsigned m = 0; model == 0 && m < n_missed; m++)
			p->n_missed[missed[m] / 2]++;
	}
}

static void train_models_count_target_misses(struct an_branch_predictors *p,
					     const struct an_branch_event *e,
					     uint64_t target)
{
	for (unsigned i = 0; i < p->n_target_predictors; i++) {
		unsigned model = p->target_predictor[i];
		bool missed = an_branch_models[model]->predict_target(
			p->state[model], e->ip, target);

		p->counts[model].indirect_missed += missed;
		if (model == 0)
			p->n_missed[e->number] += missed;
	}
}

static void push_return_address_overwrite_oldest(struct an_branch_thread *t,
						 uint64_t return_address)
{
	t->top = (t->top + 1) % STACK;
	t->stack[t->top] = return_address;
	t->depth += t->depth < STACK;
}

/* Pop the return stack of thread @t, and count a wrong prediction for each
   model that predicts returns if the stack was empty or had another address
   than @actual_target on top. */
static void pop_return_address_and_count_miss(struct an_branch_predictors *p,
					      struct an_branch_thread *t,
					      uint64_t actual_target)
{
	bool missed = t->depth == 0 || t->stack[t->top] != actual_target;

	if (t->depth > 0) {
		t->top = (t->top + STACK - 1) % STACK;
		t->depth--;
	}
	for (unsigned i = 0; i < AN_N_BRANCH_MODELS; i++)
		if (p->state[i] && an_branch_models[i]->predicts_returns)
			p->counts[i].returns_missed += missed;
}

/* Predict the thread's waiting branch, if there is one, and count a wrong
   prediction: @actual_target is its target. First, if the block before ended in
   a system call after which execution did not continue, a signal handler has
   returned: restore the branch that the handler interrupted. */
static void predict_waiting_branch(struct an_branch_predictors *p,
				   struct an_branch_thread *t,
				   uint64_t actual_target)
{
	struct an_branch_event *e;

	if (t->after_syscall != 0 && t->after_syscall != actual_target &&
	    t->n_interrupted > 0)
		t->waiting = t->interrupted[--t->n_interrupted];
	t->after_syscall = 0;
	e = t->waiting;
	t->waiting = NULL;
	if (e == NULL)
		return;
	if (e->kind == AN_RETURN) {
		pop_return_address_and_count_miss(p, t, actual_target);
		return;
	}
	train_models_count_target_misses(p, e, actual_target);
	if (e->kind == AN_INDIRECT_CALL)
		push_return_address_overwrite_oldest(t, e->return_to);
}

static bool is_next_address_needed(const struct an_branch_thread *t)
{
	return t->waiting != NULL || t->after_syscall != 0;
}

/* Apply a branch that is not conditional: push the return address of a direct
   call, if a model predicts returns; an indirect branch, or a return that a
   model predicts, waits for its target. */
static void
push_return_address_or_wait_for_target(struct an_branch_predictors *p,
				       struct an_branch_thread *t,
				       struct an_branch_event *e)
{
	switch (e->kind) {
	case AN_CONDITIONAL:
		break;
	case AN_DIRECT_CALL:
		if (p->predicts_returns)
			push_return_address_overwrite_oldest(t, e->return_to);
		break;
	case AN_RETURN:
		if (p->predicts_returns)
			t->waiting = e;
		break;
	default:
		t->waiting = e;
	}
}

/* Apply the branches that are not conditional, and the system call, of an
   execution. Return: whether the address of the next block is needed. */
static bool
apply_unconditional_needs_next_address(struct an_branch_predictors *p,
				       struct an_branch_thread *t,
				       struct an_exec e)
{
	const struct an_branch_block *k = p->block[e.block];
	unsigned exit = an_exec_exit_number(e);
	const struct pt_exit *x = &k->chained.block->exit[exit];

	for (unsigned i = 0; i < k->n && k->event[i].first_exit <= exit; i++)
		push_return_address_or_wait_for_target(p, t, &k->event[i]);
	if (x->jump == PT_JUMP_SYSCALL)
		t->after_syscall = x->target;
	return is_next_address_needed(t);
}

/* Predict the waiting branch, as the thread executes block @k now. Return:
   whether the address of the next block is needed, because @k is empty. */
static bool
predict_waiting_get_needs_next_address(struct an_branch_predictors *p,
				       struct an_branch_thread *t,
				       const struct an_block *k)
{
	if (k->n_instrs == 0)
		return true;
	predict_waiting_branch(p, t, k->instr[0].addr);
	return false;
}

/* Predict the branches of executions of the running thread. The conditional
   ones are listed, and predicted together: so the processor need not predict
   how many an execution has. Before a target is predicted, observers learn the
   directions that are listed so far; no other model has directions and targets
   in one history. */
static void count_branch_misses_of_executions(struct an_branch_predictors *p,
					      const struct an_exec *exec,
					      size_t n_execs)
{
	struct an_branch_thread *t = &p->thread[p->running];
	bool needs_address = is_next_address_needed(t);
	unsigned n = 0, shown = 0;

	for (size_t i = 0; i < n_execs; i++) {
		const struct an_branch_exit *x =
			&p->exits[exec[i].block][an_exec_exit_number(exec[i])];

		if (n > AN_LISTED_BRANCHES || needs_address) {
			show_listed_branches_to_observers(p, shown, n);
			shown = n;
		}
		if (n > AN_LISTED_BRANCHES) {
			predict_listed_branches_count_misses(p, n);
			n = shown = 0;
		}
		if (needs_address)
			needs_address = predict_waiting_get_needs_next_address(
				p, t, p->block[exec[i].block]->chained.block);
		n = an_branch_exit_append_directions(x, p->executed, n);
		if (x->is_special)
			needs_address = apply_unconditional_needs_next_address(
				p, t, exec[i]);
	}
	show_listed_branches_to_observers(p, shown, n);
	predict_listed_branches_count_misses(p, n);
}

/* ---- threads and signals ---- */

/* Make thread @thread_number the running one; its state is added if it is new.
   Return: 0 or -ENOMEM. */
static int set_running_thread_grow_table(struct an_branch_predictors *p,
					 uint32_t thread_number)
{
	thread_number &= MAX_THREAD;
	if (al_array_reserve_zeroed(p->thread, p->n_threads,
				    thread_number + 1) != 0)
		return -ENOMEM;
	p->running = thread_number;
	return 0;
}

/* Save the waiting branch, which may be NULL, until the signal handler that
   begins now has returned. It is lost if HANDLERS branches are saved already.
   Afterwards no branch waits. */
static void suspend_waiting_branch_for_signal(struct an_branch_thread *t)
{
	if (t->n_interrupted < HANDLERS)
		t->interrupted[t->n_interrupted++] = t->waiting;
	t->waiting = NULL;
	t->after_syscall = 0;
}

static int apply_thread_switch_or_signal_mark(struct an_branch_predictors *p,
					      const struct an_mark *m)
{
	if (m->kind == PT_THREAD)
		return set_running_thread_grow_table(p, m->id);
	if (m->kind == PT_SIGNAL)
		suspend_waiting_branch_for_signal(&p->thread[p->running]);
	return 0;
}

int an_branch_predictors_run(struct an_branch_predictors *p,
			     const struct an_batch *batch,
			     size_t n_chain_blocks)
{
	size_t exec = 0;
	int err = append_unread_blocks_of_chain(p, n_chain_blocks);

	if (!err && p->n_threads == 0)
		err = set_running_thread_grow_table(p, 0);

	for (size_t i = 0; i < batch->n_marks && !err; i++) {
		count_branch_misses_of_executions(p, batch->exec + exec,
						  batch->mark[i].before_exec -
							  exec);
		exec = batch->mark[i].before_exec;
		err = apply_thread_switch_or_signal_mark(p, &batch->mark[i]);
	}
	if (!err)
		count_branch_misses_of_executions(p, batch->exec + exec,
						  batch->n_execs - exec);
	return err;
}

/* ---- end ---- */

/* Count the target of @e, which was never reached, as a wrong prediction of
   each used model that predicts targets. Nothing is counted for NULL or a
   return. */
static void
count_unreached_target_as_mispredicted(struct an_branch_predictors *p,
				       struct an_branch_event *e)
{
	if (e == NULL || e->kind == AN_RETURN)
		return;
	if (p->n_missed != NULL)
		p->n_missed[e->number]++;
	for (unsigned i = 0; i < AN_N_BRANCH_MODELS; i++)
		p->counts[i].indirect_missed +=
			p->state[i] && an_branch_models[i]->predict_target;
}

void an_branch_count_targetless_as_missed(struct an_branch_predictors *p)
{
	for (uint32_t i = 0; i < p->n_threads; i++) {
		struct an_branch_thread *t = &p->thread[i];

		count_unreached_target_as_mispredicted(p, t->waiting);
		while (t->n_interrupted > 0)
			count_unreached_target_as_mispredicted(
				p, t->interrupted[--t->n_interrupted]);
	}
}

void an_branch_predictors_release(struct an_branch_predictors *p)
{
	for (unsigned i = 0; i < AN_N_BRANCH_MODELS; i++)
		free(p->state[i]);
	free(p->block);
	free(p->exits);
	free(p->ip);
	free(p->n_missed);
	free(p->thread);
	*p = (struct an_branch_predictors){0};
}

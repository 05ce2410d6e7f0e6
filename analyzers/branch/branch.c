/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * branch.c - predicts branches by several models in one pass
 *
 * The target of an indirect branch or a return is the address of the next block
 * that its thread executes. So the branch is stored until that block is
 * executed; if a signal handler runs first, until the handler has returned.
 */

#include "analyzers/branch/branch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyzers/branch/exits.h"
#include "analyzers/result_table.h"
#include "base/tables/array.h"

enum {
	STACK = 16, /* addresses in a return stack; the oldest is overwritten */
	HANDLERS = 16, /* maximum number of nested signal handlers whose
			  interrupted branch is saved */
	MAX_THREAD = (1 << 20) - 1,
	LISTED = 1024, /* when more conditional branches than these are listed,
			  they are predicted */
};

/* State of a thread of the traced program. */
struct thread {
	struct an_branch_event *waiting; /* branch whose target is not known
					    yet; NULL: none */
	struct an_branch_event *interrupted[HANDLERS];
	unsigned n_interrupted;
	uint64_t after_syscall; /* address after a system call that ended the
				   thread's last block; 0: none did */
	uint64_t stack[STACK];	/* ring of return addresses */
	unsigned top, depth;
};

struct branch {
	struct an_branch_result result;
	const struct an_env *env;
	struct an_branch_block *block;	     /* [n_blocks] by id */
	const struct an_branch_exit **exits; /* [n_blocks][] by id and
						exit number */
	size_t n_blocks;
	size_t blocks_size, exits_size;
	uint64_t *ip; /* [n_branches] by an_branch_event.number: addresses */
	uint64_t *n_missed; /* [n_branches] executions that model 0,
			       `cachegrind`, mispredicted */
	size_t n_branches;
	size_t ip_size, missed_size;
	uint32_t executed[LISTED + AN_EXIT_ROOM]; /* conditional branches that
						     are not predicted yet */
	struct an_arena arena;
	struct thread *thread; /* [n_threads] by number */
	uint32_t n_threads;
	uint32_t running;
	void *state[AN_N_BRANCH_MODELS]; /* NULL: the model is not used */
	/* Indices of used models that predict directions, that see them, and
	   that predict targets, the first model first */
	uint8_t predictor[AN_N_BRANCH_MODELS], observer[AN_N_BRANCH_MODELS],
		target_predictor[AN_N_BRANCH_MODELS];
	unsigned n_predictors, n_observers, n_target_predictors;
	bool predicts_returns;
};

/* ---- options ---- */

/* Whether @plus_separated_names, words joined by '+', contain @name or "all".
   */
static bool is_name_or_all_in_plus_list(const char *plus_separated_names,
					const char *name)
{
	size_t n;

	for (; *plus_separated_names;
	     plus_separated_names += n + (plus_separated_names[n] == '+')) {
		n = strcspn(plus_separated_names, "+");
		if ((n == 3 && !strncmp(plus_separated_names, "all", 3)) ||
		    (n == strlen(name) &&
		     !strncmp(plus_separated_names, name, n)))
			return true;
	}
	return false;
}

static int init_model_state_and_add_to_lists(struct branch *b,
					     unsigned model_index)
{
	const struct an_branch_model *m = an_branch_models[model_index];

	b->state[model_index] = calloc(1, m->state_size);
	if (b->state[model_index] == NULL)
		return -ENOMEM;
	if (m->init)
		m->init(b->state[model_index]);
	b->result.model[model_index].is_used = true;
	b->predicts_returns |= m->predicts_returns;
	if (m->predict_directions)
		b->predictor[b->n_predictors++] = (uint8_t)model_index;
	if (m->see_directions)
		b->observer[b->n_observers++] = (uint8_t)model_index;
	if (m->predict_target)
		b->target_predictor[b->n_target_predictors++] =
			(uint8_t)model_index;
	return 0;
}

static int branch_store_env_init_selected_models(void *state,
						 const struct an_env *env)
{
	struct branch *b = state;
	const char *names = env->option(env->host, "models") ?: "cachegrind";
	int err = 0;

	b->env = env;
	b->result.places.n_counts = AN_N_BRANCH_COUNTS;
	for (unsigned i = 0; an_branch_models[i] && !err; i++)
		if (i == 0 || is_name_or_all_in_plus_list(
				      names, an_branch_models[i]->name))
			err = init_model_state_and_add_to_lists(b, i);
	return err;
}

/* Make room for one block more, and for @n_branches more. Return: 0; -ENOMEM,
   also if the number of a branch would not fit into an_direction(). */
static int reserve_block_and_branches(struct branch *b, unsigned n_branches)
{
	size_t n = b->n_branches + n_branches, n_blocks = b->n_blocks + 1;

	if (n > UINT32_MAX / 2 ||
	    al_array_reserve(b->block, b->blocks_size, n_blocks) != 0 ||
	    al_array_reserve(b->exits, b->exits_size, n_blocks) != 0 ||
	    al_array_reserve(b->ip, b->ip_size, n) != 0 ||
	    al_array_reserve_zeroed(b->n_missed, b->missed_size, n) != 0)
		return -ENOMEM;
	return 0;
}

static int branch_append_block_find_branches(void *state,
					     const struct an_block *block)
{
	struct branch *b = state;
	struct an_branch_block k;
	const struct an_branch_exit *exits;

	if (an_branch_block_init_with_branches(
		    &k, block, (uint32_t)b->n_branches, &b->arena) != 0)
		return -ENOMEM;
	exits = an_branch_block_list_exits(&k, b->predicts_returns, &b->arena);
	if (exits == NULL || reserve_block_and_branches(b, k.n) != 0)
		return -ENOMEM;
	for (unsigned i = 0; i < k.n; i++)
		b->ip[b->n_branches++] = k.event[i].ip;
	b->exits[b->n_blocks] = exits;
	b->block[b->n_blocks++] = k;
	return 0;
}

/* ---- predictions ---- */

/* Let the observers learn the listed branches from @first on, of @n. */
static void show_listed_branches_to_observers(struct branch *b, unsigned first,
					      unsigned n)
{
	struct an_directions d = {b->ip, b->executed + first, n - first};

	for (unsigned i = 0; i < b->n_observers; i++)
		an_branch_models[b->observer[i]]->see_directions(
			b->state[b->observer[i]], &d);
}

/* Predict the first @n branches of the list, in order, by each model, and count
   the wrong predictions. */
static void predict_listed_branches_count_misses(struct branch *b, unsigned n)
{
	uint32_t missed[LISTED + AN_EXIT_ROOM + 1];
	struct an_directions d = {b->ip, b->executed, n};

	for (unsigned i = 0; i < b->n_predictors; i++) {
		unsigned model = b->predictor[i];
		unsigned n_missed = an_branch_models[model]->predict_directions(
			b->state[model], &d, missed);

		b->result.model[model].conditional_missed += n_missed;
		for (unsigned m = 0; model == 0 && m < n_missed; m++)
			b->n_missed[missed[m] / 2]++;
	}
}

static void train_models_count_target_misses(struct branch *b,
					     const struct an_branch_event *e,
					     uint64_t target)
{
	for (unsigned i = 0; i < b->n_target_predictors; i++) {
		unsigned model = b->target_predictor[i];
		bool missed = an_branch_models[model]->predict_target(
			b->state[model], e->ip, target);

		b->result.model[model].indirect_missed += missed;
		if (model == 0)
			b->n_missed[e->number] += missed;
	}
}

static void push_return_address_overwrite_oldest(struct thread *t,
						 uint64_t return_address)
{
	t->top = (t->top + 1) % STACK;
	t->stack[t->top] = return_address;
	t->depth += t->depth < STACK;
}

/* Pop the return stack of thread @t, and count a wrong prediction for each
   model that predicts returns if the stack was empty or had another address
   than @actual_target on top. */
static void pop_return_address_and_count_miss(struct branch *b,
					      struct thread *t,
					      uint64_t actual_target)
{
	bool missed = t->depth == 0 || t->stack[t->top] != actual_target;

	if (t->depth > 0) {
		t->top = (t->top + STACK - 1) % STACK;
		t->depth--;
	}
	for (unsigned i = 0; i < AN_N_BRANCH_MODELS; i++)
		if (b->state[i] && an_branch_models[i]->predicts_returns)
			b->result.model[i].returns_missed += missed;
}

/* Predict the thread's waiting branch, if there is one, and count a wrong
   prediction: @actual_target is its target. First, if the block before ended in
   a system call after which execution did not continue, a signal handler has
   returned: restore the branch that the handler interrupted. */
static void restore_if_handler_returned_predict_waiting(struct branch *b,
							struct thread *t,
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
		pop_return_address_and_count_miss(b, t, actual_target);
		return;
	}
	train_models_count_target_misses(b, e, actual_target);
	if (e->kind == AN_INDIRECT_CALL)
		push_return_address_overwrite_oldest(t, e->return_to);
}

static bool is_next_address_needed(const struct thread *t)
{
	return t->waiting != NULL || t->after_syscall != 0;
}

/* Apply a branch that is not conditional: push the return address of a call; an
   indirect branch, or a return that a model predicts, waits for its target. */
static void push_return_address_or_wait_for_target(struct branch *b,
						   struct thread *t,
						   struct an_branch_event *e)
{
	switch (e->kind) {
	case AN_CONDITIONAL:
		break;
	case AN_DIRECT_CALL:
		if (b->predicts_returns)
			push_return_address_overwrite_oldest(t, e->return_to);
		break;
	case AN_RETURN:
		if (b->predicts_returns)
			t->waiting = e;
		break;
	default:
		t->waiting = e;
	}
}

/* Apply the branches that are not conditional, and the system call, of an
   execution. Return: whether the address of the next block is needed. */
static bool apply_calls_and_syscall_of_execution(struct branch *b,
						 struct thread *t,
						 struct an_exec e)
{
	const struct an_branch_block *k = &b->block[e.block];
	unsigned exit = an_exec_exit_number(e);
	const struct pt_exit *x = &k->block->exit[exit];

	for (unsigned i = 0; i < k->n && k->event[i].first_exit <= exit; i++)
		push_return_address_or_wait_for_target(b, t, &k->event[i]);
	if (x->jump == PT_JUMP_SYSCALL)
		t->after_syscall = x->target;
	return is_next_address_needed(t);
}

/* Predict the waiting branch, as the thread executes block @k now. Return:
   whether the address of the next block is needed, because @k is empty. */
static bool predict_waiting_unless_block_empty(struct branch *b,
					       struct thread *t,
					       const struct an_block *k)
{
	if (k->n_instrs == 0)
		return true;
	restore_if_handler_returned_predict_waiting(b, t, k->instr[0].addr);
	return false;
}

/* Predict the branches of executions of the running thread. The conditional
   ones are listed, and predicted together: so the processor need not predict
   how many an execution has. Observers learn those before a target first; no
   other model has directions and targets in one history. */
static void count_branch_misses_of_executions(struct branch *b,
					      const struct an_exec *exec,
					      size_t n_execs)
{
	struct thread *t = &b->thread[b->running];
	bool needs_address = is_next_address_needed(t);
	unsigned n = 0, shown = 0;

	for (size_t i = 0; i < n_execs; i++) {
		const struct an_branch_exit *x =
			&b->exits[exec[i].block][an_exec_exit_number(exec[i])];

		if (n > LISTED || needs_address) {
			show_listed_branches_to_observers(b, shown, n);
			shown = n;
		}
		if (n > LISTED) {
			predict_listed_branches_count_misses(b, n);
			n = shown = 0;
		}
		if (needs_address)
			needs_address = predict_waiting_unless_block_empty(
				b, t, b->block[exec[i].block].block);
		n = an_branch_exit_append_directions(x, b->executed, n);
		if (x->is_special)
			needs_address = apply_calls_and_syscall_of_execution(
				b, t, exec[i]);
	}
	show_listed_branches_to_observers(b, shown, n);
	predict_listed_branches_count_misses(b, n);
}

/* ---- threads and signals ---- */

/* Make thread @thread_number the running one; its state is added if it is new.
   Return: 0 or -ENOMEM. */
static int set_running_thread_grow_table(struct branch *b,
					 uint32_t thread_number)
{
	thread_number &= MAX_THREAD;
	if (al_array_reserve_zeroed(b->thread, b->n_threads,
				    thread_number + 1) != 0)
		return -ENOMEM;
	b->running = thread_number;
	return 0;
}

/* Save the waiting branch, which may be NULL, until the signal handler that
   begins now has returned. It is lost if HANDLERS branches are saved already.
   Afterwards no branch waits. */
static void suspend_waiting_branch_for_signal(struct thread *t)
{
	if (t->n_interrupted < HANDLERS)
		t->interrupted[t->n_interrupted++] = t->waiting;
	t->waiting = NULL;
	t->after_syscall = 0;
}

static int apply_thread_switch_or_signal_mark(struct branch *b,
					      const struct an_mark *m)
{
	if (m->kind == PT_THREAD)
		return set_running_thread_grow_table(b, m->id);
	if (m->kind == PT_SIGNAL)
		suspend_waiting_branch_for_signal(&b->thread[b->running]);
	return 0;
}

static int branch_process_execs_and_marks(void *state,
					  const struct an_batch *batch)
{
	struct branch *b = state;
	size_t exec = 0;
	int err = b->n_threads ? 0 : set_running_thread_grow_table(b, 0);

	for (size_t i = 0; i < batch->n_marks && !err; i++) {
		count_branch_misses_of_executions(b, batch->exec + exec,
						  batch->mark[i].before_exec -
							  exec);
		exec = batch->mark[i].before_exec;
		err = apply_thread_switch_or_signal_mark(b, &batch->mark[i]);
	}
	if (!err)
		count_branch_misses_of_executions(b, batch->exec + exec,
						  batch->n_execs - exec);
	return err;
}

/* ---- end ---- */

/* Count the target of @e, which was never reached, as a wrong prediction of
   each used model that predicts targets. Nothing is counted for NULL or a
   return. */
static void count_unreached_target_as_miss(struct branch *b,
					   struct an_branch_event *e)
{
	if (e == NULL || e->kind == AN_RETURN)
		return;
	b->n_missed[e->number]++;
	for (unsigned i = 0; i < AN_N_BRANCH_MODELS; i++)
		b->result.model[i].indirect_missed +=
			b->state[i] && an_branch_models[i]->predict_target;
}

static void count_branches_still_waiting_as_missed(struct branch *b)
{
	for (uint32_t i = 0; i < b->n_threads; i++) {
		struct thread *t = &b->thread[i];

		count_unreached_target_as_miss(b, t->waiting);
		while (t->n_interrupted > 0)
			count_unreached_target_as_miss(
				b, t->interrupted[--t->n_interrupted]);
	}
}

/* Set the counts of branch @e, zeros before: its executions, its misses in the
   first model and, if it is conditional, how often it was taken, by the exits
   that executions of @block left by. */
static void set_branch_exec_miss_taken_counts(
	const struct an_block *block, const struct an_branch_event *e,
	uint64_t n_missed, uint64_t count[AN_N_BRANCH_COUNTS])
{
	uint64_t times = an_branch_event_exec_count(block, e), left;

	if (e->kind != AN_CONDITIONAL) {
		count[AN_BI] = times;
		count[AN_BIM] = n_missed;
		return;
	}
	left = e->never_leaves ? 0 : block->exit_count[e->first_exit];
	count[AN_BC] = times;
	count[AN_BCM] = n_missed;
	count[AN_TAKEN] = e->is_inverted ? times - left : left;
}

static int add_branch_counts_of_block_to_result(struct branch *b,
						const struct an_branch_block *k)
{
	int err = 0;

	for (unsigned i = 0; i < k->n && !err; i++) {
		uint64_t count[AN_N_BRANCH_COUNTS] = {0};
		struct an_symbol place;

		if (k->event[i].kind == AN_DIRECT_CALL)
			continue;
		set_branch_exec_miss_taken_counts(
			k->block, &k->event[i], b->n_missed[k->event[i].number],
			count);
		if (k->event[i].kind == AN_RETURN) {
			b->result.returns += count[AN_BI];
			continue;
		}
		if (count[AN_BC] + count[AN_BI] == 0)
			continue;
		for (unsigned c = 0; c < AN_N_BRANCH_COUNTS; c++)
			b->result.total[c] += count[c];
		b->env->symbol(b->env->host, k->block, k->event[i].instr,
			       &place);
		err = an_place_counts_add_to_line(&b->result.places, &place,
						  count);
	}
	return err;
}

static void free_all_members_but_result(struct branch *b)
{
	for (unsigned i = 0; i < AN_N_BRANCH_MODELS; i++) {
		free(b->state[i]);
		b->state[i] = NULL;
	}
	an_arena_free_all_and_reset(&b->arena);
	free(b->block);
	b->block = NULL;
	free(b->exits);
	b->exits = NULL;
	free(b->ip);
	b->ip = NULL;
	free(b->n_missed);
	b->n_missed = NULL;
	free(b->thread);
	b->thread = NULL;
}

static int branch_add_counts_to_result_free_rest(void *state)
{
	struct branch *b = state;
	int err = 0;

	count_branches_still_waiting_as_missed(b);
	for (size_t i = 0; i < b->n_blocks && !err; i++)
		err = add_branch_counts_of_block_to_result(b, &b->block[i]);
	free_all_members_but_result(b);
	return err;
}

static int branch_merge_results(void *into, const void *from)
{
	return an_branch_result_merge(&((struct branch *)into)->result,
				      &((const struct branch *)from)->result);
}

static void branch_add_result_to_model(const void *state, struct al_model *m)
{
	an_branch_result_add_to_model(&((const struct branch *)state)->result,
				      m);
}

static int branch_write_requested_table_as_csv(const void *state)
{
	return an_result_write_csv_if_requested(
		((const struct branch *)state)->env, state,
		branch_add_result_to_model, "models");
}

static void branch_free_members(void *state)
{
	struct branch *b = state;

	free_all_members_but_result(b);
	an_place_counts_release(&b->result.places);
}

static const struct an_option branch_options[] = {
	{"models",
	 "all+cachegrind+bimodal+gshare+tournament+perceptron+tage+ittage",
	 "which"},
	{"table", "models|hard|functions|lines", "write this table as CSV"},
	{"file", "PATH", "write it there; default standard output"},
	{NULL, NULL, NULL},
};

extern const struct an_class an_branch;

const struct an_class an_branch = {
	.name = "branch",
	.summary = "predict branches, as Cachegrind and others",
	.options = branch_options,
	.needs = PT_FIELD_ACCESSES,
	.needs_names = true,
	.state_size = sizeof(struct branch),
	.open = branch_store_env_init_selected_models,
	.block = branch_append_block_find_branches,
	.batch = branch_process_execs_and_marks,
	.finish = branch_add_counts_to_result_free_rest,
	.merge = branch_merge_results,
	.result = branch_add_result_to_model,
	.save = branch_write_requested_table_as_csv,
	.close = branch_free_members,
};

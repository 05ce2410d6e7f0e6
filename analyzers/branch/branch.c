/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * branch.c - implements the analysis "branch": predictions of branches
 *
 * Several models predict the branches in one pass. Partitions divide the
 * models, not the branches: each processes all executions.
 */

#include "analyzers/branch/branch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyzers/branch/predictors.h"
#include "analyzers/result_table.h"

struct branch {
	struct an_branch_result result;
	const struct an_env *env;
	struct an_arena arena;	     /* of the blocks in `chain` */
	struct an_block_chain chain; /* of struct an_branch_block */
	size_t n_branches;
	bool predicts_returns;
	/* All used models: those of predictors[i] predict in partition i, or
	   after those of predictors[i - 1] in a chunk that batch() gets. */
	struct an_branch_predictors predictors[AN_N_BRANCH_MODELS];
	unsigned n_predictors;
	bool is_partitioned;
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

static int branch_store_env_init_selected_models(void *state,
						 const struct an_env *env)
{
	struct branch *b = state;
	const char *names = env->option(env->host, "models") ?: "cachegrind";
	int err = 0;

	b->env = env;
	b->result.places.n_counts = AN_N_BRANCH_COUNTS;
	b->n_predictors = 1;
	an_block_chain_init(&b->chain);
	for (unsigned i = 0; i < AN_N_BRANCH_MODELS; i++)
		an_chain_reader_init(&b->predictors[i].reader, &b->chain);
	for (unsigned i = 0; an_branch_models[i] && !err; i++)
		if (i == 0 || is_name_or_all_in_plus_list(
				      names, an_branch_models[i]->name)) {
			b->result.model[i].is_used = true;
			err = an_branch_predictors_add_model(&b->predictors[0],
							     i);
		}
	b->predicts_returns = b->predictors[0].predicts_returns;
	return err;
}

/* ---- partitions ---- */

/* Return the number of partitions between which the cost of the used models can
   be divided evenly: no model can be divided. */
static unsigned count_partitions_with_even_model_costs(const struct branch *b)
{
	unsigned sum = 0, greatest = 1;

	for (unsigned i = 0; i < AN_N_BRANCH_MODELS; i++) {
		unsigned cost = b->result.model[i].is_used
					? an_branch_models[i]->cost
					: 0;

		sum += cost;
		if (cost > greatest)
			greatest = cost;
	}
	return (sum + greatest / 2) / greatest;
}

/* Return the index of the most expensive used model that predictors[0] still
   has and that is not marked in @is_moved; AN_N_BRANCH_MODELS if there is none.
   */
static unsigned find_most_expensive_model(const struct branch *b,
					  const bool *is_moved)
{
	unsigned found = AN_N_BRANCH_MODELS;

	for (unsigned i = 0; i < AN_N_BRANCH_MODELS; i++)
		if (b->predictors[0].state[i] != NULL && !is_moved[i] &&
		    (found == AN_N_BRANCH_MODELS ||
		     an_branch_models[i]->cost > an_branch_models[found]->cost))
			found = i;
	return found;
}

/* Divide the used models, the most expensive one first, between the first
   @n_partitions predictors: each goes to those with the least cost so far. */
static void divide_models_between_predictors(struct branch *b,
					     unsigned n_partitions)
{
	unsigned cost[AN_N_BRANCH_MODELS] = {0};
	bool is_moved[AN_N_BRANCH_MODELS] = {false};
	unsigned model;

	while ((model = find_most_expensive_model(b, is_moved)) <
	       AN_N_BRANCH_MODELS) {
		unsigned to = 0;

		for (unsigned i = 1; i < n_partitions; i++)
			if (cost[i] < cost[to])
				to = i;
		cost[to] += an_branch_models[model]->cost;
		is_moved[model] = true;
		an_branch_predictors_move_model(&b->predictors[to],
						&b->predictors[0], model);
	}
}

static unsigned branch_divide_models_into_partitions(void *state,
						     unsigned max_partitions)
{
	struct branch *b = state;
	unsigned n = count_partitions_with_even_model_costs(b);

	b->n_predictors = n < max_partitions ? n : max_partitions;
	b->is_partitioned = b->n_predictors > 1;
	divide_models_between_predictors(b, b->n_predictors);
	return b->n_predictors;
}

static enum an_chunk_mode
branch_store_block_count_of_chunk(void *state, const struct an_batch *chunk)
{
	an_block_chain_store_count_in_slot(&((struct branch *)state)->chain,
					   chunk->inflight_slot);
	return AN_CHUNK_CONTINUE;
}

/* ---- batches ---- */

static int branch_append_block_find_branches(void *state,
					     const struct an_block *block)
{
	struct branch *b = state;
	struct an_branch_block *k = an_arena_alloc(&b->arena, sizeof(*k));

	if (k == NULL ||
	    an_branch_block_init_with_branches(
		    k, block, (uint32_t)b->n_branches, &b->arena) != 0)
		return -ENOMEM;
	k->exit = an_branch_block_list_exits(k, b->predicts_returns, &b->arena);
	b->n_branches += k->n;
	/* The number of a branch must fit into an_direction(). */
	if (k->exit == NULL || b->n_branches > UINT32_MAX / 2)
		return -ENOMEM;
	an_block_chain_append(&b->chain, &k->chained);
	return 0;
}

/* Return the number of blocks that were appended up to the chunk of @batch, its
   own included. The chain itself may have more, if another thread appends those
   of later chunks. */
static size_t count_blocks_appended_up_to_chunk(const struct branch *b,
						const struct an_batch *batch)
{
	return b->is_partitioned ? b->chain.n_in_slot[batch->inflight_slot]
				 : b->chain.n;
}

static int branch_run_models_of_partition_on_chunk(void *state,
						   const struct an_batch *chunk,
						   unsigned partition)
{
	struct branch *b = state;

	return an_branch_predictors_run(
		&b->predictors[partition], chunk,
		count_blocks_appended_up_to_chunk(b, chunk));
}

static int branch_predict_batch_in_all_partitions(void *state,
						  const struct an_batch *batch)
{
	struct branch *b = state;
	int err = 0;

	for (unsigned i = 0; i < b->n_predictors && !err; i++)
		err = branch_run_models_of_partition_on_chunk(b, batch, i);
	return err;
}

/* ---- end ---- */

/* Set the counts of branch @e, zeros before: its executions, its misses in the
   first model and, if it is conditional, how often it was taken, by the exits
   that executions of @block left by. */
static void set_branch_exec_miss_taken_counts(
	const struct an_block *block, const struct an_branch_event *e,
	uint64_t n_missed, uint64_t count[AN_N_BRANCH_COUNTS])
{
	uint64_t times = an_branch_event_exec_count(block, e), exited;

	if (e->kind != AN_CONDITIONAL) {
		count[AN_BI] = times;
		count[AN_BIM] = n_missed;
		return;
	}
	exited = e->never_leaves ? 0 : block->exit_count[e->first_exit];
	count[AN_BC] = times;
	count[AN_BCM] = n_missed;
	count[AN_TAKEN] = e->is_inverted ? times - exited : exited;
}

/* Add the counts of the branches of @k to the result. @n_missed: misses of the
   first model, by the number of a branch. Return: 0 or -ENOMEM. */
static int add_branch_counts_of_block_to_result(struct branch *b,
						const struct an_branch_block *k,
						const uint64_t *n_missed)
{
	int err = 0;

	for (unsigned i = 0; i < k->n && !err; i++) {
		uint64_t count[AN_N_BRANCH_COUNTS] = {0};
		struct an_symbol place;

		if (k->event[i].kind == AN_DIRECT_CALL)
			continue;
		set_branch_exec_miss_taken_counts(
			k->chained.block, &k->event[i],
			n_missed[k->event[i].number], count);
		if (k->event[i].kind == AN_RETURN) {
			b->result.returns += count[AN_BI];
			continue;
		}
		if (count[AN_BC] + count[AN_BI] == 0)
			continue;
		for (unsigned c = 0; c < AN_N_BRANCH_COUNTS; c++)
			b->result.total[c] += count[c];
		b->env->symbol(b->env->host, k->chained.block,
			       k->event[i].instr, &place);
		err = an_place_counts_add_to_line(&b->result.places, &place,
						  count);
	}
	return err;
}

static void free_all_members_but_result(struct branch *b)
{
	for (unsigned i = 0; i < AN_N_BRANCH_MODELS; i++)
		an_branch_predictors_release(&b->predictors[i]);
	an_arena_free_all_and_reset(&b->arena);
	b->n_predictors = 0;
}

/* Add the wrong predictions of the models of @p to the result. */
static void add_model_counts_to_result(struct branch *b,
				       const struct an_branch_predictors *p)
{
	for (unsigned i = 0; i < AN_N_BRANCH_MODELS; i++) {
		struct an_model_counts *to = &b->result.model[i];

		to->conditional_missed += p->counts[i].conditional_missed;
		to->indirect_missed += p->counts[i].indirect_missed;
		to->returns_missed += p->counts[i].returns_missed;
	}
}

/* Add the counts of all blocks whose branches @p, which has the first model,
   has predicted, to the result. Return: 0 or -ENOMEM. */
static int add_branch_counts_to_result(struct branch *b,
				       const struct an_branch_predictors *p)
{
	int err = 0;

	for (size_t i = 0; i < p->n_blocks && !err; i++)
		err = add_branch_counts_of_block_to_result(b, p->block[i],
							   p->n_missed);
	return err;
}

static int branch_add_counts_to_result_free_rest(void *state)
{
	struct branch *b = state;
	int err = 0;

	for (unsigned i = 0; i < b->n_predictors && !err; i++) {
		struct an_branch_predictors *p = &b->predictors[i];

		an_branch_count_targetless_as_missed(p);
		add_model_counts_to_result(b, p);
		if (p->state[0] != NULL)
			err = add_branch_counts_to_result(b, p);
	}
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
	.divides_from_two_workers = true,
	.state_size = sizeof(struct branch),
	.open = branch_store_env_init_selected_models,
	.block = branch_append_block_find_branches,
	.batch = branch_predict_batch_in_all_partitions,
	.init_partitions = branch_divide_models_into_partitions,
	.begin_chunk = branch_store_block_count_of_chunk,
	.run_partition = branch_run_models_of_partition_on_chunk,
	.finish = branch_add_counts_to_result_free_rest,
	.merge = branch_merge_results,
	.result = branch_add_result_to_model,
	.save = branch_write_requested_table_as_csv,
	.close = branch_free_members,
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * entropy.c - entropy of the addresses of data accesses
 *
 * Each access counts once by its first address, whatever its size; a modify
 * counts twice. (Global and local memory entropy: Shao and Brooks, ISPASS 2013,
 * as in PRISM.)
 *
 * prepare() lists runs of executions with equal values of a slot (recorded base
 * address); batch() counts their accesses. With two workers, one is in batch()
 * while the other is in prepare() for a later chunk. batch() takes about 60 %
 * of the time that both take.
 */

#include <errno.h>
#include <stdio.h>

#include "analyzers/analyzer.h"
#include "analyzers/block_list.h"
#include "analyzers/entropy/run_counter.h"
#include "analyzers/result_table.h"

/* [bytes] Members of different threads share no line of the host's cache. */
enum { HOST_LINE = 64 };

struct entropy {
	/* thread of batch() */
	struct an_run_counter counter;
	/* thread of prepare(): blocks of the chain, in `arena`, are struct
	   an_near_block */
	_Alignas(HOST_LINE) struct an_arena arena;
	struct an_block_chain chain;
	const struct an_env *env;
	struct an_value_runs runs;
	/* data of the in-flight slots: thread that works on the chunk */
	struct chunk_runs {
		_Alignas(HOST_LINE) struct an_value_run_list ended;
	} inflight[AN_INFLIGHT_SLOTS];
};

static int entropy_set_env_init_block_chain(void *state,
					    const struct an_env *env)
{
	struct entropy *s = state;

	s->env = env;
	an_block_chain_init(&s->chain);
	an_chain_reader_init(&s->counter.reader, &s->chain);
	return 0;
}

static int entropy_append_block(void *state, const struct an_block *b)
{
	struct entropy *s = state;
	struct an_near_block *k =
		an_near_block_create(&s->arena, b, (uint32_t)s->runs.n_last);

	if (k == NULL)
		return -ENOMEM;
	an_block_chain_append(&s->chain, &k->chained);
	return an_value_runs_add_slots_of_block(&s->runs, k);
}

static int entropy_list_ended_value_runs(void *state,
					 const struct an_batch *batch)
{
	struct entropy *s = state;

	an_block_chain_store_count_in_slot(&s->chain, batch->inflight_slot);
	return an_value_runs_list_ended(
		&s->runs, batch, &s->inflight[batch->inflight_slot].ended);
}

/* Count the runs that ended in the batches of a chunk. The call for the first
   batch finds the runs of all batches of the chunk, and empties their list. To
   free the list would cost more time, in page faults, than to fill it. */
static int entropy_count_accesses_of_listed_runs(void *state,
						 const struct an_batch *batch)
{
	struct entropy *s = state;

	return an_run_counter_count_accesses_of_runs(
		&s->counter, s->chain.n_in_slot[batch->inflight_slot],
		&s->inflight[batch->inflight_slot].ended);
}

/* ---- end ---- */

/* Count the accesses that all executions of a block made to addresses that
   depend on no slot (recorded base address). Return: as
   an_address_counts_add(). */
static int count_fixed_address_accesses(struct entropy *s,
					const struct an_block *b)
{
	int err = 0;

	for (unsigned i = 0; i < b->n_accesses && !err; i++) {
		uint64_t n = b->access[i].slot == PT_NO_SLOT
				     ? an_access_performed_count(b, i)
				     : 0;

		if (n != 0)
			err = an_address_counts_add(
				&s->counter.counts, b->access[i].delta,
				b->access[i].kind == PT_MODIFY ? 2 * n : n);
	}
	return err;
}

static void free_all_but_counts(struct entropy *s)
{
	an_run_counter_free_near_accesses(&s->counter);
	an_value_runs_release(&s->runs);
	for (unsigned i = 0; i < AN_INFLIGHT_SLOTS; i++)
		an_value_run_list_free_runs(&s->inflight[i].ended);
	an_arena_free_all_and_reset(&s->arena);
	s->chain = (struct an_block_chain){.n = 0};
}

static int entropy_count_last_accesses_keep_counts(void *state)
{
	struct entropy *s = state;
	struct an_value_run_list *list = &s->inflight[0].ended;
	int err = an_value_runs_list_last(&s->runs, list);

	if (!err)
		err = an_run_counter_count_accesses_of_runs(&s->counter,
							    s->chain.n, list);
	for (const struct an_chained_block *b = s->chain.head.next; b && !err;
	     b = b->next)
		err = count_fixed_address_accesses(s, b->block);
	free_all_but_counts(s);
	return err;
}

static int entropy_add_counts_of_other_state(void *into, const void *from)
{
	return an_address_counts_add_all(
		&((struct entropy *)into)->counter.counts,
		&((const struct entropy *)from)->counter.counts);
}

/* Add the table of all entropies: for people and as comma-separated values. */
static void add_table_of_entropies(const struct an_entropies *e,
				   struct al_model *m)
{
	static const struct al_column column[] = {
		AL_NUMBER_COLUMN("dropped_bits", "dropped bits"),
		{.key = "bits", .title = "entropy [bits]"}};
	static const unsigned columns[] = {0, 1};
	struct al_table *t =
		al_model_add_table(m, NULL, "entropies", column, 2);

	for (unsigned i = 0; i <= AN_LOCAL_ENTROPIES; i++) {
		char bits[32];

		snprintf(bits, sizeof(bits), "%.4f", e->bits[i]);
		al_table_add_row(
			m, t,
			(union al_cell[]){
				{.number = i},
				{.text = al_model_copy_string_empty_if_no_memory(
					 m, bits)}});
	}
	al_model_add_view_copy(
		m, AL_VIEW("Entropy without the lowest bits of addresses", t,
			   columns, .sort = AL_UNSORTED));
}

static void entropy_add_result_to_model(const void *state, struct al_model *m)
{
	const struct entropy *s = state;
	struct an_entropies *e = al_model_alloc_uninitialised(m, sizeof(*e));

	if (e == NULL)
		return;
	if (an_address_counts_compute_entropies(&s->counter.counts, e)) {
		m->error = -ENOMEM;
		return;
	}
	m->title = "Memory entropy";
	al_model_add_number(m, "accesses", NULL, NULL, e->n_accesses);
	al_model_add_number(m, "addresses", NULL, NULL, e->n_addresses);
	al_model_add_real(m, "global", NULL, "bits", e->bits[0]);
	al_model_add_uncopied_real_series(m, "local", "bits", e->bits + 1,
					  AN_LOCAL_ENTROPIES);
	add_table_of_entropies(e, m);
}

static int entropy_write_csv_if_requested(const void *state)
{
	return an_result_write_csv_if_requested(
		((const struct entropy *)state)->env, state,
		entropy_add_result_to_model, "entropies");
}

static void entropy_free_members(void *state)
{
	struct entropy *s = state;

	free_all_but_counts(s);
	an_address_counts_release(&s->counter.counts);
}

static const struct an_option entropy_options[] = {
	{"table", "entropies", "write this table as CSV"},
	{"file", "PATH", "write it there; default standard output"},
	{NULL, NULL, NULL},
};

extern const struct an_class an_entropy;

const struct an_class an_entropy = {
	.name = "entropy",
	.summary = "entropy of the addresses of data",
	.options = entropy_options,
	.needs = PT_FIELD_ACCESSES | PT_FIELD_ADDRESSES,
	.state_size = sizeof(struct entropy),
	.open = entropy_set_env_init_block_chain,
	.block = entropy_append_block,
	.prepare = entropy_list_ended_value_runs,
	.batch = entropy_count_accesses_of_listed_runs,
	.finish = entropy_count_last_accesses_keep_counts,
	.merge = entropy_add_counts_of_other_state,
	.result = entropy_add_result_to_model,
	.save = entropy_write_csv_if_requested,
	.close = entropy_free_members,
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ittage.c - ITTAGE, targets of indirect branches (Seznec, JWAC-2 2011)
 *
 * A base of 2^12 last targets by address, and 6 tagged tables of 2^9 entries
 * with histories of 5, 10 ... 160 bits: a bit for each conditional branch, and
 * two of the target of each indirect branch. An entry has a target, a tag of 10
 * bits, a confidence of 2 bits and a useful bit. The longest history whose tag
 * matches predicts. Returns are predicted beside it, by a return stack.
 */

#include "analyzers/branch/model/long_history.h"
#include "analyzers/branch/model/model.h"

enum { BASE = 12, TABLES = 6, ENTRIES = 9, TAG = 10, NO_TABLE = -1 };

struct entry {
	uint64_t target;
	uint16_t tag;
	uint8_t confidence; /* 0..3: counter of right minus wrong predictions
			       of `target` */
	uint8_t useful;
};

struct predictor {
	uint64_t base[1 << BASE];
	struct entry table[TABLES][1 << ENTRIES];
	struct an_long_history history; /* two hashes for each table: one for
					   the index, one for the tag */
};

/* Initialise the branch history of predictor @predictor_state: add, for each
   table, the two hashes over the last bits of the history that the table uses.
   */
static void init_history_hashes_of_all_tables(void *predictor_state)
{
	struct predictor *p = predictor_state;

	for (unsigned t = 0; t < TABLES; t++) {
		an_history_add_hash(&p->history, 5u << t, ENTRIES);
		an_history_add_hash(&p->history, 5u << t, TAG);
	}
}

static void append_direction_to_history(void *state, bool taken)
{
	an_history_append_bit(&((struct predictor *)state)->history, taken);
}

static struct entry *compute_table_entry_and_tag(struct predictor *p,
						 uint64_t ip, int table,
						 uint16_t *tag_out)
{
	const struct an_history_hash *h = &p->history.hash[2 * table];
	uint64_t index = ip ^ ip >> (ENTRIES - table) ^ h[0].value;

	*tag_out = (uint16_t)((ip ^ ip >> ENTRIES ^ h[1].value) &
			      ((1 << TAG) - 1));
	return &p->table[table][index & ((1 << ENTRIES) - 1)];
}

/* Train an entry whose tag matched: increment its confidence if its target was
   @target, else decrement it. A wrong target is replaced by @target if the
   confidence was 0 already. */
static void train_matching_entry(struct entry *e, uint64_t target)
{
	bool right = e->target == target;

	if (!right && e->confidence == 0)
		e->target = target;
	an_counter_step_saturating(&e->confidence, right, 3);
	e->useful = right;
}

/* Overwrite @entry[t] of the first table t > @provider whose entry is not
   useful with @tag[t] and @target; if all are useful, mark all as not
   useful. */
static void replace_useless_or_age_longer_entries(struct entry *const *entry,
						  const uint16_t *tag,
						  int provider, uint64_t target)
{
	for (int t = provider + 1; t < TABLES; t++)
		if (!entry[t]->useful) {
			*entry[t] = (struct entry){target, tag[t], 0, 0};
			return;
		}
	for (int t = provider + 1; t < TABLES; t++)
		entry[t]->useful = 0;
}

static bool predict_train_target_is_miss(void *state, uint64_t ip,
					 uint64_t target)
{
	struct predictor *p = state;
	uint64_t *base = &p->base[ip & ((1 << BASE) - 1)];
	struct entry *entry[TABLES];
	uint16_t tag[TABLES];
	int provider = NO_TABLE;
	bool missed;

	for (int t = 0; t < TABLES; t++) {
		entry[t] = compute_table_entry_and_tag(p, ip, t, &tag[t]);
		if (entry[t]->tag == tag[t])
			provider = t;
	}
	missed = (provider == NO_TABLE ? *base : entry[provider]->target) !=
		 target;
	if (provider != NO_TABLE)
		train_matching_entry(entry[provider], target);
	if (missed)
		replace_useless_or_age_longer_entries(entry, tag, provider,
						      target);
	*base = target;
	an_history_append_bit(&p->history, (target ^ target >> 4) & 1);
	an_history_append_bit(&p->history, (target >> 1 ^ target >> 5) & 1);
	return missed;
}

extern const struct an_branch_model an_branch_ittage;

const struct an_branch_model an_branch_ittage = {
	.name = "ittage",
	.state_size = sizeof(struct predictor),
	.predicts_returns = true,
	.init = init_history_hashes_of_all_tables,
	.see_direction = append_direction_to_history,
	.predict_target = predict_train_target_is_miss,
};

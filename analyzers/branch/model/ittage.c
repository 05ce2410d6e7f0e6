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
	uint64_t history[4]; /* bit i, from the lowest of the first word: the
				(i + 1)-th last bit; 192 bits are stored, the
				last word is 0 */
};

/* Hashes of the history of each table. */
struct hashes {
	uint32_t index[TABLES], tag[TABLES];
};

static void append_bit_to_history(struct predictor *p, bool bit)
{
	uint64_t *h = p->history;

	h[2] = h[2] << 1 | h[1] >> 63;
	h[1] = h[1] << 1 | h[0] >> 63;
	h[0] = h[0] << 1 | bit;
}

static void append_directions_to_history(void *state,
					 const struct an_directions *d)
{
	for (unsigned i = 0; i < d->n; i++)
		append_bit_to_history(state, d->executed[i] % 2);
}

/* Return the 64 bits of the history from bit @first on, less than 192. */
static uint64_t get_history_bits(const struct predictor *p, unsigned first)
{
	const uint64_t *h = &p->history[first / 64];
	unsigned shift = first % 64;

	return shift == 0 ? h[0] : h[0] >> shift | h[1] << (64 - shift);
}

/* Set @hash to hashes of @hash_bits bits over the last 5, 10 ... 160 bits of
   the history: the exclusive or of the history's pieces of @hash_bits bits.
   They are computed when they are needed: most branches are conditional. */
static void compute_history_hashes(const struct predictor *p,
				   unsigned hash_bits, uint32_t hash[TABLES])
{
	uint32_t sum = 0;
	int t = 0;

	for (unsigned first = 0; t < TABLES; first += hash_bits) {
		uint32_t piece =
			get_history_bits(p, first) & ((1u << hash_bits) - 1);

		for (; t < TABLES && 5u << t < first + hash_bits; t++)
			hash[t] = sum ^
				  (piece & ((1u << ((5u << t) - first)) - 1));
		sum ^= piece;
	}
}

static struct entry *compute_table_entry_and_tag(struct predictor *p,
						 const struct hashes *h,
						 uint64_t ip, int table,
						 uint16_t *tag_out)
{
	uint64_t index = ip ^ ip >> (ENTRIES - table) ^ h->index[table];

	*tag_out = (uint16_t)((ip ^ ip >> ENTRIES ^ h->tag[table]) &
			      ((1 << TAG) - 1));
	return &p->table[table][index & ((1 << ENTRIES) - 1)];
}

/* Train an entry whose tag matched: increment its confidence if its target was
   @target, else decrement it. A wrong target is replaced by @target if the
   confidence was 0 already. The entry is useful from now on if its target was
   right, else not. */
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
static void replace_useless_entry_or_age_longer_ones(struct entry *const *entry,
						     const uint16_t *tag,
						     int provider,
						     uint64_t target)
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
	struct hashes h;
	bool missed;

	compute_history_hashes(p, ENTRIES, h.index);
	compute_history_hashes(p, TAG, h.tag);
	for (int t = 0; t < TABLES; t++) {
		entry[t] = compute_table_entry_and_tag(p, &h, ip, t, &tag[t]);
		if (entry[t]->tag == tag[t])
			provider = t;
	}
	missed = (provider == NO_TABLE ? *base : entry[provider]->target) !=
		 target;
	if (provider != NO_TABLE)
		train_matching_entry(entry[provider], target);
	if (missed)
		replace_useless_entry_or_age_longer_ones(entry, tag, provider,
							 target);
	*base = target;
	append_bit_to_history(p, (target ^ target >> 4) & 1);
	append_bit_to_history(p, (target >> 1 ^ target >> 5) & 1);
	return missed;
}

extern const struct an_branch_model an_branch_ittage;

const struct an_branch_model an_branch_ittage = {
	.name = "ittage",
	.state_size = sizeof(struct predictor),
	.cost = 1,
	.predicts_returns = true,
	.see_directions = append_directions_to_history,
	.predict_target = predict_train_target_is_miss,
};

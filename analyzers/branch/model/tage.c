/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tage.c - TAGE (Seznec and Michaud, JILP 2006)
 *
 * A base of 2^13 counters of 2 bits, and 8 tagged tables of 2^10 entries with
 * histories of 5, 10, 20 ... 640 branches. An entry has a counter of 3 bits, a
 * tag of 11 bits and a useful counter of 2 bits. The longest history whose tag
 * matches predicts; a new entry, whose counter is weak, gives way to the next
 * match if that has been better lately. A misprediction allocates one entry
 * with a longer history. The useful counters are halved each 2^18 branches.
 * Nothing is random.
 */

#include "analyzers/branch/model/long_history.h"
#include "analyzers/branch/model/model.h"

enum {
	BASE = 13,
	TABLES = 8,
	ENTRIES = 10, /* [bits] of an index */
	TAG = 11,     /* [bits] of a tag, and of its first hash */
	SHORT = 7,    /* [bits] of a tag's second hash. No two of ENTRIES, TAG
			 and SHORT have a common factor, so that a single
			 branch in a long history has a hash of its own at
			 each position */
	NO_TABLE = -1,
	AGE = 1 << 18, /* [branches] after which useful counters are halved */
};

struct entry {
	uint16_t tag;
	uint8_t counter; /* 0 to 7; 4 to 7 predict taken */
	uint8_t useful;	 /* 0..3 */
};

struct predictor {
	uint8_t base[1 << BASE];
	struct entry table[TABLES][1 << ENTRIES];
	struct an_long_history history; /* three hashes a table: an index,
					   and two for the tag */
	uint8_t alternate_is_better;	/* 0 to 15; at 8 to 15 the alternate
					   predicts instead of a new entry */
	uint32_t branches;
};

/* The entries of a branch, and what they predict. */
struct lookup {
	struct entry *entry[TABLES];
	uint16_t tag[TABLES];
	uint8_t *base;
	int provider, alternate; /* tables, or NO_TABLE: the base */
	bool provider_says, alternate_says;
	bool is_new; /* the provider's counter is weak, and it was of no use */
	bool prediction;
};

static void init_base_counters_and_history_hashes(void *state)
{
	struct predictor *p = state;

	for (int t = 0; t < TABLES; t++) {
		unsigned length = 5u << t;

		an_history_add_hash(&p->history, length, ENTRIES);
		an_history_add_hash(&p->history, length, TAG);
		an_history_add_hash(&p->history, length, SHORT);
	}
	for (unsigned i = 0; i < 1 << BASE; i++)
		p->base[i] = 2;
}

static void compute_entry_and_tag_of_each_table(struct predictor *p,
						uint64_t ip, struct lookup *l)
{
	for (int t = 0; t < TABLES; t++) {
		const struct an_history_hash *h = &p->history.hash[3 * t];
		uint64_t index = ip ^ ip >> (ENTRIES - t) ^ h[0].value;

		l->entry[t] = &p->table[t][index & ((1 << ENTRIES) - 1)];
		l->tag[t] = (uint16_t)((ip ^ ip >> ENTRIES ^ h[1].value ^
					h[2].value << (TAG - SHORT)) &
				       ((1u << TAG) - 1));
	}
	l->base = &p->base[ip & ((1 << BASE) - 1)];
}

/* Return the greatest number of a table, less than @end_table, whose entry for
   the branch has the branch's tag: it has the longest history of these.
   NO_TABLE: none matches. */
static int find_longest_match_below_table(const struct lookup *l, int end_table)
{
	int t = end_table - 1;

	while (t >= 0 && l->entry[t]->tag != l->tag[t])
		t--;
	return t;
}

static bool is_predicted_taken_by_table(const struct lookup *l, int table)
{
	return table == NO_TABLE ? *l->base >= 2
				 : l->entry[table]->counter >= 4;
}

static void choose_provider_and_predict(const struct predictor *p,
					struct lookup *l)
{
	l->provider = find_longest_match_below_table(l, TABLES);
	l->alternate = l->provider == NO_TABLE
			       ? NO_TABLE
			       : find_longest_match_below_table(l, l->provider);
	l->provider_says = is_predicted_taken_by_table(l, l->provider);
	l->alternate_says = is_predicted_taken_by_table(l, l->alternate);
	l->is_new = l->provider != NO_TABLE &&
		    l->entry[l->provider]->useful == 0 &&
		    (l->entry[l->provider]->counter == 3 ||
		     l->entry[l->provider]->counter == 4);
	l->prediction = l->is_new && p->alternate_is_better >= 8
				? l->alternate_says
				: l->provider_says;
}

/* Overwrite the branch's entry in the first table above the provider where it
   has a useful counter of 0: with the branch's tag and a weak counter towards
   @taken. If there is none, decrement the useful counters of all these
   entries. */
static void replace_useless_or_age_longer_entries(struct lookup *l, bool taken)
{
	for (int t = l->provider + 1; t < TABLES; t++)
		if (l->entry[t]->useful == 0) {
			*l->entry[t] =
				(struct entry){l->tag[t], taken ? 4 : 3, 0};
			return;
		}
	for (int t = l->provider + 1; t < TABLES; t++)
		l->entry[t]->useful--;
}

static void train_counters_and_add_entry_if_missed(struct predictor *p,
						   struct lookup *l, bool taken)
{
	bool differ = l->provider_says != l->alternate_says;

	if (l->is_new && differ)
		an_counter_step_saturating(&p->alternate_is_better,
					   l->alternate_says == taken, 15);
	if (l->provider_says != taken || l->prediction != taken)
		replace_useless_or_age_longer_entries(l, taken);
	if (l->provider == NO_TABLE) {
		an_counter_step_saturating(l->base, taken, 3);
		return;
	}
	an_counter_step_saturating(&l->entry[l->provider]->counter, taken, 7);
	if (differ)
		an_counter_step_saturating(&l->entry[l->provider]->useful,
					   l->provider_says == taken, 3);
}

static void halve_useful_counters(struct predictor *p)
{
	for (int t = 0; t < TABLES; t++)
		for (unsigned i = 0; i < 1 << ENTRIES; i++)
			p->table[t][i].useful >>= 1;
}

static bool predict_train_direction_is_miss(void *state, uint64_t ip,
					    bool taken)
{
	struct predictor *p = state;
	struct lookup l;

	compute_entry_and_tag_of_each_table(p, ip, &l);
	choose_provider_and_predict(p, &l);
	train_counters_and_add_entry_if_missed(p, &l, taken);
	an_history_append_bit(&p->history, taken);
	if (++p->branches % AGE == 0)
		halve_useful_counters(p);
	return l.prediction != taken;
}

extern const struct an_branch_model an_branch_tage;

const struct an_branch_model an_branch_tage = {
	.name = "tage",
	.state_size = sizeof(struct predictor),
	.init = init_base_counters_and_history_hashes,
	.predict_direction = predict_train_direction_is_miss,
};

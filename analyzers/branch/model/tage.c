/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tage.c - TAGE (Seznec and Michaud, JILP 2006)
 *
 * A base of 2^13 counters of 2 bits, and 8 tagged tables of 2^10 entries with
 * histories of 5, 10, 20 ... 640 branches. An entry has a counter of 3 bits, a
 * tag of 11 bits and a useful counter of 2 bits. The longest history whose tag
 * matches predicts; a new entry, whose counter is weak, gives way to the next
 * match if that has been better lately. A misprediction allocates at most one
 * entry, with a longer history. The useful counters are halved each 2^18
 * branches. Nothing is random.
 */

#include <string.h>

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
	LONGEST = 640, /* [branches] the longest history */
	STORED = 1536, /* size of the array of directions; when it is full, the
			  newest LONGEST are moved to its end */
	/* lowest bits of the hashes in a word, see struct predictor. The bit
	   above each hash is free. */
	INDEX_AT = 0,
	TAG_AT = 16,
	SHORT_AT = 32,
};

struct entry {
	uint16_t tag;
	uint8_t counter; /* 0 to 7; 4 to 7 predict taken */
	uint8_t useful;	 /* 0..3 */
};

/* Words with the hashes of two tables: one vector register. */
typedef uint64_t two_words __attribute__((vector_size(16)));

struct predictor {
	uint8_t base[1 << BASE];
	struct entry table[TABLES][1 << ENTRIES];
	/* For each table, the three hashes of its history (Michaud, JILP 2005)
	   in one word, so that all are updated at once: of ENTRIES bits, for
	   the index, TAG and SHORT. A hash is the exclusive or of the history's
	   pieces of as many bits. */
	two_words hash[TABLES / 2];
	two_words oldest[TABLES / 2]; /* the bits of `hash` that change when the
					 oldest direction leaves the history */
	/* Directions of the last branches, from `newest` on, the newest first;
	   all ones: taken, 0: not taken. */
	uint64_t direction[STORED];
	uint32_t newest;
	uint8_t alternate_is_better; /* 0 to 15; at 8 to 15 the alternate
					   predicts instead of a new entry */
	uint32_t branches;
};

/* A branch, its counter in the base table, and what its entries in the tagged
   tables predict. */
struct lookup {
	struct predictor *p;
	uint64_t ip;
	uint8_t *base;
	int provider, alternate; /* tables, or NO_TABLE: the base */
	bool provider_says, alternate_says;
	bool is_new; /* the provider's counter is weak and its `useful` is 0 */
	bool prediction;
};

static unsigned history_length_of_table(int table)
{
	return 5u << table;
}

static void init_tage_state(void *state)
{
	struct predictor *p = state;

	for (int t = 0; t < TABLES; t++) {
		unsigned n = history_length_of_table(t);

		p->oldest[t / 2][t % 2] = UINT64_C(1)
						  << (INDEX_AT + n % ENTRIES) |
					  UINT64_C(1) << (TAG_AT + n % TAG) |
					  UINT64_C(1) << (SHORT_AT + n % SHORT);
	}
	for (unsigned i = 0; i < 1 << BASE; i++)
		p->base[i] = 2;
	p->newest = STORED - LONGEST;
}

/* Return the words with a bit appended to each of the three hashes in each
   word. @leaves: bits that change as the oldest direction leaves a table's
   history. */
static two_words append_bit_to_three_hashes_per_word(two_words hashes, bool bit,
						     two_words leaves)
{
	static const uint64_t lowest = UINT64_C(1) << INDEX_AT |
				       UINT64_C(1) << TAG_AT |
				       UINT64_C(1) << SHORT_AT;
	two_words x = (hashes << 1 | (bit ? lowest : 0)) ^ leaves;
	two_words above = x & (UINT64_C(1) << (INDEX_AT + ENTRIES) |
			       UINT64_C(1) << (TAG_AT + TAG) |
			       UINT64_C(1) << (SHORT_AT + SHORT));

	/* Fold the bit above each hash into the hash's lowest bit, by exclusive
	   or. */
	x ^= above;
	x ^= above >> ENTRIES & UINT64_C(1) << INDEX_AT;
	x ^= above >> TAG & UINT64_C(1) << TAG_AT;
	x ^= above >> SHORT & UINT64_C(1) << SHORT_AT;
	return x;
}

/* Append a direction to the history, and update all hashes. */
static void append_direction_and_update_hashes(struct predictor *p, bool taken)
{
	const uint64_t *direction;

	if (p->newest == 0) {
		p->newest = STORED - LONGEST;
		memcpy(&p->direction[p->newest], p->direction,
		       LONGEST * sizeof(*p->direction));
	}
	direction = &p->direction[--p->newest];
	p->direction[p->newest] = -(uint64_t)taken;
#pragma GCC unroll 4
	for (int i = 0; i < TABLES / 2; i++) {
		two_words leaves = {
			direction[history_length_of_table(2 * i)],
			direction[history_length_of_table(2 * i + 1)]};

		p->hash[i] = append_bit_to_three_hashes_per_word(
			p->hash[i], taken, leaves & p->oldest[i]);
	}
}

/* Return the entry of the branch in a table. */
static inline struct entry *get_entry(const struct lookup *l, int table)
{
	uint64_t h = l->p->hash[table / 2][table % 2];
	uint64_t index = l->ip ^ l->ip >> (ENTRIES - table) ^ h >> INDEX_AT;

	return &l->p->table[table][index & ((1 << ENTRIES) - 1)];
}

/* Return the tag of the branch in a table. */
static inline uint16_t get_tag(const struct lookup *l, int table)
{
	uint64_t h = l->p->hash[table / 2][table % 2];

	return (uint16_t)((l->ip ^ l->ip >> ENTRIES ^ h >> TAG_AT ^
			   h >> SHORT_AT << (TAG - SHORT)) &
			  ((1u << TAG) - 1));
}

/* Return a mask of the tables whose entry has the branch's tag. */
static uint32_t find_matching_tables(const struct lookup *l)
{
	uint32_t matches = 0;

#pragma GCC unroll 8
	for (int t = 0; t < TABLES; t++)
		matches |= (uint32_t)(get_entry(l, t)->tag == get_tag(l, t))
			   << t;
	return matches;
}

/* Return the greatest number of a table in a mask of tables: that with the
   longest history; NO_TABLE if the mask is 0. */
static int find_last_table(uint32_t mask)
{
	return mask == 0 ? NO_TABLE : 31 - __builtin_clz(mask);
}

static bool is_predicted_taken_by_table(const struct lookup *l, int table)
{
	return table == NO_TABLE ? *l->base >= 2
				 : get_entry(l, table)->counter >= 4;
}

static bool is_weak_and_useless(const struct entry *e)
{
	return e->useful == 0 && (e->counter == 3 || e->counter == 4);
}

static void choose_provider_and_predict(struct lookup *l)
{
	uint32_t matches = find_matching_tables(l);

	l->provider = find_last_table(matches);
	l->alternate =
		l->provider == NO_TABLE
			? NO_TABLE
			: find_last_table(matches & ~(1u << l->provider));
	l->provider_says = is_predicted_taken_by_table(l, l->provider);
	l->alternate_says = is_predicted_taken_by_table(l, l->alternate);
	l->is_new = l->provider != NO_TABLE &&
		    is_weak_and_useless(get_entry(l, l->provider));
	l->prediction = l->is_new && l->p->alternate_is_better >= 8
				? l->alternate_says
				: l->provider_says;
}

/* Overwrite the branch's entry in the first table above the provider where it
   has a useful counter of 0: with the branch's tag and a weak counter towards
   @taken. If there is none, decrement the useful counters of all these
   entries. */
static void replace_useless_entry_or_age_longer_ones(struct lookup *l,
						     bool taken)
{
	for (int t = l->provider + 1; t < TABLES; t++) {
		struct entry *e = get_entry(l, t);

		if (e->useful == 0) {
			*e = (struct entry){get_tag(l, t), taken ? 4 : 3, 0};
			return;
		}
	}
	for (int t = l->provider + 1; t < TABLES; t++)
		get_entry(l, t)->useful--;
}

static void train_counters_and_add_entry_if_missed(struct lookup *l, bool taken)
{
	bool differ = l->provider_says != l->alternate_says;
	struct entry *e;

	if (l->is_new && differ)
		an_counter_step_saturating(&l->p->alternate_is_better,
					   l->alternate_says == taken, 15);
	if (l->provider_says != taken || l->prediction != taken)
		replace_useless_entry_or_age_longer_ones(l, taken);
	if (l->provider == NO_TABLE) {
		an_counter_step_saturating(l->base, taken, 3);
		return;
	}
	e = get_entry(l, l->provider);
	an_counter_step_saturating(&e->counter, taken, 7);
	if (differ)
		an_counter_step_saturating(&e->useful,
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
	struct lookup l = {
		.p = p, .ip = ip, .base = &p->base[ip & ((1 << BASE) - 1)]};

	choose_provider_and_predict(&l);
	train_counters_and_add_entry_if_missed(&l, taken);
	append_direction_and_update_hashes(p, taken);
	if (++p->branches % AGE == 0)
		halve_useful_counters(p);
	return l.prediction != taken;
}

static unsigned
predict_train_list_missed_directions(void *state, const struct an_directions *d,
				     uint32_t *missed)
{
	return an_predict_directions_one_by_one(
		state, d, missed, predict_train_direction_is_miss);
}

extern const struct an_branch_model an_branch_tage;

const struct an_branch_model an_branch_tage = {
	.name = "tage",
	.state_size = sizeof(struct predictor),
	.cost = 21,
	.init = init_tage_state,
	.predict_directions = predict_train_list_missed_directions,
};

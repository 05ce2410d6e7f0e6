/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cachegrind_predictor.c - the predictor of Valgrind's Cachegrind
 *
 * 2^14 counters of 2 bits, all 0 at first. The index has the low 7 bits of the
 * address and the directions of the last 7 branches. An indirect branch goes
 * to the last target of those whose addresses have the same low 9 bits. One
 * history for all threads. (Valgrind 3.19, cachegrind/cg_branchpred.c.)
 */

#include "analyzers/branch/model/model.h"

/* [bits] HISTORY and ADDRESS: of the index of a conditional branch's counter;
   TARGETS: of the address that selects the last target of an indirect branch */
enum { HISTORY = 7, ADDRESS = 7, TARGETS = 9 };

/* A byte with a counter in bits 4 and 5, and in bit 7 whether the branch that
   counted last was mispredicted. */
enum { COUNTER_AT = 4, MISSED_AT = 7 };

/* The byte @counter, @missed at the place of a counter and a direction in
   next_counter_byte_with_missed_flag()'s table. */
#define NEXT(counter_before, taken, counter, missed)                           \
	((uint64_t)((counter) << COUNTER_AT | (missed) << MISSED_AT)           \
	 << ((counter_before)*16 + (taken)*8))

struct predictor {
	uint32_t history;
	uint8_t counter[1 << (HISTORY + ADDRESS)];
	uint64_t target[1 << TARGETS];
};

/* Return a counter's byte after a branch that was @taken (1) or not (0). The
   table of all 8 bytes is one number: a lookup is a shift. A jump would be
   mispredicted by the processor about as often as the branch is by the
   model. */
static inline uint8_t next_counter_byte_with_missed_flag(uint8_t counter_byte,
							 uint32_t taken)
{
	static const uint64_t table = NEXT(0, 0, 0, 0) | NEXT(0, 1, 1, 1) |
				      NEXT(1, 0, 0, 0) | NEXT(1, 1, 2, 1) |
				      NEXT(2, 0, 1, 1) | NEXT(2, 1, 3, 0) |
				      NEXT(3, 0, 2, 1) | NEXT(3, 1, 3, 0);

	return (uint8_t)(table >> ((counter_byte + taken * 8) % 64));
}

static unsigned
predict_train_list_missed_directions(void *state, const struct an_directions *d,
				     uint32_t *missed_directions)
{
	struct predictor *p = state;
	uint32_t history = p->history, last = UINT32_MAX;
	const uint32_t *end = d->executed + d->n;
	const uint64_t *ip = d->ip;
	unsigned n_missed = 0;
	uint8_t counter = 0;

	for (const uint32_t *e = d->executed; e < end; e++) {
		uint32_t address = ip[*e / 2] % (1 << ADDRESS);
		uint32_t index = address << HISTORY | history;

		/* A counter that was just stored is not loaded, which would
		   wait for the store. */
		if (index != last)
			counter = p->counter[index];
		counter = next_counter_byte_with_missed_flag(counter, *e % 2);
		p->counter[index] = counter;
		last = index;
		missed_directions[n_missed] = *e;
		n_missed += counter >> MISSED_AT;
		history = (history << 1 | *e % 2) % (1 << HISTORY);
	}
	p->history = history;
	return n_missed;
}

static bool predict_train_target_is_miss(void *state, uint64_t ip,
					 uint64_t target)
{
	struct predictor *p = state;
	uint64_t *last = &p->target[ip & ((1 << TARGETS) - 1)];
	bool missed = *last != target;

	*last = target;
	return missed;
}

extern const struct an_branch_model an_branch_cachegrind;

const struct an_branch_model an_branch_cachegrind = {
	.name = "cachegrind",
	.state_size = sizeof(struct predictor),
	.cost = 1,
	.predict_directions = predict_train_list_missed_directions,
	.predict_target = predict_train_target_is_miss,
};

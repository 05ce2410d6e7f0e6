/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cachegrind_predictor.c - the predictor of Valgrind's Cachegrind
 *
 * 2^14 counters of 2 bits, all 0 at first. The index has the directions of the
 * last 7 branches above the low 7 bits of the address. An indirect branch goes
 * to the last target of those whose addresses have the same low 9 bits. One
 * history for all threads. (Valgrind 3.19, cachegrind/cg_branchpred.c.)
 */

#include "analyzers/branch/model/model.h"

enum { HISTORY = 7, ADDRESS = 7, TARGETS = 9 }; /* [bits] */

struct predictor {
	uint64_t history;
	uint8_t counter[1 << (HISTORY + ADDRESS)];
	uint64_t target[1 << TARGETS];
};

static bool predict_train_direction_is_miss(void *state, uint64_t ip,
					    bool taken)
{
	struct predictor *p = state;
	uint64_t history = p->history & ((1 << HISTORY) - 1);
	uint8_t *c =
		&p->counter[history << ADDRESS | (ip & ((1 << ADDRESS) - 1))];
	bool missed = (*c >= 2) != taken;

	an_counter_step_saturating(c, taken, 3);
	p->history = p->history << 1 | taken;
	return missed;
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
	.predict_direction = predict_train_direction_is_miss,
	.predict_target = predict_train_target_is_miss,
};

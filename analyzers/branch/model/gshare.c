/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gshare.c - counters indexed by address xor global history (McFarling 1993)
 *
 * 2^14 counters of 2 bits, all 2 at first; 14 bits of history; the address is
 * folded to 14 bits, as in ChampSim.
 */

#include <string.h>

#include "analyzers/branch/model/model.h"

enum { BITS = 14 };

struct predictor {
	uint64_t history;
	uint8_t counter[1 << BITS];
};

static void init_counters_to_weakly_taken(void *state)
{
	memset(((struct predictor *)state)->counter, 2, 1 << BITS);
}

static bool predict_train_direction_is_miss(void *state, uint64_t ip,
					    bool taken)
{
	struct predictor *p = state;
	uint64_t mask = (1 << BITS) - 1;
	uint8_t *c =
		&p->counter[(ip ^ ip >> BITS ^ ip >> 2 * BITS ^ p->history) &
			    mask];
	bool missed = (*c >= 2) != taken;

	an_counter_step_saturating(c, taken, 3);
	p->history = (p->history << 1 | taken) & mask;
	return missed;
}

static unsigned
predict_train_list_missed_directions(void *state, const struct an_directions *d,
				     uint32_t *missed)
{
	return an_predict_directions_one_by_one(
		state, d, missed, predict_train_direction_is_miss);
}

extern const struct an_branch_model an_branch_gshare;

const struct an_branch_model an_branch_gshare = {
	.name = "gshare",
	.state_size = sizeof(struct predictor),
	.cost = 2,
	.init = init_counters_to_weakly_taken,
	.predict_directions = predict_train_list_missed_directions,
};

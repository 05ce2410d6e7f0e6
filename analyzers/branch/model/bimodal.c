/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bimodal.c - a counter of 2 bits for each branch (Smith 1981)
 *
 * 2^14 counters, all 0 at first; index: address modulo 16381, the largest prime
 * below, as in ChampSim.
 */

#include "analyzers/branch/model/model.h"

enum { COUNTERS = 16384, PRIME = 16381 };

struct predictor {
	uint8_t counter[COUNTERS];
};

static bool predict_train_direction_is_miss(void *state, uint64_t ip,
					    bool taken)
{
	uint8_t *c = &((struct predictor *)state)->counter[ip % PRIME];
	bool missed = (*c >= 2) != taken;

	an_counter_step_saturating(c, taken, 3);
	return missed;
}

static unsigned
predict_train_list_missed_directions(void *state, const struct an_directions *d,
				     uint32_t *missed)
{
	return an_predict_directions_one_by_one(
		state, d, missed, predict_train_direction_is_miss);
}

extern const struct an_branch_model an_branch_bimodal;

const struct an_branch_model an_branch_bimodal = {
	.name = "bimodal",
	.state_size = sizeof(struct predictor),
	.cost = 2,
	.predict_directions = predict_train_list_missed_directions,
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tournament.c - the predictor of the Alpha 21264 (Kessler, IEEE Micro 19(2))
 *
 * 1024 local histories of 10 bits select 1024 counters of 3 bits; 12 bits of
 * global history select 4096 counters of 2 bits, and 4096 more that choose
 * between the two predictions. All are 0 at first, and 0 chooses the local one.
 */

#include "analyzers/branch/model/model.h"

enum { LOCAL = 10, GLOBAL = 12 }; /* [bits] */

struct predictor {
	uint64_t history;
	uint16_t local_history[1 << LOCAL];
	uint8_t local[1 << LOCAL];
	uint8_t global[1 << GLOBAL];
	uint8_t choice[1 << GLOBAL];
};

static bool predict_train_direction_is_miss(void *state, uint64_t ip,
					    bool taken)
{
	struct predictor *p = state;
	uint16_t *history = &p->local_history[ip & ((1 << LOCAL) - 1)];
	uint8_t *local = &p->local[*history];
	uint8_t *global = &p->global[p->history];
	uint8_t *choice = &p->choice[p->history];
	bool local_says = *local >= 4, global_says = *global >= 2;
	bool missed = (*choice >= 2 ? global_says : local_says) != taken;

	if (local_says != global_says)
		an_counter_step_saturating(choice, global_says == taken, 3);
	an_counter_step_saturating(local, taken, 7);
	an_counter_step_saturating(global, taken, 3);
	*history = (uint16_t)((*history << 1 | taken) & ((1 << LOCAL) - 1));
	p->history = (p->history << 1 | taken) & ((1 << GLOBAL) - 1);
	return missed;
}

static unsigned
predict_train_list_missed_directions(void *state, const struct an_directions *d,
				     uint32_t *missed)
{
	return an_predict_directions_one_by_one(
		state, d, missed, predict_train_direction_is_miss);
}

extern const struct an_branch_model an_branch_tournament;

const struct an_branch_model an_branch_tournament = {
	.name = "tournament",
	.state_size = sizeof(struct predictor),
	.cost = 5,
	.predict_directions = predict_train_list_missed_directions,
};

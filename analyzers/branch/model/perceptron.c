/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perceptron.c - a perceptron for each branch (Jimenez and Lin, HPCA 2001)
 *
 * 163 perceptrons of a bias and 24 weights of 8 bits, one for each of the last
 * 24 directions; index: address modulo 163. Trained if the prediction was wrong
 * or the output is from -60 to 60 (1.93 * 24 + 14), as in ChampSim.
 */

#include <stdlib.h>

#include "analyzers/branch/model/model.h"

enum { HISTORY = 24, PERCEPTRONS = 163, THRESHOLD = 60 };

struct predictor {
	uint32_t history; /* bit i, from 0: whether the (i + 1)-th last
			     conditional branch was taken */
	int8_t weight[PERCEPTRONS][1 + HISTORY];
};

/* Move a weight by one, up or down, between -128 and 127. */
static void step_weight_saturating(int8_t *weight, bool up)
{
	if (up && *weight < INT8_MAX)
		(*weight)++;
	else if (!up && *weight > INT8_MIN)
		(*weight)--;
}

static bool predict_train_direction_is_miss(void *state, uint64_t ip,
					    bool taken)
{
	struct predictor *p = state;
	int8_t *weight = p->weight[ip % PERCEPTRONS];
	int output = weight[0];
	bool missed;

	for (int i = 0; i < HISTORY; i++)
		output += p->history >> i & 1 ? weight[1 + i] : -weight[1 + i];
	missed = (output >= 0) != taken;
	if (missed || abs(output) <= THRESHOLD) {
		step_weight_saturating(weight, taken);
		for (int i = 0; i < HISTORY; i++)
			step_weight_saturating(&weight[1 + i],
					       (p->history >> i & 1) == taken);
	}
	p->history = (p->history << 1 | taken) & ((1 << HISTORY) - 1);
	return missed;
}

extern const struct an_branch_model an_branch_perceptron;

const struct an_branch_model an_branch_perceptron = {
	.name = "perceptron",
	.state_size = sizeof(struct predictor),
	.predict_direction = predict_train_direction_is_miss,
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perceptron.c - a perceptron for each branch (Jimenez and Lin, HPCA 2001)
 *
 * 163 perceptrons of a bias and 24 weights of 8 bits, one for each of the last
 * 24 directions; index: address modulo 163. Trained if the prediction was wrong
 * or the output is from -60 to 60 (1.93 * 24 + 14), as in ChampSim.
 */

#include <stdlib.h>
#include <string.h>

#include "analyzers/branch/model/model.h"

enum {
	HISTORY = 24,
	PERCEPTRONS = 163,
	THRESHOLD = 60,
	DIRECTIONS = 256, /* size of the array of stored directions; when it
			     is full, the last HISTORY are moved to its end */
};

struct predictor {
	/* Directions of conditional branches, 1: taken, -1: not taken. The last
	   HISTORY begin at direction[newest], the newest first. */
	int16_t direction[DIRECTIONS];
	unsigned newest;
	/* Numbers of 8 bits, stored in 16, as the loops over them become vector
	   instructions. */
	int16_t weight[PERCEPTRONS][HISTORY];
	int16_t bias[PERCEPTRONS];
};

static void init_directions_to_not_taken(void *state)
{
	struct predictor *p = state;

	p->newest = DIRECTIONS - HISTORY;
	for (unsigned i = 0; i < DIRECTIONS; i++)
		p->direction[i] = -1;
}

/* Limit a number to 8 bits with a sign. */
static inline int16_t limit_to_8_bits(int16_t n)
{
	n = n < INT8_MAX ? n : INT8_MAX;
	return n > INT8_MIN ? n : INT8_MIN;
}

static int compute_output(const int16_t *restrict weight,
			  const int16_t *restrict direction)
{
	int sum = 0;

	for (int i = 0; i < HISTORY; i++)
		sum += weight[i] * direction[i];
	return sum;
}

/* Move each weight by one: up if the direction of its earlier branch,
   @direction[i], is that of this branch, else down. */
static void train_weights(int16_t *restrict weight,
			  const int16_t *restrict direction,
			  int16_t branch_direction)
{
	for (int i = 0; i < HISTORY; i++) {
		int16_t step = (int16_t)(direction[i] * branch_direction);

		weight[i] = limit_to_8_bits((int16_t)(weight[i] + step));
	}
}

static void append_direction(struct predictor *p, int16_t direction)
{
	if (p->newest == 0) {
		p->newest = DIRECTIONS - HISTORY;
		memcpy(&p->direction[p->newest], p->direction,
		       HISTORY * sizeof(*p->direction));
	}
	p->direction[--p->newest] = direction;
}

static bool predict_train_direction_is_miss(void *state, uint64_t ip,
					    bool taken)
{
	struct predictor *p = state;
	unsigned i = (unsigned)(ip % PERCEPTRONS);
	const int16_t *direction = &p->direction[p->newest];
	int output = p->bias[i] + compute_output(p->weight[i], direction);
	bool missed = (output >= 0) != taken;

	if (missed || abs(output) <= THRESHOLD) {
		int16_t step = taken ? 1 : -1;

		p->bias[i] = limit_to_8_bits((int16_t)(p->bias[i] + step));
		train_weights(p->weight[i], direction, step);
	}
	append_direction(p, taken ? 1 : -1);
	return missed;
}

static unsigned predict_train_directions(void *state,
					 const struct an_directions *d,
					 uint32_t *missed)
{
	return an_predict_directions_one_by_one(
		state, d, missed, predict_train_direction_is_miss);
}

extern const struct an_branch_model an_branch_perceptron;

const struct an_branch_model an_branch_perceptron = {
	.name = "perceptron",
	.state_size = sizeof(struct predictor),
	.init = init_directions_to_not_taken,
	.predict_directions = predict_train_directions,
};

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
	TOGETHER = 232, /* branches whose directions are stored together */
};

struct predictor {
	/* Directions of the last HISTORY conditional branches, the newest
	   first. 1: taken, -1: not taken. */
	int16_t direction[HISTORY];
	/* Numbers of 8 bits, stored in 16, as the loops over them become vector
	   instructions. */
	int16_t weight[PERCEPTRONS][HISTORY];
	int16_t bias[PERCEPTRONS];
};

static void init_history_to_not_taken(void *state)
{
	struct predictor *p = state;

	for (unsigned i = 0; i < HISTORY; i++)
		p->direction[i] = -1;
}

/* Limit a number to 8 bits with a sign. */
static inline int16_t limit_to_8_bits(int16_t n)
{
	n = n < INT8_MAX ? n : INT8_MAX;
	return n > INT8_MIN ? n : INT8_MIN;
}

static int
dot_product_of_weights_and_directions(const int16_t *restrict weight,
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

/* Predict and learn the direction of a branch. @earlier: directions of the
   branches before it. Return: whether the prediction was wrong. */
static bool predict_train_direction_is_miss(struct predictor *p, uint64_t ip,
					    int16_t direction,
					    const int16_t *earlier)
{
	unsigned i = (unsigned)(ip % PERCEPTRONS);
	int output = p->bias[i] + dot_product_of_weights_and_directions(
					  p->weight[i], earlier);
	bool missed = (output >= 0) != (direction > 0);

	if (missed || abs(output) <= THRESHOLD) {
		p->bias[i] = limit_to_8_bits((int16_t)(p->bias[i] + direction));
		train_weights(p->weight[i], earlier, direction);
	}
	return missed;
}

/* Predict @n branches, at most TOGETHER, from @executed on. All directions are
   stored first: one that was just stored could be read only after a pause, as
   it would be a part of a vector. */
static unsigned predict_train_branches_list_missed(struct predictor *p,
						   const uint64_t *ip,
						   const uint32_t *executed,
						   unsigned n, uint32_t *missed)
{
	int16_t direction[TOGETHER + HISTORY];
	unsigned n_missed = 0;

	memcpy(direction + n, p->direction, sizeof(p->direction));
	for (unsigned i = 0; i < n; i++)
		direction[n - 1 - i] = executed[i] % 2 ? 1 : -1;
	memcpy(p->direction, direction, sizeof(p->direction));
	for (unsigned i = 0; i < n; i++) {
		const int16_t *own = direction + n - 1 - i;

		missed[n_missed] = executed[i];
		n_missed += predict_train_direction_is_miss(
			p, ip[executed[i] / 2], *own, own + 1);
	}
	return n_missed;
}

static unsigned
predict_train_list_missed_directions(void *state, const struct an_directions *d,
				     uint32_t *missed_directions)
{
	unsigned n_missed = 0;

	for (unsigned i = 0; i < d->n; i += TOGETHER) {
		unsigned remaining = d->n - i;

		n_missed += predict_train_branches_list_missed(
			state, d->ip, d->executed + i,
			remaining < TOGETHER ? remaining : TOGETHER,
			missed_directions + n_missed);
	}
	return n_missed;
}

extern const struct an_branch_model an_branch_perceptron;

const struct an_branch_model an_branch_perceptron = {
	.name = "perceptron",
	.state_size = sizeof(struct predictor),
	.cost = 6,
	.init = init_history_to_not_taken,
	.predict_directions = predict_train_list_missed_directions,
};

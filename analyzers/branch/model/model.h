/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model.h - interface of models of branch prediction
 *
 * A model is one file and one entry of an_branch_models[]. Its state is zeroed
 * at first and belongs to one process image. A model predicts conditional
 * branches, indirect ones, or both.
 */
#ifndef ANALYZERS_BRANCH_MODEL_MODEL_H
#define ANALYZERS_BRANCH_MODEL_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Executed conditional branches, in order. */
struct an_directions {
	const uint64_t *ip;	  /* address of each branch, by its number */
	const uint32_t *executed; /* [n] values of an_direction() */
	unsigned n;
};

/* Return an executed branch and its direction in one word: half of it is the
   number of the branch, the lowest bit is 1 if it was taken. */
static inline uint32_t an_direction(uint32_t branch_number, bool taken)
{
	return branch_number * 2 + taken;
}

struct an_branch_model {
	const char *name;
	size_t state_size;     /* [bytes] size of the model's state */
	unsigned cost;	       /* processor time of a prediction [about 1 ns] */
	bool predicts_returns; /* returns are predicted by a return stack beside
				  the model */
	void (*init)(void *state); /* NULL: zeros are the initial state */

	/* Predict the directions of branches in turn, and learn each before the
	   next is predicted; NULL: the model predicts no conditional branches.
	   Store those that were mispredicted in @missed, which has room for
	   all and one more. Return: their number. */
	unsigned (*predict_directions)(void *state,
				       const struct an_directions *,
				       uint32_t *missed);

	/* Learn the directions of branches that other models predict; NULL: the
	   model has no use for them. */
	void (*see_directions)(void *state, const struct an_directions *);

	/* Predict the target of the indirect branch at @ip, and learn the true
	   one; NULL: the model predicts no indirect branches. Return: whether
	   the prediction was wrong. */
	bool (*predict_target)(void *state, uint64_t ip, uint64_t target);
};

/* All models, ended by NULL. The misses of the first are counted for each
   single branch; of the others, only sums are counted. */
extern const struct an_branch_model *const an_branch_models[];

enum { AN_N_BRANCH_MODELS = 7 };

/* Increment @counter if @up, else decrement it; it stays between 0 and @max,
   both inclusive. */
static inline void an_counter_step_saturating(uint8_t *counter, bool up,
					      uint8_t max)
{
	*counter = (uint8_t)(*counter + (up & (*counter < max)) -
			     (!up & (*counter > 0)));
}

/* Do what an_branch_model.predict_directions does, with a call of
   @predict_is_wrong for each branch: it predicts the branch's direction, learns
   the true one, and returns whether the prediction was wrong. */
static inline __attribute__((always_inline)) unsigned
an_predict_directions_one_by_one(
	void *state, const struct an_directions *d, uint32_t *missed_list_out,
	bool (*predict_is_wrong)(void *state, uint64_t ip, bool taken))
{
	unsigned n_missed = 0;

	for (unsigned i = 0; i < d->n; i++) {
		uint32_t branch = d->executed[i];

		missed_list_out[n_missed] = branch;
		n_missed +=
			predict_is_wrong(state, d->ip[branch / 2], branch % 2);
	}
	return n_missed;
}

#endif

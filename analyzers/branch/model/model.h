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

struct an_branch_model {
	const char *name;
	size_t state_size;     /* [bytes] size of the model's state */
	bool predicts_returns; /* returns are predicted by a return stack beside
				  the model */
	void (*init)(void *state); /* NULL: zeros are the initial state */

	/* Predict the direction of the branch at @ip, and learn the true one;
	   NULL: the model predicts no conditional branches. Return: whether the
	   prediction was wrong. */
	bool (*predict_direction)(void *state, uint64_t ip, bool taken);

	/* Learn the direction of a branch that another model predicts; NULL:
	   the model has no use for it. */
	void (*see_direction)(void *state, bool taken);

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
	if (up && *counter < max)
		(*counter)++;
	else if (!up && *counter > 0)
		(*counter)--;
}

#endif

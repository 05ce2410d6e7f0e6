/* SPDX-License-Identifier: GPL-2.0-or-later */
/* models_test.c - models of branch prediction on sequences whose outcome is known
 */
#include <stdlib.h>

#include "analyzers/branch/model/model.h"
#include "tests/tap.h"

enum { BRANCHES = 20000, IP = 0x401234 };

static bool is_taken_always(unsigned i)
{
	(void)i;
	return true;
}

static bool is_taken_alternately(unsigned i)
{
	return i % 2;
}

/* The last of 21 iterations leaves a loop. */
static bool is_taken_in_loop(unsigned i)
{
	return i % 21 != 20;
}

/* A pattern that repeats after 150 branches. */
static bool is_taken_in_long_loop(unsigned i)
{
	return i % 150 != 149;
}

static void *new_state(const struct an_branch_model *m)
{
	void *state = calloc(1, m->state_size);

	if (state == NULL)
		exit(99);
	if (m->init)
		m->init(state);
	return state;
}

static unsigned count_missed(const char *name, bool (*is_taken)(unsigned))
{
	const struct an_branch_model *const *m = an_branch_models;
	unsigned missed = 0;
	void *state;

	while (strcmp((*m)->name, name) != 0)
		m++;
	state = new_state(*m);
	for (unsigned i = 0; i < BRANCHES; i++)
		missed += (*m)->predict_direction(state, IP, is_taken(i));
	free(state);
	return missed;
}

/* Check that a model misses from @least to @most of the branches. */
static void test_direction(const char *name, bool (*is_taken)(unsigned),
			   unsigned least, unsigned most, const char *sequence)
{
	unsigned missed = count_missed(name, is_taken);
	char fact[80];

	snprintf(fact, sizeof(fact), "%s: %s", name, sequence);
	if (!ok(missed >= least && missed <= most, fact))
		printf("# %u wrong, want %u to %u\n", missed, least, most);
}

static void test_target(const char *name, unsigned n_targets, unsigned least,
			unsigned most)
{
	const struct an_branch_model *const *m = an_branch_models;
	unsigned missed = 0;
	char fact[80];
	void *state;

	while (strcmp((*m)->name, name) != 0)
		m++;
	state = new_state(*m);
	for (unsigned i = 0; i < BRANCHES; i++)
		missed += (*m)->predict_target(state, IP,
					       0x5000 + i % n_targets * 0x13);
	snprintf(fact, sizeof(fact), "%s: %u targets in turn", name, n_targets);
	if (!ok(missed >= least && missed <= most, fact))
		printf("# %u wrong, want %u to %u\n", missed, least, most);
	free(state);
}

int main(void)
{
	static const char *const with_history[] = {
		"cachegrind", "gshare", "tournament", "perceptron", "tage"};
	const struct an_branch_model *const *m = an_branch_models;
	unsigned n = 0;

	for (; m[n]; n++)
		if (m[n]->predict_direction)
			test_direction(m[n]->name, is_taken_always, 0, 40,
				       "a branch that is always taken");
	is_u64(n, AN_N_BRANCH_MODELS, "the number of models");
	for (unsigned i = 0; i < 5; i++)
		test_direction(with_history[i], is_taken_alternately, 0, 60,
			       "a branch that is taken every other time");
	/* The history passes through 7 values before it has 7 ones. */
	test_direction("cachegrind", is_taken_always, 9, 9,
		       "one wrong prediction by 7 counters, two by the last");
	test_direction("bimodal", is_taken_alternately, BRANCHES / 2,
		       BRANCHES / 2, "a counter cannot learn an alternation");
	test_direction("bimodal", is_taken_in_loop, BRANCHES / 21,
		       BRANCHES / 21 + 3, "nor the end of a loop");
	test_direction("gshare", is_taken_in_loop, BRANCHES / 21 - 20,
		       BRANCHES / 21 + 40,
		       "14 branches of history do not reach over 21");
	test_direction("perceptron", is_taken_in_loop, 0, 100, "24 do");
	test_direction("tage", is_taken_in_loop, 0, 100, "40 do");
	test_direction("perceptron", is_taken_in_long_loop, BRANCHES / 150 - 5,
		       BRANCHES / 75, "24 do not reach over 150");
	test_direction("tage", is_taken_in_long_loop, 0, 60, "160 do");
	test_target("cachegrind", 1, 1, 1);
	test_target("cachegrind", 2, BRANCHES, BRANCHES);
	test_target("ittage", 1, 1, 1);
	test_target("ittage", 2, 0, 40);
	test_target("ittage", 7, 0, 200);
	return done_testing();
}

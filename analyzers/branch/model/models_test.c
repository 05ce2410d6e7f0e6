/* SPDX-License-Identifier: GPL-2.0-or-later */
/* models_test.c - models of branch prediction on sequences whose outcome is
   known */
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

/* Let a model predict one branch. Return: whether the prediction was wrong. */
static bool predict_direction(const struct an_branch_model *m, void *state,
			      uint64_t ip, bool taken)
{
	uint32_t executed = an_direction(0, taken), missed[2];

	return m->predict_directions(
		state, &(struct an_directions){&ip, &executed, 1}, missed);
}

static void see_direction(const struct an_branch_model *m, void *state,
			  bool taken)
{
	uint32_t executed = an_direction(0, taken);

	m->see_directions(state, &(struct an_directions){NULL, &executed, 1});
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
		missed += predict_direction(*m, state, IP, is_taken(i));
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

/* Return the next number of a fixed sequence (Knuth, MMIX). */
static uint64_t next_random(uint64_t *x)
{
	*x = *x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return *x >> 33;
}

/* Return the misses of a model on a mixture of branches: loops, branches that
   repeat earlier ones, random ones, and indirect branches whose targets follow
   from those before. */
static unsigned count_missed_of_mixture(const struct an_branch_model *m)
{
	void *state = new_state(m);
	uint64_t x = 1, history = 0, target = 0;
	unsigned missed = 0;

	for (unsigned i = 0; i < 600000; i++) {
		uint64_t r = next_random(&x), branch = r % 97;
		bool taken = branch < 40   ? i % (branch + 2) != 0
			     : branch < 80 ? history >> (branch - 40) & 1
					   : r >> 8 & 1;

		history = history << 1 | taken;
		if (m->see_directions)
			see_direction(m, state, taken);
		if (m->predict_directions)
			missed += predict_direction(
				m, state, 0x401000 + 7 * branch, taken);
		if (r >> 16 & 7 || !m->predict_target)
			continue;
		target = 0x500000 + 11 * ((target ^ history) % 5);
		missed += m->predict_target(state, 0x402000 + r % 3, target);
	}
	free(state);
	return missed;
}

/* The counts are those of the first version of each model. */
static void test_mixture(void)
{
	static const unsigned missed[AN_N_BRANCH_MODELS] = {
		199658, 135663, 144768, 134017, 94125, 124874, 59975};

	for (unsigned i = 0; i < AN_N_BRANCH_MODELS; i++) {
		char fact[80];

		snprintf(fact, sizeof(fact), "%s: a mixture of branches",
			 an_branch_models[i]->name);
		is_u64(count_missed_of_mixture(an_branch_models[i]), missed[i],
		       fact);
	}
}

/* Check that a model that predicts directions makes the same mistakes when it
   gets all branches at once as when it gets one at a time. */
static void test_together(const struct an_branch_model *m)
{
	enum { N = 1000 };
	uint64_t ip[7], x = 5;
	uint32_t executed[N], missed[N + 1];
	void *alone = new_state(m), *all = new_state(m);
	unsigned n = 0, n_missed;
	bool same = true;
	char fact[80];

	for (unsigned i = 0; i < 7; i++)
		ip[i] = IP + 5 * i;
	for (unsigned i = 0; i < N; i++)
		executed[i] = an_direction(next_random(&x) % 7,
					   next_random(&x) % 3 == 0);
	n_missed = m->predict_directions(
		all, &(struct an_directions){ip, executed, N}, missed);
	for (unsigned i = 0; i < N && same; i++)
		if (predict_direction(m, alone, ip[executed[i] / 2],
				      executed[i] % 2))
			same = n < n_missed && missed[n++] == executed[i];
	snprintf(fact, sizeof(fact), "%s: all branches at once", m->name);
	ok(same && n == n_missed && n > 100, fact);
	free(alone);
	free(all);
}

int main(void)
{
	static const char *const with_history[] = {
		"cachegrind", "gshare", "tournament", "perceptron", "tage"};
	const struct an_branch_model *const *m = an_branch_models;
	unsigned n = 0;

	for (; m[n]; n++)
		if (m[n]->predict_directions)
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
	test_mixture();
	for (unsigned i = 0; m[i]; i++)
		if (m[i]->predict_directions)
			test_together(m[i]);
	return done_testing();
}

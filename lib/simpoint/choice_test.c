/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * choice_test.c - intervals of equal code are one cluster, and the chosen ones
 * stand for all instructions
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text/message.h"
#include "lib/simpoint/simpoint.h"
#include "tests/tap.h"

enum { INTERVALS = 60, PHASES = 3 };

/* Write vectors of a run with three phases, which take turns. The blocks of a
   phase differ by a few executions between its intervals. */
static void write_vectors(const char *path)
{
	FILE *f = fopen(path, "w");

	for (int i = 0; i < INTERVALS; i++) {
		int phase = i % PHASES;

		fprintf(f, "T:%d:%d   :%d:%d   :9:%d   \n", 3 * phase + 1,
			600 + i % 7, 3 * phase + 2, 300 - i % 5, 100);
	}
	fputs("# block 1 0x400000 5 main\n\n", f);
	fclose(f);
}

static bool has_one_interval_of_each_phase(const struct al_choice *c)
{
	unsigned phases = 0;

	for (size_t i = 0; i < c->n; i++)
		phases |= 1u << c->chosen[i].interval % PHASES;
	return c->n == PHASES && phases == (1u << PHASES) - 1;
}

static bool has_instructions_of_phases(const struct al_choice *c,
				       const struct al_intervals *s)
{
	for (size_t i = 0; i < c->n; i++) {
		uint64_t sum = 0;

		for (size_t k = c->chosen[i].interval % PHASES; k < s->n;
		     k += PHASES)
			sum += s->length[k];
		if (c->chosen[i].instrs != sum)
			return false;
	}
	return true;
}

static void test_phases(const struct al_intervals *s)
{
	for (uint64_t seed = 0; seed < 5; seed++) {
		struct al_choice c = {.interval = 1000};

		ok(al_choice_make(&c, s, PHASES, seed) == 0,
		   "a choice is made");
		ok(has_one_interval_of_each_phase(&c),
		   "three clusters at most: they are the phases");
		ok(has_instructions_of_phases(&c, s),
		   "each stands for the instructions of its phase");
		al_choice_release(&c);
	}
}

static uint64_t sum_instrs(const struct al_choice *c)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < c->n; i++)
		sum += c->chosen[i].instrs;
	return sum;
}

/* Whether the chosen intervals are in order, and begin and end where the run
   has them. */
static bool is_ordered_and_as_in_run(const struct al_choice *c,
				     const struct al_intervals *s)
{
	for (size_t i = 0; i < c->n; i++) {
		const struct al_chosen *x = &c->chosen[i];

		if ((i > 0 && x[-1].interval >= x->interval) ||
		    x->start != s->start[x->interval] ||
		    x->length != s->length[x->interval])
			return false;
	}
	return true;
}

static void test_other_limits(const struct al_intervals *s)
{
	static const size_t limit[] = {1, 2, 10, INTERVALS - 1, INTERVALS};

	for (size_t i = 0; i < sizeof(limit) / sizeof(*limit); i++) {
		struct al_choice c = {.interval = 1000};

		ok(al_choice_make(&c, s, limit[i], 1) == 0 && c.n >= 1 &&
			   c.n <= limit[i],
		   "at most as many clusters as allowed");
		ok(limit[i] < PHASES || c.n >= PHASES,
		   "at least the phases if they are allowed");
		ok(limit[i] < INTERVALS || c.n == INTERVALS,
		   "each interval is one if all are allowed");
		ok(sum_instrs(&c) == s->instrs && c.instrs == s->instrs,
		   "together they stand for all instructions");
		ok(is_ordered_and_as_in_run(&c, s), "they are the run's");
		al_choice_release(&c);
	}
}

/* Write @text to a file and read it. Return: whether it is refused with a
   message that has @place. */
static bool is_refused_at(const char *path, const char *text, const char *place)
{
	struct al_intervals s = {0};
	char message[AL_MESSAGE] = "";
	FILE *f = fopen(path, "w");
	int err;

	fputs(text, f);
	fclose(f);
	err = al_intervals_read_and_project_file(&s, path, 1, message);
	al_intervals_release(&s);
	return err && strstr(message, place);
}

int main(void)
{
	struct al_intervals s = {0};
	char path[] = "/tmp/choice_test.XXXXXX", message[AL_MESSAGE];

	close(mkstemp(path));
	write_vectors(path);
	ok(al_intervals_read_and_project_file(&s, path, 1, message) == 0 &&
		   s.n == INTERVALS && s.start[1] == s.length[0],
	   "vectors are read");
	test_phases(&s);
	test_other_limits(&s);
	al_intervals_release(&s);
	ok(is_refused_at(path, "T:1:5\nT:1;5\n", ":2: "), "no colon");
	ok(is_refused_at(path, "T:1:5\n\nX\n", ":3: "), "no T");
	ok(is_refused_at(path, "T\n", ":1: "), "no instruction");
	ok(is_refused_at(path, "M:1:5\n", ":1: "), "M before T");
	ok(is_refused_at(path, "T:1:5\nM:1:5\nT:1:5\nM:1:5\nM:2:5\n", ":5: "),
	   "a second M of one interval");
	ok(is_refused_at(path, "T:1:18446744073709551615\nT:1:1\n", ":2: "),
	   "more than 64 bits");
	ok(is_refused_at(path, "# nothing\n", "no interval"), "no interval");
	unlink(path);
	return done_testing();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trials_test.c - which of several settings is best, and whether any is */
#include "cli/tune/trials.h"

#include <stdlib.h>
#include <string.h>

#include "tests/tap.h"

static struct cl_trials *s;

/* Add a setting by the times of its runs [ms], ended by 0. */
static void add(unsigned workers, const unsigned *ms)
{
	struct cl_trial *t = &s->trial[s->n++];

	*t = (struct cl_trial){.value = {workers, 12, 512 << 10}};
	for (; *ms; ms++) {
		struct al_pipeline run = {.wall_ns = *ms * UINT64_C(1000000)};

		cl_trial_add_run_update_medians(t, &run);
	}
}

#define ADD(workers, ...) add(workers, (const unsigned[]){__VA_ARGS__, 0})

static void clear(void)
{
	free(s);
	s = calloc(1, sizeof(*s));
}

static unsigned best(void)
{
	return (unsigned)cl_trials_first_not_slower_than_best(s, 0)
		->value[CL_WORKERS];
}

/* The workers of the setting to run again; 0: none. */
static unsigned unclear(void)
{
	const struct cl_trial *t = cl_trials_find_next_to_repeat(s, 0, 15);

	return t ? (unsigned)t->value[CL_WORKERS] : 0;
}

static bool prints(const char *what)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	bool found;

	cl_trials_print_table_and_best(s, f);
	fclose(f);
	found = strstr(text, what) != NULL;
	free(text);
	return found;
}

int main(void)
{
	clear();
	ADD(1, 240, 210, 200);
	ADD(2, 205, 220, 190);
	ADD(3, 185, 195, 230);
	is_u64(best(), 1,
	       "the fewest workers where runs vary more than settings");
	ok(!cl_trials_has_slower_than_fastest(s, 0, s->n),
	   "there is no difference");
	ok(unclear() != 0, "it is looked at again");
	ok(prints("\nby workers: no difference") &&
		   prints("\nbest: no difference; as good as any, "
			  "--workers=1 "),
	   "and that is printed");

	clear();
	ADD(1, 401, 400, 405);
	ADD(2, 210, 200, 205);
	ADD(3, 208, 199, 200);
	is_u64(best(), 2, "the fewest of those that do not differ");
	ok(cl_trials_has_slower_than_fastest(s, 0, s->n), "others do");
	is_u64(unclear(), 2, "2 % more than the best, within the spread");
	ok(prints("\nbest: --workers=2 ") && prints("\nby workers\n"),
	   "and that is printed");

	clear();
	ADD(1, 210, 215, 220);
	ADD(2, 195, 200, 205);
	ok(!cl_trials_has_slower_than_fastest(s, 0, s->n) && unclear(),
	   "few runs that lie apart by little are not enough");
	clear();
	ADD(1, 210, 215, 220, 212, 214, 217);
	ADD(2, 195, 200, 205, 199, 196, 201);
	ok(cl_trials_has_slower_than_fastest(s, 0, s->n) && !unclear(),
	   "six are");

	clear();
	ADD(1, 300, 201, 202, 203, 204, 205, 206, 207, 100);
	ADD(2, 190, 191, 192, 193, 194, 195, 196, 400, 50);
	ok(cl_trials_has_slower_than_fastest(s, 0, s->n),
	   "with more runs, outliers do not hide a difference");
	is_u64(unclear(), 0, "which is clear");
	is_u64(best(), 2, "and decides");

	clear();
	ADD(1, 400);
	ADD(2, 200);
	ok(!cl_trials_has_slower_than_fastest(s, 0, s->n),
	   "single runs show no difference");
	is_u64(best(), 2, "the shorter one is the best there is");
	free(s);
	return done_testing();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * size_grid_test.c - tests the table of a sweep, and shortage of memory
 *
 * The linker redirects this program's calls of malloc() to the function here,
 * which can be told to fail.
 */
#include "analyzers/sweep/size_grid.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

#include "analyzers/sweep/sweep_report.h"
#include "base/result/result_text.h"
#include "tests/tap.h"

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);

static unsigned countdown; /* number of the call that fails: 1 is the next; 0:
			      none */

void *__wrap_malloc(size_t size)
{
	if (countdown > 0 && --countdown == 0)
		return NULL;
	return __real_malloc(size);
}

enum { SHAPES = 5 };

/* The shapes: 4K and 8K of 2 ways, 8K of 4 ways, 4K with one set, and a cache
   of another line size. */
static const struct an_shape shapes[SHAPES] = {
	{.size = 8192, .sets = 64, .assoc = 2, .line = 64},
	{.size = 4096, .sets = 32, .assoc = 2, .line = 64},
	{.size = 8192, .sets = 32, .assoc = 4, .line = 64},
	{.size = 4096, .sets = 1, .assoc = 64, .line = 64},
	{.size = 4096, .sets = 16, .assoc = 2, .line = 128},
};

static struct an_sweepcount counts[SHAPES];

static struct an_sweep *make_sweep(void)
{
	struct an_sweep *s =
		calloc(1, sizeof(*s) + SHAPES * sizeof(s->shape[0]));

	if (!s)
		abort();
	s->n = SHAPES;
	memcpy(s->shape, shapes, sizeof(shapes));
	for (unsigned i = 0; i < SHAPES; i++) {
		counts[i].accesses[0] = 100;
		counts[i].misses[0] = i + 1;
	}
	return s;
}

static void test_cells(const struct an_sweep *s)
{
	/* Expected cells by size: 2-way, 4-way, full; -1: empty. */
	static const double expected[] = {2, -1, 4, 1, 3, -1};
	struct an_sweepgrid g;
	bool right;

	ok(!an_sweepgrid_build(&g, s, counts, 64) && g.n_sizes == 2 &&
		   g.n_assocs == 3,
	   "a table has a row a size, a column an associativity");
	ok(g.size[0] == 4096 && g.size[1] == 8192 && g.assoc[0] == 2 &&
		   g.assoc[1] == 4 && g.assoc[2] == AN_FULLY_ASSOC,
	   "in order, caches of one set last");
	right = true;
	for (unsigned i = 0; i < 6; i++)
		right &= an_sweepgrid_miss_percent(&g, i / 3, i % 3) ==
			 expected[i];
	ok(right, "each cell has the misses of its cache");
	an_sweepgrid_release(&g);
	ok(an_sweep_next_larger_line_size_or_0(s, 64) == 128 &&
		   an_sweep_next_larger_line_size_or_0(s, 128) == 0,
	   "each line size has a table");
}

static void test_memory(const struct an_sweep *s)
{
	struct an_sweepgrid g;
	unsigned failed = 0;
	int err = -ENOMEM;

	for (unsigned n = 1; err && n < 10; n++) {
		countdown = n;
		err = an_sweepgrid_build(&g, s, counts, 64);
		countdown = 0;
		failed += err == -ENOMEM;
		an_sweepgrid_release(&g);
	}
	ok(!err && failed == 4,
	   "where memory is short for any part, there is no table");
}

/* ---- the report ---- */

static char report[4096];

static void put_line(struct an_text *text, const char *words)
{
	size_t length = strlen(report);

	(void)text;
	snprintf(report + length, sizeof(report) - length, "%s\n", words);
}

static void print(struct an_sweep *s)
{
	const struct an_geometry g = {
		.level = {{.name = "D1"}}, .n_levels = 1, .sweep = s};
	struct an_text text = {80, put_line, put_line};
	struct al_model m;

	report[0] = '\0';
	al_model_init(&m);
	an_sweep_add_to_model(&g, counts, &m);
	al_model_print_numbers_and_main_views(&m, &(struct al_shown){0}, &text);
	al_model_release(&m);
}

static void test_report(struct an_sweep *s)
{
	static const char first[] =
		"Sweep of D1, lines of 64 bytes: misses in percent of "
		"accesses\n"
		"  size   2-way   4-way    full\n"
		"  4K    2.0000       -  4.0000\n"
		"  8K    1.0000  3.0000       -\n";
	static const char second[] =
		"Sweep of D1, lines of 128 bytes: misses in percent of "
		"accesses\n"
		"  size   2-way\n"
		"  4K    5.0000\n";
	size_t used;

	print(s);
	ok(strstr(report, first) == report, "a report has the table");
	ok(strstr(report, second), "and that of another line size behind it");
	used = mallinfo2().uordblks;
	for (int i = 0; i < 100; i++)
		print(s);
	ok(mallinfo2().uordblks < used + 1600, /* free pieces may be cached */
	   "it leaves no memory behind");
}

int main(void)
{
	struct an_sweep *s = make_sweep();

	test_cells(s);
	test_memory(s);
	test_report(s);
	free(s);
	return done_testing();
}

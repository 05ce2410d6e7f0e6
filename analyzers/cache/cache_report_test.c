/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cache_report_test.c - tests the report of a cache simulation, as JSON and as
   text */
#include <stddef.h>
#include <stdlib.h>

#include "analyzers/cache/cache_result.h"
#include "base/result/result_json.h"
#include "base/result/result_text.h"
#include "tests/tap.h"

/* ---- the result to be reported ---- */

static const struct an_geometry geometry = {
	.level = {{"I1", AN_INSTRUCTION, 1024, 2, 64, 8, 2},
		  {"D1", AN_DATA, 2048, 4, 64, 8, 2},
		  {"LL", AN_UNIFIED, 8192, 8, 64, 16, AN_MEMORY}},
	.n_levels = 3,
	.first_instruction = 0,
	.first_data = 1,
};

static const struct an_symbol far = {
	.object = "libfar.so", .function = "far", .file = "far.c"};
static const struct an_symbol main_one = {
	.object = "prog", .function = "main", .file = "main.c"};
static const struct an_symbol main_other = {
	.object = "prog", .function = "main", .file = "inlined.h"};
static const struct an_symbol line = {
	.object = "prog", .file = "main.c", .line = 7, .path = "/src/main.c"};
static const struct an_symbol line_in_main = {
	.object = "prog", .function = "main", .file = "main.c", .line = 7};
static const struct an_symbol line_in_helper = {
	.object = "prog", .function = "helper", .file = "main.c", .line = 7};
static const struct an_symbol line_in_again = {
	.object = "prog", .function = "again", .file = "main.c", .line = 7};
static const struct an_symbol nowhere = {.object = "prog", .file = "???"};

static void add(struct an_cost_table *t, const struct an_symbol *who,
		uint64_t ir, uint64_t misses)
{
	struct an_cost cost = {.event[AN_IR] = ir, .misses = {0, misses}};

	cost.event[AN_D1MR] = misses;
	if (an_cost_table_add(t, who, &cost) < 0)
		abort();
}

static struct an_cacheresult make_result(unsigned parts)
{
	struct an_cacheresult r = {
		.total = {.event = {1, 2, 3, 4, 5, 6, 7, 8, 9},
			  .misses = {0, 600}},
		.level = {{.reads = 1000, .read_misses = 10},
			  {2000, 500, 400, 100, 50},
			  {.reads = 610, .writes = 0}},
		.partition_sums = {parts, 3, 1, {100, 0}, {60, 0}},
	};

	add(&r.functions, &main_one, 30, 200);
	add(&r.functions, &far, 50, 250);
	add(&r.functions, &main_other, 20, 150);
	add(&r.lines, &line, 10, 450);
	add(&r.lines, &nowhere, 90, 50);
	add(&r.functions_of_lines, &line_in_helper, 2, 450);
	add(&r.functions_of_lines, &line_in_main, 4, 0);
	add(&r.functions_of_lines, &line_in_again, 4, 0);
	return r;
}

/* ---- a sink that collects the output ---- */

/* Collects the output: objects as key{...}, and members as key=value. */
struct written {
	struct an_sink sink;
	struct an_text text;
	FILE *file;
	char *all;
	size_t size;
};

static void begin(struct an_sink *sink, const char *key)
{
	fprintf(((struct written *)sink)->file, "%s{", key ? key : "");
}

static void end(struct an_sink *sink)
{
	fprintf(((struct written *)sink)->file, "}");
}

static void number(struct an_sink *sink, const char *key, uint64_t value)
{
	fprintf(((struct written *)sink)->file, "%s=%" PRIu64 " ", key, value);
}

static void string(struct an_sink *sink, const char *key, const char *value)
{
	fprintf(((struct written *)sink)->file, "%s=%s ", key, value);
}

static void put_line(struct an_text *text, const char *words)
{
	struct written *w = (struct written *)((char *)text -
					       offsetof(struct written, text));

	fprintf(w->file, "%s\n", words);
}

static void open_written(struct written *w, unsigned columns)
{
	*w = (struct written){
		.sink = {begin, begin, end, number, string, NULL, NULL},
		.text = {columns, put_line, put_line},
	};
	w->file = open_memstream(&w->all, &w->size);
}

/* Compare all text collected since open_written() with @expected, and free it.
   */
static void is_written(struct written *w, const char *expected,
		       const char *fact)
{
	fclose(w->file);
	is_str(w->all, expected, fact);
	free(w->all);
}

static void build(struct al_model *m, const struct an_cacheresult *r)
{
	al_model_init(m);
	an_cacheresult_add_to_model(r, &geometry, m);
}

static void test_json(void)
{
	struct an_cacheresult r = make_result(1);
	struct al_model m;
	struct written w;

	open_written(&w, 0);
	an_cacheresult_report_event_totals(&r, &w.sink);
	is_written(&w,
		   "Ir=1 I1mr=2 ILmr=3 Dr=4 D1mr=5 DLmr=6 Dw=7 D1mw=8 DLmw=9 ",
		   "totals");
	open_written(&w, 0);
	build(&m, &r);
	al_model_write_to_sink(&m, &w.sink);
	al_model_release(&m);
	is_written(
		&w,
		"levels{{name=I1 size=1024 assoc=2 line=64 reads=1000 "
		"read_misses=10 writes=0 write_misses=0 writebacks=0 }"
		"{name=D1 size=2048 assoc=4 line=64 reads=2000 "
		"read_misses=500 writes=400 write_misses=100 writebacks=50 }"
		"{name=LL size=8192 assoc=8 line=64 reads=610 "
		"read_misses=0 writes=0 write_misses=0 writebacks=0 }}"
		"totals{Ir=1 I1mr=2 ILmr=3 Dr=4 D1mr=5 DLmr=6 Dw=7 D1mw=8 "
		"DLmw=9 }"
		"functions{"
		"{name=far file=far.c object=libfar.so Ir=50 I1mr=0 ILmr=0 "
		"Dr=0 D1mr=250 DLmr=0 Dw=0 D1mw=0 DLmw=0 }"
		"{name=main file=main.c object=prog Ir=30 I1mr=0 ILmr=0 "
		"Dr=0 D1mr=200 DLmr=0 Dw=0 D1mw=0 DLmw=0 }"
		"{name=main file=inlined.h object=prog Ir=20 I1mr=0 ILmr=0 "
		"Dr=0 D1mr=150 DLmr=0 Dw=0 D1mw=0 DLmw=0 }}"
		"lines{{file=??? line=0 object=prog path=??? function=??? "
		"Ir=90 "
		"I1mr=0 ILmr=0 Dr=0 D1mr=50 DLmr=0 Dw=0 D1mw=0 DLmw=0 }"
		"{file=main.c line=7 object=prog path=/src/main.c "
		"function=again Ir=10 I1mr=0 ILmr=0 Dr=0 D1mr=450 DLmr=0 Dw=0 "
		"D1mw=0 DLmw=0 }}inlined{}",
		"levels, totals, functions and lines");
	an_cacheresult_release(&r);
}

static void test_how(void)
{
	struct an_cacheresult one = make_result(1), two = make_result(2);
	struct written w;

	open_written(&w, 0);
	an_cacheresult_report_partitions(&one, &geometry, &w.sink);
	is_written(&w,
		   "levels{I1=whole: ahead of the others D1=whole: not asked "
		   "for parts LL=whole: takes what the first levels miss, in "
		   "order }",
		   "a level that is whole has no parts");
	open_written(&w, 0);
	an_cacheresult_report_partitions(&two, &geometry, &w.sink);
	is_written(&w,
		   "levels{I1=whole: ahead of the others D1=in parts "
		   "LL=whole: takes what the first levels miss, in order }"
		   "parts=2 moves=3 whole_batches=1 before_moves{uses=100 "
		   "busiest=60 imbalance_percent=120 }",
		   "one in parts has their load");
	an_cacheresult_release(&one);
	an_cacheresult_release(&two);
}

static void test_nothing_executed(void)
{
	struct an_cacheresult r = {.total = {.event = {0}}};
	struct al_model m;

	build(&m, &r);
	ok(m.error == 0, "a result without instructions has no rows");
	al_model_release(&m);
}

static void test_text(void)
{
	const struct al_shown all = {.full = true};
	struct an_cacheresult r = make_result(1);
	struct al_model m;
	struct written w;

	open_written(&w, 80);
	build(&m, &r);
	al_model_print_numbers_and_main_views(&m, &all, &w.text);
	is_written(&w,
		   "Cache levels\n"
		   "      size  ways   line  accesses  misses   ratio"
		   "  per 1000 instr\n"
		   "  I1    1K  2-way    64     1,000      10   1.00%"
		   "        10000.00\n"
		   "  D1    2K  4-way    64     2,400     600  25.00%"
		   "       600000.00\n"
		   "  LL    8K  8-way    64       610       0   0.00%"
		   "            0.00\n"
		   "Reads and writes\n"
		   "      reads  misses  writes  misses  written back\n"
		   "  I1  1,000      10       0       0             0\n"
		   "  D1  2,000     500     400     100            50\n"
		   "  LL    610       0       0       0             0\n",
		   "a row for each level");
	open_written(&w, 80);
	al_model_print_detail_views(&m, &all, &w.text);
	al_model_release(&m);
	is_written(&w,
		   "Where D1 misses\n"
		   "  misses   share  function\n"
		   "     350  58.33%  main  [prog]\n"
		   "     250  41.67%  far  [libfar.so]\n"
		   "  misses   share  source line\n"
		   "     450  75.00%  main.c:7\n"
		   "      50   8.33%  prog (no line numbers)\n",
		   "whole functions, and lines, where a level misses");
	an_cacheresult_release(&r);
}

int main(void)
{
	test_json();
	test_how();
	test_nothing_executed();
	test_text();
	return done_testing();
}

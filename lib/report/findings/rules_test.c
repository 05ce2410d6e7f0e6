/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rules_test.c - tests the conditions of the rules at their thresholds, on
   models made by hand */

#include <string.h>

#include "lib/report/findings/findings.h"
#include "tests/tap.h"

/* Numbers of the one site of a model. */
enum {
	LINE,
	SIZE,
	ACCESSES,
	MISSES,
	STRIDE,
	STEPS,
	AT_STRIDE,
	WALKS,
	NEIGHBOURS,
	LINES,
	USED,
	SINGLE,
	TWIN,
	WRITTEN,
	OVERWRITTEN,
	UNREAD,
	CHAINED,
	L2_MISSES,
	L2_TWIN,
	N_NUMBERS
};

static const char *const name[N_NUMBERS] = {"line",
					    "size",
					    "accesses",
					    "misses",
					    "stride",
					    "steps",
					    "steps_at_stride",
					    "walks",
					    "neighbour_walks",
					    "lines",
					    "used_bytes",
					    "single_lines",
					    "twin_misses",
					    "written_bytes",
					    "overwritten_bytes",
					    "unread_bytes",
					    "chained_misses",
					    "L2.misses",
					    "L2.twin_misses"};

enum { TEXTS = 3, LEVEL_MISSES = 200000 };

/* Add the nine totals that rules read: 10,000,000 instructions. */
static void add_totals(struct al_model *m, uint64_t code_misses)
{
	al_model_begin_object(m, "totals");
	al_model_add_number(m, "Ir", NULL, NULL, 10000000);
	al_model_add_number(m, "I1mr", NULL, NULL, code_misses);
	al_model_add_number(m, "Dr", NULL, NULL, 1000000);
	al_model_add_number(m, "Dw", NULL, NULL, 0);
	al_model_end_object_or_list(m);
}

/* Add the levels D1 and L2, which have @misses each. */
static void add_levels(struct al_model *m, uint64_t misses)
{
	static const struct al_column column[] = {
		{.key = "name"},
		{.key = "accesses", .kind = AL_COLUMN_NUMBER},
		{.key = "misses", .kind = AL_COLUMN_NUMBER},
		{.key = "size", .kind = AL_COLUMN_NUMBER}};
	struct al_table *t = al_model_add_table(m, "levels", NULL, column, 4);
	union al_cell d1[] = {{.text = "D1"},
			      {.number = 1000000},
			      {.number = misses},
			      {.number = 32768}};
	union al_cell l2[] = {{.text = "L2"},
			      {.number = misses},
			      {.number = misses},
			      {.number = 131072}};

	al_table_add_row(m, t, d1);
	al_table_add_row(m, t, l2);
}

/* Add the tables of functions and of lines, with one row of few misses, so that
   no place has half of them. */
static void add_places(struct al_model *m, uint64_t code_misses)
{
	static const struct al_column column[] = {
		{.key = "name"},
		{.key = "file"},
		{.key = "object"},
		{.key = "line", .kind = AL_COLUMN_NUMBER},
		{.key = "Ir", .kind = AL_COLUMN_NUMBER},
		{.key = "I1mr", .kind = AL_COLUMN_NUMBER},
		{.key = "D1.misses", .kind = AL_COLUMN_NUMBER},
		{.key = "L2.misses", .kind = AL_COLUMN_NUMBER}};
	static const char *const table[] = {"whole functions", "own lines",
					    "lines"};
	union al_cell cell[] = {{.text = "f"},	      {.text = "f.c"},
				{.text = "f"},	      {.number = 7},
				{.number = 10000000}, {.number = code_misses},
				{.number = 9999},     {.number = 9999}};

	for (int i = 0; i < 3; i++)
		al_table_add_row(
			m, al_model_add_table(m, table[i], NULL, column, 8),
			cell);
}

/* Add the table of sites: the one with @number, and one with the other misses
   of the level, which no rule accuses. */
static void add_sites(struct al_model *m, const uint64_t *number)
{
	static struct al_column column[TEXTS + N_NUMBERS] = {
		{.key = "function"}, {.key = "file"}, {.key = "object"}};
	union al_cell cell[TEXTS + N_NUMBERS] = {
		{.text = "f"}, {.text = "f.c"}, {.text = "f"}};
	struct al_table *t;

	for (int i = 0; i < N_NUMBERS; i++) {
		column[TEXTS + i] = (struct al_column){
			.key = name[i], .kind = AL_COLUMN_NUMBER};
		cell[TEXTS + i].number = number[i];
	}
	al_model_begin_object(m, "evidence");
	al_model_add_uncopied_string(m, "level", "D1");
	al_model_add_number(m, "line", NULL, "bytes", 64);
	al_model_end_object_or_list(m);
	t = al_model_add_table(m, "sites", NULL, column, TEXTS + N_NUMBERS);
	al_table_add_row(m, t, cell);
	memset(cell + TEXTS, 0, N_NUMBERS * sizeof(*cell));
	cell[TEXTS + LINE].number = 99;
	cell[TEXTS + MISSES].number = cell[TEXTS + TWIN].number =
		LEVEL_MISSES - number[MISSES];
	al_table_add_row(m, t, cell);
}

/* Write the names of the rules that find something to @out. */
static void find(char out[100], const uint64_t *number, uint64_t code_misses)
{
	struct al_findings f;
	struct al_model m;

	al_model_init(&m);
	add_totals(&m, code_misses);
	add_levels(&m, LEVEL_MISSES);
	add_places(&m, code_misses);
	add_sites(&m, number);
	al_findings_set_by_code_rules(&f, &m);
	*out = '\0';
	for (unsigned i = 0; i < f.n; i++)
		snprintf(out + strlen(out), 100 - strlen(out), "%s%s",
			 i ? " " : "", f.item[i].rule);
	al_model_release(&m);
}

/* Check which rules find a site that differs from @base in one number. */
static void check(const uint64_t *base, int i, uint64_t value,
		  const char *rules, const char *fact)
{
	uint64_t number[N_NUMBERS];
	char found[100];

	memcpy(number, base, sizeof(number));
	number[i] = value;
	find(found, number, 0);
	is_str(found, rules, fact);
}

/* @n accesses of 8 bytes that all miss, and of which nothing is wrong. The
   bytes used and the misses of the twin are set by the caller. */
#define ACCESSES_THAT_MISS(n)                                                  \
	[LINE] = 3, [SIZE] = 8, [ACCESSES] = (n), [MISSES] = (n),              \
	[STEPS] = 10000, [LINES] = 20000
#define ALL_USED [USED] = 20000 * 64
#define NO_CONFLICT [TWIN] = 20000

static void test_any_rule(void)
{
	static const uint64_t plain[N_NUMBERS] = {ACCESSES_THAT_MISS(20000),
						  ALL_USED, NO_CONFLICT};
	static const uint64_t few[N_NUMBERS] = {
		ACCESSES_THAT_MISS(20000), NO_CONFLICT, [USED] = 20000 * 16};

	check(plain, LINE, 3, "", "misses alone are no finding");
	check(few, MISSES, 10000, "unused-bytes",
	      "10,000 misses and 5 % of the level's are enough");
	check(few, MISSES, 9999, "", "9,999 are not");
	check(few, USED, 20000 * 16 + 1, "", "more than a quarter is used");
}

static void test_stride(void)
{
	static const uint64_t walk[N_NUMBERS] = {
		ACCESSES_THAT_MISS(20000), NO_CONFLICT,		[STRIDE] = 64,
		[AT_STRIDE] = 9000,	   [USED] = 20000 * 16, [WALKS] = 100,
		[NEIGHBOURS] = 50};

	check(walk, STRIDE, 64, "column-walk",
	      "9 steps in 10 of a line, half of the walks beside each other");
	check(walk, NEIGHBOURS, 49, "stride", "fewer are a stride");
	check(walk, AT_STRIDE, 8999, "unused-bytes",
	      "fewer steps explain nothing");
	check(walk, STRIDE, 63, "unused-bytes", "nor do shorter ones");
	check(walk, ACCESSES, 40000, "column-walk",
	      "half of the accesses miss: 4 times as many as 1 in 8");
	check(walk, ACCESSES, 40001, "unused-bytes", "fewer are no walk");
	check(walk, USED, 20000 * 16 + 1, "", "the bytes are used");
}

static void test_streaming(void)
{
	static const uint64_t pass[N_NUMBERS] = {ACCESSES_THAT_MISS(20000),
						 ALL_USED,
						 NO_CONFLICT,
						 [STRIDE] = 64,
						 [AT_STRIDE] = 9000,
						 [SINGLE] = 18000};

	check(pass, SINGLE, 18000, "streaming", "9 lines in 10 fetched once");
	check(pass, SINGLE, 17999, "", "fewer were fetched again");
	check(pass, STRIDE, 65, "", "steps longer than a line");
	check(pass, AT_STRIDE, 8999, "", "steps of many lengths");
	check(pass, ACCESSES, 22000, "streaming", "one pass and a tenth");
	check(pass, ACCESSES, 22001, "", "more are no single pass");
}

static void test_conflict(void)
{
	static const uint64_t d1[N_NUMBERS] = {ACCESSES_THAT_MISS(20000),
					       ALL_USED, [TWIN] = 10000};
	static const uint64_t many[N_NUMBERS] = {ACCESSES_THAT_MISS(60000),
						 ALL_USED};
	static const uint64_t l2[N_NUMBERS] = {
		ACCESSES_THAT_MISS(20000), ALL_USED,
		NO_CONFLICT, [L2_MISSES] = 20000, [L2_TWIN] = 10000};

	check(d1, TWIN, 10000, "conflict", "the twin has 10,000 misses fewer");
	check(d1, TWIN, 10001, "", "9,999 are too few");
	check(many, TWIN, 42000, "conflict", "30 % of the place's misses");
	check(many, TWIN, 42060, "", "29.9 % are too few");
	check(l2, L2_TWIN, 10000, "conflict", "so does that of L2");
	check(l2, L2_TWIN, 10001, "", "9,999 are too few there, too");
}

static void test_dead_writes(void)
{
	static const uint64_t dead[N_NUMBERS] = {ACCESSES_THAT_MISS(20000),
						 ALL_USED,
						 NO_CONFLICT,
						 [WRITTEN] = 1000,
						 [OVERWRITTEN] = 300,
						 [UNREAD] = 200};

	check(dead, UNREAD, 200, "dead-writes",
	      "half of the bytes, overwritten or unread");
	check(dead, UNREAD, 190, "", "49 %");
	check(dead, MISSES, 9999, "", "9,999 misses");
}

static void test_pointer_chase(void)
{
	static const uint64_t chase[N_NUMBERS] = {
		ACCESSES_THAT_MISS(20000), ALL_USED,
		NO_CONFLICT, [CHAINED] = 16000};

	check(chase, CHAINED, 16000, "pointer-chase", "80 % of the misses");
	check(chase, CHAINED, 15999, "", "fewer");
	check(chase, LINE, 0, "pointer-chase", "a function without lines");
}

static void test_hot_code(void)
{
	static const uint64_t plain[N_NUMBERS] = {ACCESSES_THAT_MISS(20000),
						  ALL_USED, NO_CONFLICT};
	char found[100];

	find(found, plain, 50000);
	is_str(found, "hot-code", "5 misses in 1000 instructions");
	find(found, plain, 49999);
	is_str(found, "", "fewer");
}

int main(void)
{
	test_any_rule();
	test_stride();
	test_streaming();
	test_conflict();
	test_dead_writes();
	test_pointer_chase();
	test_hot_code();
	return done_testing();
}

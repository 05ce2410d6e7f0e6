/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model_test.c - builds results and reads them through each renderer
 *
 * The linker redirects this program's calls of malloc() and realloc() to the
 * functions here, which can be told to fail.
 */
#include "base/result/model.h"

#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/result/result_csv.h"
#include "base/result/result_json.h"
#include "base/result/result_text.h"
#include "base/text/json.h"
#include "tests/tap.h"

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__real_realloc(void *p, size_t size);
void *__wrap_realloc(void *p, size_t size);

static unsigned countdown; /* number of the call that fails; 0: none */

static bool fails(void)
{
	return countdown > 0 && --countdown == 0;
}

void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}

void *__wrap_realloc(void *p, size_t size)
{
	return fails() ? NULL : __real_realloc(p, size);
}

/* ---- a result ---- */

enum { NAME, SIZE, HITS, USES, HIDDEN, STORED, SHARE = STORED, LABEL, ALL };

static char *label(const union al_cell *row, size_t most)
{
	char *s = strdup(row[NAME].text ? row[NAME].text : "nobody");

	if (s != NULL && strlen(s) > most)
		s[most] = '\0';
	return s;
}

static const struct al_column column[ALL] = {
	[NAME] = {.key = "name", .title = "name"},
	[SIZE] = {.key = "size",
		  .title = "size",
		  .unit = "bytes",
		  .kind = AL_COLUMN_NUMBER,
		  .style = AL_STYLE_BINARY},
	[HITS] = {.key = "hits", .title = "hits", .kind = AL_COLUMN_NUMBER},
	[USES] = {.key = "uses", .title = "uses", .kind = AL_COLUMN_NUMBER},
	[HIDDEN] = {.id = "secret",
		    .title = "hidden",
		    .kind = AL_COLUMN_NUMBER},
	[SHARE] = {.title = "share",
		   .kind = AL_COLUMN_RATIO,
		   .numerator = HITS,
		   .denominator = USES,
		   .factor = 100,
		   .decimals = 1,
		   .suffix = "%"},
	[LABEL] = {.title = "who", .kind = AL_COLUMN_LABEL, .label = label},
};

static const uint64_t series[] = {1, 2, 3};
static const double reals[] = {0.5, 2};

static void build(struct al_model *m)
{
	static const union al_cell row[4][STORED] = {
		{{.text = "a,b"},
		 {.number = 49152},
		 {.number = 5},
		 {.number = 10},
		 {.number = 1}},
		{{.text = "none"}, {.number = 1000}},
		{{.text = NULL},
		 {.number = 1 << 30},
		 {.number = 1234567},
		 {.number = 2469134}},
		{{.text = "say \"x\""},
		 {.number = 0},
		 {.number = 5},
		 {.number = 20}},
	};
	static const unsigned shown[] = {HITS, SHARE, SIZE, LABEL};
	struct al_table *t;

	al_model_add_number(m, "n", "number", "bytes", 7);
	al_model_add_real(m, "r", "real", "bits", 0.25);
	al_model_add_uncopied_real_series(m, "rs", NULL, reals, 2);
	al_model_begin_object(m, "o");
	al_model_begin_list(m, "l");
	al_model_add_uncopied_string(m, NULL, "x");
	al_model_end_object_or_list(m);
	al_model_begin_object(m, "empty");
	al_model_end_object_or_list(m);
	al_model_end_object_or_list(m);
	al_model_add_uncopied_series(m, "s", NULL, series, 3);
	t = al_model_add_table(m, "t", "Rows", column, ALL);
	for (int i = 0; i < 4; i++)
		al_table_add_row(m, t, row[i]);
	al_model_add_view_copy(m, &(struct al_view){.title = "Rows",
						    .table = t,
						    .column = shown,
						    .n_columns = 4,
						    .sort = HITS,
						    .top = 3});
	t = al_model_add_table(m, NULL, "People", column, ALL);
	al_table_add_row(m, t, row[0]);
	al_model_add_view_copy(m, &(struct al_view){.title = "People",
						    .is_detail = true,
						    .table = t,
						    .column = shown,
						    .n_columns = 1,
						    .sort = AL_UNSORTED});
}

static void test_json(const struct al_model *m)
{
	static const char want[] =
		"{\n  \"n\": 7,\n  \"r\": 0.25,\n  \"rs\": [\n    "
		"0.5,\n    2\n  ],\n  \"o\": {\n    \"l\": [\n      \"x\"\n    "
		"],\n    \"empty\": {}\n  },\n  \"s\": [\n    1,\n    2,\n    "
		"3\n  ],\n  \"t\": [\n    {\n      \"name\": \"a,b\",\n      "
		"\"size\": 49152,\n      \"hits\": 5,\n      \"uses\": 10\n    "
		"},\n    {\n      \"name\": \"none\",\n      \"size\": 1000,\n"
		"      \"hits\": 0,\n      \"uses\": 0\n    },\n    {\n      "
		"\"size\": 1073741824,\n      \"hits\": 1234567,\n      "
		"\"uses\": 2469134\n    },\n    {\n      \"name\": \"say "
		"\\\"x\\\"\",\n      \"size\": 0,\n      \"hits\": 5,\n      "
		"\"uses\": 20\n    }\n  ]\n}\n";
	struct al_json json;
	char *all = NULL;
	size_t size;
	FILE *f = open_memstream(&all, &size);

	al_json_init(&json, f);
	json.sink.begin(&json.sink, NULL);
	al_model_write_to_sink(m, &json.sink);
	json.sink.end(&json.sink);
	fclose(f);
	is_str(all, want, "JSON has all members in order, and no other column");
	free(all);
}

static char out[4096];

static int append(void *to, const void *data, size_t bytes)
{
	size_t length = strlen(out);

	if (to != NULL)
		return -ENOSPC;
	memcpy(out + length, data, bytes);
	out[length + bytes] = '\0';
	return 0;
}

static void put_line(struct an_text *text, const char *words)
{
	(void)text;
	append(NULL, words, strlen(words));
	append(NULL, "\n", 1);
}

static void test_csv(const struct al_model *m)
{
	const struct al_table *t = al_model_find_table(m, "t");

	out[0] = '\0';
	ok(al_table_write_csv(t, append, NULL) == 0, "CSV");
	is_str(out,
	       "name,size,hits,uses\n\"a,b\",49152,5,10\nnone,1000,0,0\n"
	       ",1073741824,1234567,2469134\n\"say \"\"x\"\"\",0,5,20\n",
	       "it has a line for each row, quoted where needed");
	ok(al_table_write_csv(t, append, out) == -ENOSPC,
	   "an error of the output is returned");
}

static void test_text(struct al_model *m)
{
	struct an_text text = {80, put_line, put_line};
	struct al_shown shown = {0};

	out[0] = '\0';
	ok(al_model_print_numbers_and_main_views(m, &shown, &text) == 0,
	   "text");
	is_str(out,
	       "Rows\n"
	       "       hits  share  size  who\n"
	       "  1,234,567  50.0%    1G  nobody\n"
	       "          5  50.0%   48K  a,b\n"
	       "          5  25.0%     0  say \"x\"\n",
	       "largest first, equal ones in order, none without hits");
	out[0] = '\0';
	text.columns = 28;
	al_model_print_numbers_and_main_views(m, &shown, &text);
	ok(strstr(out, "   48K  a,\n"),
	   "a label fits into the rest of the line");
	out[0] = '\0';
	al_model_print_detail_views(m, &shown, &text);
	is_str(out, "People\n  hits\n     5\n", "details stand by themselves");
	text.columns = 80;
	shown.top = 1;
	out[0] = '\0';
	al_model_print_numbers_and_main_views(m, &shown, &text);
	ok(strstr(out, "nobody\n  ... and 2 more; --top=3 prints all\n"),
	   "the reader chooses the number of rows, and sees that some are cut");
	shown = (struct al_shown){.max = 2};
	out[0] = '\0';
	al_model_print_numbers_and_main_views(m, &shown, &text);
	ok(!strstr(out, "more"), "a limit is for views of many");
	m->view->is_one_of_many = true;
	out[0] = '\0';
	al_model_print_numbers_and_main_views(m, &shown, &text);
	ok(!strstr(out, "say") && !strstr(out, "...") &&
		   strstr(out, "a,b\n1 more rows in these tables; --top=N "
			       "prints N of each\n"),
	   "which state the sum of the rows that are cut");
	m->view->is_one_of_many = false;
	shown.max_is_for_all_views = true;
	out[0] = '\0';
	al_model_print_numbers_and_main_views(m, &shown, &text);
	ok(strstr(out, "a,b\n  ... and 1 more"), "or for all views");
	shown.max = 0;
	m->view->is_extra = true;
	out[0] = '\0';
	al_model_print_numbers_and_main_views(m, &shown, &text);
	is_str(out, "", "an extra view is not shown");
	shown.full = true;
	al_model_print_numbers_and_main_views(m, &shown, &text);
	ok(strstr(out, "nobody\n"), "unless everything is");
	m->title = "All";
	out[0] = '\0';
	al_model_print_numbers_and_main_views(m, &shown, &text);
	ok(strstr(out, "All\n  number                              7 bytes\n"),
	   "the numbers of the root, with their units");
	m->title = NULL;
}

static char *cut_to_first_letters(const char *title, size_t most)
{
	return strndup(title, most);
}

static void test_title(struct al_model *m)
{
	struct an_text text = {80, put_line, put_line};
	struct al_shown shown = {.full = true};

	m->view->title = "Rows of a long name";
	m->view->cut_title = cut_to_first_letters;
	out[0] = '\0';
	al_model_print_numbers_and_main_views(m, &shown, &text);
	ok(strncmp(out, "Rows of a long name\n", 20) == 0, "a title");
	out[0] = '\0';
	text.columns = 14;
	al_model_print_numbers_and_main_views(m, &shown, &text);
	ok(strncmp(out, "Rows of a long\n", 15) == 0, "is cut to a line");
	out[0] = '\0';
	text.columns = 0;
	al_model_print_numbers_and_main_views(m, &shown, &text);
	ok(strncmp(out, "Rows of a long name\n", 20) == 0,
	   "unless lines have any length");
}

static void test_find(const struct al_model *m)
{
	const struct al_table *t = al_model_find_table(m, "t");

	ok(al_model_find_member(&m->root, "o") &&
		   !al_model_find_member(&m->root, "x") &&
		   !al_model_find_table(m, "n") &&
		   al_model_find_table(m, "People"),
	   "members are found by their key");
	ok(al_table_find_column_index(t, "uses") == USES &&
		   al_table_find_column_index(t, "secret") == HIDDEN &&
		   al_table_find_column_index(t, "hidden") == -1,
	   "and columns by theirs");
}

static void test_order(const struct al_model *m)
{
	const struct al_table *t = al_model_find_table(m, "t");
	struct al_table empty = *t;
	size_t n, *row = al_table_sorted_nonzero_rows(t, HITS, true, 0, &n);

	ok(n == 3 && row[0] == 0 && row[1] == 3 && row[2] == 2,
	   "smallest first");
	free(row);
	row = al_table_sorted_nonzero_rows(t, AL_UNSORTED, false, 0, &n);
	ok(n == 4 && row[1] == 1 && row[3] == 3, "all rows in their order");
	free(row);
	empty.n_rows = 0;
	row = al_table_sorted_nonzero_rows(&empty, HITS, false, 0, &n);
	ok(row != NULL && n == 0, "no rows are no error");
	free(row);
}

/* Whether the first @max_sorted rows of a table are the same if only they are
   sorted as if all are, and each row of which the number is not 0 is among all
   once. */
static bool are_first_rows_sorted(const struct al_table *t, bool ascending,
				  size_t max_sorted)
{
	size_t n_all, n, sum = 0;
	size_t *all = al_table_sorted_nonzero_rows(t, 0, ascending, 0, &n_all);
	size_t *row =
		al_table_sorted_nonzero_rows(t, 0, ascending, max_sorted, &n);
	bool is_equal =
		n == n_all && memcmp(row, all, max_sorted * sizeof(*row)) == 0;

	for (size_t i = 0; i < n; i++)
		sum += all[i] - row[i];
	free(all);
	free(row);
	return is_equal && sum == 0;
}

static void test_order_of_first_rows(void)
{
	static const struct al_column numbers[] = {
		AL_NUMBER_COLUMN("number", NULL)};
	bool is_sorted = true;
	struct al_model m;
	struct al_table *t;

	al_model_init(&m);
	t = al_model_add_table(&m, "t", "T", numbers, 1);
	for (uint64_t i = 0; i < 500; i++)
		al_table_add_row(&m, t,
				 &(union al_cell){.number = i * i * 7919 % 97});
	for (size_t n = 1; n < 100; n++)
		is_sorted = is_sorted && are_first_rows_sorted(t, false, n) &&
			    are_first_rows_sorted(t, true, n);
	ok(is_sorted, "the first rows are sorted without the others");
	al_model_release(&m);
}

static void test_memory(void)
{
	struct al_model m;
	unsigned failed = 0, n = 0;
	int err = -ENOMEM;

	while (err && n < 100) {
		countdown = ++n;
		al_model_init(&m);
		build(&m);
		countdown = 0;
		al_model_add_uncopied_string(&m, "late", "x");
		err = m.error;
		failed += err == -ENOMEM &&
			  !al_model_find_member(&m.root, "late");
		al_model_release(&m);
	}
	ok(!err && n > 3 && failed == n - 1,
	   "an error is stored, and nothing is added after it");
}

enum { ROWS = 100000, CELLS = 12, MAX_BYTES = 20000000 };

static void test_size(void)
{
	static struct al_column wide[CELLS];
	union al_cell cell[CELLS];
	struct al_model m;
	struct al_table *t;
	size_t before = mallinfo2().uordblks + mallinfo2().hblkhd, used;

	for (unsigned i = 0; i < CELLS; i++)
		wide[i] = (struct al_column){.key = "k",
					     .kind = AL_COLUMN_NUMBER};
	al_model_init(&m);
	t = al_model_add_table(&m, "t", "t", wide, CELLS);
	for (uint64_t i = 0; i < ROWS; i++) {
		for (unsigned k = 0; k < CELLS; k++)
			cell[k].number = i * CELLS + k;
		al_table_add_row(&m, t, cell);
	}
	used = mallinfo2().uordblks + mallinfo2().hblkhd - before;
	ok(!m.error && used < MAX_BYTES,
	   "100,000 rows of 12 columns take less than 20 MB");
	ok(al_table_row(t, ROWS - 1)[CELLS - 1].number ==
		   (uint64_t)ROWS * CELLS - 1,
	   "and have their cells");
	al_model_release(&m);
	is_u64(mallinfo2().uordblks + mallinfo2().hblkhd, before,
	       "no memory is left behind");
}

int main(void)
{
	struct al_model m;

	al_model_init(&m);
	build(&m);
	ok(m.error == 0, "a result is built");
	test_json(&m);
	test_csv(&m);
	test_text(&m);
	test_title(&m);
	test_find(&m);
	test_order(&m);
	test_order_of_first_rows();
	al_model_release(&m);
	test_memory();
	test_size();
	return done_testing();
}

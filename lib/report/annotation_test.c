/* SPDX-License-Identifier: GPL-2.0-or-later */
/* annotation_test.c - counts of source lines are read and added up */
#include "lib/report/annotation.h"

#include <errno.h>
#include <stdlib.h>

#include "tests/tap.h"

static int read_text(struct al_annotation *a, const char *text)
{
	FILE *f = fmemopen((void *)text, strlen(text), "r");
	int err;

	*a = (struct al_annotation){0};
	err = al_annotation_read_cachegrind_file(a, f);
	fclose(f);
	return err;
}

static const char whole[] = "desc: anything\n"
			    "events: Ir Dr Dw\n"
			    "fl=/a.c\n"
			    "fn=small\n"
			    "1 2 3 4\n"
			    "7 1\n"
			    "fn=large\n"
			    "9 50 1 1\n"
			    "fl=/b.c\n"
			    "fn=large\n"
			    "0 20 60 0\n"
			    "summary: 73 64 5\n";

static void test_rows(void)
{
	struct al_annotation a;

	ok(!read_text(&a, whole) && a.n == 4 && a.n_events == 3,
	   "a file has rows and events");
	ok(!strcmp(a.row[0].file, "/a.c") &&
		   !strcmp(a.row[0].function, "small") && a.row[0].line == 1 &&
		   a.row[0].cost[0] == 2 && a.row[0].cost[2] == 4,
	   "a row has its place and counts");
	ok(a.row[1].line == 7 && a.row[1].cost[0] == 1 &&
		   a.row[1].cost[1] == 0 && a.row[1].cost[2] == 0,
	   "counts that are left out are 0");
	ok(!strcmp(a.row[3].file, "/b.c") && a.row[3].line == 0,
	   "a line may be unknown");
	ok(al_annotation_event_index_or_n_events(&a, "Dw") == 2 &&
		   al_annotation_event_index_or_n_events(&a, "Bc") == 3,
	   "events have names");
	al_annotation_release(&a);
}

static void test_functions(void)
{
	struct al_annotation a;
	struct al_annotated_line *f;
	size_t n;

	if (read_text(&a, whole))
		abort();
	f = al_annotation_new_sorted_function_sums(&a, 0, &n);
	ok(n == 3 && f[0].cost[0] == 50 && f[1].cost[0] == 20 &&
		   f[2].cost[0] == 3,
	   "functions come by their first event, the largest first");
	ok(!strcmp(f[0].file, "/a.c") && !strcmp(f[1].file, "/b.c"),
	   "two of one name in two files are two");
	free(f);
	f = al_annotation_new_sorted_function_sums(&a, 1, &n);
	ok(n == 3 && f[0].cost[1] == 60 && f[1].cost[1] == 3 &&
		   f[2].cost[1] == 1,
	   "or by another event");
	ok(f[1].cost[0] == 3 && f[1].cost[2] == 4,
	   "each event is added up over the lines");
	free(f);
	al_annotation_release(&a);
}

static void test_wrong(void)
{
	static const char *const wrong[] = {
		"fl=a\nfn=f\n1 2\n",			       /* no events */
		"events: Ir\n1 2\n",			       /* no function */
		"events: Ir\nfl=a\n1 2\n",		       /* nor here */
		"events: Ir\nfn=f\n1 2\n",		       /* no file */
		"events: 1 2 3 4 5 6 7 8 9 a b c d e f g h\n", /* too many */
	};
	struct al_annotation a;
	bool refused = true;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		refused &= read_text(&a, wrong[i]) == -EPROTO;
		al_annotation_release(&a);
	}
	ok(refused, "a malformed file is refused");
	ok(!read_text(&a, "events: 1 2 3 4 5 6 7 8 9 a b c d e f g\n") &&
		   a.n_events == AL_MAX_COSTS,
	   "as many events as there may be are read");
	al_annotation_release(&a);
}

int main(void)
{
	test_rows();
	test_functions();
	test_wrong();
	return done_testing();
}

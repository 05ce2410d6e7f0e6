/* SPDX-License-Identifier: GPL-2.0-or-later */
/* findings_test.c - tests the order of findings, and their JSON */
#include "lib/report/findings/findings.h"

#include <stdlib.h>

#include "base/text/json.h"
#include "tests/tap.h"

static void add(struct al_findings *f, const char *file, uint64_t line,
		uint64_t misses)
{
	struct al_finding one = {
		.rule = "r", .file = file, .line = line, .misses = misses};

	al_finding_add_evidence_if_space(&one, "misses", misses);
	snprintf(one.text, sizeof(one.text), "text %u", (unsigned)misses);
	al_findings_insert(f, &one);
}

static void test_order(void)
{
	struct al_findings f = {.n = 0};

	add(&f, "a.c", 1, 10);
	add(&f, "b.c", 1, 30);
	add(&f, "c.c", 1, 20);
	ok(f.n == 3 && f.item[0].misses == 30 && f.item[1].misses == 20 &&
		   f.item[2].misses == 10,
	   "largest first");
	add(&f, "a.c", 1, 40);
	ok(f.n == 3 && f.item[0].misses == 40 && f.item[2].misses == 20,
	   "of one place the largest stays");
	add(&f, "a.c", 1, 5);
	ok(f.n == 3 && f.item[0].misses == 40, "and no smaller one");
	for (uint64_t i = 0; i < 4; i++)
		add(&f, "d.c", 2 + i, 50 + i);
	ok(f.n == AL_MAX_FINDINGS && f.item[0].misses == 53 &&
		   f.item[4].misses == 40,
	   "five at most, the smallest is dropped");
	add(&f, "e.c", 1, 1);
	ok(f.n == AL_MAX_FINDINGS && f.item[4].misses == 40,
	   "nor does a smaller one come in");
}

static void add_operations(struct al_findings *f, uint64_t line,
			   uint64_t operations)
{
	struct al_finding one = {.rule = "scalar",
				 .file = "s.c",
				 .line = line,
				 .misses = operations,
				 .is_about_operations = true};

	al_findings_insert(f, &one);
}

static void test_operations_behind_misses(void)
{
	struct al_findings f = {.n = 0};

	for (uint64_t i = 0; i < AL_MAX_FINDINGS; i++)
		add_operations(&f, 1 + i, 1000 + i);
	add(&f, "a.c", 1, 10);
	ok(f.n == AL_MAX_FINDINGS && f.item[0].misses == 10 &&
		   f.item[1].misses == 1004 && f.item[4].misses == 1001,
	   "misses are in front of operations, however many");
	for (uint64_t i = 0; i < AL_MAX_FINDINGS - 1; i++)
		add(&f, "b.c", 1 + i, 20 + i);
	add_operations(&f, 9, 5000);
	ok(f.n == AL_MAX_FINDINGS && !f.item[4].is_about_operations &&
		   f.item[4].misses == 10,
	   "operations do not push out misses");
}

static void test_json(void)
{
	static const char want[] =
		"{\n  \"findings\": [\n    {\n      \"rule\": \"r\",\n      "
		"\"function\": \"???\",\n      \"file\": \"a.c\",\n      "
		"\"line\": 7,\n      \"evidence\": {\n        \"misses\": 9\n"
		"      },\n      \"text\": \"text 9\"\n    }\n  ]\n}\n";
	struct al_findings f = {.n = 0};
	struct al_json json;
	char *all = NULL;
	size_t size;
	FILE *file = open_memstream(&all, &size);

	add(&f, "a.c", 7, 9);
	al_json_init(&json, file);
	json.sink.begin(&json.sink, NULL);
	al_findings_write(&f, &json.sink);
	json.sink.end(&json.sink);
	fclose(file);
	is_str(all, want, "rule, place, evidence and text");
	free(all);
}

static void test_no_caches(void)
{
	struct al_level_with_misses level[AL_MAX_MISSING];
	struct al_findings f;
	struct al_model m;

	al_model_init(&m);
	al_model_add_number(&m, "instructions", NULL, NULL, 5);
	al_findings_set_by_code_rules(&f, &m);
	ok(f.n == 0 && al_find_levels_with_misses(&m, level) == 0 &&
		   !al_find_level_with_most_misses(level, 0),
	   "a result without caches has no findings");
	al_model_release(&m);
}

int main(void)
{
	test_order();
	test_operations_behind_misses();
	test_json();
	test_no_caches();
	return done_testing();
}

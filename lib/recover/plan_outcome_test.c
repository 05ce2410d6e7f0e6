/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan_outcome_test.c - tests outcome records, valid and invalid
 */
#include "lib/recover/plan_outcome.h"

#include <errno.h>
#include <string.h>

#include "base/tables/intern.h"
#include "lib/recover/mappings.h"
#include "lib/recover/marks.h"
#include "tests/tap.h"

#include "tests/fixtures/window_text.h"

static struct al_intern strings;
static struct al_plan_outcomes outcomes;

/* Add an outcome record. @name: NULL: the record has no name. */
static int add_outcome(uint32_t what, uint32_t number, const char *name)
{
	struct {
		struct pt_log_outcome r;
		char name[16];
	} u = {.r = {.what = what, .number = number, .count = number}};

	u.r.head.kind = PT_LOG_OUTCOME;
	u.r.head.bytes = sizeof(u.r) + (name ? sizeof(u.name) : 0);
	if (name)
		memcpy(u.name, name, strnlen(name, sizeof(u.name)));
	return al_plan_outcomes_add_record(&outcomes, &strings, &u.r);
}

static void test_records(void)
{
	const struct al_plan_outcome *o;

	ok(add_outcome(PT_OUTCOME_EVENT, 1, "") == -EPROTO,
	   "nothing is told before the beginning");
	ok(!add_outcome(PT_OUTCOME_ALL, 0, "") &&
		   !add_outcome(PT_OUTCOME_EVENT, 1, "near") &&
		   !add_outcome(PT_OUTCOME_IMAGE, 1, "") &&
		   !add_outcome(77, 0, ""),
	   "events and images are told, and what is not known");
	o = al_plan_outcomes_find(&outcomes, PT_OUTCOME_EVENT, 1);
	ok(o && o->count == 1 && !strcmp(o->suggestion, "near"),
	   "an event is found");
	o = al_plan_outcomes_find(&outcomes, PT_OUTCOME_IMAGE, 1);
	ok(o && !o->suggestion, "so is an image, that nothing is like");
	ok(!al_plan_outcomes_find(&outcomes, PT_OUTCOME_FUNCTION, 1),
	   "what was not told is not");
	ok(!add_outcome(PT_OUTCOME_ALL, 0, "") &&
		   !al_plan_outcomes_find(&outcomes, PT_OUTCOME_EVENT, 1),
	   "what was told once is over when it is told again");
}

static void test_invalid(void)
{
	uint32_t n = 0;

	ok(add_outcome(PT_OUTCOME_EVENT, 1, NULL) == -EPROTO,
	   "there must be a name");
	ok(add_outcome(PT_OUTCOME_EVENT, 1, "a name without an end") == -EPROTO,
	   "which must end");
	while (n < 1 << 20 && !add_outcome(PT_OUTCOME_FUNCTION, n, "x"))
		n++;
	is_u64(n, PT_MAX_EVENTS + PT_MAX_MISSED, "there is an end to it");
}

/* Return the similar name found for outcome @what of the plan's item @number,
   for a program that has made the request "roi" and mapped /lib/libc.so.6. */
static const char *find_similar_name(const char *yaml, uint32_t what,
				     uint32_t number, uint32_t flags)
{
	struct pt_plan *plan = plan_of(yaml);
	struct al_mark mark = {.kind = PT_NAMED_EVENT, .name = "roi"};
	struct al_marks marks = {&mark, 1, 1};
	struct al_mapping one = {.size = 1, .path = "/lib/libc.so.6"},
			  *all = &one;
	struct al_mappings mappings = {.mapping = &all, .n = 1};
	struct al_plan_outcome *o;

	add_outcome(PT_OUTCOME_ALL, 0, "");
	add_outcome(what, number, "");
	o = (struct al_plan_outcome *)al_plan_outcomes_find(&outcomes, what,
							    number);
	o->flags = flags;
	al_plan_outcomes_set_suggestions(&outcomes, plan, &mappings, &marks);
	free(plan);
	return o->suggestion;
}

static void test_near(void)
{
	static const char request[] = ON("client_request: rio");
	static const char load[] = ON("load: {name: libc.so.7}");
	static const char other[] = ON("load: {name: zlib.so}");
	static const char by_path[] = ON("load: {path: /x/libc.so.7}");
	static const char image[] = IMAGES("{name: libc.so.7}");

	is_str(find_similar_name(request, PT_OUTCOME_EVENT, 0, 0), "roi",
	       "a request is like one that the program has made");
	is_str(find_similar_name(load, PT_OUTCOME_EVENT, 0, 0), "libc.so.6",
	       "an image is like one that was mapped");
	is_str(find_similar_name(by_path, PT_OUTCOME_EVENT, 0, 0),
	       "/lib/libc.so.6", "by its path where the event has one");
	is_str(find_similar_name(image, PT_OUTCOME_IMAGE, 0, 0), "libc.so.6",
	       "so is one whose code is to be recorded");
	is_str(find_similar_name(other, PT_OUTCOME_EVENT, 0, 0), NULL,
	       "another name is like none");
	is_str(find_similar_name(load, PT_OUTCOME_EVENT, 0,
				 PT_OUTCOME_HAPPENED),
	       NULL, "nor is one asked for where the event has come");
	is_str(find_similar_name(image, PT_OUTCOME_IMAGE, 7, 0), NULL,
	       "nor for a number that the plan has not");
}

int main(void)
{
	al_intern_init(&strings);
	test_records();
	test_invalid();
	test_near();
	al_plan_outcomes_release(&outcomes);
	al_intern_release(&strings);
	return done_testing();
}

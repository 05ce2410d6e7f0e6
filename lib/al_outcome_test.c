/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * al_outcome_test.c - what a tool, or somebody else, tells of a plan
 *
 * Room:    lib.
 */
#include "lib/al_outcome.h"

#include <errno.h>
#include <string.h>

#include "lib/al_intern.h"
#include "tests/tap.h"

static struct al_intern strings;
static struct al_outcomes told;

/* @name: NULL: there is none. */
static int take(uint32_t what, uint32_t number, const char *name)
{
	struct {
		struct pt_log_outcome r;
		char name[16];
	} u = {.r = {.what = what, .number = number, .count = number}};

	u.r.head.kind = PT_LOG_OUTCOME;
	u.r.head.bytes = sizeof(u.r) + (name ? sizeof(u.name) : 0);
	if (name)
		memcpy(u.name, name, strnlen(name, sizeof(u.name)));
	return al_outcomes_take(&told, &strings, &u.r);
}

static void telling(void)
{
	const struct al_outcome *o;

	ok(take(PT_OUTCOME_EVENT, 1, "") == -EPROTO,
	   "nothing is told before the beginning");
	ok(!take(PT_OUTCOME_ALL, 0, "") && !take(PT_OUTCOME_EVENT, 1, "near") &&
		   !take(PT_OUTCOME_IMAGE, 1, "") && !take(77, 0, ""),
	   "events and images are told, and what is not known");
	o = al_outcomes_find(&told, PT_OUTCOME_EVENT, 1);
	ok(o && o->count == 1 && !strcmp(o->near, "near"), "an event is found");
	o = al_outcomes_find(&told, PT_OUTCOME_IMAGE, 1);
	ok(o && !o->near, "so is an image, that nothing is like");
	ok(!al_outcomes_find(&told, PT_OUTCOME_FUNCTION, 1),
	   "what was not told is not");
	ok(!take(PT_OUTCOME_ALL, 0, "") &&
		   !al_outcomes_find(&told, PT_OUTCOME_EVENT, 1),
	   "what was told once is over when it is told again");
}

static void stranger(void)
{
	uint32_t n = 0;

	ok(take(PT_OUTCOME_EVENT, 1, NULL) == -EPROTO, "there must be a name");
	ok(take(PT_OUTCOME_EVENT, 1, "a name without an end") == -EPROTO,
	   "which must end");
	while (n < 1 << 20 && !take(PT_OUTCOME_FUNCTION, n, "x"))
		n++;
	is_u64(n, PT_MAX_EVENTS + PT_MAX_MISSED, "there is an end to it");
}

int main(void)
{
	al_intern_init(&strings);
	telling();
	stranger();
	al_outcomes_release(&told);
	al_intern_release(&strings);
	return done_testing();
}

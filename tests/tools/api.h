/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * api.h - all records of a profile, taken once
 */
#ifndef API_H
#define API_H

#include <alleria/alleria.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tap.h"

static struct alleria_profile *profile;
static struct alleria_access *access_of; /* all */
static size_t n_accesses;
static struct alleria_instruction *instruction_of; /* all, less `access` */
static size_t n_instructions;

static struct alleria_cursor *cursor(enum alleria_what what,
				     const struct alleria_filter *filter)
{
	struct alleria_cursor *c;
	int err = alleria_cursor_open(profile, what, filter, &c);

	if (err) {
		printf("Bail out! no cursor: %s\n", alleria_error_text(err));
		exit(99);
	}
	return c;
}

static size_t room_for(size_t n)
{
	size_t room = n ? 1 : 0;

	while (room < n)
		room *= 2;
	return room;
}

/* An array that holds N, with room for MORE: copied seldom. */
static void *grow(void *array, size_t n, size_t more, size_t size)
{
	if (n + more <= room_for(n))
		return array;
	array = realloc(array, room_for(n + more) * size);
	if (!array)
		exit(99);
	return array;
}

static bool same(const struct alleria_access *a, const struct alleria_access *b)
{
	return !memcmp(a, b, sizeof(*a));
}

/* ---- all of it ---- */

static void take_accesses(void)
{
	struct alleria_cursor *c = cursor(ALLERIA_ACCESSES, NULL);
	const struct alleria_access *a;
	bool numbered = true, alike = true;
	long n;

	while ((n = alleria_accesses(c, &a)) > 0) {
		access_of = grow(access_of, n_accesses, (size_t)n, sizeof(*a));
		for (long i = 0; i < n; i++) {
			numbered &= a[i].number == n_accesses;
			alike &= a[i].thread == a->thread &&
				 a[i].process == a->process;
			access_of[n_accesses++] = a[i];
		}
	}
	ok(n == 0, "accesses have an end");
	ok(numbered, "they are numbered from 0 on");
	ok(alike, "a batch is of one process and thread");
	is_u64(n_accesses, alleria_run(profile)->counts.accesses,
	       "they are as many as the heads of blocks say");
	alleria_cursor_close(c);
}

static void take_instructions(void)
{
	struct alleria_cursor *c = cursor(ALLERIA_INSTRUCTIONS, NULL);
	const struct alleria_instruction *in;
	bool numbered = true, equal = true;
	size_t index = 0;
	long n;

	while ((n = alleria_instructions(c, &in)) > 0) {
		instruction_of = grow(instruction_of, n_instructions, (size_t)n,
				      sizeof(*in));
		for (long i = 0; i < n; i++) {
			numbered &= in[i].number == n_instructions &&
				    in[i].first_access == index;
			for (unsigned k = 0; k < in[i].n_accesses; k++, index++)
				equal &= index < n_accesses &&
					 same(&in[i].access[k],
					      &access_of[index]);
			instruction_of[n_instructions++] = in[i];
		}
	}
	ok(numbered, "instructions are numbered from 0 on");
	ok(equal && index == n_accesses, "their accesses are all accesses");
	is_u64(n_instructions, alleria_run(profile)->counts.instructions,
	       "they are as many as the heads of blocks say");
	alleria_cursor_close(c);
}

static int open_profile(int argc, char **argv)
{
	char message[ALLERIA_MESSAGE] = "no profile given";

	if (argc == 2 && !alleria_open(argv[1], &profile, message))
		return 0;
	printf("Bail out! %s\n", message);
	return 99;
}

static int close_profile(void)
{
	alleria_close(profile);
	free(access_of);
	free(instruction_of);
	return done_testing();
}

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * al_rescue_test.c - what is told of a profile that was recovered
 *
 * Room:    lib.
 */
#include "lib/al_rescue.h"

#include <stdio.h>

#include "lib/al_made.h"
#include "tests/tap.h"

/* What was made, recovered, is told of by @words. */
static void is_told(const char *words, const char *fact)
{
	char out[sizeof(made_path) + 8], want[256], message[AL_MESSAGE] = "";

	snprintf(out, sizeof(out), "%s.saved", made_path);
	snprintf(want, sizeof(want), "'%s' %s", out, words);
	write_profile();
	ok(!al_rescue(made_path, out, message), "it is recovered");
	is_str(message, want, fact);
	unlink(out);
	make();
}

int main(void)
{
	made_begin();
	is_told("has all 10 blocks", "a whole one has all");
	for (unsigned i = 0; i < DONE; i++)
		made[i].left_out = true;
	is_told("has but an end: nothing was kept of the run",
		"one in which nothing was kept has not 'all 0 blocks'");
	made_end();
	return done_testing();
}

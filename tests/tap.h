/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tap.h - results of a unit test, in the Test Anything Protocol
 *
 * Threads: one.
 */
#ifndef TAP_H
#define TAP_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int tap_n, tap_failed;

/* Each names a fact, and returns whether it holds. */
#define ok(cond, fact) tap_ok((cond), (fact), __FILE__, __LINE__)
#define is_u64(got, want, fact)                                                \
	tap_is_u64((got), (want), (fact), __FILE__, __LINE__)
#define is_str(got, want, fact)                                                \
	tap_is_str((got), (want), (fact), __FILE__, __LINE__)

static inline bool tap_ok(bool holds, const char *fact, const char *file,
			  int line)
{
	printf("%sok %d - %s\n", holds ? "" : "not ", ++tap_n, fact);
	if (!holds) {
		printf("# %s:%d\n", file, line);
		tap_failed++;
	}
	fflush(stdout);
	return holds;
}

static inline bool tap_is_u64(uint64_t got, uint64_t want, const char *fact,
			      const char *file, int line)
{
	if (!tap_ok(got == want, fact, file, line))
		printf("# got %" PRIu64 ", want %" PRIu64 "\n", got, want);
	return got == want;
}

static inline bool tap_is_str(const char *got, const char *want,
			      const char *fact, const char *file, int line)
{
	bool same = got && want ? !strcmp(got, want) : got == want;

	if (!tap_ok(same, fact, file, line))
		printf("# got  '%s'\n# want '%s'\n", got ? got : "(null)",
		       want ? want : "(null)");
	return same;
}

static inline bool skip(const char *why, const char *fact)
{
	printf("ok %d - %s # SKIP %s\n", ++tap_n, fact, why);
	return true;
}

/* Last call of main(), whose value it returns. */
static inline int done_testing(void)
{
	printf("1..%d\n", tap_n);
	return tap_failed != 0;
}

#endif

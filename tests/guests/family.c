/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * family.c - a process and a forked child that call one function: a small
 * profile with all that a profile may hold
 */
#include "guest.h"

enum { FORK = 57, WAIT4 = 61, CALLS = 3, NUMBERS = 4 };

int64_t add_up(const int64_t *number, int64_t n);

static int64_t numbers[NUMBERS] = {2, 3, 5, 7};
static volatile int64_t sum;

NOINLINE int64_t add_up(const int64_t *number, int64_t n)
{
	int64_t all = 0;

	for (int64_t i = 0; i < n; i++)
		all += number[i];
	return all;
}

int guest_main(void)
{
	int child;

	for (int i = 0; i < CALLS; i++)
		sum += add_up(numbers, NUMBERS);
	child = (int)guest_call(FORK, 0, 0, 0, 0, 0, 0);
	sum += add_up(numbers, child ? 1 : NUMBERS);
	if (child == 0)
		return 3;
	guest_call(WAIT4, child, 0, 0, 0, 0, 0);
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * often.c - a small function called so often as is said
 *
 * often CALLS [DEPTH [WORDS]]: add() is called CALLS times, deep() calls itself
 * until it is DEPTH deep, and say() is called WORDS times.
 */
#include <stdlib.h>

#ifdef __clang__
#define FUNCTION __attribute__((noinline, optnone))
#else
#define FUNCTION __attribute__((noipa))
#endif

FUNCTION int add(int a, int b)
{
	return a + b;
}

FUNCTION int deep(int n)
{
	return n > 1 ? deep(n - 1) + 1 : 1;
}

FUNCTION int say(const char *word)
{
	return word[0];
}

int main(int argc, char **argv)
{
	int calls = argc > 1 ? atoi(argv[1]) : 0, sum = 0;

	for (int i = 0; i < calls; i++)
		sum = add(sum, i);
	for (int i = argc > 3 ? atoi(argv[3]) : 0; i > 0; i--)
		say("twenty characters...");
	return argc > 2 && deep(atoi(argv[2])) == sum;
}

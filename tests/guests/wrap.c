/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wrap.c - a function that is wrapped, as valgrind.h offers it
 *
 * Most of the wrapper's accesses come right before it calls what it wraps, so
 * that there a chunk gets full. Says "ready", reads a byte, calls, and prints
 * how often wrapper and function ran, and what they made of it.
 */
#include <stdio.h>
#include <unistd.h>
#include <valgrind/valgrind.h>

enum { CALLS = 100000 };

static long cell[12];
static long *volatile at[] = {cell,	cell + 1, cell + 2,  cell + 3,
			      cell + 4, cell + 5, cell + 6,  cell + 7,
			      cell + 8, cell + 9, cell + 10, cell + 11};
static long wrappers, functions;

long wrapped(long);
long I_WRAP_SONAME_FNNAME_ZU(NONE, wrapped)(long);

__attribute__((noinline)) long wrapped(long x)
{
	functions++;
	return x + 1;
}

long I_WRAP_SONAME_FNNAME_ZU(NONE, wrapped)(long x)
{
	long r;
	OrigFn function;

	VALGRIND_GET_ORIG_FN(function);
	wrappers++;
	*at[0] = *at[1] = *at[2] = *at[3] = *at[4] = *at[5] = x;
	*at[6] = *at[7] = *at[8] = *at[9] = *at[10] = *at[11] = x;
	CALL_FN_W_W(r, function, x);
	return r;
}

int main(void)
{
	long i, sum = 0;
	char byte;

	if (write(1, "ready\n", 6) != 6 || read(0, &byte, 1) != 1)
		return 1;
	for (i = 0; i < CALLS; i++)
		sum = wrapped(sum);
	printf("%ld %ld %ld\n", wrappers, functions, sum);
	return 0;
}

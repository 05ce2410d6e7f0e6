/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * late.c - a fault that a handler mends, when nobody records any more
 *
 *   late alone    in code that runs for the first time then
 *   late forked   in code that has run before, in a forked child
 *
 * Says "ready", reads a byte, and prints what the interrupted code has made of
 * three cells and its result, and the number of faults.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096, ROUNDS = 20000000 };

static volatile char *page;
static volatile int faults;
static volatile long cell[64];

static void mend(int signal)
{
	(void)signal;
	if (++faults > 20)
		_exit(9);
	mprotect((void *)page, PAGE, PROT_READ | PROT_WRITE);
}

/* Long enough for the tool to find out that the daemon is gone. */
static __attribute__((noinline)) void work(void)
{
	for (long i = 0; i < ROUNDS; i++)
		cell[i & 63] += i;
}

/* One block, with the fault in its middle. */
static __attribute__((noinline)) int late(volatile char *at, long v)
{
	cell[1] += v;
	cell[2] += 1;
	at[5] = (char)v;
	cell[3] += v + 1;
	return at[5] + 1;
}

static int interrupted(void)
{
	int r;

	cell[1] = cell[2] = cell[3] = 0;
	mprotect((void *)page, PAGE, PROT_NONE);
	faults = 0;
	r = late(page, 42);
	printf("%d %ld %ld %ld %d\n", r, cell[1], cell[2], cell[3], faults);
	return 0;
}

static void say_ready(void)
{
	char byte;

	if (write(1, "ready\n", 6) != 6 || read(0, &byte, 1) != 1)
		exit(8);
}

int main(int argc, char **argv)
{
	int forked = argc > 1 && argv[1][0] == 'f', status = 0;

	page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	signal(SIGSEGV, mend);
	if (forked)
		late(page, 1);
	say_ready();
	if (!forked) {
		work();
		return interrupted();
	}
	if (fork() == 0)
		return interrupted();
	wait(&status);
	return status != 0;
}

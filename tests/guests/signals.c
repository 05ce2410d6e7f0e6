/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * signals.c - handlers, and jumps out of them, many times
 *
 * Room: tests.
 *
 *   signals jump N    N stores to nowhere; siglongjmp() out of the handler
 *   signals raise N   N signals to itself
 *   signals timer N   work until N timer signals have come
 *   signals abort     as it says
 */
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

static sigjmp_buf back;
static volatile sig_atomic_t seen;
static volatile int cell[8];

static void jump_back(int signal)
{
	(void)signal;
	seen++;
	siglongjmp(back, 1);
}

static void count(int signal)
{
	(void)signal;
	seen++;
}

static void fault(void)
{
	volatile int *volatile nowhere = NULL;

	if (sigsetjmp(back, 1))
		return;
	cell[0]++;
	cell[1]++;
	*nowhere = cell[2];
	cell[3]++;
}

static void jump(int n)
{
	signal(SIGSEGV, jump_back);
	while (seen < n)
		fault();
}

static void raise_often(int n)
{
	signal(SIGUSR1, count);
	while (seen < n)
		raise(SIGUSR1);
}

static void timer(int n)
{
	struct itimerval often = {{0, 500}, {0, 500}};
	struct itimerval never = {{0, 0}, {0, 0}};

	signal(SIGALRM, count);
	setitimer(ITIMER_REAL, &often, NULL);
	while (seen < n)
		cell[seen % 8]++;
	setitimer(ITIMER_REAL, &never, NULL);
}

int main(int argc, char **argv)
{
	int n = argc > 2 ? atoi(argv[2]) : 1;

	if (argc < 2)
		return 2;
	if (!strcmp(argv[1], "jump"))
		jump(n);
	else if (!strcmp(argv[1], "raise"))
		raise_often(n);
	else if (!strcmp(argv[1], "timer"))
		timer(n);
	else
		abort();
	return seen < n;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * biased.c - branches that lead one way mostly, and later the other way
 *
 *   biased N         N rounds
 *   biased N jump    in one of 1000 an access faults in the midst of what is
 *                    executed often, and is jumped out of
 *   biased N mend    every other time it is done again, for it can be
 *   biased N fork    half way a child is forked, which goes through the rest as
 *                    well
 *   biased N large   through blocks that Valgrind makes much code of
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096, SELDOM = 1000 };

static sigjmp_buf back;
static volatile long cell[16];
static volatile char *page;
static int faults;

static void jump(int signal)
{
	(void)signal;
	siglongjmp(back, 1);
}

static void mend(int signal, siginfo_t *info, void *context)
{
	static int n;

	(void)info;
	(void)context;
	if (n++ % 2)
		jump(signal);
	mprotect((void *)page, PAGE, PROT_READ | PROT_WRITE);
}

static __attribute__((noinline)) void once(long i, long other,
					   volatile char *where)
{
	cell[0] += i;
	if ((i % 16 == 3) != other)
		cell[1]++;
	else
		cell[2] -= cell[0];
	if (cell[3]++ % 32 > other)
		cell[4] ^= cell[1];
	*where += 1;
	if (i % 7 == 0)
		cell[5] = cell[2];
	for (int n = 0; n < 4; n++)
		if ((n == 2) == (i % 8 != 0))
			cell[6 + n]++;
	cell[10]++;
}

static __attribute__((noinline)) void one_round(long i, long other)
{
	static volatile char plain;
	volatile char *where[2] = {&plain, page};

	if (faults && i % SELDOM == 0)
		mprotect((void *)page, PAGE, PROT_NONE);
	if (sigsetjmp(back, 0) == 0)
		once(i, other, where[i % SELDOM == 0]);
}

/* Behind a branch that is seldom taken, instructions of hundreds of statements.
   */
static __attribute__((noinline)) void large(long i)
{
	static char area[512] __attribute__((aligned(16)));

#define TWICE(code) code "\n" code "\n"
#define BLOCK                                                                  \
	"test $63, %1; jz 1f;" TWICE(                                          \
		TWICE(TWICE("fxsave (%0); fxrstor (%0)"))) "fxsave (%0); 1:"   \
							   "\n"
	__asm__ volatile(TWICE(TWICE(TWICE(BLOCK)))
			 :
			 : "r"(area), "r"(i)
			 : "memory", "cc");
}

static void rounds(long from, long to, long half)
{
	for (long i = from; i < to; i++)
		one_round(i, i >= half);
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 0;
	const char *how = argc > 2 ? argv[2] : "";
	struct sigaction act = {.sa_handler = jump, .sa_flags = SA_NODEFER};
	pid_t child = 0;

	if (how[0] == 'm') {
		act.sa_sigaction = mend;
		act.sa_flags |= SA_SIGINFO;
	}
	for (long i = 0; how[0] == 'l' && i < n; i++)
		large(i);
	faults = how[0] == 'j' || how[0] == 'm';
	page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED || sigaction(SIGSEGV, &act, NULL) != 0)
		return 1;
	rounds(0, n / 2, n / 4);
	if (how[0] == 'f')
		child = fork();
	rounds(n / 2, n, 3 * n / 4);
	return child > 0 && waitpid(child, NULL, 0) != child;
}

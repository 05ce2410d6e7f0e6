/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * signals.c - handlers, and jumps out of them, many times
 *
 *   signals jump N    N stores to nowhere; siglongjmp() out of the handler
 *   signals raise N   N signals to itself
 *   signals timer N   work until N timer signals have come
 *   signals mend N    N stores behind the end of a file, which is longer again
 *                     before anybody can look: another process sees to that;
 *                     77 when it cannot
 *   signals lazy N    N branches of five kinds to code that cannot be executed
 *                     before somebody has tried to
 *   signals leave     a signal to end is blocked, and pending when it ends by
 *                     itself, having said "ready" and read a byte
 *   signals await N   says "ready" and waits until signal N comes
 *   signals traced    asks to be traced, and has a signal of each kind
 *   signals crash     the C library reads nowhere
 *   signals abort     as it says
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

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

enum { PAGE = 4096 };

/* The instruction that faults is behind a side exit, for a count of 0. */
static void store(char *to)
{
	volatile unsigned long one = 1;
	unsigned long count = one;

	if (sigsetjmp(back, 1))
		return;
	__asm__ volatile("rep stosb"
			 : "+D"(to), "+c"(count)
			 : "a"(1)
			 : "memory");
}

/* Signals of @pid's pass through here, until it is gone. */
static void mender(pid_t pid, int fd, int ready)
{
	int status;

	if (ptrace(PTRACE_ATTACH, pid, NULL, NULL) ||
	    waitpid(pid, &status, 0) != pid || write(ready, "", 1) != 1)
		_exit(77);
	ptrace(PTRACE_CONT, pid, NULL, NULL);
	while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status)) {
		if (WSTOPSIG(status) == SIGBUS && ftruncate(fd, PAGE))
			_exit(1);
		ptrace(PTRACE_CONT, pid, NULL, (long)WSTOPSIG(status));
	}
	_exit(0);
}

static void mend(int n)
{
	int fd = memfd_create("mend", 0), ready[2];
	char byte, *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED,
				fd, 0);
	pid_t self = getpid();

	if (pipe(ready))
		exit(1);
	if (fork() == 0)
		mender(self, fd, ready[1]);
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 1)
		exit(77);
	signal(SIGBUS, jump_back);
	while (seen < n && ftruncate(fd, 0) == 0)
		store(page);
}

static char *code; /* two pages; the second begins with a return */

static void allow(int signal)
{
	(void)signal;
	seen++;
	mprotect(code + PAGE, PAGE, PROT_READ | PROT_EXEC);
}

/* Instructions whose last four bytes are the way to the second page. */
static void put_far(int at, const char *bytes, int n)
{
	int far = PAGE - (at + n + 4);

	memcpy(code + at, bytes, (size_t)n);
	memcpy(code + at + n, &far, sizeof(far));
}

static void put_code(void)
{
	put_far(0, "\x31\xc0\x0f\x84", 4);		/* xor, je */
	put_far(16, "\xe8", 1);				/* call */
	memcpy(code + 21, "\xc3", 1);			/* ret */
	put_far(32, "\x48\x8d\x05", 3);			/* lea */
	memcpy(code + 39, "\x50\xc3", 2);		/* push, ret */
	memcpy(code + PAGE - 4, "\x31\xc0\x75\xf0", 4); /* xor, jne: not */
	memcpy(code + PAGE, "\xc3", 1);
}

static void lazy(int n)
{
	static const int entry[] = {0, 16, 32, PAGE - 4, PAGE};

	code = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	put_code();
	mprotect(code, PAGE, PROT_READ | PROT_EXEC);
	signal(SIGSEGV, allow);
	for (int i = 0; i < n; i++) {
		mprotect(code + PAGE, PAGE, PROT_READ);
		((void (*)(void))(code + entry[i % 5]))();
	}
}

static void leave(void)
{
	sigset_t set;
	char byte;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	raise(SIGTERM);
	if (write(1, "ready\n", 6) != 6 || read(0, &byte, 1) != 1)
		_exit(1);
	seen = 1;
}

static void await(int signal_number)
{
	sigset_t set, before;

	signal(signal_number, count);
	sigemptyset(&set);
	sigaddset(&set, signal_number);
	sigprocmask(SIG_BLOCK, &set, &before);
	seen = 0;
	if (write(1, "ready\n", 6) != 6)
		_exit(1);
	while (!seen)
		sigsuspend(&before);
	_exit(0);
}

/* Ask to be traced, then raise a signal that is handled and one that is
   ignored, and fault. */
static void traced(void)
{
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		_exit(77);
	signal(SIGUSR1, count);
	signal(SIGSEGV, jump_back);
	raise(SIGUSR1);
	raise(SIGWINCH);
	fault();
	_exit(seen != 2);
}

static void crash(void)
{
	const char *volatile nowhere = (const char *)1;

	seen = (int)strlen(nowhere);
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
	else if (!strcmp(argv[1], "mend"))
		mend(n);
	else if (!strcmp(argv[1], "lazy"))
		lazy(n);
	else if (!strcmp(argv[1], "leave"))
		leave();
	else if (!strcmp(argv[1], "await"))
		await(n);
	else if (!strcmp(argv[1], "traced"))
		traced();
	else if (!strcmp(argv[1], "crash"))
		crash();
	else
		abort();
	return seen < n;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ways.c - ways into functions, and out of them: ways WAY
 *
 * Build: -fcf-protection=none -Wno-infinite-recursion
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <valgrind/alleria.h>

#ifdef __clang__
#define FUNCTION __attribute__((noinline, optnone))
#else
#define FUNCTION __attribute__((noipa))
#endif

enum { THREADS = 4, TURNS = 100 };

static sigjmp_buf back;
static ucontext_t here, there;
static volatile int seen;

/* Not static: code of its own jumps to it. */
int leaf(int n);

FUNCTION int leaf(int n)
{
	return 3 * n;
}

FUNCTION int middle(int n)
{
	return leaf(n) + leaf(n + 1);
}

/* Jumps, so that leaf() returns to the caller. */
__attribute__((naked)) int tail(__attribute__((unused)) int n)
{
	__asm__("add $1, %edi\n\tjmp leaf");
}

FUNCTION int even(int n);

FUNCTION int odd(int n)
{
	return n ? even(n - 1) : 0;
}

FUNCTION int even(int n)
{
	return n ? odd(n - 1) : 1;
}

FUNCTION int fork_in(int n)
{
	pid_t child = fork();
	int status;

	leaf(child ? n : n + 1);
	if (child)
		waitpid(child, &status, 0);
	return child ? WEXITSTATUS(status) : 0;
}

FUNCTION int exec_in(char *name)
{
	execl(name, name, "leaf", NULL);
	return -1;
}

FUNCTION int spawn_in(int n)
{
	int status;
	pid_t child = vfork();

	if (!child)
		_exit(n);
	waitpid(child, &status, 0);
	return WEXITSTATUS(status);
}

FUNCTION int jumps(int n)
{
	if (!n)
		siglongjmp(back, 5);
	return jumps(n - 1) + 1;
}

FUNCTION void handler(int number)
{
	seen += leaf(number);
}

FUNCTION void leaves(int number)
{
	siglongjmp(back, number);
}

FUNCTION int raises(int number)
{
	raise(number);
	return seen;
}

FUNCTION int switches(int n)
{
	swapcontext(&here, &there);
	return n;
}

FUNCTION void other(void)
{
	for (int i = 1;; i++) {
		leaf(i);
		swapcontext(&there, &here);
	}
}

FUNCTION void ends(int how)
{
	if (how == 1)
		pthread_exit(NULL);
	if (how == 2)
		_exit(7);
	raise(SIGKILL);
}

static void *work(void *at)
{
	int first = TURNS * (int)(long)at, sum = 0;

	for (int i = 0; i < TURNS; i++) {
		sum += leaf(first + i);
		sched_yield();
	}
	return (void *)(long)sum;
}

static void in_threads(void)
{
	pthread_t id[THREADS];

	for (long i = 0; i < THREADS; i++)
		pthread_create(&id[i], NULL, work, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(id[i], NULL);
}

static void in_signals(void)
{
	static char stack[1 << 16];
	struct sigaction on_stack = {.sa_handler = handler,
				     .sa_flags = SA_ONSTACK};

	signal(SIGUSR1, handler);
	raises(SIGUSR1);
	sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof(stack)}, NULL);
	sigaction(SIGUSR2, &on_stack, NULL);
	raises(SIGUSR2);
	signal(SIGALRM, leaves);
	if (!sigsetjmp(back, 1))
		raises(SIGALRM);
	leaf(2);
}

static void in_jumps(void)
{
	if (!sigsetjmp(back, 1))
		jumps(2);
	leaf(1);
}

static void in_contexts(void)
{
	static char stack[1 << 16];

	getcontext(&there);
	there.uc_stack.ss_sp = stack;
	there.uc_stack.ss_size = sizeof(stack);
	makecontext(&there, other, 0);
	switches(1);
	switches(2);
}

static void *end_thread(void *arg)
{
	ends(1);
	return arg;
}

static void in_ends(int how)
{
	pthread_t id;

	if (how == 1) {
		pthread_create(&id, NULL, end_thread, NULL);
		pthread_join(id, NULL);
		leaf(1);
	} else {
		ends(how);
	}
}

FUNCTION int stops(int n)
{
	ALLERIA_STOP_COLLECT(ALLERIA_COLLECT_CALLS);
	return leaf(n) + middle(n);
}

static void in_stops(void)
{
	leaf(1);
	leaf(stops(2));
	ALLERIA_TOGGLE_COLLECT(ALLERIA_COLLECT_CALLS);
	leaf(3);
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "";

	if (!strcmp(way, "fork"))
		return fork_in(1);
	if (!strcmp(way, "exec"))
		return exec_in(argv[0]);
	if (!strcmp(way, "spawn"))
		return spawn_in(9);
	if (!strcmp(way, "leaf"))
		return leaf(4);
	if (!strcmp(way, "tail"))
		return tail(4) + middle(1);
	if (!strcmp(way, "mutual"))
		return even(3);
	if (!strcmp(way, "threads"))
		in_threads();
	if (!strcmp(way, "jumps"))
		in_jumps();
	if (!strcmp(way, "signals"))
		in_signals();
	if (!strcmp(way, "contexts"))
		in_contexts();
	if (!strcmp(way, "stops"))
		in_stops();
	if (!strncmp(way, "end", 3))
		in_ends(atoi(way + 3));
	return 0;
}

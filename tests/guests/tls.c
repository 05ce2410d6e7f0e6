/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tls.c - threads that access their thread-local variables and stacks in known
 * ways; data-threads.test has the numbers
 *
 * tls [fork]
 *
 * Thread 1, 2 and 3 make 50, 100 and 200 rounds. In a round, a thread writes a
 * counter, a member of an element, and 8 bytes on its stack, once each.
 */
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))

enum { ELEMENTS = 4, WIDE = 40 };

struct element {
	long key;
	struct {
		int a, b;
	} in;
	char rest[8];
};

__thread volatile struct element elements[ELEMENTS];
static __thread volatile int counter = 3;
static __thread volatile char wide[WIDE] __attribute__((aligned(64)));

static NOINLINE void count_rounds(int rounds)
{
	static __thread volatile long inner __attribute__((unused));
	volatile long on_stack = 0;

	for (int i = 0; i < rounds; i++) {
		counter = i;
		elements[3].in.b = i;
		on_stack = i;
	}
	inner = on_stack;
	wide[WIDE - 1] = 1;
}

static void *run_thread(void *rounds)
{
	count_rounds((int)(intptr_t)rounds);
	return NULL;
}

static void run_thread_and_join(int rounds)
{
	pthread_t thread;

	if (!pthread_create(&thread, NULL, run_thread,
			    (void *)(intptr_t)rounds))
		pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
	(void)argv;
	if (argc > 1) {
		if (fork() == 0)
			count_rounds(1000);
		else
			wait(NULL);
		return 0;
	}
	count_rounds(50);
	run_thread_and_join(100);
	run_thread_and_join(200);
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * threads.c - threads with a schedule that is the same in every run, or free
 *
 *   threads join N [MS]   one after the other, each joined before the next
 *   threads turns N [MS]  all alive; three rounds of turns
 *   threads free N [TIMES]  at once, on shared memory, for so long [20]
 *   threads told N [TIMES]  so, after "ready" was said and a byte was read
 *   threads gone N    they end while the first one, which said "ready", pauses
 *
 * MS [5] is how long an ended thread is given until it is joined.
 *
 * Under Valgrind one thread runs at a time, and it lets go in a system call
 * that may block. Waking another by such a call leaves open which of the two
 * goes on. So a turn is handed over by closing a pipe on which the other
 * reads: closing never blocks; the thread goes on until it reads itself. Only
 * whether a new thread or its creator goes on first cannot be forced: Valgrind
 * lets go after clone(). The accesses are the same; their order is not.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_THREADS = 512, ROUNDS = 3, WORDS = 2048 };

static uint64_t shared[WORDS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static int times = 20, end_ms = 5;
static int turn[MAX_THREADS][2], back[2];

static void work(uintptr_t me)
{
	uint64_t own[64];
	size_t i;

	memset(own, (int)me, sizeof(own));
	for (i = 0; i < 300; i++) {
		size_t at = (i * 17 + me * 31) % WORDS;

		shared[at] += own[i % 64];
		own[(i * 7) % 64] ^= shared[WORDS - 1 - at];
	}
	shared[me % WORDS] += own[5];
}

static void need(int failed, const char *what)
{
	if (failed) {
		perror(what);
		exit(1);
	}
}

static void await(int fd)
{
	char byte;

	need(read(fd, &byte, 1) != 0, "read");
}

static void *once(void *me)
{
	work((uintptr_t)me);
	close(back[1]);
	return NULL;
}

/* The kernel must have ended a thread before pthread_join() looks, else that
   waits, which is other code. */
static void let_it_end(void)
{
	usleep((useconds_t)end_ms * 1000);
}

/* Each turn: give the last one back to the main thread, await ours, work. */
static void *by_turns(void *arg)
{
	uintptr_t me = (uintptr_t)arg;
	int round;

	for (round = 0; round < ROUNDS; round++) {
		close(back[1]);
		await(turn[me][0]);
		work(me);
	}
	close(back[1]);
	return NULL;
}

static void *free_running(void *arg)
{
	uintptr_t me = (uintptr_t)arg;
	int i;

	pthread_mutex_lock(&gate);
	pthread_mutex_unlock(&gate);
	for (i = 0; i < times; i++) {
		work(me);
		pthread_mutex_lock(&lock);
		shared[0]++;
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

static void join_each(uintptr_t n)
{
	pthread_t thread;
	uintptr_t i;

	for (i = 0; i < n; i++) {
		need(pipe(back), "pipe");
		need(pthread_create(&thread, NULL, once, (void *)i), "create");
		await(back[0]);
		close(back[0]);
		let_it_end();
		need(pthread_join(thread, NULL), "join");
	}
}

/* Runs thread @i until it waits for its next turn or ends. */
static void give_turn(uintptr_t i)
{
	int go = turn[i][1], seen = turn[i][0];

	need(pipe(turn[i]) || pipe(back), "pipe");
	close(go);
	await(back[0]);
	close(back[0]);
	close(seen);
}

static void turns(uintptr_t n)
{
	static pthread_t thread[MAX_THREADS];
	uintptr_t i;
	int round;

	for (i = 0; i < n; i++) {
		need(pipe(turn[i]) || pipe(back), "pipe");
		need(pthread_create(&thread[i], NULL, by_turns, (void *)i),
		     "create");
		await(back[0]);
		close(back[0]);
	}
	for (round = 0; round < ROUNDS; round++)
		for (i = 0; i < n; i++)
			give_turn(i);
	let_it_end();
	for (i = 0; i < n; i++)
		need(pthread_join(thread[i], NULL), "join");
}

static void open_gate(void)
{
	char byte;

	need(write(1, "ready\n", 6) != 6 || read(0, &byte, 1) != 1, "go");
	pthread_mutex_unlock(&gate);
}

static void all_free(uintptr_t n, int told)
{
	static pthread_t thread[MAX_THREADS];
	uintptr_t i;

	if (told)
		pthread_mutex_lock(&gate);
	for (i = 0; i < n; i++)
		need(pthread_create(&thread[i], NULL, free_running, (void *)i),
		     "create");
	if (told)
		open_gate();
	for (i = 0; i < n; i++)
		need(pthread_join(thread[i], NULL), "join");
}

static void *lag_behind(void *arg)
{
	usleep(300000);
	return arg;
}

static void all_gone(uintptr_t n)
{
	pthread_t thread;

	while (n-- > 0)
		need(pthread_create(&thread, NULL, lag_behind, NULL), "create");
	need(write(1, "ready\n", 6) != 6, "say");
	pause();
}

int main(int argc, char **argv)
{
	uintptr_t n = argc >= 3 ? strtoul(argv[2], NULL, 10) : 0;

	if (argc > 3)
		times = end_ms = atoi(argv[3]);
	if (n < 1 || n > MAX_THREADS)
		return 2;
	if (!strcmp(argv[1], "join"))
		join_each(n);
	else if (!strcmp(argv[1], "turns"))
		turns(n);
	else if (!strcmp(argv[1], "gone"))
		all_gone(n);
	else
		all_free(n, !strcmp(argv[1], "told"));
	return 0;
}

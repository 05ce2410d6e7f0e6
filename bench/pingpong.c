/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pingpong.c - measures the time in which a cache line gets from one processor
 * to another
 *
 *   pingpong CPU CPU     prints the time of one transfer [ns], as the median of
 *                        9 runs
 *
 * Two threads, each pinned to one processor, store to the same line in turn.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 100000, RUNS = 9 };

static _Alignas(128) atomic_ulong turn;

static void pin_thread_to_cpu_or_exit(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set)) {
		perror("pingpong: sched_setaffinity");
		exit(1);
	}
}

static void spin_until_turn_is(unsigned long n)
{
	while (atomic_load_explicit(&turn, memory_order_acquire) != n)
		;
}

static void *answer(void *cpu)
{
	pin_thread_to_cpu_or_exit(*(int *)cpu);
	for (unsigned long i = 1; i <= 2ul * RUNS * ROUNDS; i += 2) {
		spin_until_turn_is(i);
		atomic_store_explicit(&turn, i + 1, memory_order_release);
	}
	return NULL;
}

static double monotonic_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double measure_mean_one_way_ns(unsigned long *next_turn)
{
	double start = monotonic_seconds();

	for (int round = 0; round < ROUNDS; round++, *next_turn += 2) {
		atomic_store_explicit(&turn, *next_turn + 1,
				      memory_order_release);
		spin_until_turn_is(*next_turn + 2);
	}
	return (monotonic_seconds() - start) * 1e9 / (2.0 * ROUNDS);
}

static int compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

int main(int argc, char **argv)
{
	int cpu[2];
	double ns[RUNS];
	unsigned long i = 0;
	pthread_t other;

	if (argc != 3) {
		fputs("usage: pingpong CPU CPU\n", stderr);
		return 2;
	}
	cpu[0] = atoi(argv[1]);
	cpu[1] = atoi(argv[2]);
	pin_thread_to_cpu_or_exit(cpu[0]);
	if (pthread_create(&other, NULL, answer, &cpu[1]))
		return 1;
	for (int run = 0; run < RUNS; run++)
		ns[run] = measure_mean_one_way_ns(&i);
	pthread_join(other, NULL);
	qsort(ns, RUNS, sizeof(*ns), compare);
	printf("%.1f\n", ns[RUNS / 2]);
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * threads.c - two threads that work on separate tables and often use one lock
 *
 * threads ROUNDS: in each of ROUNDS rounds, a thread changes all words of its
 * table and, under a lock, adds their sum to a common total. The result does
 * not depend on the order in which the threads run.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 2, WORDS = 4096 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t total; /* guarded by lock */
static unsigned long rounds;

static uint64_t mix_table_return_sum(uint64_t *table)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < WORDS; i++) {
		table[i] = table[i] * 25214903917u + table[(i * 7) % WORDS];
		sum += table[i];
	}
	return sum;
}

static void *work(void *seed)
{
	uint64_t table[WORDS], sum;
	unsigned long r;
	size_t i;

	for (i = 0; i < WORDS; i++)
		table[i] = i + (uintptr_t)seed;
	for (r = 0; r < rounds; r++) {
		sum = mix_table_return_sum(table);
		pthread_mutex_lock(&lock);
		total += sum;
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread[THREADS];
	uintptr_t i;

	rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
	for (i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, work, (void *)i))
			return 2;
	for (i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	printf("%llu\n", (unsigned long long)total);
	return 0;
}

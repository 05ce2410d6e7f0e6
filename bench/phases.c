/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * phases.c - a program whose behaviour changes every few seconds
 *
 * phases STEPS: runs twelve threads, one after the other, as in section 5.4 of
 * Alleria's paper. With STEPS = 100 each takes some seconds while it is
 * recorded. Threads 0 and 4 access random words of a large table, 2 and 6 its
 * first words again and again; 1, 3, 5 and 7 compute and access the table now
 * and then. Threads 8 to 11 each write a temporary file, 8 bytes per system
 * call, and so are mostly in the kernel.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MEMORY = 8, FILES = 4, WORDS = 1 << 22, FEW = 64 };

static uint64_t table[WORDS];
static unsigned long steps;

static uint64_t mix_bits(uint64_t x)
{
	x ^= x >> 33;
	x *= 0xff51afd7ed558ccdull;
	return x ^ x >> 29;
}

/* Access random words of the whole table, 2 words in each of steps * 100000
   rounds. Most of these accesses miss the caches, and hardly any other work is
   done: the program makes accesses faster than the daemon can analyse them. */
static void access_random_words_of_table(void)
{
	uint64_t state = 1;
	unsigned long i;

	for (i = 0; i < steps * 100000; i++) {
		state = state * 6364136223846793005u + 1442695040888963407u;
		table[state >> 42] += i;
		table[state >> 20 & (WORDS - 1)] ^= state;
	}
}

/* Access the first FEW words of the table, 2 words in each of steps * 100000
   rounds. These accesses hit the caches. */
static void access_first_words_repeatedly(void)
{
	volatile uint64_t *place = table;
	unsigned long i;

	for (i = 0; i < steps * 100000; i++) {
		place[i % FEW] += i;
		place[7 * i % FEW] ^= i;
	}
}

/* Compute, and access one word of the table in each of steps * 10000 rounds:
   the program makes accesses more slowly than the daemon can analyse them. */
static void compute_with_few_accesses(void)
{
	uint64_t x = 1;
	unsigned long i;
	int round;

	for (i = 0; i < steps * 10000; i++) {
		for (round = 0; round < 64; round++)
			x = mix_bits(x + i);
		table[i % WORDS] += x;
	}
}

static void write_temporary_file_in_small_pieces(void)
{
	FILE *file = tmpfile();
	unsigned long i;

	if (!file)
		exit(2);
	for (i = 0; i < steps * 1000; i++)
		if (write(fileno(file), &i, sizeof(i)) != sizeof(i))
			exit(2);
	fclose(file);
}

static void *work(void *number)
{
	uintptr_t i = (uintptr_t)number;

	if (i >= MEMORY)
		write_temporary_file_in_small_pieces();
	else if (i % 4 == 0)
		access_random_words_of_table();
	else if (i % 4 == 2)
		access_first_words_repeatedly();
	else
		compute_with_few_accesses();
	return NULL;
}

int main(int argc, char **argv)
{
	uint64_t sum = 0;
	pthread_t thread;
	uintptr_t i;

	steps = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
	for (i = 0; i < MEMORY + FILES; i++) {
		if (pthread_create(&thread, NULL, work, (void *)i))
			return 2;
		pthread_join(thread, NULL);
	}
	for (i = 0; i < WORDS; i++)
		sum = mix_bits(sum + table[i]);
	printf("%llu\n", (unsigned long long)sum);
	return 0;
}

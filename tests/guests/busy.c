/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * busy.c - two million accesses of all kinds over a megabyte, the same ones in
 * every run
 */
#include "guest.h"

enum { WORDS = 1 << 17, ROUNDS = 400000 };

static uint64_t memory[WORDS];

static NOINLINE uint64_t mix(uint64_t x)
{
	x ^= x << 13;
	x ^= x >> 7;
	return x ^ x << 17;
}

static NOINLINE void swap(uint64_t *a, uint64_t *b)
{
	uint64_t old = *a;

	*a = *b + 1;
	*b = old;
}

int guest_main(void)
{
	uint64_t x = 88172645463325252;
	unsigned i;

	for (i = 0; i < ROUNDS; i++) {
		x = mix(x);
		if (x & 1)
			swap(memory + (x >> 8) % WORDS, memory + i % WORDS);
		else
			memory[x % WORDS / 64] += x;
	}
	return 0;
}

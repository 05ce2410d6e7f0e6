/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stride.c - strides by the way size of a cache of 64 sets of 64 bytes: four
 * million accesses that use eight neighbouring sets and no others
 *
 * Room: tests.
 */
#include "guest.h"

enum { WAY = 4096, WAYS = 8, LINE = 64, SETS = 8, ROUNDS = 60000 };

static uint8_t memory[WAY * WAYS] ALIGNED(4096);

static NOINLINE void stride(volatile uint8_t *at)
{
	unsigned i;

	for (i = 0; i < WAYS; i++)
		at[i * WAY]++;
}

int guest_main(void)
{
	unsigned i;

	for (i = 0; i < ROUNDS * SETS; i++)
		stride(memory + i % SETS * LINE);
	return 0;
}

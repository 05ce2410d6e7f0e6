/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stride.c - strides by a multiple of the way size of caches, as one does who
 * walks down the columns of a large table: four million accesses that use eight
 * neighbouring sets and no others
 */
#include "guest.h"

enum { ROW = 1 << 19, ROWS = 8, LINE = 64, SETS = 8, ROUNDS = 60000 };

static uint8_t memory[ROW * ROWS] ALIGNED(4096);

static NOINLINE void stride(volatile uint8_t *at)
{
	unsigned i;

	for (i = 0; i < ROWS; i++)
		at[i * ROW]++;
}

int guest_main(void)
{
	unsigned i;

	for (i = 0; i < ROUNDS * SETS; i++)
		stride(memory + i % SETS * LINE);
	return 0;
}

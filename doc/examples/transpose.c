/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * transpose.c - opens windows around its own phases
 *
 *	cc -O1 -I.../include transpose.c -o transpose
 *	alleria run --window=transpose.yaml ./transpose
 *
 * with transpose.yaml:
 *
 *	windows:
 *	  - {name: by-rows, on: {monitor: true}, profile: [{}]}
 *	  - {name: by-blocks, on: {monitor: true}, profile: [{}]}
 *
 * The program transposes a matrix in two ways. Each way has a window of its
 * own, so that the report has separate counts for it. Outside Valgrind the
 * macros have no effect.
 */
#include <valgrind/alleria.h>

#include <stdio.h>

enum { N = 256, BLOCK = 8 };

static int from[N][N], to[N][N];

static void transpose_by_rows(void)
{
	for (int i = 0; i < N; i++)
		for (int k = 0; k < N; k++)
			to[k][i] = from[i][k];
}

static void transpose_block(int i, int k)
{
	for (int x = i; x < i + BLOCK; x++)
		for (int y = k; y < k + BLOCK; y++)
			to[y][x] = from[x][y];
}

static void transpose_by_blocks(void)
{
	for (int i = 0; i < N; i += BLOCK)
		for (int k = 0; k < N; k += BLOCK)
			transpose_block(i, k);
}

int main(void)
{
	ALLERIA_REGION(from, sizeof(from), "from");
	ALLERIA_REGION(to, sizeof(to), "to");
	for (int i = 0; i < N * N; i++)
		from[i / N][i % N] = i;
	ALLERIA_WINDOW_BEGIN("by-rows");
	transpose_by_rows();
	ALLERIA_WINDOW_END("by-rows");
	ALLERIA_MARK("half-way");
	ALLERIA_WINDOW_BEGIN("by-blocks");
	transpose_by_blocks();
	ALLERIA_WINDOW_END("by-blocks");
	printf("%d %s\n", to[N - 1][1],
	       RUNNING_ON_ALLERIA ? "recorded" : "not recorded");
	return 0;
}

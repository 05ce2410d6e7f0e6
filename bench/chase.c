/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chase.c - pointer chase: every load depends on the last and misses
 *
 * chase BYTES STEPS: a ring of BYTES / 64 nodes, one a cache line, followed
 * for STEPS steps. BYTES is a power of two: i -> FACTOR i + ODD modulo it then
 * has the full period (Hull and Dobell: FACTOR is 1 modulo 4), so the ring has
 * every node, in an order that no prefetcher guesses.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { LINE = 64 };
#define FACTOR 2862933555777941757u
#define ODD 12345u

struct node {
	struct node *next;
	uint64_t value;
	char rest[LINE - 16];
};

static struct node *make_ring(size_t n)
{
	struct node *nodes = aligned_alloc(LINE, n * sizeof(*nodes));
	size_t i;

	for (i = 0; nodes && i < n; i++) {
		nodes[i].next = &nodes[(i * FACTOR + ODD) & (n - 1)];
		nodes[i].value = i;
	}
	return nodes;
}

int main(int argc, char **argv)
{
	size_t n = argc > 2 ? strtoul(argv[1], NULL, 10) / LINE : 0;
	size_t steps = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
	struct node *nodes, *p;
	uint64_t sum = 0;

	if (!n || n & (n - 1))
		return 2;
	nodes = make_ring(n);
	if (!nodes)
		return 2;
	for (p = nodes; steps; steps--, p = p->next)
		sum = sum * 3 + p->value;
	printf("%llu\n", (unsigned long long)sum);
	free(nodes);
	return 0;
}

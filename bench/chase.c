/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chase.c - follows pointers: each load needs the result of the one before it,
 * and misses the caches
 *
 * chase BYTES STEPS: follows a ring of N = BYTES / 64 nodes, each in a cache
 * line of its own, for STEPS steps. BYTES must be a power of two. Node i
 * points to node (FACTOR * i + ODD) modulo N. By Hull and Dobell this sequence
 * has period N, since FACTOR modulo 4 is 1 and ODD is odd: the ring has all
 * nodes, in an order that a prefetcher cannot predict.
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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * list.c - a list of a million nodes, a cache line each, followed by one load a
 * step
 *
 * list ORDER ROUNDS: ORDER is r, nodes in random order, or s, one behind the
 * other in memory; the list is a ring, followed ROUNDS times. What a round adds
 * is nothing but the steps: see follow(), whose loop no compiler wrote.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum { NODES = 1 << 20 };

struct node {
	struct node *next;
	char rest[56];
};

static uint64_t draw(uint64_t below)
{
	static uint64_t state = 1;

	state = state * 6364136223846793005u + 1442695040888963407u;
	return (state >> 32) % below;
}

/* Node i takes the place behind the one before it, or behind any of those
   before it: one ring in the end, and every ring is as likely. */
static void link_nodes(struct node *nodes, bool is_random)
{
	size_t i, before;

	nodes[0].next = &nodes[0];
	for (i = 1; i < NODES; i++) {
		before = is_random ? draw(i) : i - 1;
		nodes[i].next = nodes[before].next;
		nodes[before].next = &nodes[i];
	}
}

static struct node *follow(struct node *from, uint64_t steps)
{
	__asm__ volatile("1:\n"
			 "	mov (%0), %0\n"
			 "	dec %1\n"
			 "	jnz 1b\n"
			 : "+r"(from), "+r"(steps)
			 :
			 : "memory");
	return from;
}

int main(int argc, char **argv)
{
	struct node *nodes =
		aligned_alloc(sizeof(*nodes), NODES * sizeof(*nodes));

	if (!nodes || argc != 3)
		return 2;
	link_nodes(nodes, argv[1][0] == 'r');
	return follow(nodes, NODES * strtoull(argv[2], NULL, 10)) != nodes;
}

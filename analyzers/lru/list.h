/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * list.h - stores sets of very many lines, each in LRU order
 *
 * All sets share one array of nodes, one node for each line, and one hash table
 * of line numbers. Nodes are used one after the other, so a level much larger
 * than the program's working set uses little memory.
 */
#ifndef ANALYZERS_LRU_LIST_H
#define ANALYZERS_LRU_LIST_H

#include <stdint.h>

enum { AN_NONE = 0 }; /* no node; node 0 is not used */

struct an_node {
	uint64_t line;
	uint32_t newer, older; /* neighbours in the set's list; AN_NONE at its
				  ends */
	uint32_t next;	       /* in the hash chain */
	uint32_t note;	       /* data of the caller; 0 in a new line */
};

struct an_set {
	uint32_t newest, oldest;
	uint32_t used; /* number of nodes */
};

struct an_order {
	struct an_node *node;
	struct an_set *set;
	uint32_t *bucket;
	unsigned hash_bits;
	uint32_t n_nodes; /* nodes returned by an_order_new() */
};

/* Initialise @sets empty sets and @nodes nodes in total. Return: 0 or -ENOMEM;
   call an_order_release() in both cases. */
int an_order_init(struct an_order *, uint64_t sets, uint64_t nodes);
void an_order_release(struct an_order *);

/* Return the node of a line; AN_NONE: it is in no set. */
uint32_t an_order_find(const struct an_order *, uint64_t line);

/* Return an unused node. The caller requests at most as many as an_order_init()
   allocated. */
static inline uint32_t an_order_new(struct an_order *o)
{
	return ++o->n_nodes;
}

/* Put @line into an unused node and make it the newest of the set. */
void an_order_put(struct an_order *, struct an_set *, uint32_t node,
		  uint64_t line);

/* Remove a node from its set. It is unused afterwards. */
void an_order_take(struct an_order *, struct an_set *, uint32_t node);

/* Make a node the newest of its set. */
void an_order_renew(struct an_order *, struct an_set *, uint32_t node);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * list.h - sets of very many lines, each in its order of use
 *
 * All sets share one array of nodes, a node for each line, and one hash table
 * over line numbers. Memory is touched as lines come in, so a level much larger
 * than what the program uses stays small.
 */
#ifndef ANALYZERS_LRU_LIST_H
#define ANALYZERS_LRU_LIST_H

#include <stdint.h>

enum { AN_NONE = 0 }; /* node 0 is not used */

struct an_node {
	uint64_t line;
	uint32_t newer, older; /* in the set's order; AN_NONE at its ends */
	uint32_t next;	       /* in the hash chain */
	uint32_t note;	       /* the owner's; 0 of a new line */
};

struct an_set {
	uint32_t newest, oldest;
	uint32_t used; /* nodes */
};

struct an_order {
	struct an_node *node;
	struct an_set *set;
	uint32_t *bucket;
	unsigned hash_bits;
	uint32_t n_nodes; /* handed out so far */
};

/* For so many sets, and nodes in all. 0 or -ENOMEM; an_order_release() in both
   cases. */
int an_order_init(struct an_order *, uint64_t sets, uint64_t nodes);
void an_order_release(struct an_order *);

/* AN_NONE: it is in no set. */
uint32_t an_order_find(const struct an_order *, uint64_t line);

/* A node that has no line. */
static inline uint32_t an_order_new(struct an_order *o)
{
	return ++o->n_nodes;
}

/* Gives a node a line, which is the set's newest. */
void an_order_put(struct an_order *, struct an_set *, uint32_t node,
		  uint64_t line);

/* Takes it away. */
void an_order_take(struct an_order *, struct an_set *, uint32_t node);

/* Makes the node its set's newest. */
void an_order_renew(struct an_order *, struct an_set *, uint32_t node);

#endif

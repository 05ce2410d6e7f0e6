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

enum {
	AN_NO_NODE = 0
}; /* value of a node index: no node; node 0 is not
			    used */

struct an_lru_node {
	uint64_t line;
	uint32_t newer,
		older;	    /* neighbours in the list of the set; AN_NO_NODE at
			       its ends */
	uint32_t next;	    /* next node in the same hash bucket */
	uint32_t user_data; /* data of the caller; 0 in a new line */
};

struct an_lru_set {
	uint32_t newest, oldest;
	uint32_t n_nodes; /* number of nodes in the set */
};

struct an_lru_list {
	struct an_lru_node *node;
	struct an_lru_set *set;
	uint32_t *bucket;
	unsigned hash_bits;
	/* number of nodes that an_lru_list_allocate_unused_node() has
	   returned */
	uint32_t n_nodes;
};

/* Initialise @set_count empty sets, and @node_count unused nodes for all of
   them together. Return: 0 or -ENOMEM; call an_lru_list_release() in both
   cases. */
int an_lru_list_init(struct an_lru_list *, uint64_t set_count,
		     uint64_t node_count);
void an_lru_list_release(struct an_lru_list *);

/* Return the node of a line; AN_NO_NODE: the line is in no set. */
uint32_t an_lru_list_find_node_of_line(const struct an_lru_list *,
				       uint64_t line);

/* Return the index of the next node that was never used. The caller requests at
   most as many as an_lru_list_init() allocated. */
static inline uint32_t an_lru_list_allocate_unused_node(struct an_lru_list *o)
{
	return ++o->n_nodes;
}

/* Store @line in unused node @node, add the node to the hash table, and make it
   the newest of the set. */
void an_lru_list_insert_newest(struct an_lru_list *, struct an_lru_set *,
			       uint32_t node, uint64_t line);

/* Remove a node from its set and from the hash table. The caller can insert it
   again. */
void an_lru_list_remove_from_set_and_hash(struct an_lru_list *,
					  struct an_lru_set *, uint32_t node);

/* Make a node the newest of its set. */
void an_lru_list_make_newest(struct an_lru_list *, struct an_lru_set *,
			     uint32_t node);

#endif

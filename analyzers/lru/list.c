/* SPDX-License-Identifier: GPL-2.0-or-later */
/* list.c - stores sets of very many lines in LRU order; see list.h */

#include "analyzers/lru/list.h"

#include <errno.h>
#include <stdlib.h>

enum { MIN_HASH_BITS = 4, MAX_HASH_BITS = 28 };

int an_lru_list_init(struct an_lru_list *o, uint64_t set_count,
		     uint64_t node_count)
{
	*o = (struct an_lru_list){.hash_bits = MIN_HASH_BITS};
	while (o->hash_bits < MAX_HASH_BITS &&
	       (UINT64_C(1) << o->hash_bits) < node_count)
		o->hash_bits++;
	o->node = calloc(node_count + 1, sizeof(*o->node));
	o->set = calloc(set_count, sizeof(*o->set));
	o->bucket = calloc(UINT64_C(1) << o->hash_bits, sizeof(*o->bucket));
	return o->node && o->set && o->bucket ? 0 : -ENOMEM;
}

void an_lru_list_release(struct an_lru_list *o)
{
	free(o->node);
	free(o->set);
	free(o->bucket);
}

/* Return the hash bucket of a line. Fibonacci hashing: the upper bits of the
   product with 2^64 / golden ratio. */
static uint32_t *hash_bucket_of_line(const struct an_lru_list *o, uint64_t line)
{
	return &o->bucket[line * UINT64_C(0x9e3779b97f4a7c15) >>
			  (64 - o->hash_bits)];
}

uint32_t an_lru_list_find_node_of_line(const struct an_lru_list *o,
				       uint64_t line)
{
	uint32_t i = *hash_bucket_of_line(o, line);

	while (i != AN_NO_NODE && o->node[i].line != line)
		i = o->node[i].next;
	return i;
}

static void unlink_from_lru_order(struct an_lru_list *o, struct an_lru_set *s,
				  uint32_t node)
{
	const struct an_lru_node *n = &o->node[node];

	if (n->newer != AN_NO_NODE)
		o->node[n->newer].older = n->older;
	else
		s->newest = n->older;
	if (n->older != AN_NO_NODE)
		o->node[n->older].newer = n->newer;
	else
		s->oldest = n->newer;
}

static void link_as_newest(struct an_lru_list *o, struct an_lru_set *s,
			   uint32_t node)
{
	o->node[node].newer = AN_NO_NODE;
	o->node[node].older = s->newest;
	if (s->newest != AN_NO_NODE)
		o->node[s->newest].newer = node;
	else
		s->oldest = node;
	s->newest = node;
}

void an_lru_list_insert_newest(struct an_lru_list *o, struct an_lru_set *s,
			       uint32_t node, uint64_t line)
{
	uint32_t *link = hash_bucket_of_line(o, line);

	o->node[node] = (struct an_lru_node){.line = line, .next = *link};
	*link = node;
	link_as_newest(o, s, node);
	s->n_nodes++;
}

void an_lru_list_remove_from_set_and_hash(struct an_lru_list *o,
					  struct an_lru_set *s, uint32_t node)
{
	uint32_t *link = hash_bucket_of_line(o, o->node[node].line);

	while (*link != node)
		link = &o->node[*link].next;
	*link = o->node[node].next;
	unlink_from_lru_order(o, s, node);
	s->n_nodes--;
}

void an_lru_list_make_newest(struct an_lru_list *o, struct an_lru_set *s,
			     uint32_t node)
{
	unlink_from_lru_order(o, s, node);
	link_as_newest(o, s, node);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fully_assoc.c - simulates sets of very many ways; see fully_assoc.h */

#include "analyzers/lru/fully_assoc.h"

#include <stdlib.h>

#include "analyzers/lru/list.h"

/* Sets of very many ways, each with its lines in LRU order; with one set, a
   fully associative level. an_lru_node.user_data is 1 if the line is dirty,
   else 0. */
struct an_fully_assoc {
	struct an_lru_list list;
	uint32_t assoc;
};

struct an_fully_assoc *an_fully_assoc_new(uint64_t set_count,
					  uint32_t ways_per_set)
{
	struct an_fully_assoc *w = calloc(1, sizeof(*w));

	if (w == NULL)
		return NULL;
	w->assoc = ways_per_set;
	if (an_lru_list_init(&w->list, set_count, set_count * ways_per_set) ==
	    0)
		return w;
	an_fully_assoc_free(w);
	return NULL;
}

void an_fully_assoc_free(struct an_fully_assoc *w)
{
	if (w == NULL)
		return;
	an_lru_list_release(&w->list);
	free(w);
}

/* Return a node for a new line: an unused one, or that of the set's oldest
   line, which is evicted. @evicted_out: receives the evicted line, as in
   an_set_assoc.evicted, or 0. */
static uint32_t allocate_or_evict_node(struct an_fully_assoc *w,
				       struct an_lru_set *s,
				       uint64_t *evicted_out)
{
	uint32_t node;

	*evicted_out = 0;
	if (s->n_nodes < w->assoc)
		return an_lru_list_allocate_unused_node(&w->list);
	node = s->oldest;
	*evicted_out = (w->list.node[node].line + 1) |
		       (uint64_t)w->list.node[node].user_data << 63;
	an_lru_list_remove_from_set_and_hash(&w->list, s, node);
	return node;
}

bool an_fully_assoc_touch_is_miss(struct an_fully_assoc *w, uint64_t set,
				  uint64_t line, bool write,
				  uint64_t *evicted_out)
{
	struct an_lru_set *s = &w->list.set[set];
	uint32_t node = an_lru_list_find_node_of_line(&w->list, line);
	bool missed = node == AN_NO_NODE;

	if (missed) {
		node = allocate_or_evict_node(w, s, evicted_out);
		an_lru_list_insert_newest(&w->list, s, node, line);
	} else {
		an_lru_list_make_newest(&w->list, s, node);
	}
	w->list.node[node].user_data |= write;
	return missed;
}

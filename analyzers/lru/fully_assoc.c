/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fully_assoc.c - simulates sets of very many ways; see fully_assoc.h */

#include "analyzers/lru/fully_assoc.h"

#include <stdlib.h>

#include "analyzers/lru/list.h"

/* an_node.note is 1 if the line is dirty, else 0. */
struct an_wide {
	struct an_order order;
	uint32_t assoc;
};

struct an_wide *an_wide_new(uint64_t sets, uint32_t assoc)
{
	struct an_wide *w = calloc(1, sizeof(*w));

	if (w == NULL)
		return NULL;
	w->assoc = assoc;
	if (an_order_init(&w->order, sets, sets * assoc) == 0)
		return w;
	an_wide_free(w);
	return NULL;
}

void an_wide_free(struct an_wide *w)
{
	if (w == NULL)
		return;
	an_order_release(&w->order);
	free(w);
}

/* Return a node for a new line: an unused one, or that of the set's oldest
   line, which is thrown out. @thrown: receives the line thrown out, as in
   an_ways.thrown, or 0. */
static uint32_t make_room(struct an_wide *w, struct an_set *s, uint64_t *thrown)
{
	uint32_t node;

	*thrown = 0;
	if (s->used < w->assoc)
		return an_order_new(&w->order);
	node = s->oldest;
	*thrown = (w->order.node[node].line + 1) |
		  (uint64_t)w->order.node[node].note << 63;
	an_order_take(&w->order, s, node);
	return node;
}

bool an_wide_touch(struct an_wide *w, uint64_t set, uint64_t line, bool write,
		   uint64_t *thrown)
{
	struct an_set *s = &w->order.set[set];
	uint32_t node = an_order_find(&w->order, line);
	bool missed = node == AN_NONE;

	if (missed) {
		node = make_room(w, s, thrown);
		an_order_put(&w->order, s, node, line);
	} else {
		an_order_renew(&w->order, s, node);
	}
	w->order.node[node].note |= write;
	return missed;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* segmented_stack.c - finds the depth segment of lines; see
   segmented_stack.h */

#include "analyzers/lru/segmented_stack.h"

#include <stdbool.h>
#include <stdlib.h>

#include "analyzers/lru/list.h"

/* an_node.note is the segment of the line. */
struct an_deep {
	struct an_order order;
	const uint32_t *end;
	unsigned n;
	uint32_t *last; /* [sets * n] oldest node of each segment; AN_NONE if
			   the segment is not full */
};

struct an_deep *an_deep_new(uint64_t sets, const uint32_t *end, unsigned n)
{
	struct an_deep *d = calloc(1, sizeof(*d));

	if (d == NULL)
		return NULL;
	d->end = end;
	d->n = n;
	d->last = calloc(sets * n, sizeof(*d->last));
	if (an_order_init(&d->order, sets, sets * end[n - 1]) == 0 && d->last)
		return d;
	an_deep_free(d);
	return NULL;
}

void an_deep_free(struct an_deep *d)
{
	if (d == NULL)
		return;
	an_order_release(&d->order);
	free(d->last);
	free(d);
}

uint64_t an_deep_top(const struct an_deep *d, uint64_t set)
{
	return d->order.node[d->order.set[set].newest].line;
}

/* Remove a line. Its segment then has one line less than last[] implies; the
   caller corrects this. */
static void remove_line(struct an_deep *d, struct an_set *s, uint32_t *last,
			uint32_t node)
{
	const struct an_node *n = &d->order.node[node];

	if (last[n->note] == node)
		last[n->note] = n->newer;
	an_order_take(&d->order, s, node);
}

/* Restore the lengths of the segments above @segment after a line was added on
   top: the oldest line of each full one moves to the next segment. */
static void move_down(struct an_deep *d, const struct an_set *s, uint32_t *last,
		      unsigned segment)
{
	for (unsigned i = 0; i < segment; i++) {
		uint32_t node = last[i];

		if (node == AN_NONE) { /* segment i is not full, or is full only
					  now */
			if (s->used == d->end[i])
				last[i] = s->oldest;
			return;
		}
		d->order.node[node].note = i + 1;
		last[i] = d->order.node[node].newer;
	}
}

unsigned an_deep_exchange(struct an_deep *d, uint64_t set, uint64_t in,
			  uint64_t want)
{
	struct an_set *s = &d->order.set[set];
	uint32_t *last = d->last + set * d->n;
	uint32_t node = an_order_find(&d->order, want);
	unsigned found = node != AN_NONE ? d->order.node[node].note : d->n;
	unsigned vacancy = found;
	bool was_last = false;

	if (node == AN_NONE && s->used == d->end[d->n - 1]) {
		node = s->oldest;
		vacancy = d->n - 1;
	}
	if (node != AN_NONE) {
		was_last = last[vacancy] == node;
		remove_line(d, s, last, node);
	} else {
		node = an_order_new(&d->order);
	}
	an_order_put(&d->order, s, node, in);
	if (was_last && last[vacancy] == AN_NONE)
		last[vacancy] = node;
	move_down(d, s, last, vacancy);
	return found;
}

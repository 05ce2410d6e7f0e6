/* SPDX-License-Identifier: GPL-2.0-or-later */
/* segmented_stack.c - finds the segment of a line in a deep LRU stack; see
   segmented_stack.h */

#include "analyzers/lru/segmented_stack.h"

#include <stdbool.h>
#include <stdlib.h>

#include "analyzers/lru/list.h"

/* The LRU stacks of all sets. an_lru_node.user_data is the index of the segment
   (part of the stack) that the line is in. */
struct an_segmented_stack {
	struct an_lru_list list;
	const uint32_t *end;
	unsigned n;
	uint32_t *segment_tail; /* [sets * n] oldest node of each segment;
				 AN_NO_NODE if the segment is not full */
};

struct an_segmented_stack *
an_segmented_stack_new(uint64_t sets, const uint32_t *borrowed_segment_ends,
		       unsigned segment_count)
{
	struct an_segmented_stack *d = calloc(1, sizeof(*d));

	if (d == NULL)
		return NULL;
	d->end = borrowed_segment_ends;
	d->n = segment_count;
	d->segment_tail =
		calloc(sets * segment_count, sizeof(*d->segment_tail));
	if (an_lru_list_init(&d->list, sets,
			     sets * borrowed_segment_ends[segment_count - 1]) ==
		    0 &&
	    d->segment_tail)
		return d;
	an_segmented_stack_free(d);
	return NULL;
}

void an_segmented_stack_free(struct an_segmented_stack *d)
{
	if (d == NULL)
		return;
	an_lru_list_release(&d->list);
	free(d->segment_tail);
	free(d);
}

uint64_t an_segmented_stack_top_line_plus_1(const struct an_segmented_stack *d,
					    uint64_t set)
{
	return d->list.node[d->list.set[set].newest].line;
}

/* Remove the line of @node from the set; if @node is the tail of its segment,
   the newer neighbour becomes the tail. The segment then has one line less than
   @segment_tails implies, until move_full_segment_tails_down() moves the tails.
   */
static void remove_line_replace_tail_by_newer(struct an_segmented_stack *d,
					      struct an_lru_set *s,
					      uint32_t *segment_tails,
					      uint32_t node)
{
	const struct an_lru_node *n = &d->list.node[node];

	if (segment_tails[n->user_data] == node)
		segment_tails[n->user_data] = n->newer;
	an_lru_list_remove_from_set_and_hash(&d->list, s, node);
}

/* Move the oldest line of each full segment before @end_segment to the next
   segment, after a line was added on top. Stop at the first segment that is not
   full. */
static void move_full_segment_tails_down(struct an_segmented_stack *d,
					 const struct an_lru_set *s,
					 uint32_t *segment_tails,
					 unsigned end_segment)
{
	for (unsigned i = 0; i < end_segment; i++) {
		uint32_t node = segment_tails[i];

		if (node ==
		    AN_NO_NODE) { /* segment i is not full, or only now has
				     become so */
			if (s->n_nodes == d->end[i])
				segment_tails[i] = s->oldest;
			return;
		}
		d->list.node[node].user_data = i + 1;
		segment_tails[i] = d->list.node[node].newer;
	}
}

unsigned an_segmented_stack_push_and_remove(struct an_segmented_stack *d,
					    uint64_t set,
					    uint64_t pushed_line_plus_1,
					    uint64_t line_to_remove_plus_1)
{
	struct an_lru_set *s = &d->list.set[set];
	uint32_t *tail = d->segment_tail + set * d->n;
	uint32_t node =
		an_lru_list_find_node_of_line(&d->list, line_to_remove_plus_1);
	unsigned found =
		node != AN_NO_NODE ? d->list.node[node].user_data : d->n;
	unsigned vacancy = found;
	bool was_last = false;

	if (node == AN_NO_NODE && s->n_nodes == d->end[d->n - 1]) {
		node = s->oldest;
		vacancy = d->n - 1;
	}
	if (node != AN_NO_NODE) {
		was_last = tail[vacancy] == node;
		remove_line_replace_tail_by_newer(d, s, tail, node);
	} else {
		node = an_lru_list_allocate_unused_node(&d->list);
	}
	an_lru_list_insert_newest(&d->list, s, node, pushed_line_plus_1);
	if (was_last && tail[vacancy] == AN_NO_NODE)
		tail[vacancy] = node;
	move_full_segment_tails_down(d, s, tail, vacancy);
	return found;
}

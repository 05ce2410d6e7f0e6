/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * an_deep.c - LRU stacks too deep to be searched; see an_deep.h
 *
 * All sets share one hash table over line numbers, and one array of nodes.
 */

#include "analyzers/an_deep.h"

#include <stdbool.h>
#include <stdlib.h>

enum { NONE = 0 }; /* node 0 is not used */

struct node {
	uint64_t line;
	uint32_t newer, older; /* in the set's order; NONE at its ends */
	uint32_t next;	       /* in the hash chain */
	uint32_t segment;
};

struct set {
	uint32_t newest, oldest;
	uint32_t used;
};

struct an_deep {
	const uint32_t *end;
	unsigned n;
	unsigned hash_bits;
	uint32_t n_nodes; /* handed out so far */
	struct node *node;
	struct set *set;
	uint32_t *last; /* [sets * n] a segment's oldest node, NONE unless it is
			   full */
	uint32_t *bucket;
};

struct an_deep *an_deep_new(uint64_t sets, const uint32_t *end, unsigned n)
{
	struct an_deep *d = calloc(1, sizeof(*d));
	uint64_t nodes = sets * end[n - 1];

	if (d == NULL)
		return NULL;
	d->end = end;
	d->n = n;
	d->hash_bits = 4;
	while (d->hash_bits < 28 && (UINT64_C(1) << d->hash_bits) < nodes)
		d->hash_bits++;
	d->node = calloc(nodes + 1, sizeof(*d->node));
	d->set = calloc(sets, sizeof(*d->set));
	d->last = calloc(sets * n, sizeof(*d->last));
	d->bucket = calloc(UINT64_C(1) << d->hash_bits, sizeof(*d->bucket));
	if (d->node && d->set && d->last && d->bucket)
		return d;
	an_deep_free(d);
	return NULL;
}

void an_deep_free(struct an_deep *d)
{
	if (d == NULL)
		return;
	free(d->node);
	free(d->set);
	free(d->last);
	free(d->bucket);
	free(d);
}

uint64_t an_deep_top(const struct an_deep *d, uint64_t set)
{
	return d->node[d->set[set].newest].line;
}

/* Fibonacci hashing, see an_wide.c. */
static uint32_t *bucket_of(const struct an_deep *d, uint64_t line)
{
	return &d->bucket[line * UINT64_C(0x9e3779b97f4a7c15) >>
			  (64 - d->hash_bits)];
}

static uint32_t find(const struct an_deep *d, uint64_t line)
{
	uint32_t i = *bucket_of(d, line);

	while (i != NONE && d->node[i].line != line)
		i = d->node[i].next;
	return i;
}

static void unhash(struct an_deep *d, uint32_t node)
{
	uint32_t *at = bucket_of(d, d->node[node].line);

	while (*at != node)
		at = &d->node[*at].next;
	*at = d->node[node].next;
}

/* Takes a node out of list and table; its segment lacks one afterwards, and is
   said to be as full as before. */
static void take_out(struct an_deep *d, struct set *s, uint32_t *last,
		     uint32_t node)
{
	const struct node *n = &d->node[node];

	unhash(d, node);
	if (last[n->segment] == node)
		last[n->segment] = n->newer;
	if (n->newer != NONE)
		d->node[n->newer].older = n->older;
	else
		s->newest = n->older;
	if (n->older != NONE)
		d->node[n->older].newer = n->newer;
	else
		s->oldest = n->newer;
	s->used--;
}

static void put_on_top(struct an_deep *d, struct set *s, uint32_t node,
		       uint64_t line)
{
	uint32_t *at = bucket_of(d, line);

	d->node[node] = (struct node){
		.line = line,
		.older = s->newest,
		.next = *at,
	};
	*at = node;
	if (s->newest != NONE)
		d->node[s->newest].newer = node;
	else
		s->oldest = node;
	s->newest = node;
	s->used++;
}

/* Segments above @segment have one more than they should: the oldest of each
   goes to the next one. */
static void move_down(struct an_deep *d, const struct set *s, uint32_t *last,
		      unsigned segment)
{
	for (unsigned i = 0; i < segment; i++) {
		uint32_t node = last[i];

		if (node == NONE) { /* it has just become full */
			if (s->used == d->end[i])
				last[i] = s->oldest;
			return;
		}
		d->node[node].segment = i + 1;
		last[i] = d->node[node].newer;
	}
}

unsigned an_deep_exchange(struct an_deep *d, uint64_t set, uint64_t in,
			  uint64_t want)
{
	struct set *s = &d->set[set];
	uint32_t *last = d->last + set * d->n;
	uint32_t node = find(d, want);
	unsigned found = node != NONE ? d->node[node].segment : d->n;
	unsigned vacancy = found;
	bool was_last = false;

	if (node == NONE && s->used == d->end[d->n - 1]) {
		node = s->oldest;
		vacancy = d->n - 1;
	}
	if (node != NONE) {
		was_last = last[vacancy] == node;
		take_out(d, s, last, node);
	} else {
		node = ++d->n_nodes;
	}
	put_on_top(d, s, node, in);
	if (was_last && last[vacancy] == NONE)
		last[vacancy] = node;
	move_down(d, s, last, vacancy);
	return found;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ranges.c - finds the range that contains an address; see ranges.h */

#include "analyzers/data/ranges.h"

#include <errno.h>
#include <stdlib.h>

/* The tree is a treap: ordered by start, and each node's priority is at most
   that of its parent. */

/* Return the next number of a xorshift generator. */
static uint32_t next_random(struct an_ranges *r)
{
	uint32_t x = r->random ? r->random : 0x9e3779b9;

	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	return r->random = x;
}

/* Return the range with the greatest start up to @addr; NULL: there is none. */
static const struct an_range *find_floor(const struct an_ranges *r,
					 uint64_t addr)
{
	uint32_t i = r->root, best = 0;

	while (i != 0) {
		if (r->node[i].start <= addr)
			best = i;
		i = r->node[i].start <= addr ? r->node[i].right
					     : r->node[i].left;
	}
	return best ? &r->node[best] : NULL;
}

static bool contains(const struct an_range *range, uint64_t addr)
{
	return range->start <= addr && addr <= range->last;
}

const struct an_range *an_ranges_find(struct an_ranges *r, uint64_t addr)
{
	const struct an_range *found;

	if (r->last_found != 0 && contains(&r->node[r->last_found], addr))
		return &r->node[r->last_found];
	found = find_floor(r, addr);
	if (found == NULL || !contains(found, addr))
		return NULL;
	r->last_found = (uint32_t)(found - r->node);
	return found;
}

/* Split the tree @root: the ranges that begin before @start become the tree
   *@left, the others *@right. */
static void split(struct an_ranges *r, uint32_t root, uint64_t start,
		  uint32_t *left, uint32_t *right)
{
	while (root != 0) {
		if (r->node[root].start < start) {
			*left = root;
			left = &r->node[root].right;
			root = *left;
		} else {
			*right = root;
			right = &r->node[root].left;
			root = *right;
		}
	}
	*left = *right = 0;
}

/* Return the tree of all nodes of @a and @b; those of @a begin before all of
   @b. */
static uint32_t merge(struct an_ranges *r, uint32_t a, uint32_t b)
{
	uint32_t root, *link = &root;

	while (a != 0 && b != 0) {
		if (r->node[a].priority >= r->node[b].priority) {
			*link = a;
			link = &r->node[a].right;
			a = *link;
		} else {
			*link = b;
			link = &r->node[b].left;
			b = *link;
		}
	}
	*link = a ? a : b;
	return root;
}

static int grow(struct an_ranges *r)
{
	uint32_t size = r->size ? 2 * r->size : 1024;
	struct an_range *p;

	if (r->n_used < r->size)
		return 0;
	if (r->size >= AN_MAX_RANGES)
		return -ENOMEM;
	p = realloc(r->node, size * sizeof(*p));
	if (p == NULL)
		return -ENOMEM;
	if (r->size == 0)
		r->n_used = 1;
	r->node = p;
	r->size = size;
	return 0;
}

/* Return a node; 0: memory is short. */
static uint32_t allocate_node(struct an_ranges *r)
{
	uint32_t i = r->free;

	if (i != 0) {
		r->free = r->node[i].left;
		return i;
	}
	return grow(r) == 0 ? r->n_used++ : 0;
}

int an_ranges_insert(struct an_ranges *r, uint64_t start, uint64_t last,
		     uint32_t value)
{
	uint32_t i = allocate_node(r), *link = &r->root;
	struct an_range *new;

	if (i == 0)
		return -ENOMEM;
	new = &r->node[i];
	*new = (struct an_range){start, last, value, 0, 0, next_random(r)};
	while (*link != 0 && r->node[*link].priority >= new->priority)
		link = start < r->node[*link].start ? &r->node[*link].left
						    : &r->node[*link].right;
	split(r, *link, start, &new->left, &new->right);
	*link = i;
	return 0;
}

bool an_ranges_remove(struct an_ranges *r, uint64_t start,
		      struct an_range *removed)
{
	uint32_t *link = &r->root, i;

	while (*link != 0 && r->node[*link].start != start)
		link = start < r->node[*link].start ? &r->node[*link].left
						    : &r->node[*link].right;
	i = *link;
	if (i == 0)
		return false;
	*removed = r->node[i];
	*link = merge(r, r->node[i].left, r->node[i].right);
	r->node[i] = (struct an_range){.start = 1, .left = r->free};
	r->free = i;
	return true;
}

bool an_ranges_remove_overlap(struct an_ranges *r, uint64_t start,
			      uint64_t last, struct an_range *removed)
{
	const struct an_range *found = find_floor(r, last);

	return found != NULL && found->last >= start &&
	       an_ranges_remove(r, found->start, removed);
}

void an_ranges_release(struct an_ranges *r)
{
	free(r->node);
	*r = (struct an_ranges){0};
}

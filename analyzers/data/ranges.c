/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ranges.c - finds the range that contains an address; see ranges.h */

#include "analyzers/data/ranges.h"

#include <errno.h>
#include <stdlib.h>

_Static_assert(sizeof(struct an_range_node) == 20, "a node is packed");

/* The tree is a treap: ordered by start, and each node's priority is at most
   that of its parent. */

enum { SLAB = 1 << AN_RANGE_SLAB_BITS };

/* A child pointer: the index of a node, and whether its right or its left child
   is meant. */
struct link {
	uint32_t node;
	bool is_right;
};

static struct an_range_node *node_at(const struct an_ranges *r,
				     uint32_t node_index)
{
	return &r->slab[node_index >> AN_RANGE_SLAB_BITS]
		       [node_index & (SLAB - 1)];
}

static uint32_t child_node_index_at_link(const struct an_ranges *r,
					 struct link l)
{
	const struct an_range_node *n = node_at(r, l.node);

	return l.is_right ? n->right : n->left;
}

static void set_child_node_index_at_link(struct an_ranges *r, struct link l,
					 uint32_t child_index)
{
	struct an_range_node *n = node_at(r, l.node);

	if (l.is_right)
		n->right = child_index & (AN_MAX_RANGES - 1);
	else
		n->left = child_index & (AN_MAX_RANGES - 1);
}

/* Return the treap priority of node @node_index: a hash of the index and the
   address of the first slab, which the traced program cannot know. */
static uint32_t hash_node_index_to_priority(const struct an_ranges *r,
					    uint32_t node_index)
{
	uint64_t x = node_index + (uintptr_t)r->slab[0] / 16;

	x = (x ^ x >> 31) * UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ x >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
	return (uint32_t)(x >> 32);
}

static uint64_t range_start_of_node(const struct an_ranges *r,
				    uint32_t node_index)
{
	const struct an_range_node *n = node_at(r, node_index);

	return n->is_wide ? r->wide[n->start_low].start
			  : (uint64_t)n->start_high << 32 | n->start_low;
}

static struct an_range unpack_range_of_node(const struct an_ranges *r,
					    uint32_t node_index)
{
	const struct an_range_node *n = node_at(r, node_index);
	uint64_t start = range_start_of_node(r, node_index);

	return (struct an_range){
		.start = start,
		.last = n->is_wide ? r->wide[n->start_low].last
				   : start + n->extent,
		.value = n->value_low | (uint32_t)n->value_middle << 5 |
			 (uint32_t)n->value_high << 10,
		.is_empty = n->is_empty,
	};
}

/* ---- search ---- */

/* Return the index of the node of the range with the greatest start that is at
   most @addr, whether or not the range contains @addr; 0: there is none. */
static uint32_t find_last_node_starting_up_to_or_0(const struct an_ranges *r,
						   uint64_t addr)
{
	uint32_t i = r->n_used ? node_at(r, 0)->left : 0, best = 0;

	while (i != 0) {
		bool is_floor = range_start_of_node(r, i) <= addr;

		if (is_floor)
			best = i;
		i = child_node_index_at_link(r, (struct link){i, is_floor});
	}
	return best;
}

static bool range_contains_address(const struct an_range *range, uint64_t addr)
{
	return range->start <= addr && addr <= range->last;
}

const struct an_range *an_ranges_find_and_cache(struct an_ranges *r,
						uint64_t addr)
{
	struct an_range found;
	uint32_t i;

	if (r->has_found && range_contains_address(&r->found, addr))
		return &r->found;
	i = find_last_node_starting_up_to_or_0(r, addr);
	if (i == 0)
		return NULL;
	found = unpack_range_of_node(r, i);
	if (!range_contains_address(&found, addr))
		return NULL;
	r->found = found;
	r->has_found = true;
	return &r->found;
}

const struct an_range *
an_ranges_find_or_narrow_to_gap(struct an_ranges *r, uint64_t addr,
				uint64_t *gap_first_inout,
				uint64_t *gap_last_inout)
{
	uint32_t i = r->n_used ? node_at(r, 0)->left : 0, below = 0;
	uint64_t gap_last = *gap_last_inout;

	while (i != 0) {
		uint64_t start = range_start_of_node(r, i);
		bool is_below = start <= addr;

		if (is_below)
			below = i;
		else if (start - 1 < gap_last)
			gap_last = start - 1;
		i = child_node_index_at_link(r, (struct link){i, is_below});
	}
	if (below != 0) {
		r->found = unpack_range_of_node(r, below);
		r->has_found = true;
		if (addr <= r->found.last)
			return &r->found;
		if (r->found.last + 1 > *gap_first_inout)
			*gap_first_inout = r->found.last + 1;
	}
	*gap_last_inout = gap_last;
	return NULL;
}

/* ---- nodes ---- */

/* Store @start and @last in an element of r->wide: in a free one if there is
   one, else in a new one. Return: its index; UINT32_MAX: memory is short. */
static uint32_t alloc_wide_range_index_or_uint32_max(struct an_ranges *r,
						     uint64_t start,
						     uint64_t last)
{
	uint32_t i = r->free_wide, size = r->wide_size ? 2 * r->wide_size : 64;
	struct an_wide_range *bigger;

	if (i != 0) {
		r->free_wide = (uint32_t)r->wide[i - 1].start;
	} else {
		if (r->n_wide == r->wide_size) {
			bigger = reallocarray(r->wide, size, sizeof(*bigger));
			if (bigger == NULL)
				return UINT32_MAX;
			r->wide = bigger;
			r->wide_size = size;
		}
		i = ++r->n_wide;
	}
	r->wide[i - 1] = (struct an_wide_range){start, last};
	return i - 1;
}

/* Return the index of an unused node: the first of the free list, else the next
   one of the slabs, after a slab is allocated if necessary. Return 0 if memory
   is short or AN_MAX_RANGES nodes are used. */
static uint32_t alloc_node_index_or_0(struct an_ranges *r)
{
	uint32_t i = r->free, slab = r->n_used >> AN_RANGE_SLAB_BITS;

	if (i != 0) {
		r->free = node_at(r, i)->left;
		return i;
	}
	if (r->n_used == AN_MAX_RANGES)
		return 0;
	if (r->slab[slab] == NULL)
		r->slab[slab] = malloc(SLAB * sizeof(struct an_range_node));
	if (r->slab[slab] == NULL)
		return 0;
	if (r->n_used == 0)
		*node_at(r, r->n_used++) = (struct an_range_node){0};
	return r->n_used++;
}

/* Add node @node_index to the list of free nodes, and its element of r->wide,
   if it has one, to the list of free elements. */
static void add_node_and_wide_range_to_free_lists(struct an_ranges *r,
						  uint32_t node_index)
{
	struct an_range_node *n = node_at(r, node_index);

	if (n->is_wide) {
		r->wide[n->start_low].start = r->free_wide;
		r->free_wide = n->start_low + 1;
	}
	n->left = r->free & (AN_MAX_RANGES - 1);
	r->free = node_index;
}

/* Overwrite node @node_index with @range and no children. Return: 0; -ENOMEM,
   with the node unchanged. */
static int set_node_to_range_without_children(struct an_ranges *r,
					      uint32_t node_index,
					      const struct an_range *range)
{
	uint64_t extent = range->last - range->start;
	bool is_wide = range->start >> 48 != 0 || extent > UINT32_MAX;
	uint32_t wide = is_wide ? alloc_wide_range_index_or_uint32_max(
					  r, range->start, range->last)
				: 0;

	if (wide == UINT32_MAX)
		return -ENOMEM;
	*node_at(r, node_index) = (struct an_range_node){
		.start_low = is_wide ? wide : (uint32_t)range->start,
		.extent = (uint32_t)extent,
		.start_high = range->start >> 32 & 0xffff,
		.value_low = range->value & 0x1f,
		.value_middle = range->value >> 5 & 0x1f,
		.value_high = range->value >> 10 & 0x7ff,
		.is_wide = is_wide,
		.is_empty = range->is_empty,
	};
	return 0;
}

/* ---- tree ---- */

/* Split the tree with the root @root_index: the ranges that begin before
   @min_right_start become the tree at link @left, all others the tree at link
   @right. */
static void split_tree_by_range_start(struct an_ranges *r, uint32_t root_index,
				      uint64_t min_right_start,
				      struct link left, struct link right)
{
	while (root_index != 0) {
		bool is_before =
			range_start_of_node(r, root_index) < min_right_start;
		struct link *end = is_before ? &left : &right;

		set_child_node_index_at_link(r, *end, root_index);
		*end = (struct link){root_index, is_before};
		root_index = child_node_index_at_link(r, *end);
	}
	set_child_node_index_at_link(r, left, 0);
	set_child_node_index_at_link(r, right, 0);
}

/* Merge the trees with the roots @lower_root_index and @upper_root_index into
   one, and store its root at @root_link. Every range of the lower tree begins
   before every range of the upper tree. */
static void merge_adjacent_trees_at_link(struct an_ranges *r,
					 struct link root_link,
					 uint32_t lower_root_index,
					 uint32_t upper_root_index)
{
	while (lower_root_index != 0 && upper_root_index != 0) {
		bool is_a = hash_node_index_to_priority(r, lower_root_index) >=
			    hash_node_index_to_priority(r, upper_root_index);
		uint32_t root = is_a ? lower_root_index : upper_root_index;

		set_child_node_index_at_link(r, root_link, root);
		root_link = (struct link){root, is_a};
		if (is_a)
			lower_root_index =
				child_node_index_at_link(r, root_link);
		else
			upper_root_index =
				child_node_index_at_link(r, root_link);
	}
	set_child_node_index_at_link(r, root_link,
				     lower_root_index ? lower_root_index
						      : upper_root_index);
}

/* Add a copy of @range. Return: as an_ranges_insert_unchecked(). */
static int insert_copy_of_range(struct an_ranges *r,
				const struct an_range *range)
{
	struct link link = {0, false};
	uint32_t i = alloc_node_index_or_0(r), child;

	if (i == 0)
		return -ENOMEM;
	if (set_node_to_range_without_children(r, i, range) != 0) {
		*node_at(r, i) = (struct an_range_node){0};
		add_node_and_wide_range_to_free_lists(r, i);
		return -ENOMEM;
	}
	while ((child = child_node_index_at_link(r, link)) != 0 &&
	       hash_node_index_to_priority(r, child) >=
		       hash_node_index_to_priority(r, i))
		link = (struct link){
			child, range->start > range_start_of_node(r, child)};
	set_child_node_index_at_link(r, link, i);
	split_tree_by_range_start(r, child, range->start,
				  (struct link){i, false},
				  (struct link){i, true});
	return 0;
}

int an_ranges_insert_unchecked(struct an_ranges *r, uint64_t start,
			       uint64_t last, uint32_t value)
{
	return insert_copy_of_range(r, &(struct an_range){.start = start,
							  .last = last,
							  .value = value});
}

int an_ranges_insert_empty_unchecked(struct an_ranges *r, uint64_t start,
				     uint32_t value)
{
	return insert_copy_of_range(r, &(struct an_range){.start = start,
							  .last = start,
							  .value = value,
							  .is_empty = true});
}

bool an_ranges_remove_by_exact_start(struct an_ranges *r, uint64_t start,
				     struct an_range *removed_out)
{
	struct link link = {0, false};
	uint32_t i = 0;

	while (r->n_used > 0 && (i = child_node_index_at_link(r, link)) != 0 &&
	       range_start_of_node(r, i) != start)
		link = (struct link){i, start > range_start_of_node(r, i)};
	if (i == 0)
		return false;
	*removed_out = unpack_range_of_node(r, i);
	merge_adjacent_trees_at_link(r, link, node_at(r, i)->left,
				     node_at(r, i)->right);
	add_node_and_wide_range_to_free_lists(r, i);
	r->has_found = r->has_found && r->found.start != start;
	return true;
}

bool an_ranges_remove_last_overlapping(struct an_ranges *r, uint64_t start,
				       uint64_t last,
				       struct an_range *removed_out)
{
	uint32_t i = find_last_node_starting_up_to_or_0(r, last);
	struct an_range found;

	if (i == 0)
		return false;
	found = unpack_range_of_node(r, i);
	return found.last >= start &&
	       an_ranges_remove_by_exact_start(r, found.start, removed_out);
}

void an_ranges_release(struct an_ranges *r)
{
	for (unsigned i = 0; i < AN_RANGE_SLABS; i++)
		free(r->slab[i]);
	free(r->wide);
	*r = (struct an_ranges){0};
}

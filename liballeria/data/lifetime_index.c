/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lifetime_index.c - finds lifetimes by address; see lifetime_index.h */

#include "liballeria/data/lifetime_index.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

/* ---- borders ---- */

static int compare_addresses(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Remove repeated values from the ascending array @values of @value_count
   elements. Return: number of values that are left, at the front of the array.
   */
static size_t remove_repeats_in_sorted_values(uint64_t *values,
					      size_t value_count)
{
	size_t kept = 0;

	for (size_t i = 0; i < value_count; i++)
		if (kept == 0 || values[kept - 1] != values[i])
			values[kept++] = values[i];
	return kept;
}

static int build_sorted_unique_borders(struct ap_lifetime_index *x,
				       uint32_t lifetime_count)
{
	size_t k = 0;

	x->border =
		malloc((2 * (size_t)lifetime_count + 1) * sizeof(*x->border));
	if (!x->border)
		return -ENOMEM;
	for (uint32_t i = 0; i < lifetime_count; i++) {
		x->border[k++] = x->lifetime[i].start;
		if (x->lifetime[i].last < UINT64_MAX)
			x->border[k++] = x->lifetime[i].last + 1;
	}
	if (k > 0)
		qsort(x->border, k, sizeof(*x->border), compare_addresses);
	x->n_borders = remove_repeats_in_sorted_values(x->border, k);
	return 0;
}

/* Return the number of borders that are at most @address: 1 more than the index
   of the part that contains it. */
static size_t count_borders_up_to(const struct ap_lifetime_index *x,
				  uint64_t address)
{
	size_t low = 0, high = x->n_borders;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (x->border[middle] <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* ---- nodes ---- */

/* Add lifetime @lifetime_index to a node: while the items are not allocated,
   count it in first_item[node + 1]; later, store it at index first_item[node]
   of the items and advance that index. */
static void count_or_store_lifetime_in_node(struct ap_lifetime_index *x,
					    size_t node_index,
					    uint32_t lifetime_index)
{
	if (x->item)
		x->item[x->first_item[node_index]++] = lifetime_index;
	else
		x->first_item[node_index + 1]++;
}

/* Add lifetime @lifetime_index to the smallest set of nodes that together cover
   exactly its parts of the address space. Part k of the address space is node
   n_borders + k; the parent of node k is node k / 2. */
static void count_or_store_lifetime_in_its_nodes(struct ap_lifetime_index *x,
						 uint32_t lifetime_index)
{
	const struct ap_lifetime *l = &x->lifetime[lifetime_index];
	size_t low = x->n_borders + count_borders_up_to(x, l->start) - 1;
	size_t high = x->n_borders + count_borders_up_to(x, l->last);

	for (; low < high; low /= 2, high /= 2) {
		if (low % 2)
			count_or_store_lifetime_in_node(x, low++,
							lifetime_index);
		if (high % 2)
			count_or_store_lifetime_in_node(x, --high,
							lifetime_index);
	}
}

/* Turn counts of items by node into indices of first items, and allocate the
   items. Return: 0; -ENOMEM. */
static int sum_node_counts_and_allocate_items(struct ap_lifetime_index *x)
{
	for (size_t k = 0; k < 2 * x->n_borders; k++)
		x->first_item[k + 1] += x->first_item[k];
	x->item = malloc((x->first_item[2 * x->n_borders] + 1) *
			 sizeof(*x->item));
	return x->item ? 0 : -ENOMEM;
}

/* Reset first_item[] to the indices of first items: storing the items has
   advanced each element to the value of the next one. */
static void
restore_first_item_indices_after_storing(struct ap_lifetime_index *x)
{
	for (size_t k = 2 * x->n_borders; k > 0; k--)
		x->first_item[k] = x->first_item[k - 1];
	x->first_item[0] = 0;
}

int ap_lifetime_index_build(struct ap_lifetime_index *x,
			    const struct ap_lifetime *lifetime,
			    uint32_t lifetime_count)
{
	int err;

	*x = (struct ap_lifetime_index){.lifetime = lifetime};
	err = build_sorted_unique_borders(x, lifetime_count);
	if (err)
		return err;
	x->first_item = calloc(2 * x->n_borders + 1, sizeof(*x->first_item));
	if (!x->first_item)
		return -ENOMEM;
	for (uint32_t i = 0; i < lifetime_count; i++)
		count_or_store_lifetime_in_its_nodes(x, i);
	err = sum_node_counts_and_allocate_items(x);
	for (uint32_t i = 0; !err && i < lifetime_count; i++)
		count_or_store_lifetime_in_its_nodes(x, i);
	if (!err)
		restore_first_item_indices_after_storing(x);
	return err;
}

void ap_lifetime_index_release(struct ap_lifetime_index *x)
{
	free(x->border);
	free(x->first_item);
	free(x->item);
	*x = (struct ap_lifetime_index){0};
}

/* ---- search ---- */

/* Return the lifetime, of those listed in node @node of the segment tree, that
   contains access number @access: the last one that begins at @access or
   before, unless it has ended by then. NULL: there is none. */
static const struct ap_lifetime *
find_live_lifetime_in_node(const struct ap_lifetime_index *x, size_t node,
			   uint64_t access)
{
	size_t first = x->first_item[node], low = first;
	size_t high = x->first_item[node + 1];

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (x->lifetime[x->item[middle]].first_access <= access)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == first || x->lifetime[x->item[low - 1]].end_access <= access)
		return NULL;
	return &x->lifetime[x->item[low - 1]];
}

const struct ap_lifetime *
ap_lifetime_index_find_live_lifetime(const struct ap_lifetime_index *x,
				     uint64_t address, uint64_t access)
{
	size_t parts = count_borders_up_to(x, address);
	const struct ap_lifetime *found = NULL;

	if (parts == 0)
		return NULL;
	for (size_t node = x->n_borders + parts - 1; !found && node > 0;
	     node /= 2)
		found = find_live_lifetime_in_node(x, node, access);
	return found;
}

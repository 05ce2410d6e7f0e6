/* SPDX-License-Identifier: GPL-2.0-or-later */
/* near_accesses.c - lists the accesses of each exit; see near_accesses.h */

#include "analyzers/entropy/near_accesses.h"

#include <stdlib.h>
#include <string.h>

#include "analyzers/entropy/address_counts.h"
#include "base/tables/compare.h"

static int compare_accesses_by_slot_guard_delta(const void *x, const void *y)
{
	const struct pt_access *a = *(const struct pt_access *const *)x,
			       *b = *(const struct pt_access *const *)y;

	if (a->slot != b->slot)
		return a->slot < b->slot ? -1 : 1;
	if ((a->flags ^ b->flags) & PT_GUARDED)
		return a->flags & PT_GUARDED ? 1 : -1;
	return al_compare_u64(a->delta ^ (UINT64_C(1) << 63),
			      b->delta ^ (UINT64_C(1) << 63));
}

/* Store pointers to those of the first @n_accesses accesses of the block that
   depend on a slot, sorted by slot, then guard (unguarded first), then delta.
   Return: their number. */
static unsigned list_sorted_accesses_with_slot(const struct an_block *b,
					       unsigned n_accesses,
					       const struct pt_access **sorted)
{
	unsigned n = 0;

	for (unsigned i = 0; i < n_accesses; i++)
		if (b->access[i].slot != PT_NO_SLOT)
			sorted[n++] = &b->access[i];
	qsort(sorted, n, sizeof(*sorted), compare_accesses_by_slot_guard_delta);
	return n;
}

/* Return how many of the @n sorted accesses, from the first one on, depend on
   the slot of the first, are guarded if and only if the first is, and are less
   than AN_COUNT_UNIT bytes from it. */
static unsigned count_accesses_near_first(const struct pt_access *const *sorted,
					  unsigned n)
{
	unsigned i = 1;

	while (i < n && sorted[i]->slot == sorted[0]->slot &&
	       !((sorted[i]->flags ^ sorted[0]->flags) & PT_GUARDED) &&
	       sorted[i]->delta - sorted[0]->delta < AN_COUNT_UNIT)
		i++;
	return i;
}

/* Append @access to those of @a, in whose last element it is counted if it is
   to the same address. */
static void append_near_access(struct an_near_accesses *a,
			       const struct pt_access *access)
{
	uint16_t offset = (uint16_t)(access->delta - a->lowest_delta);
	struct an_near_access *last = a->access + a->n - (a->n > 0);

	if (a->n == 0 || last->offset != offset ||
	    last->times >= UINT16_MAX - 1) {
		last = &a->access[a->n++];
		*last = (struct an_near_access){.offset = offset};
	}
	last->times += access->kind == PT_MODIFY ? 2 : 1;
	a->offset_bits |= offset;
	a->distance = offset;
}

/* Return near accesses that consist of the @n sorted ones; NULL if memory is
   short. */
static struct an_near_accesses *
create_near_accesses(struct an_arena *arena,
		     const struct pt_access *const *sorted, unsigned n)
{
	struct an_near_accesses *a =
		an_arena_alloc(arena, sizeof(*a) + n * sizeof(a->access[0]));

	if (a == NULL)
		return NULL;
	*a = (struct an_near_accesses){
		.lowest_delta = sorted[0]->delta,
		.slot = sorted[0]->slot,
		.is_guarded = sorted[0]->flags & PT_GUARDED,
	};
	for (unsigned i = 0; i < n; i++)
		append_near_access(a, sorted[i]);
	return a;
}

/* Append the near accesses of the first @n_accesses accesses, by slot, to a
   list that ends at *@end, which is moved. Return: the number of slots; -1 if
   memory is short. @sorted: room for @n_accesses pointers. */
static int append_near_accesses_get_slot_count(struct an_arena *arena,
					       const struct an_block *b,
					       unsigned n_accesses,
					       struct an_near_accesses ***end,
					       const struct pt_access **sorted)
{
	unsigned n = list_sorted_accesses_with_slot(b, n_accesses, sorted);
	struct an_near_accesses *before = NULL;
	int n_slots = 0;

	for (unsigned i = 0; i < n;) {
		unsigned n_near = count_accesses_near_first(sorted + i, n - i);
		struct an_near_accesses *a =
			create_near_accesses(arena, sorted + i, n_near);

		if (a == NULL)
			return -1;
		if (before != NULL && before->slot == a->slot) {
			before->next_of_slot = a;
		} else {
			**end = a;
			*end = &a->next_slot;
			n_slots++;
		}
		before = a;
		i += n_near;
	}
	return n_slots;
}

/* Set the near accesses of each exit in @exits_out and append them to the list
   of the block. Return: whether memory was sufficient. @sort_buffer: room for
   as many pointers as the block has accesses. */
static bool append_near_accesses_of_all_exits(
	struct an_near_block *k, struct an_near_exit *exits_out,
	uint32_t first_slot_number, struct an_arena *arena,
	const struct pt_access **sort_buffer)
{
	const struct an_block *b = k->chained.block;
	struct an_near_accesses **end = &k->first_slot;

	for (unsigned i = 0; i < b->n_exits; i++) {
		int n;

		if (i > 0 &&
		    b->exit[i].n_accesses == b->exit[i - 1].n_accesses) {
			exits_out[i] = exits_out[i - 1];
			continue;
		}
		n = append_near_accesses_get_slot_count(
			arena, b, b->exit[i].n_accesses, &end, sort_buffer);
		if (n < 0)
			return false;
		exits_out[i] = (struct an_near_exit){
			.first_number = first_slot_number + k->n,
			.n = (uint32_t)n,
		};
		k->n += (uint32_t)n;
	}
	return true;
}

struct an_near_block *an_near_block_create(struct an_arena *arena,
					   const struct an_block *b,
					   uint32_t first_slot_number)
{
	struct an_near_block *k = an_arena_alloc(arena, sizeof(*k));
	struct an_near_exit *exit =
		an_arena_alloc(arena, b->n_exits * sizeof(*exit));
	const struct pt_access **sorted =
		malloc((b->n_accesses + 1u) * sizeof(*sorted));
	bool ok = k != NULL && exit != NULL && sorted != NULL;

	if (ok) {
		*k = (struct an_near_block){.chained.block = b, .exit = exit};
		ok = append_near_accesses_of_all_exits(
			k, exit, first_slot_number, arena, sorted);
	}
	free(sorted);
	return ok ? k : NULL;
}

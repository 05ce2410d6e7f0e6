/* SPDX-License-Identifier: GPL-2.0-or-later */
/* owner_extents.c - stores addresses that have one owner; see owner_extents.h
 */

#include "analyzers/data/owner_extents.h"

#include <stddef.h>

_Static_assert(AN_MAX_EXTENTS < UINT16_MAX, "number + 1 fits into 16 bits");

/* ---- users ---- */

static void remove_from_users_of_extent(struct an_extent_user *user)
{
	if (user->previous != NULL)
		user->previous->next = user->next;
	else
		user->extent->users = user->next;
	if (user->next != NULL)
		user->next->previous = user->previous;
}

void an_extent_user_change_extent(struct an_extent_user *user,
				  struct an_owner_extent *extent)
{
	if (user->extent != NULL)
		remove_from_users_of_extent(user);
	*user = (struct an_extent_user){.extent = extent,
					.next = extent->users};
	if (user->next != NULL)
		user->next->previous = user;
	extent->users = user;
}

/* ---- suspended extents ---- */

/* Return the index in x->hint for @addr; all addresses in the same 16 bytes
   have the same index. */
static unsigned hint_index(uint64_t addr)
{
	return (addr >> 4 ^ addr >> 18) % AN_EXTENT_HINTS;
}

/* Return the place in x->suspended of an extent. A block and the memory that it
   leaves when it dies, which begin at the same address, mostly have different
   places. */
static uint16_t *
hash_bucket_of_suspended_extent(struct an_owner_extents *x,
				const struct an_owner_extent *e)
{
	return &x->suspended[(e->first >> 3 ^ e->first >> 17 ^
			      e->group * UINT32_C(0x9e3779b9) >> 16) %
			     AN_EXTENT_HINTS];
}

static uint32_t index_of_extent(const struct an_owner_extents *x,
				const struct an_owner_extent *e)
{
	return (uint32_t)(e - x->extent);
}

/* Remove extent @e from x->suspended, unless another one has its place. */
static void remove_from_suspended(struct an_owner_extents *x,
				  const struct an_owner_extent *e)
{
	uint16_t *place = hash_bucket_of_suspended_extent(x, e);

	if (*place == index_of_extent(x, e) + 1)
		*place = 0;
}

/* Forget a suspended extent: it has no users any more, and its number is
   free. */
static void reset_users_and_free_suspended_extent(struct an_owner_extents *x,
						  struct an_owner_extent *e)
{
	while (e->users != NULL) {
		struct an_extent_user *user = e->users;

		e->users = user->next;
		*user = (struct an_extent_user){0};
	}
	remove_from_suspended(x, e);
	e->next_free = x->first_free;
	x->first_free = index_of_extent(x, e) + 1;
}

/* Suspend extent @e, which is no longer found by address. Forget the suspended
   extent that has the same place in x->suspended. */
static void suspend_removed_extent(struct an_owner_extents *x,
				   struct an_owner_extent *e)
{
	uint16_t *place = hash_bucket_of_suspended_extent(x, e);

	if (*place != 0)
		reset_users_and_free_suspended_extent(x,
						      &x->extent[*place - 1]);
	*place = (uint16_t)(index_of_extent(x, e) + 1);
	e->is_suspended = true;
	for (struct an_extent_user *user = e->users; user; user = user->next)
		x->suspend_use(user);
}

/* ---- cells ---- */

static bool is_extent_active_and_contains(const struct an_owner_extent *e,
					  uint64_t addr)
{
	return e->first <= addr && addr <= e->last && !e->is_suspended;
}

/* log2 of the length of a cell [bytes], by index of its size; cells of the last
   size are areas. */
static const unsigned cell_bits[AN_CELL_SIZES] = {8, 12, 16};

enum {
	AREA_BITS = 16,
	MAX_AREAS = 64, /* changes that cross more borders of areas are compared
			   with all extents */
};

/* Return the index in cell_bits of the smallest cells that are not shorter than
   an extent; AN_CELL_SIZES: all cells are shorter. */
static unsigned smallest_cell_size_index(const struct an_owner_extent *e)
{
	unsigned size = 0;

	while (size < AN_CELL_SIZES && (e->last - e->first) >> cell_bits[size])
		size++;
	return size;
}

/* Return the first link of the list of extents that begin in cell
   @cell_number. Cells at a distance of a power of two, such as those of stacks
   of threads, have different lists; the links of adjacent cells are mostly near
   each other. */
static uint16_t *list_of_cell(struct an_owner_extents *x, unsigned size,
			      uint64_t cell_number)
{
	uint64_t folded = cell_number ^ cell_number >> AN_EXTENT_CELL_BITS ^
			  cell_number >> 2 * AN_EXTENT_CELL_BITS;

	return &x->cell[size][folded % AN_EXTENT_CELLS];
}

static uint32_t *counter_of_extents_in_area_of(struct an_owner_extents *x,
					       uint64_t addr)
{
	return &x->n_in_area[(addr >> AREA_BITS) % AN_EXTENT_AREAS];
}

/* Add extent @e to those that are found by address. Return: 0; -ENOMEM. */
static int add_extent_to_index_by_address(struct an_owner_extents *x,
					  struct an_owner_extent *e)
{
	unsigned size = smallest_cell_size_index(e);
	uint16_t *link;

	if (size == AN_CELL_SIZES)
		return an_ranges_insert_unchecked(&x->long_extents, e->first,
						  e->last,
						  index_of_extent(x, e));
	link = list_of_cell(x, size, e->first >> cell_bits[size]);
	e->next_in_cell = *link;
	*link = (uint16_t)(index_of_extent(x, e) + 1);
	++*counter_of_extents_in_area_of(x, e->first);
	return 0;
}

/* Suspend the extents of a list that contain an address from @start to @last,
   inclusive. @link: the first link of the list. */
static void suspend_overlapping_in_list(struct an_owner_extents *x,
					uint16_t *link, uint64_t start,
					uint64_t last)
{
	while (*link != 0) {
		struct an_owner_extent *e = &x->extent[*link - 1];

		if (e->first > last || e->last < start) {
			link = &e->next_in_cell;
			continue;
		}
		*link = e->next_in_cell;
		--*counter_of_extents_in_area_of(x, e->first);
		suspend_removed_extent(x, e);
	}
}

/* Suspend the extents that contain an address from @start to @last, inclusive,
   and begin in the cells that contain the addresses from @address_in_first_cell
   to @address_in_last_cell, or in the cell before them. */
static void suspend_overlapping_in_cells(struct an_owner_extents *x,
					 uint64_t address_in_first_cell,
					 uint64_t address_in_last_cell,
					 uint64_t start, uint64_t last)
{
	for (unsigned size = 0; size < AN_CELL_SIZES; size++) {
		uint64_t cell = address_in_first_cell >> cell_bits[size];

		for (cell -= cell != 0;
		     cell <= address_in_last_cell >> cell_bits[size]; cell++)
			suspend_overlapping_in_list(
				x, list_of_cell(x, size, cell), start, last);
	}
}

/* Suspend the extents in lists that contain an address from @start to @last,
   inclusive, a range that spans several areas. */
static void suspend_overlapping_in_each_spanned_area(struct an_owner_extents *x,
						     uint64_t start,
						     uint64_t last)
{
	uint64_t area = start >> AREA_BITS;

	for (area -= area != 0; area <= last >> AREA_BITS; area++) {
		uint64_t addr = area << AREA_BITS;

		if (*counter_of_extents_in_area_of(x, addr) != 0)
			suspend_overlapping_in_cells(
				x, addr, addr | ((1 << AREA_BITS) - 1), start,
				last);
	}
}

/* Suspend the extents in any list that contain an address from @start to @last,
   inclusive. */
static void suspend_overlapping_in_all_lists(struct an_owner_extents *x,
					     uint64_t start, uint64_t last)
{
	for (uint32_t i = 0; i < x->n_used; i++) {
		const struct an_owner_extent *e = &x->extent[i];
		unsigned size = smallest_cell_size_index(e);

		if (!e->is_suspended && e->first <= last && e->last >= start &&
		    size < AN_CELL_SIZES)
			suspend_overlapping_in_cells(x, e->first, e->first,
						     start, last);
	}
}

static void suspend_overlapping_long_extents(struct an_owner_extents *x,
					     uint64_t start, uint64_t last)
{
	struct an_range old;
	bool is_last = false;

	while (!is_last && an_ranges_remove_last_overlapping(
				   &x->long_extents, start, last, &old)) {
		suspend_removed_extent(x, &x->extent[old.value]);
		is_last = old.start <= start;
	}
}

void an_owner_extents_suspend_overlapping(struct an_owner_extents *x,
					  uint64_t start, uint64_t last)
{
	uint64_t n_areas = (last >> AREA_BITS) - (start >> AREA_BITS);

	if (n_areas <= 1)
		suspend_overlapping_in_cells(x, start, last, start, last);
	else if (n_areas <= MAX_AREAS)
		suspend_overlapping_in_each_spanned_area(x, start, last);
	else
		suspend_overlapping_in_all_lists(x, start, last);
	suspend_overlapping_long_extents(x, start, last);
}

/* Return the extent in a list that contains @addr, or NULL. */
static struct an_owner_extent *
find_extent_in_cell_lists(struct an_owner_extents *x, uint64_t addr)
{
	for (unsigned size = 0; size < AN_CELL_SIZES; size++) {
		uint64_t last = addr >> cell_bits[size];

		for (uint64_t cell = last - (last != 0); cell <= last; cell++)
			for (uint16_t n = *list_of_cell(x, size, cell); n != 0;
			     n = x->extent[n - 1].next_in_cell)
				if (is_extent_active_and_contains(
					    &x->extent[n - 1], addr))
					return &x->extent[n - 1];
	}
	return NULL;
}

/* ---- resumed extents ---- */

/* Return the suspended extent that is equal to @extent, or NULL. */
static struct an_owner_extent *
find_equal_suspended_extent(struct an_owner_extents *x,
			    const struct an_owner_extent *extent)
{
	uint16_t place = *hash_bucket_of_suspended_extent(x, extent);
	struct an_owner_extent *e = &x->extent[place - 1];

	return place != 0 && e->first == extent->first &&
			       e->last == extent->last &&
			       e->object_start == extent->object_start &&
			       e->group == extent->group &&
			       e->is_unknown == extent->is_unknown
		       ? e
		       : NULL;
}

static void resume_extent_tell_users(struct an_owner_extents *x,
				     struct an_owner_extent *e)
{
	remove_from_suspended(x, e);
	e->is_suspended = false;
	for (struct an_extent_user *user = e->users; user; user = user->next)
		x->resume_use(user);
}

/* ---- extents ---- */

/* Return an extent that is not used; if all are, forget one. */
static struct an_owner_extent *
get_unused_extent_forget_one_if_all_used(struct an_owner_extents *x)
{
	struct an_owner_extent *e = &x->extent[x->next_victim];

	if (x->first_free == 0 && x->n_used < AN_MAX_EXTENTS)
		return &x->extent[x->n_used++];
	if (x->first_free == 0) {
		x->next_victim = (x->next_victim + 1) % AN_MAX_EXTENTS;
		if (!e->is_suspended)
			an_owner_extents_suspend_overlapping(x, e->first,
							     e->first);
		reset_users_and_free_suspended_extent(x, e);
	}
	e = &x->extent[x->first_free - 1];
	x->first_free = e->next_free;
	return e;
}

struct an_owner_extent *an_owner_extents_find(struct an_owner_extents *x,
					      uint64_t addr)
{
	uint16_t *hint = &x->hint[hint_index(addr)];
	const struct an_range *found;
	struct an_owner_extent *e = &x->extent[*hint];

	if (*hint < x->n_used && is_extent_active_and_contains(e, addr))
		return e;
	e = find_extent_in_cell_lists(x, addr);
	found = e ? NULL : an_ranges_find_and_cache(&x->long_extents, addr);
	if (found != NULL)
		e = &x->extent[found->value];
	if (e != NULL)
		*hint = (uint16_t)index_of_extent(x, e);
	return e;
}

struct an_owner_extent *
an_owner_extents_add_or_resume_unchecked(struct an_owner_extents *x,
					 const struct an_owner_extent *extent)
{
	struct an_owner_extent *e = find_equal_suspended_extent(x, extent);

	if (e == NULL) {
		e = get_unused_extent_forget_one_if_all_used(x);
		*e = *extent;
		e->users = NULL;
		e->is_suspended = true;
	}
	if (add_extent_to_index_by_address(x, e) != 0) {
		reset_users_and_free_suspended_extent(x, e);
		return NULL;
	}
	resume_extent_tell_users(x, e);
	x->hint[hint_index(e->first)] = (uint16_t)index_of_extent(x, e);
	return e;
}

struct an_owner_extent *
an_owner_extents_add_or_resume(struct an_owner_extents *x,
			       const struct an_owner_extent *extent)
{
	an_owner_extents_suspend_overlapping(x, extent->first, extent->last);
	return an_owner_extents_add_or_resume_unchecked(x, extent);
}

void an_owner_extents_release(struct an_owner_extents *x)
{
	an_ranges_release(&x->long_extents);
}

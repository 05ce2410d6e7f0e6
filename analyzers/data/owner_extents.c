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

/* Return the place in x->suspended of an extent that begins at @first. */
static uint16_t *place_of_suspended(struct an_owner_extents *x, uint64_t first)
{
	return &x->suspended[(first >> 3 ^ first >> 17) % AN_EXTENT_HINTS];
}

static uint32_t number_of_extent(const struct an_owner_extents *x,
				 const struct an_owner_extent *e)
{
	return (uint32_t)(e - x->extent);
}

/* Remove extent @e from x->suspended, unless another one has its place. */
static void remove_from_suspended(struct an_owner_extents *x,
				  const struct an_owner_extent *e)
{
	uint16_t *place = place_of_suspended(x, e->first);

	if (*place == number_of_extent(x, e) + 1)
		*place = 0;
}

/* Forget a suspended extent: it has no users any more, and its number is
   free. */
static void forget_suspended_extent(struct an_owner_extents *x,
				    struct an_owner_extent *e)
{
	while (e->users != NULL) {
		struct an_extent_user *user = e->users;

		e->users = user->next;
		*user = (struct an_extent_user){0};
	}
	remove_from_suspended(x, e);
	e->next_free = x->first_free;
	x->first_free = number_of_extent(x, e) + 1;
}

/* Suspend extent @e, which is no longer in x->by_address. Forget the suspended
   extent that has the same place in x->suspended. */
static void suspend_removed_extent(struct an_owner_extents *x,
				   struct an_owner_extent *e)
{
	uint16_t *place = place_of_suspended(x, e->first);

	if (*place != 0)
		forget_suspended_extent(x, &x->extent[*place - 1]);
	*place = (uint16_t)(number_of_extent(x, e) + 1);
	e->is_suspended = true;
	for (struct an_extent_user *user = e->users; user; user = user->next)
		x->suspend_use(user);
}

void an_owner_extents_suspend_overlapping(struct an_owner_extents *x,
					  uint64_t start, uint64_t last)
{
	struct an_range old;
	bool is_last = false;

	while (!is_last && an_ranges_remove_last_overlapping(
				   &x->by_address, start, last, &old)) {
		suspend_removed_extent(x, &x->extent[old.value]);
		is_last = old.start <= start;
	}
}

/* Return the suspended extent that is equal to @extent, or NULL. */
static struct an_owner_extent *
find_equal_suspended_extent(struct an_owner_extents *x,
			    const struct an_owner_extent *extent)
{
	uint16_t place = *place_of_suspended(x, extent->first);
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
alloc_extent_forget_one_if_full(struct an_owner_extents *x)
{
	struct an_owner_extent *e = &x->extent[x->next_victim];

	if (x->first_free == 0 && x->n_used < AN_MAX_EXTENTS)
		return &x->extent[x->n_used++];
	if (x->first_free == 0) {
		x->next_victim = (x->next_victim + 1) % AN_MAX_EXTENTS;
		if (!e->is_suspended)
			an_owner_extents_suspend_overlapping(x, e->first,
							     e->first);
		forget_suspended_extent(x, e);
	}
	e = &x->extent[x->first_free - 1];
	x->first_free = e->next_free;
	return e;
}

static bool does_extent_contain(const struct an_owner_extent *e, uint64_t addr)
{
	return e->first <= addr && addr <= e->last && !e->is_suspended;
}

struct an_owner_extent *an_owner_extents_find(struct an_owner_extents *x,
					      uint64_t addr)
{
	uint16_t *hint = &x->hint[hint_index(addr)];
	const struct an_range *found;

	if (*hint < x->n_used && does_extent_contain(&x->extent[*hint], addr))
		return &x->extent[*hint];
	found = an_ranges_find_and_cache(&x->by_address, addr);
	if (found == NULL)
		return NULL;
	*hint = (uint16_t)found->value;
	return &x->extent[found->value];
}

struct an_owner_extent *
an_owner_extents_add_or_resume(struct an_owner_extents *x,
			       const struct an_owner_extent *extent)
{
	struct an_owner_extent *e;

	an_owner_extents_suspend_overlapping(x, extent->first, extent->last);
	e = find_equal_suspended_extent(x, extent);
	if (e == NULL) {
		e = alloc_extent_forget_one_if_full(x);
		*e = *extent;
		e->users = NULL;
		e->is_suspended = true;
	}
	if (an_ranges_insert_unchecked(&x->by_address, e->first, e->last,
				       number_of_extent(x, e)) != 0) {
		forget_suspended_extent(x, e);
		return NULL;
	}
	resume_extent_tell_users(x, e);
	x->hint[hint_index(e->first)] = (uint16_t)number_of_extent(x, e);
	return e;
}

void an_owner_extents_release(struct an_owner_extents *x)
{
	an_ranges_release(&x->by_address);
}

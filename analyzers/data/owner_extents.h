/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * owner_extents.h - stores addresses that have one owner, until an event
 *                   changes it
 *
 * An extent is a range of addresses that have the same owner, or none. Extents
 * do not overlap. Each has a list of its users. When an event changes the owner
 * of one of its addresses, the extent is suspended, and its users are told: so
 * they need not ask whether it is still valid. It is resumed when its addresses
 * have an owner of the same group again, as those of a heap block that is freed
 * and allocated again. The number of extents is limited: one more forgets
 * another one.
 *
 * Threads: one at a time.
 */
#ifndef ANALYZERS_DATA_OWNER_EXTENTS_H
#define ANALYZERS_DATA_OWNER_EXTENTS_H

#include "analyzers/data/ranges.h"

enum {
	AN_MAX_EXTENTS = 1 << 15,
	AN_EXTENT_HINTS = 1 << 14,
	AN_CELL_SIZES = 3,
	AN_EXTENT_CELL_BITS = 13,
	AN_EXTENT_CELLS = 1 << AN_EXTENT_CELL_BITS,
	AN_EXTENT_AREAS = 1 << 10,
};

/* Part of a struct that uses an extent. Initialise with zeros. */
struct an_extent_user {
	struct an_owner_extent *extent;		/* NULL: none */
	struct an_extent_user *next, *previous; /* of the extent's users */
};

/* Addresses that have one owner, or none. */
struct an_owner_extent {
	uint64_t first, last;  /* inclusive */
	uint64_t object_start; /* address of the owner's first byte; `first` if
				   there is no owner */
	uint32_t group;	       /* number of the owner's group */
	bool is_unknown;       /* there is no owner */
	bool is_suspended;     /* the addresses have other owners, or are not
				   known to have this one */
	uint32_t next_free;    /* of an extent that is forgotten: number of the
				   next one + 1; 0: none */
	uint16_t next_in_cell; /* number of the next extent of the list + 1; 0:
				  none */
	struct an_extent_user *users; /* list; NULL: none */
};

/* Initialise with zeros, then set the first two members. */
struct an_owner_extents {
	/* Called for each user of an extent: suspend_use() when the extent is
	   suspended, because an event changed the owner of one of its
	   addresses, another extent overlaps it, or it is to be forgotten;
	   resume_use() when an equal extent is added again. A user of a
	   suspended extent that is forgotten, or that changes to another
	   extent, is not told. */
	void (*suspend_use)(struct an_extent_user *);
	void (*resume_use)(struct an_extent_user *);
	/* Lists of the extents that are not suspended, by the cell (aligned
	   memory) that they begin in: the smallest cell that is not shorter
	   than the extent. Number + 1 of the first one, 0: none; several
	   cells share a list. */
	uint16_t cell[AN_CELL_SIZES][AN_EXTENT_CELLS];
	uint32_t n_in_area[AN_EXTENT_AREAS]; /* how many are in lists, by the
						longest cell that they begin in
					      */
	struct an_ranges long_extents; /* those that are longer than all cells;
					  value: number of the extent */
	/* By a part of the address: number of an extent that may contain it;
	   number + 1 of a suspended extent that may begin there, 0: none. */
	uint16_t hint[AN_EXTENT_HINTS];
	uint16_t suspended[AN_EXTENT_HINTS];
	uint32_t n_used;      /* extents that were used at least once */
	uint32_t first_free;  /* number of an extent that is forgotten + 1; 0:
				none */
	uint32_t next_victim; /* number of the extent that is forgotten next if
				 there are too many */
	struct an_owner_extent extent[AN_MAX_EXTENTS];
};

/* Return the extent that contains @addr and is not suspended, or NULL. */
struct an_owner_extent *an_owner_extents_find(struct an_owner_extents *,
					      uint64_t addr);

/* Add a copy of @extent, without users; or resume the suspended extent that is
   equal. Suspend those that it overlaps. Return: the extent, valid until
   another one is added; NULL: memory is short. */
struct an_owner_extent *
an_owner_extents_add_or_resume(struct an_owner_extents *,
			       const struct an_owner_extent *extent);

/* Add a copy of @extent as an_owner_extents_add_or_resume() does, but do not
   search for extents that it overlaps: there must be none. */
struct an_owner_extent *
an_owner_extents_add_or_resume_unchecked(struct an_owner_extents *,
					 const struct an_owner_extent *extent);

/* Suspend the extents that contain an address from @start to @last,
   inclusive. */
void an_owner_extents_suspend_overlapping(struct an_owner_extents *,
					  uint64_t start, uint64_t last);

/* Let @user use @extent instead of the one that it uses, if any. */
void an_extent_user_change_extent(struct an_extent_user *user,
				  struct an_owner_extent *extent);

void an_owner_extents_release(struct an_owner_extents *);

#endif

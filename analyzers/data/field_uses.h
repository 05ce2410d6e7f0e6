/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * field_uses.h - finds the field of a data object that an access uses
 *
 * Threads: one at a time.
 */
#ifndef ANALYZERS_DATA_FIELD_USES_H
#define ANALYZERS_DATA_FIELD_USES_H

#include "analyzers/data/access_types.h"
#include "analyzers/data/owners.h"

/* State of finding the fields that accesses use. Initialise with zeros, then
   set `owners` and `types.env`. */
struct an_field_uses {
	struct an_owners *owners;
	struct an_access_types types;
	int error; /* 0, or -ENOMEM if a call ran out of memory */
};

/* Return the structure that access @access of @block implies, if it has no
   flexible member, and group @g is of heap blocks or pool elements larger than
   AN_MAX_EXACT_ELEMENT that are not yet divided by a type and whose size is a
   multiple of the structure's; else NULL. */
const struct an_type *an_field_uses_dividing_type(struct an_field_uses *,
						  const struct an_data_group *g,
						  const struct an_block *block,
						  unsigned access);

/* Prepare the fields of group @g for access @access of @block: look up the type
   of a variable, once, or divide the elements of blocks by the structure, if
   any, that the access implies. */
void an_field_uses_prepare_group_for_access(struct an_field_uses *,
					    struct an_data_group *g,
					    const struct an_block *block,
					    unsigned access);

/* Add @vote_count votes for the structure, if any, that access @access of
   @block implies to group @g, if the group is of heap blocks or pool elements.
   No-op for other groups. */
void an_field_uses_add_votes_for_type(struct an_field_uses *,
				      struct an_data_group *g,
				      const struct an_block *block,
				      unsigned access, uint64_t vote_count);

/* Return the counts of the field at @offset bytes in a data object of group @g;
   NULL: the object is not divided, or memory is short. Valid until the next
   call. */
struct an_field_counts *
an_field_uses_find_or_add_counts(struct an_field_uses *,
				 struct an_data_group *g, uint64_t offset);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mappings.h - the objects that an image has mapped, and when
 *
 * Threads: one at a time.
 *
 * Time is the image's log: how much of it was written. Objects that are gone
 * are kept, for blocks and forked children that know them.
 */
#ifndef LIB_RECOVER_MAPPINGS_H
#define LIB_RECOVER_MAPPINGS_H

#include <stddef.h>
#include <stdint.h>

/* A mapped object. */
struct al_mapping {
	uint64_t start;
	uint64_t size; /* [bytes] > 0, and start + size - 1 is an address */
	uint64_t bias;
	const char *path; /* interned */
	uint32_t number;  /* in al_mappings.all */
	uint64_t from;	  /* [bytes] of the log: it is mapped then, */
	uint64_t to;	  /* [bytes] but not then; UINT64_MAX: it still is */
};

/* Zeroed: none. */
struct al_mappings {
	struct al_mapping **all; /* ever, oldest first */
	size_t n;
	struct al_mapping **live; /* those mapped now, by address; apart */
	size_t n_live;
	size_t size; /* room in each */
};

void al_mappings_release(struct al_mappings *);

/* Maps an object in place of those that lie there, if only in part. All but
   its number and `to` is taken over. 0; -ENOMEM. */
int al_mappings_add(struct al_mappings *, const struct al_mapping *);

/* Ends those that lie in a range, if only in part; as in struct al_mapping. */
void al_mappings_end(struct al_mappings *, uint64_t start, uint64_t size,
		     uint64_t log);

/* Adds those that @parent had when its log was @log long. 0; -ENOMEM. */
int al_mappings_borrow(struct al_mappings *, const struct al_mappings *parent,
		       uint64_t log);

/* The one mapped at @addr now, or NULL. */
const struct al_mapping *al_mappings_find(const struct al_mappings *,
					  uint64_t addr);

#endif

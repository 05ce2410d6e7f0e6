/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan_outcome.h - what became of an image's plan, as its tool has told
 *
 * Threads: one at a time.
 */
#ifndef LIB_RECOVER_PLAN_OUTCOME_H
#define LIB_RECOVER_PLAN_OUTCOME_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/log.h"
#include "proto/window.h"

struct al_intern;
struct al_mappings;
struct al_marks;

struct al_outcome {
	uint64_t count;
	const char *near; /* a name like that which was not there, or NULL;
			     interned */
	uint32_t what;	  /* enum pt_outcome, or a later version's */
	uint32_t number;
	uint32_t flags; /* enum pt_outcome_flags */
};

/* Zeroed: nothing. */
struct al_outcomes {
	struct al_outcome *all; /* in the order they were told */
	uint32_t n;
	uint32_t size;
	bool told;
};

/* Takes a record: 0; -EPROTO; -ENOMEM. */
int al_outcomes_take(struct al_outcomes *, struct al_intern *,
		     const struct pt_log_outcome *);

/* The one about an event, image or function, or NULL. */
const struct al_outcome *al_outcomes_find(const struct al_outcomes *,
					  enum pt_outcome what,
					  uint32_t number);

/* Of images that were not mapped, and requests that were not made, finds those
   like them. @plan: sound. */
void al_outcomes_near(struct al_outcomes *, const struct pt_plan *plan,
		      const struct al_mappings *, const struct al_marks *);

void al_outcomes_release(struct al_outcomes *);

#endif

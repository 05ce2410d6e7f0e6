/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan_outcome.h - stores which events and names of a plan were found, as
 *                  reported by the tool
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

/* Outcome of one event, image (an object file) or function of the plan: whether
   it happened or was found. */
struct al_plan_outcome {
	uint64_t count; /* number whose meaning depends on the event, see struct
			   pt_log_outcome */
	/* existing name that is similar to the one that was not found, or NULL;
	   interned */
	const char *suggestion;
	uint32_t kind;	 /* enum pt_outcome, or a value of a later version */
	uint32_t number; /* index of the plan's event, image or function */
	uint32_t flags;	 /* enum pt_outcome_flags */
};

/* All outcomes that the tool reported of the plan's events, images and
   functions in an exec image. Initialise with zeros. */
struct al_plan_outcomes {
	/* [n] outcomes, in the order in which they were received */
	struct al_plan_outcome *outcome;
	uint32_t n;
	uint32_t size;	  /* allocated elements of outcome */
	bool is_received; /* the tool has sent its outcomes, of which there may
			     be none */
};

/* Add the outcome of a log record; a record of kind PT_OUTCOME_ALL adds none,
   but deletes all earlier outcomes. Return: 0; -EPROTO if the record is
   invalid, no PT_OUTCOME_ALL precedes it, or there are too many; -ENOMEM. */
int al_plan_outcomes_add_record(struct al_plan_outcomes *, struct al_intern *,
				const struct pt_log_outcome *);

/* Return the outcome of kind @outcome_kind of the plan's event, image (an
   object file) or function with this index; NULL if there is none. The outcome
   is valid until another one is added. */
const struct al_plan_outcome *
al_plan_outcomes_find(const struct al_plan_outcomes *,
		      enum pt_outcome outcome_kind, uint32_t plan_index);

/* Set `suggestion` of the outcome of each image (an object file) and event
   whose file was never mapped, and of each client request that was not made, to
   the most similar mapped file or client request, or to NULL. @plan: valid by
   al_plan_check(). */
void al_plan_outcomes_set_suggestions(struct al_plan_outcomes *,
				      const struct pt_plan *plan,
				      const struct al_mappings *,
				      const struct al_marks *);

void al_plan_outcomes_release(struct al_plan_outcomes *);

#endif

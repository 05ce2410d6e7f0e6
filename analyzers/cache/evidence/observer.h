/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * observer.h - passes every data access to the collectors of evidence (counts
 * that explain cache misses)
 *
 * Used by one thread at a time: that of batch(), then that of finish(). Batches
 * come in program order.
 */
#ifndef ANALYZERS_CACHE_EVIDENCE_OBSERVER_H
#define ANALYZERS_CACHE_EVIDENCE_OBSERVER_H

#include "analyzers/cache/evidence/lower_twins.h"
#include "analyzers/cache/evidence/site_table.h"
#include "analyzers/cache/model/access_runs.h"

struct an_observer;

/* Return a new observer of the first level of data; NULL if memory is short.
   @geometry must outlive it. */
struct an_observer *an_observer_new(const struct an_geometry *geometry);
void an_observer_free(struct an_observer *);

/* Observe the accesses of a batch. @plan_of_block: by block id, of all blocks
   that the batch executes. Accesses of a warm-up batch change the caches and
   are not counted. Return: 0 or -ENOMEM. */
int an_observer_simulate_and_buffer_batch(struct an_observer *,
					  const struct an_plan *plan_of_block,
					  const struct an_batch *);

/* Pass the buffered accesses to the collectors, finish these, and add the
   counts of all sites (accesses of instructions) to @site_table, with those of
   the twins (fully associative levels), and with function and source line. Call
   once, after the last batch. Return: 0 or -ENOMEM. */
int an_observer_finish_and_add_counts(struct an_observer *,
				      const struct an_lower_twins *,
				      struct an_site_table *site_table,
				      const struct an_env *);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lower_twins.h - simulates a fully associative twin of each lower level of
 * data
 *
 * A twin has as many lines of the same size as its level, in one set, and
 * receives the accesses that the level receives: what missed the levels above
 * it, code too. Misses of the level that its twin does not have are conflicts;
 * see twin.c. A level that is fully associative has no twin.
 *
 * Threads: that of the stage which simulates the lower levels (simulation.h),
 * then that of finish().
 */
#ifndef ANALYZERS_CACHE_EVIDENCE_LOWER_TWINS_H
#define ANALYZERS_CACHE_EVIDENCE_LOWER_TWINS_H

#include "analyzers/cache/evidence/site_table.h"

struct an_lower_twins;

/* An access that missed its first level. */
struct an_lower_access {
	uint64_t addr;
	uint16_t size; /* [bytes] */
	uint16_t row;  /* number of the data access in its block, from 0; for a
			  fetch, number of the instruction */
	uint8_t path;  /* AN_INSTRUCTION or AN_DATA */
	bool warm;     /* the access is of a warm-up, which is not counted */
};

/* Return new twins, which are empty; NULL if memory is short. @geometry must
   outlive them. */
struct an_lower_twins *
an_lower_twins_new_fully_associative(const struct an_geometry *geometry);
void an_lower_twins_free(struct an_lower_twins *);

/* Simulate an access that missed its first level in the twins of the lower
   levels that it reached, and count its misses there unless it is a fetch or of
   a warm-up. @missed_level_count: number of levels that missed, from 1. */
void an_lower_twins_simulate_access(struct an_lower_twins *,
				    const struct an_block *block,
				    const struct an_lower_access *,
				    int missed_level_count);

/* Whether memory was short at some time, so that some misses of the lower
   levels, and some misses of their twins, are not counted. */
bool an_lower_twins_ran_out_of_memory(const struct an_lower_twins *);

/* Return the number of data accesses of a block if there are twins and one of
   the accesses missed its first level, warm-ups excepted; else 0. */
unsigned an_lower_twins_n_block_accesses(const struct an_lower_twins *,
					 uint32_t block_id);

/* Add the misses of lower levels and of their twins at access number @access of
   a block, less than an_lower_twins_n_block_accesses(), to
   @site_counts[AN_SITE_LOWER] and the following. */
void an_lower_twins_add_level_and_twin_misses(const struct an_lower_twins *,
					      uint32_t block_id,
					      unsigned access,
					      uint64_t *site_counts);

/* Return the @n-th lower level that has a twin, from 0; NULL: there are no
   more. Its misses are count AN_SITE_LOWER + 2 * @n of a site (an access of an
   instruction), and those of its twin are the next count. */
const struct an_level *
an_nth_lower_level_with_fully_assoc_twin(const struct an_geometry *,
					 unsigned n);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cursor.h - applies the events of a batch or chunk in order with its misses
 *
 * Threads: one at a time.
 */
#ifndef ANALYZERS_DATA_CURSOR_H
#define ANALYZERS_DATA_CURSOR_H

#include "analyzers/cache/simulation.h"
#include "analyzers/data/access_types.h"
#include "analyzers/data/owners.h"

struct an_data_cursor {
	struct an_owners *owners;
	bool counts_accesses;	      /* count all accesses, too */
	bool counts_fields;	      /* divide what is counted by offset */
	struct an_access_types types; /* used if counts_fields is set */
	int error;		      /* 0; -ENOMEM */

	/* The batch or chunk, and its next event and execution. */
	const struct an_batch *batch;
	const struct an_plan *plan; /* by block id */
	size_t next_event;
	size_t next_exec; /* only if accesses are counted */
};

/* Begin a batch or chunk. @plan: by block id; may be NULL if there is no
   execution. */
void an_data_cursor_begin(struct an_data_cursor *, const struct an_batch *,
			  const struct an_plan *plan);

/* Count a data access that missed @levels levels for its data object. Misses
   come in program order. Applies the events before it first. @smallest_line:
   [bytes] of all levels. */
void an_data_cursor_count_miss(struct an_data_cursor *, const struct an_miss *,
			       int levels, unsigned smallest_line);

/* Count the write-back of a line, because of a miss of code or data, for the
   data object of its first byte. As an_data_cursor_count_miss(). */
void an_data_cursor_count_write_back(struct an_data_cursor *,
				     const struct an_miss *,
				     const struct an_write_back *);

/* Apply the events that remain. */
void an_data_cursor_end(struct an_data_cursor *);

#endif

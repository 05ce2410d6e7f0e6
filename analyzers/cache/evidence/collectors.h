/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * collectors.h - declares what a collector of evidence is, and all collectors
 *
 * A collector is a file of its own. Its state is of one exec image, is zeroed
 * when it is created, and is used by one thread at a time.
 */
#ifndef ANALYZERS_CACHE_EVIDENCE_COLLECTORS_H
#define ANALYZERS_CACHE_EVIDENCE_COLLECTORS_H

#include "analyzers/analyzer.h"
#include "analyzers/cache/evidence/site_table.h"

/* Value of `site` of a use that is counted for no site, but changes what the
   caches hold, and what counts for the sites of other uses: an access of a
   warm-up, or the fetch of an instruction where code and data share their first
   level. */
#define AN_NO_SITE UINT32_MAX

/* A use of one line of the first level of data. */
struct an_line_touch {
	uint64_t line; /* address / line size */
	uint32_t way;  /* number, from 0, of the way of the level that holds the
			  line from now on; see data_cache.h */
	bool missed;   /* the line was fetched; what the way held is evicted */
};

/* A data access that happened or, if code and data share their first level, a
   fetch. */
struct an_observed_access {
	uint64_t addr;
	uint32_t site;	       /* number of the site (an access of an
				  instruction), consecutive from 0; or
				  AN_NO_SITE */
	uint32_t turn;	       /* number that changes whenever another thread
				  runs */
	uint32_t memory_epoch; /* from 1; changes after each system call, in
				  which the kernel may have read memory: a write
				  before it is then not dead. 0: only part of
				  the process's accesses is recorded, in
				  windows */
	uint16_t size;	       /* [bytes] as simulated: at most the shortest
				  line of all levels */
	uint16_t full_size;    /* [bytes] as the instruction makes the access,
				  not limited to a line as `size` is */
	uint8_t kind;	       /* enum pt_access_kind */
	uint8_t n_touches; /* number of lines that the access uses, 1 or 2 */
	bool walks;	   /* the address follows from a chain of loads that
			      is a walk; see an_load_chain_is_walk() */
	bool missed;	   /* a line was missing */
	struct an_line_touch touch[2]; /* in the order of their use */
};

struct an_collector {
	size_t state_size; /* [bytes] size of a collector's state */

	/* Return: 0 or -ENOMEM, as do collect() and finish(). */
	int (*init)(void *state, const struct an_level *first_data_level);

	/* Count @n accesses, which follow those of the call before in program
	   order. Every access's `site` (number of an access of an instruction)
	   is less than @n_sites, or AN_NO_SITE. */
	int (*collect)(void *state, const struct an_observed_access *access,
		       size_t n, uint32_t n_sites);

	/* Count, when the exec image (process between two exec calls) has
	   ended, data that was not counted yet, such as lines that were not
	   evicted; NULL: there is no such data. */
	int (*finish)(void *state);

	/* Add the counts of site @site (an access of an instruction) to
	   @out. */
	void (*add_counts)(const void *state, uint32_t site,
			   struct an_site_counts *out);
	void (*release)(void *state);
};

/* Counts accesses; those that missed the first level of data; and of these, the
   loads and modifies whose address follows from a walk (a chain of loads of
   pointers), see an_load_chain_is_walk(). */
extern const struct an_collector an_collect_misses;

/* Counts the strides of each site (an access of an instruction), and its walks,
   which are sequences of steps of one stride here, not chains of loads of
   pointers: see strides.c. */
extern const struct an_collector an_collect_strides;

/* Counts the bytes used of each line that a site (an access of an instruction)
   fetched: see line_use.c. */
extern const struct an_collector an_collect_line_use;

/* Counts the cache lines that a site (an access of an instruction) fetched into
   the first level of data and no site fetched again: see single_fetch.c. */
extern const struct an_collector an_collect_single_fetches;
/* Counts bytes that are written; of these, bytes written again before a read,
   and bytes not yet read when the exec image ends; both only within one memory
   epoch: see dead_writes.c. */
extern const struct an_collector an_collect_dead_writes;

/* Counts accesses that miss in a fully associative cache of the same size as
   the first level of data: see twin.c. */
extern const struct an_collector an_collect_twin_misses;

/* All collectors of evidence about cache misses; ended by NULL. */
extern const struct an_collector *const an_collectors[];

#endif

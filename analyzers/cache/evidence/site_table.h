/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * site_table.h - sums the evidence of sites by source position
 *
 * A site is one access of one instruction. A row has the sites of all exec
 * images and processes that agree in function, source line, offset in the page
 * of code, number of the access in its instruction and kind, so that rows are
 * the same wherever an object is mapped.
 */
#ifndef ANALYZERS_CACHE_EVIDENCE_SITE_TABLE_H
#define ANALYZERS_CACHE_EVIDENCE_SITE_TABLE_H

#include "analyzers/analyzer.h"
#include "analyzers/geometry.h"
#include "base/tables/key_table.h"

/* Counts of a site (one access of an instruction), all additive over exec
   images. Each before AN_SITE_LOWER is counted by a collector; their names are
   in site_report.c. */
enum an_site_count {
	/* counted by misses.c */
	AN_SITE_ACCESSES,
	AN_SITE_MISSES, /* accesses that missed the first level of data */
	/* counted by strides.c, which defines steps and walks */
	AN_SITE_STEPS,
	AN_SITE_WALKS,
	AN_SITE_NEIGHBOUR_WALKS, /* walks that begin without a thread switch, at
				    a distance of more than 0 and less than a
				    line from the start of the walk before */
	/* counted by line_use.c */
	AN_SITE_LINES,	    /* cache lines that the site (an access of an
			       instruction) fetched into the first level of
			       data */
	AN_SITE_USED_BYTES, /* bytes of the lines in AN_SITE_LINES that any
			       site used before they were evicted */
	/* counted by single_fetch.c */
	AN_SITE_SINGLE_LINES, /* cache lines that the site (an access of an
			         instruction) fetched into the first level of
			         data, and no site fetched again */
	/* counted by twin.c */
	AN_SITE_TWIN_MISSES, /* misses of a fully associative cache of the same
				size as the first level of data */
	/* counted by dead_writes.c, which defines the memory epoch */
	AN_SITE_WRITTEN_BYTES,
	AN_SITE_OVERWRITTEN_BYTES, /* bytes that the site wrote, and that were
				      written again in the same memory epoch
				      before they were read */
	AN_SITE_UNREAD_BYTES,	   /* bytes that the site was the last to
				      write, in the last memory epoch, and that
				      were not read until the image ended */
	/* counted by misses.c */
	AN_SITE_CHAINED_MISSES, /* first-level misses of loads and modifies
				   whose address follows from a walk; see
				   collectors.h */
	AN_SITE_LOWER, /* misses of each lower level that has a twin, and of
			  its twin; see lower_twins.h */
	AN_N_SITE_COUNTS = AN_SITE_LOWER + 2 * (AN_MAX_LEVELS - 1)
};

enum { AN_MAX_SITE_STRIDES = 4 }; /* strides stored of a site in one image */

struct an_stride_count {
	int64_t bytes;
	uint64_t steps; /* number of steps with this stride, or a lower bound of
			   it; 0: the entry is unused */
};

/* Counts of one site (an access of an instruction) in one exec image. */
struct an_site_counts {
	uint64_t count[AN_N_SITE_COUNTS];
	struct an_stride_count stride[AN_MAX_SITE_STRIDES];
};

/* Position of a site: an instruction of a block, and which of the instruction's
   accesses. */
struct an_site_position {
	struct an_symbol symbol;
	uint64_t addr;	 /* address of the site's instruction */
	uint16_t access; /* number in the instruction, from 0 */
	uint16_t size;	 /* [bytes] of the access */
	uint8_t kind;	 /* enum pt_access_kind */
};

struct an_site_row {
	struct an_site_position position; /* `addr`: offset in its page */
	uint64_t count[AN_N_SITE_COUNTS];
};

/* A table that is all zeros is valid and empty. */
struct an_site_table {
	struct al_key_table functions; /* functions of the sites; key:
					  pointers to function, file and
					  object */
	struct al_key_table sites;     /* by function, line, offset, number
					  of the access and kind */
	struct an_site_row *row;       /* by number in `sites` */
	uint32_t size;
	struct al_key_table strides; /* by number in `sites` and stride */
	uint64_t *steps;	     /* by number in `strides` */
	uint32_t steps_size;
};

/* Add counts to the row of a position, which is created if it is new.
   an_site_table_merge() adds all rows of the second table to the first. Both
   return 0 or -ENOMEM. */
int an_site_table_add_counts(struct an_site_table *,
			     const struct an_site_position *,
			     const struct an_site_counts *);
int an_site_table_merge(struct an_site_table *, const struct an_site_table *);
void an_site_table_release(struct an_site_table *);

/* Return the most frequent stride of each row, of equally frequent ones the
   shortest; `steps` is 0 if the row has none. The caller frees the array; NULL:
   memory is short. */
struct an_stride_count *
an_site_table_most_frequent_strides(const struct an_site_table *);

/* Add the table "sites" (accesses of instructions) to a model, most misses
   first, and the object "evidence" with the name and the line size of the first
   level of data. Sites that have neither misses nor written bytes are left
   out. */
void an_site_table_add_to_model(const struct an_site_table *,
				const struct an_geometry *, struct al_model *);

#endif

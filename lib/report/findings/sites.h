/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sites.h - reads the table "sites" (accesses of instructions), and sums those
   sites of a source line for which the condition of a rule is true */
#ifndef LIB_REPORT_FINDINGS_SITES_H
#define LIB_REPORT_FINDINGS_SITES_H

#include "lib/report/findings/findings.h"

/* Numbers of a site, or the sums of several sites of one source line. Their
   meaning: analyzers/cache/evidence/site_table.h. */
struct al_site {
	const char *function, *file;
	uint64_t line; /* source line; 0: unknown */
	uint64_t size; /* [bytes] size of an access */
	uint64_t accesses, misses;
	uint64_t stride; /* [bytes] most frequent stride; in a sum of sites, the
			    stride of the site with most misses */
	uint64_t steps, steps_at_stride;
	uint64_t walks, neighbour_walks;
	uint64_t lines, used_bytes, single_lines;
};

/* The first cache level of data. */
struct al_site_level {
	const char *name;
	uint64_t line;	 /* [bytes] size of a cache line */
	uint64_t misses; /* misses of all sites in this level */
};

/* Whether the condition of a rule is true for a site. */
typedef bool al_site_condition(const struct al_site *,
			       const struct al_site_level *);

/* Add a finding about sites of one line. */
typedef void al_site_reporter(const struct al_site *sum,
			      const struct al_site_level *,
			      struct al_findings *out);

/* Sum, for each source line of each function, the sites for which the condition
   is true, and call the reporter for each sum with at least AL_FINDING_PERCENT
   of the level's misses and at least AL_FINDING_MISSES. Sites without a known
   line are summed by function, and left out if that is not known, either. Does
   nothing if the model has no table "sites". */
void al_sites_report_by_line(const struct al_model *, al_site_condition *,
			     al_site_reporter *, struct al_findings *out);

/* Whether at most a quarter of the bytes of the cache lines that a site fetched
   was used; false if it fetched none. */
bool al_site_uses_quarter_of_bytes_at_most(const struct al_site *,
					   const struct al_site_level *);

/* Whether at least 90 % of a site's steps have one stride of at least a cache
   line, the site misses at least 4 times as often as a sequential walk, and at
   most a quarter of the bytes of the lines that it fetched was used. */
bool al_site_misses_by_large_stride(const struct al_site *,
				    const struct al_site_level *);

/* Whether a site has several walks, and at least half of them begin less than a
   cache line from the beginning of the walk before. */
bool al_site_has_mostly_adjacent_walk_starts(const struct al_site *);

enum { AL_SITE_PLACE = 200 /* [bytes] */ };

/* Write "file:line in function" to @out [AL_SITE_PLACE]; only the function if
   the line is not known. */
void al_site_format_place(char *out, const struct al_site *);

/* Initialise a finding with rule, place and misses, and with the evidence
   "misses". */
void al_site_init_finding(struct al_finding *, const char *rule,
			  const struct al_site *);

#endif

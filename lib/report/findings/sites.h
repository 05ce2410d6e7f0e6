/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sites.h - reads the table "sites", and sums sites of a source line that a
   rule accuses */
#ifndef LIB_REPORT_FINDINGS_SITES_H
#define LIB_REPORT_FINDINGS_SITES_H

#include "lib/report/findings/findings.h"

/* Numbers of a site, or the sums of several sites of one source line. Their
   meaning: analyzers/cache/evidence/site_table.h. */
struct al_site {
	const char *function, *file;
	uint64_t line; /* 0: unknown */
	uint64_t size; /* [bytes] of an access */
	uint64_t accesses, misses;
	uint64_t stride; /* [bytes] the most frequent one; of a sum, that of
			    the site with most misses */
	uint64_t steps, steps_at_stride;
	uint64_t walks, neighbour_walks;
	uint64_t lines, used_bytes, single_lines;
};

/* The first level of data, as the sites saw it. */
struct al_site_level {
	const char *name;
	uint64_t line;	 /* [bytes] */
	uint64_t misses; /* of all sites */
};

/* Whether a rule accuses a site. */
typedef bool al_site_condition(const struct al_site *,
			       const struct al_site_level *);

/* Add a finding about sites of one line. */
typedef void al_site_reporter(const struct al_site *sum,
			      const struct al_site_level *,
			      struct al_findings *out);

/* Sum the accused sites of each source line, and report the sums that have
   AL_FINDING_PERCENT of the level's misses and AL_FINDING_MISSES. Does nothing
   if the model has no sites. */
void al_sites_sum_by_line_and_report(const struct al_model *,
				     al_site_condition *, al_site_reporter *,
				     struct al_findings *out);

/* Whether a quarter of the bytes of a site's lines is used, at most. */
bool al_site_uses_few_bytes(const struct al_site *,
			    const struct al_site_level *);

/* Whether a site steps by at least a line, misses, and leaves most bytes of the
   lines that it fetches unused. */
bool al_site_misses_by_large_stride(const struct al_site *,
				    const struct al_site_level *);

/* Whether most walks of a site begin beside the walk before. */
bool al_site_walks_are_neighbours(const struct al_site *);

enum { AL_SITE_PLACE = 200 /* [bytes] */ };

/* Write "file:line in function" to @out [AL_SITE_PLACE]. */
void al_site_format_place(char *out, const struct al_site *);

/* Set the place of a finding, its misses and the evidence "misses". */
void al_site_begin_finding(struct al_finding *, const char *rule,
			   const struct al_site *);

#endif

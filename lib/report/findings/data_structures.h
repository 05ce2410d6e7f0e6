/* SPDX-License-Identifier: GPL-2.0-or-later */
/* data_structures.h - calls a rule that the caller passes for each row (group
   of data objects) that consists of many structures of one size, and helps such
   rules to make findings */
#ifndef LIB_REPORT_FINDINGS_DATA_STRUCTURES_H
#define LIB_REPORT_FINDINGS_DATA_STRUCTURES_H

#include "lib/report/findings/findings.h"

/* Misses of a row, and of all rows, at the first cache level of data. */
struct al_data_misses {
	const char *level; /* name of the first cache level of data */
	uint64_t of_row, of_level;
	uint64_t line_bytes; /* [bytes] size of a cache line */
};

/* Add a finding about a row if the rule finds one. */
typedef void al_data_rule(const struct al_data_row *,
			  const struct al_data_misses *,
			  struct al_findings *out);

/* Call the rule for each row with at least AL_LEAST_STRUCTURES structures whose
   used bytes are known, and whose misses are reportable. */
void al_data_rows_apply_rule(const struct al_model *, al_data_rule *,
			     struct al_findings *out);

/* Whether @misses are at least AL_FINDING_PERCENT of those of the level, and at
   least AL_FINDING_MISSES. */
bool al_data_is_reportable(uint64_t misses, uint64_t level_misses);

enum { AL_STRUCTURE_NAME = 300 /* [bytes] */ };

/* Write "struct node (heap make_list, list.c:12)", or "elements of 24 bytes
   (...)" if the type is not known, to @out [AL_STRUCTURE_NAME]. */
void al_data_format_structure_name(char *out, const struct al_data_row *);

/* Initialise a finding with rule, place, data object and misses, and with the
   evidence "misses". */
void al_data_init_finding(struct al_finding *, const char *rule,
			  const struct al_data_row *, uint64_t misses);

#endif

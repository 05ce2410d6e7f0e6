/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * findings.h - finds likely causes of cache misses, mispredictions and scalar
 *              operations in the results of analyses
 *
 * A rule reads the model and adds findings with their evidence. A finding
 * concerns at least AL_FINDING_MISSES misses, mispredictions or operations and,
 * with most rules about misses, at least AL_FINDING_PERCENT of the misses of a
 * level.
 *
 * Strings are borrowed: findings are valid as long as the model and the
 * analysis state that it was built from.
 */
#ifndef LIB_REPORT_FINDINGS_FINDINGS_H
#define LIB_REPORT_FINDINGS_FINDINGS_H

#include "base/result/model.h"
#include "base/text/report_sink.h"
#include "lib/report/findings/data_rows.h"

enum {
	AL_FINDING_PERCENT = 5,
	AL_FINDING_MISSES = 10000,
	AL_MAX_FINDINGS = 5, /* greatest number of findings in a list; those
				sorted last are dropped */
	AL_MAX_EVIDENCE = 8,
	AL_FINDING_TEXT = 440, /* [bytes] of the sentence */
	AL_MAX_MISSING = 8,    /* greatest number of levels with misses */
};

/* A count on which a finding is based. */
struct al_evidence {
	const char *name;
	uint64_t number;
};

struct al_finding {
	const char *rule;     /* name of the rule in JSON */
	const char *function; /* name of the function; NULL, "" or "???": not
				 known, or the finding is about several */
	const char *file;     /* source file; NULL, "" or "???": not known, or
				 the finding is about several */
	uint64_t line;	      /* source line; 0: not known, or the finding is
				 about several */
	const char *data;     /* label of the data objects that the finding is
				 about; NULL: none */
	struct al_evidence evidence[AL_MAX_EVIDENCE];
	unsigned n_evidence;
	uint64_t misses;	  /* number of misses, mispredictions or scalar
			    operations that the finding concerns; the findings
			    are sorted by it */
	bool is_about_operations; /* @misses counts operations, which cost less
				     than a miss: sorted after the other
				     findings */
	char text[AL_FINDING_TEXT];
};

/* List of findings. Initialise with zeros. */
struct al_findings {
	struct al_finding item[AL_MAX_FINDINGS]; /* [n] most misses first, then
						    most operations */
	unsigned n;
};

/* Set the list to the findings of all rules about code; to none if no level has
   misses, or al_findings_startup_has_most_misses() is true. */
void al_findings_set_by_code_rules(struct al_findings *,
				   const struct al_model *);

/* Whether the dynamic linker has at least half of the misses of the level that
   al_find_level_with_most_misses() returns; see al_ld_so_miss_percent(). */
bool al_findings_startup_has_most_misses(const struct al_model *);

/* Add the findings of the rules about data objects. The model is the result of
   the analysis "data". */
void al_findings_add_of_data_objects(struct al_findings *,
				     const struct al_model *);

/* Results of the analyses of one recorded program; NULL: this analysis was not
   run. */
struct al_program_results {
	const struct al_model *cache, *loops, *branch, *mix;
};

/* Add the findings of the rules about strides in loops, mispredicted branches
   and scalar floating-point operations, as far as the results that they need
   are there. */
void al_findings_add_of_program(struct al_findings *,
				const struct al_program_results *);

/* Write the member "findings", a list with an object for each finding; it may
   be empty. */
void al_findings_write(const struct al_findings *, struct an_sink *);

/* ---- for rules ---- */

/* Insert a copy of a finding, sorted by number of misses, after the findings
   with as many; a finding about operations comes after all findings about
   misses. If the list has a finding of the same rule, place and data object,
   the one with fewer misses is dropped; if both have as many, the new one. If
   the list is full, the finding sorted last, which may be the new one, is
   dropped. */
void al_findings_insert(struct al_findings *, const struct al_finding *);

/* Append a count to a finding; it is dropped if the finding has AL_MAX_EVIDENCE
   counts. @name: borrowed. */
void al_finding_add_evidence_if_space(struct al_finding *, const char *name,
				      uint64_t number);

/* A cache level with misses, and the tables with the misses of each place. */
struct al_level_with_misses {
	const char *name;
	uint64_t accesses, misses;
	bool is_first; /* all instructions, all data or both access the level
			  directly */
	uint64_t size; /* [bytes] capacity of the cache level */
	const struct al_table *functions; /* table "whole functions"; has
					     columns name and object */
	const struct al_table *lines;	  /* table "own lines", of the user's
					     own code; has columns file, line,
					     object and function, and for each
					     level a note, such as "D1.note" */
	unsigned column; /* index of the column with the level's misses, in
			    both tables */
};

/* Set @out to the cache levels with at least one miss whose misses are listed
   in both tables, "whole functions" and "own lines", in the order of the model.
   Return: their number, AL_MAX_MISSING at most; 0 if there is no such level. */
unsigned
al_find_levels_with_misses(const struct al_model *,
			   struct al_level_with_misses out[AL_MAX_MISSING]);

/* Return, of @level_count levels with misses, the one with most misses among
   those whose `is_first` is set; among the lower levels if there is no such
   level; NULL if @level_count is 0. */
const struct al_level_with_misses *
al_find_level_with_most_misses(const struct al_level_with_misses *,
			       unsigned level_count);

/* Return the number @key of the model's object "totals"; 0 if there is none. */
uint64_t al_model_totals_number_or_0(const struct al_model *, const char *key);

/* Return the text or the number in row @row of the column with key @column_key;
   "" or 0 if there is no such column. */
const char *al_row_text_or_empty(const struct al_table *, size_t row,
				 const char *column_key);
uint64_t al_row_number_or_0(const struct al_table *, size_t row,
			    const char *column_key);

/* Whether the level in row @row of the table "levels" is of code alone: it is
   accessed once by each instruction, and nothing writes to it. */
bool al_is_level_of_code_only(const struct al_model *cache,
			      const struct al_table *levels, size_t row);

/* Return the percentage of the level's misses that the dynamic linker (ld.so)
   has; 0 if the dynamic linker executes less than a tenth of all instructions,
   as in a longer run. */
unsigned al_ld_so_miss_percent(const struct al_level_with_misses *);

/* Return @part in percent of @whole, rounded down; 0 if @whole is 0. */
unsigned al_rounded_down_percent(uint64_t part, uint64_t whole);

#endif

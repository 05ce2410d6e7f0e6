/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * findings.h - finds what stands out in the result of an analysis
 *
 * A rule reads the model and adds findings with their evidence. It concerns at
 * least AL_FINDING_PERCENT of the misses of a level and AL_FINDING_MISSES
 * misses.
 *
 * Strings are borrowed: findings live as long as the model and its state.
 */
#ifndef LIB_REPORT_FINDINGS_FINDINGS_H
#define LIB_REPORT_FINDINGS_FINDINGS_H

#include "base/result/model.h"
#include "base/text/report_sink.h"

enum {
	AL_FINDING_PERCENT = 5,
	AL_FINDING_MISSES = 10000,
	AL_MAX_FINDINGS = 5, /* the largest are kept */
	AL_MAX_EVIDENCE = 8,
	AL_FINDING_TEXT = 440, /* [bytes] of the sentence */
	AL_MAX_MISSING = 8,    /* levels */
};

/* A count that the sentence follows from. */
struct al_evidence {
	const char *name;
	uint64_t number;
};

struct al_finding {
	const char *rule;     /* name in JSON */
	const char *function; /* NULL: none, or several */
	const char *file;     /* NULL: none, or several */
	uint64_t line;	      /* 0: none, or several */
	struct al_evidence evidence[AL_MAX_EVIDENCE];
	unsigned n_evidence;
	uint64_t misses; /* that it concerns; the order of findings */
	char text[AL_FINDING_TEXT];
};

/* Zeroed: empty. */
struct al_findings {
	struct al_finding item[AL_MAX_FINDINGS]; /* largest first */
	unsigned n;
};

/* Apply all rules. Without findings if start-up dominates; see
   al_miss_percent_if_startup_heavy(). */
void al_findings_find_unless_startup(struct al_findings *,
				     const struct al_model *);

/* "findings": a list, possibly empty. */
void al_findings_write(const struct al_findings *, struct an_sink *);

/* ---- for rules ---- */

/* Add a finding, which is copied, behind those that concern as many misses. One
   about the same line or function by the same rule is replaced if it is
   smaller. The smallest is dropped if there are too many. */
void al_findings_insert_best_of_place(struct al_findings *,
				      const struct al_finding *);

void al_finding_add_evidence(struct al_finding *, const char *name,
			     uint64_t number);

/* A level with misses, and where the tables have them. */
struct al_missing_level {
	const char *name;
	uint64_t accesses, misses;
	bool is_first; /* instructions or data reach it without another */
	uint64_t size; /* [bytes] */
	const struct al_table *functions; /* whole; columns name, object */
	const struct al_table *lines;	  /* of the user's own code; columns
					     file, line, object, function,
					     note */
	unsigned column;		  /* of the misses, in each table */
};

/* Find the levels that miss, in the order of the model. Return: their number;
   0 if the model is not that of caches. */
unsigned
al_find_levels_with_misses(const struct al_model *,
			   struct al_missing_level out[AL_MAX_MISSING]);

/* Return the first level with most misses; a lower level if no first one
   misses; NULL if @n is 0. */
const struct al_missing_level *
al_most_missing_level(const struct al_missing_level *, unsigned n);

/* Return a number of "totals"; 0 if there is none. */
uint64_t al_model_totals_number_or_0(const struct al_model *, const char *key);

/* Return a text cell or a number of a row, by the key of the column; "" or 0 if
   there is no such column. */
const char *al_row_text_or_empty(const struct al_table *, size_t row,
				 const char *key);
uint64_t al_row_number(const struct al_table *, size_t row, const char *key);

/* Return the share of a level's misses in the dynamic linker, in percent; 0 if
   it executes less than a tenth of the instructions, as in a longer run. */
unsigned al_miss_percent_if_startup_heavy(const struct al_missing_level *);

/* Return @part in percent of @whole, rounded down; 0 if @whole is 0. */
unsigned al_rounded_down_percent(uint64_t part, uint64_t whole);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rules.h - declares the rules, each in a file of its own. A rule adds findings
   about the places for which the sentence in its comment is true. */
#ifndef LIB_REPORT_FINDINGS_RULES_H
#define LIB_REPORT_FINDINGS_RULES_H

#include "lib/report/findings/findings.h"

/* A line, or else a function, has half of a level's misses or more. */
void al_rule_add_miss_concentration(const struct al_model *,
				    struct al_findings *);

/* Instruction fetches miss the first level at least 5 times in 1000
   instructions, in the whole run. */
void al_rule_add_hot_code_fetch_misses(const struct al_model *,
				       struct al_findings *);

/*
 * The rules below need the table "sites", which the cache analysis has with
 * findings=yes. A site is an access of an instruction. The sites of one source
 * line about which a rule adds a finding have together at least 5 % of the
 * misses of the level, and at least 10,000 misses.
 */

/* A site walks down a column: its steps are at least a cache line long, few
   bytes of the lines that it fetches are used, and most walks begin less than a
   line from the walk before. */
void al_rule_add_column_walks(const struct al_model *, struct al_findings *);

/* A site has steps of at least a cache line and uses few bytes of the lines
   that it fetches, and most walks do not begin near the walk before. */
void al_rule_add_large_constant_strides(const struct al_model *,
					struct al_findings *);

/* At most a quarter of the bytes of the cache lines that a site fetches is
   used, and neither of the two rules above is true for the site. */
void al_rule_add_unused_bytes(const struct al_model *, struct al_findings *);

/* A site passes once, in order, over cache lines that are never fetched
   again. */
void al_rule_add_streaming(const struct al_model *, struct al_findings *);
/* At least 30 % of the misses of a source line are conflicts: misses above
   those of a fully associative cache of the same size. The sum over all lines
   must be above that of this cache, too. */
void al_rule_add_conflicts(const struct al_model *, struct al_findings *);

/* At least half of the bytes that a source line writes are not read. */
void al_rule_add_dead_writes(const struct al_model *, struct al_findings *);

/* At least 80 % of the misses of a source line are loads from addresses that a
   chain of other loads returned. */
void al_rule_add_pointer_chases(const struct al_model *, struct al_findings *);

/*
 * The rules below are about the rows of the analysis "data" with fields and
 * accesses, that is groups of data objects that consist of structures of one
 * size. A row has at least AL_LEAST_STRUCTURES structures, at least 5 % of the
 * misses of the first level of data, and at least 10,000 misses.
 */
enum { AL_LEAST_STRUCTURES = 64 };

/* A program accesses at most half of the bytes of the lines that it fetches for
   each structure. */
void al_rule_add_unused_members(const struct al_model *, struct al_findings *);

/* At least 90 % of the accesses to a structure are to members that take at most
   a quarter of the structure's bytes in their cache lines, and other members
   are accessed, too. No finding is added if the program accesses at most half
   of the bytes (al_rule_add_unused_members()). */
void al_rule_add_hot_members(const struct al_model *, struct al_findings *);

/*
 * The rules below are about loops, branches and floating-point operations of
 * the program. Each reads the results of the analyses that it names.
 */

/* A source line in a loop with at least 5 % of all instructions steps by at
   least a cache line, and misses in at least half of these steps. It has at
   least 5 % of the misses of the first level of data, and at least 10,000. No
   finding is added where the rules about sites found such steps. */
void al_rule_add_loop_strides(const struct al_model *loops,
			      const struct al_model *cache,
			      struct al_findings *);

/* The branches of a source line make at least half of all mispredictions of
   Cachegrind's model, at least 10,000, and are mispredicted in at least 10 % of
   their executions. */
void al_rule_add_mispredicted_branches(const struct al_model *branch,
				       struct al_findings *);

/* At least 10,000 floating-point operations of a loop's source lines are
   executed one by one: at least half of all, and at least one for each
   iteration of the loop. The loop has no inner loop, can be vectorised, and has
   at least 10 % of all instructions. */
void al_rule_add_scalar_floats(const struct al_model *loops,
			       const struct al_model *mix,
			       struct al_findings *);

#endif

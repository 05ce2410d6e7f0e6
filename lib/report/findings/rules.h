/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rules.h - declares the rules; each is in a file of its own */
#ifndef LIB_REPORT_FINDINGS_RULES_H
#define LIB_REPORT_FINDINGS_RULES_H

#include "lib/report/findings/findings.h"

/* A line or function makes half of a level's misses, or more. */
void al_rule_add_concentrated_misses(const struct al_model *,
				     struct al_findings *);

/* Instructions miss their first level 5 times in 1000, or more. */
void al_rule_hot_code(const struct al_model *, struct al_findings *);

/*
 * The rules below need the table "sites", which the cache analysis has with
 * findings=yes. A line's sites that a rule accuses have 5 % of the misses of
 * the first level of data together, and 10,000.
 */

/* A site walks down a column: its steps are longer than a line, few bytes of
   the lines that it fetches are used, and the next walk begins beside. */
void al_rule_column_walk(const struct al_model *, struct al_findings *);

/* A site has such steps, and its walks do not begin beside each other. */
void al_rule_stride(const struct al_model *, struct al_findings *);

/* Few bytes of the lines that a site fetches are used, and no stride explains
   it. */
void al_rule_unused_bytes(const struct al_model *, struct al_findings *);

/* A site passes once over lines, in order, that are never fetched again. */
void al_rule_streaming(const struct al_model *, struct al_findings *);
/* A fully associative cache would not have the misses of a line. */
void al_rule_conflict(const struct al_model *, struct al_findings *);

/* Half of the bytes that a line writes, or more, are not read. */
void al_rule_dead_writes(const struct al_model *, struct al_findings *);

/* Loads of a line miss at addresses that a chain of loads gave. */
void al_rule_pointer_chase(const struct al_model *, struct al_findings *);

#endif

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

#endif

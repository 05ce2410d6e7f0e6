/* SPDX-License-Identifier: GPL-2.0-or-later */
/* data_structures.c - calls a rule that the caller passes for each row of data
   objects with enough misses, and helps such rules to make findings; see
   data_structures.h */

#include "lib/report/findings/data_structures.h"

#include <stdio.h>
#include <string.h>

#include "lib/report/findings/rules.h"

enum { TYPE = 80, LABEL = 140 /* [bytes] of a name in a sentence */ };

bool al_data_is_reportable(uint64_t misses, uint64_t level_misses)
{
	return misses >= AL_FINDING_MISSES &&
	       al_rounded_down_percent(misses, level_misses) >=
		       AL_FINDING_PERCENT;
}

static bool has_used_bytes_and_enough_structures(const struct al_data_row *r)
{
	return r->used_bytes > 0 &&
	       r->bytes / r->element >= AL_LEAST_STRUCTURES;
}

void al_data_rows_apply_rule(const struct al_model *m, al_data_rule *rule,
			     struct al_findings *out)
{
	const struct al_result_node *n = al_data_first_row_or_null(m);
	struct al_data_misses misses = {
		.of_level = al_data_sum_first_level_misses(m),
		.line_bytes = al_node_number_or_0(&m->root, "line")};
	struct al_data_row r;

	for (; n && misses.line_bytes; n = n->next) {
		al_data_row_read_with_empty_defaults(&r, n);
		misses.of_row = al_data_level_misses_or_0(r.levels, 0);
		if (!has_used_bytes_and_enough_structures(&r) ||
		    !al_data_is_reportable(misses.of_row, misses.of_level))
			continue;
		misses.level = al_node_text_or_empty(r.levels->first, "name");
		rule(&r, &misses, out);
	}
}

void al_data_format_structure_name(char *out, const struct al_data_row *r)
{
	if (*r->type)
		snprintf(out, AL_STRUCTURE_NAME, "%.*s (%.*s)", TYPE, r->type,
			 LABEL, r->label);
	else
		snprintf(out, AL_STRUCTURE_NAME,
			 "elements of %llu bytes (%.*s)",
			 (unsigned long long)r->element, LABEL, r->label);
}

void al_data_init_finding(struct al_finding *f, const char *rule,
			  const struct al_data_row *r, uint64_t misses)
{
	*f = (struct al_finding){
		.rule = rule,
		.function = *r->function ? r->function : NULL,
		.file = *r->file ? r->file : NULL,
		.line = r->line,
		.data = r->label,
		.misses = misses,
	};
	al_finding_add_evidence_if_space(f, "misses", misses);
}

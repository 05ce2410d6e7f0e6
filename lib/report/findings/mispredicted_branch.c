/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mispredicted_branch.c - finds a source line whose branches make most
   mispredictions */

#include <stdio.h>

#include "base/text/line_writer.h"
#include "lib/report/findings/rules.h"

enum {
	LEAST_SHARE_PERCENT = 50, /* least percentage of all mispredictions that
				     the branches of a reported line have */
	LEAST_RATE_PERCENT = 10,  /* least percentage of mispredictions in the
				     executions of the line's branches */
};

static void add_branch_finding(const struct al_table *hard, size_t row,
			       uint64_t all_mispredictions,
			       struct al_findings *out)
{
	struct al_finding f = {
		.rule = "mispredicted-branch",
		.function = al_row_text_or_empty(hard, row, "function"),
		.file = al_row_text_or_empty(hard, row, "file"),
		.line = al_row_number_or_0(hard, row, "line"),
		.misses = al_row_number_or_0(hard, row, "mispredicted"),
	};
	uint64_t executed = al_row_number_or_0(hard, row, "executed");
	char number[2][AL_NUMBER_BYTES];

	al_finding_add_evidence_if_space(&f, "mispredicted", f.misses);
	al_finding_add_evidence_if_space(&f, "executed", executed);
	al_finding_add_evidence_if_space(&f, "all_mispredicted",
					 all_mispredictions);
	snprintf(f.text, sizeof(f.text),
		 "%.1f %% of all mispredicted branches are at %.80s:%llu in "
		 "%.80s: %s of the %s branches executed there.",
		 100.0 * (double)f.misses / (double)all_mispredictions, f.file,
		 (unsigned long long)f.line, f.function,
		 al_number_format_grouped(number[0], f.misses),
		 al_number_format_grouped(number[1], executed));
	al_findings_insert(out, &f);
}

void al_rule_add_mispredicted_branches(const struct al_model *branch,
				       struct al_findings *out)
{
	const struct al_table *hard = al_model_find_table(branch, "hard");
	uint64_t all = al_model_totals_number_or_0(branch, "Bcm") +
		       al_model_totals_number_or_0(branch, "Bim");

	for (size_t i = 0; hard && i < hard->n_rows; i++) {
		uint64_t n = al_row_number_or_0(hard, i, "mispredicted");

		if (n >= AL_FINDING_MISSES &&
		    al_row_number_or_0(hard, i, "line") != 0 &&
		    al_rounded_down_percent(n, all) >= LEAST_SHARE_PERCENT &&
		    al_rounded_down_percent(
			    n, al_row_number_or_0(hard, i, "executed")) >=
			    LEAST_RATE_PERCENT)
			add_branch_finding(hard, i, all, out);
	}
}

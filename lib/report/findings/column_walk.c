/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * column_walk.c - finds walks down a column of a matrix, after which the
 * neighbour column is walked when the lines of the first have been evicted
 *
 * Such accesses have a large stride (stride.c), and most walks begin less than
 * a line from the walk before: the bytes that a walk leaves unused are those of
 * the walks that follow. The rule does not claim that the loops may be
 * exchanged.
 */
#include <stdio.h>

#include "base/text/line_writer.h"
#include "lib/report/findings/rules.h"
#include "lib/report/findings/sites.h"

static bool is_column_walk(const struct al_site *s,
			   const struct al_site_level *l)
{
	return al_site_misses_by_large_stride(s, l) &&
	       al_site_has_mostly_adjacent_walk_starts(s);
}

static void add_column_walk_finding(const struct al_site *s,
				    const struct al_site_level *l,
				    struct al_findings *out)
{
	char place[AL_SITE_PLACE], stride[AL_NUMBER_BYTES];
	char neighbours[AL_NUMBER_BYTES], walks[AL_NUMBER_BYTES];
	struct al_finding f;

	al_site_init_finding(&f, "column-walk", s);
	al_finding_add_evidence_if_space(&f, "stride", s->stride);
	al_finding_add_evidence_if_space(&f, "steps", s->steps);
	al_finding_add_evidence_if_space(&f, "steps_at_stride",
					 s->steps_at_stride);
	al_finding_add_evidence_if_space(&f, "walks", s->walks);
	al_finding_add_evidence_if_space(&f, "neighbour_walks",
					 s->neighbour_walks);
	al_finding_add_evidence_if_space(&f, "lines", s->lines);
	al_finding_add_evidence_if_space(&f, "used_bytes", s->used_bytes);
	al_site_format_place(place, s);
	snprintf(f.text, sizeof(f.text),
		 "%s walks down columns, %s bytes a step: %s of %s walks begin "
		 "beside the one before, and of the %llu bytes of each line "
		 "fetched, %.1f are used before %s evicts it. %.1f %% of %s "
		 "misses.",
		 place, al_number_format_grouped(stride, s->stride),
		 al_number_format_grouped(neighbours, s->neighbour_walks),
		 al_number_format_grouped(walks, s->walks),
		 (unsigned long long)l->line,
		 (double)s->used_bytes / (double)s->lines, l->name,
		 100.0 * (double)s->misses / (double)l->misses, l->name);
	al_findings_insert(out, &f);
}

void al_rule_add_column_walks(const struct al_model *m, struct al_findings *out)
{
	al_sites_report_by_line(m, is_column_walk, add_column_walk_finding,
				out);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stride.c - finds accesses that step over memory by a constant distance of a
 * line or more, and use little of each line
 *
 * A stride alone is no finding: if the lines remain in the cache until their
 * other bytes are used, such a walk misses as rarely as a sequential one. So
 * the rule also compares the number of misses and the bytes used before
 * eviction. It does not claim that another order of accesses is correct or
 * faster.
 */
#include <stdio.h>

#include "base/text/line_writer.h"
#include "lib/report/findings/rules.h"
#include "lib/report/findings/sites.h"

static bool is_large_stride_not_column_walk(const struct al_site *s,
					    const struct al_site_level *l)
{
	return al_site_misses_by_large_stride(s, l) &&
	       !al_site_has_mostly_adjacent_walk_starts(s);
}

static void add_stride_finding(const struct al_site *s,
			       const struct al_site_level *l,
			       struct al_findings *out)
{
	char place[AL_SITE_PLACE], stride[AL_NUMBER_BYTES];
	struct al_finding f;

	al_site_init_finding(&f, "stride", s);
	al_finding_add_evidence_if_space(&f, "stride", s->stride);
	al_finding_add_evidence_if_space(&f, "steps", s->steps);
	al_finding_add_evidence_if_space(&f, "steps_at_stride",
					 s->steps_at_stride);
	al_finding_add_evidence_if_space(&f, "lines", s->lines);
	al_finding_add_evidence_if_space(&f, "used_bytes", s->used_bytes);
	al_site_format_place(place, s);
	snprintf(f.text, sizeof(f.text),
		 "%s accesses memory every %s bytes: of the %llu bytes of each "
		 "line fetched, %.1f are used before %s evicts it. %.1f %% of "
		 "%s misses.",
		 place, al_number_format_grouped(stride, s->stride),
		 (unsigned long long)l->line,
		 (double)s->used_bytes / (double)s->lines, l->name,
		 100.0 * (double)s->misses / (double)l->misses, l->name);
	al_findings_insert(out, &f);
}

void al_rule_add_large_constant_strides(const struct al_model *m,
					struct al_findings *out)
{
	al_sites_report_by_line(m, is_large_stride_not_column_walk,
				add_stride_finding, out);
}

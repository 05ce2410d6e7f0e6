/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unused_bytes.c - finds accesses that fetch cache lines of which at most a
 * quarter is used before the first level evicts them
 *
 * If steps of a constant stride leave the bytes unused, column_walk.c and
 * stride.c report the place instead. Which members of a structure are unused is
 * not known.
 */
#include <stdio.h>

#include "base/text/line_writer.h"
#include "lib/report/findings/rules.h"
#include "lib/report/findings/sites.h"

static bool has_unused_bytes_without_stride(const struct al_site *s,
					    const struct al_site_level *l)
{
	return al_site_uses_quarter_of_bytes_at_most(s, l) &&
	       !al_site_misses_by_large_stride(s, l);
}

static void add_unused_bytes_finding(const struct al_site *s,
				     const struct al_site_level *l,
				     struct al_findings *out)
{
	char place[AL_SITE_PLACE], lines[AL_NUMBER_BYTES];
	struct al_finding f;

	al_site_init_finding(&f, "unused-bytes", s);
	al_finding_add_evidence_if_space(&f, "lines", s->lines);
	al_finding_add_evidence_if_space(&f, "used_bytes", s->used_bytes);
	al_finding_add_evidence_if_space(&f, "line_size", l->line);
	al_site_format_place(place, s);
	snprintf(
		f.text, sizeof(f.text),
		"Of the %llu bytes of each line that %s fetches, %.1f are used "
		"before %s evicts it: %s lines, %.1f %% of %s misses.",
		(unsigned long long)l->line, place,
		(double)s->used_bytes / (double)s->lines, l->name,
		al_number_format_grouped(lines, s->lines),
		100.0 * (double)s->misses / (double)l->misses, l->name);
	al_findings_insert(out, &f);
}

void al_rule_add_unused_bytes(const struct al_model *m, struct al_findings *out)
{
	al_sites_report_by_line(m, has_unused_bytes_without_stride,
				add_unused_bytes_finding, out);
}

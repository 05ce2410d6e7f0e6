/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * streaming.c - finds accesses that pass over memory once, in order, whose
 * lines are never fetched again
 *
 * To store such lines in a cache is of no use. The rule does not claim that
 * accesses which bypass the caches would be faster.
 */
#include <stdio.h>

#include "base/text/line_writer.h"
#include "lib/report/findings/rules.h"
#include "lib/report/findings/sites.h"

enum {
	IN_ORDER_PERCENT = 90, /* least percentage of steps at the most frequent
				  stride */
	SINGLE_PERCENT = 90,   /* least percentage of lines that were fetched
				  once */
	PASS_PERCENT = 110,    /* greatest number of accesses, in percent of
				  those that pass once over the lines fetched */
};

static bool has_constant_stride_within_line(const struct al_site *s,
					    const struct al_site_level *l)
{
	return s->stride > 0 && s->stride <= l->line &&
	       al_rounded_down_percent(s->steps_at_stride, s->steps) >=
		       IN_ORDER_PERCENT;
}

/* Whether a site has no more accesses than PASS_PERCENT of those that pass once
   over the lines that it fetched. */
static bool has_at_most_accesses_of_one_pass(const struct al_site *s,
					     const struct al_site_level *l)
{
	return s->accesses * s->stride <=
	       s->lines * l->line / 100 * PASS_PERCENT;
}

static bool is_one_pass_over_lines_fetched_once(const struct al_site *s,
						const struct al_site_level *l)
{
	return has_constant_stride_within_line(s, l) &&
	       has_at_most_accesses_of_one_pass(s, l) &&
	       al_rounded_down_percent(s->single_lines, s->lines) >=
		       SINGLE_PERCENT;
}

static void add_streaming_finding(const struct al_site *s,
				  const struct al_site_level *l,
				  struct al_findings *out)
{
	char place[AL_SITE_PLACE], single[AL_NUMBER_BYTES];
	char lines[AL_NUMBER_BYTES];
	struct al_finding f;

	al_site_init_finding(&f, "streaming", s);
	al_finding_add_evidence_if_space(&f, "lines", s->lines);
	al_finding_add_evidence_if_space(&f, "single_lines", s->single_lines);
	al_finding_add_evidence_if_space(&f, "line_size", l->line);
	al_site_format_place(place, s);
	snprintf(f.text, sizeof(f.text),
		 "%s passes over %.1f MB once, in order: %s of the %s lines "
		 "that "
		 "it fetches are never fetched again. %.1f %% of %s misses.",
		 place, (double)(s->lines * l->line) / (1 << 20),
		 al_number_format_grouped(single, s->single_lines),
		 al_number_format_grouped(lines, s->lines),
		 100.0 * (double)s->misses / (double)l->misses, l->name);
	al_findings_insert(out, &f);
}

void al_rule_add_streaming(const struct al_model *m, struct al_findings *out)
{
	al_sites_report_by_line(m, is_one_pass_over_lines_fetched_once,
				add_streaming_finding, out);
}

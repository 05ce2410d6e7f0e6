/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dead_writes.c - finds source lines that write bytes which the program does
 * not read
 *
 * Only reads by the program are observed. Bytes that a system call could have
 * read are not counted as unread, but another process that shares the memory
 * may read bytes that are counted.
 */
#include <stdio.h>

#include "base/text/line_writer.h"
#include "lib/report/findings/places.h"
#include "lib/report/findings/rules.h"

/* Least percentage of the bytes written at a place that are not read. */
enum { LEAST_PERCENT = 50 };

enum { MISSES, WRITTEN, OVERWRITTEN, UNREAD, N_SUMS };

static const char *const column[N_SUMS] = {"misses", "written_bytes",
					   "overwritten_bytes", "unread_bytes"};

/* Whether a place has a line or function, at least AL_FINDING_MISSES misses and
   AL_FINDING_PERCENT of the level's misses, and LEAST_PERCENT of the bytes it
   writes are not read. */
static bool
has_place_many_misses_and_dead_writes(const struct al_place *p,
				      const struct al_level_with_misses *l)
{
	return al_place_has_line_or_function(p) &&
	       p->sum[MISSES] >= AL_FINDING_MISSES &&
	       al_rounded_down_percent(p->sum[MISSES], l->misses) >=
		       AL_FINDING_PERCENT &&
	       al_rounded_down_percent(p->sum[OVERWRITTEN] + p->sum[UNREAD],
				       p->sum[WRITTEN]) >= LEAST_PERCENT;
}

static void add_dead_writes_finding(struct al_findings *out,
				    const struct al_place *p,
				    const struct al_level_with_misses *l)
{
	struct al_finding f = {.rule = "dead-writes", .misses = p->sum[MISSES]};
	uint64_t dead = p->sum[OVERWRITTEN] + p->sum[UNREAD];
	char place[AL_PLACE_TEXT], number[3][AL_NUMBER_BYTES];

	al_finding_set_file_line_and_function(&f, p);
	for (unsigned i = 0; i < N_SUMS; i++)
		al_finding_add_evidence_if_space(&f, column[i], p->sum[i]);
	al_finding_add_evidence_if_space(&f, "level_misses", l->misses);
	snprintf(f.text, sizeof(f.text),
		 "%.1f %% of the %s bytes written %s are not read: %s are "
		 "written again before, %s are left at the end. The %s makes "
		 "%.1f %% of the %s misses.",
		 100.0 * (double)dead / (double)p->sum[WRITTEN],
		 al_number_format_grouped(number[0], p->sum[WRITTEN]),
		 al_place_format(place, p),
		 al_number_format_grouped(number[1], p->sum[OVERWRITTEN]),
		 al_number_format_grouped(number[2], p->sum[UNREAD]),
		 p->line ? "line" : "function",
		 100.0 * (double)f.misses / (double)l->misses, l->name);
	al_findings_insert(out, &f);
}

void al_rule_add_dead_writes(const struct al_model *m, struct al_findings *out)
{
	struct al_level_with_misses level[AL_MAX_MISSING];
	unsigned n = al_find_levels_with_misses(m, level);
	const struct al_level_with_misses *l =
		al_find_level_of_sites_table(m, level, n);
	struct al_places places;

	if (l == NULL)
		return;
	if (al_places_sum_sites_table_by_place(&places, m, column, N_SUMS))
		for (size_t i = 0; i < places.n; i++)
			if (has_place_many_misses_and_dead_writes(
				    &places.place[i], l))
				add_dead_writes_finding(out, &places.place[i],
							l);
	al_places_release(&places);
}

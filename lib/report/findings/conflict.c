/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conflict.c - finds source lines with many conflict misses
 *
 * Conflicts are the misses above those of the twin: a fully associative cache
 * of the same size that was simulated beside the level. A source line may have
 * more misses than in the twin while another has fewer, so the sum over all
 * lines must have conflicts, too.
 */
#include <stdio.h>

#include "base/text/line_writer.h"
#include "lib/report/findings/places.h"
#include "lib/report/findings/rules.h"

/* Least percentage of the misses of a place that are conflicts. */
enum { LEAST_PERCENT = 30 };

enum { MISSES, TWIN_MISSES, N_SUMS };

enum { KEY = 64 /* [bytes] of the key of a column */ };

/* Return by how much the misses exceed those of the fully associative twin; 0
   if they do not. */
static uint64_t misses_above_fully_associative_or_0(const uint64_t sum[])
{
	return sum[MISSES] > sum[TWIN_MISSES] ? sum[MISSES] - sum[TWIN_MISSES]
					      : 0;
}

/* Whether @conflicts are at least AL_FINDING_MISSES and at least
   AL_FINDING_PERCENT of the misses of level @l. */
static bool is_conflict_count_reportable(uint64_t conflicts,
					 const struct al_level_with_misses *l)
{
	return conflicts >= AL_FINDING_MISSES &&
	       al_rounded_down_percent(conflicts, l->misses) >=
		       AL_FINDING_PERCENT;
}

static void add_conflict_finding(struct al_findings *out,
				 const struct al_place *p,
				 const struct al_level_with_misses *l)
{
	struct al_finding f = {
		.rule = "conflict",
		.misses = misses_above_fully_associative_or_0(p->sum)};
	char place[AL_PLACE_TEXT], misses[AL_NUMBER_BYTES],
		twin[AL_NUMBER_BYTES];

	al_finding_set_file_line_and_function(&f, p);
	al_finding_add_evidence_if_space(&f, "misses", p->sum[MISSES]);
	al_finding_add_evidence_if_space(&f, "twin_misses",
					 p->sum[TWIN_MISSES]);
	al_finding_add_evidence_if_space(&f, "level_misses", l->misses);
	snprintf(f.text, sizeof(f.text),
		 "%.1f %% of the %s misses %s are conflicts: %s misses, but "
		 "%s in a fully associative cache of the same size.",
		 100.0 * (double)f.misses / (double)p->sum[MISSES], l->name,
		 al_place_format(place, p),
		 al_number_format_grouped(misses, p->sum[MISSES]),
		 al_number_format_grouped(twin, p->sum[TWIN_MISSES]));
	al_findings_insert(out, &f);
}

/* Whether a place has a line or function, and enough conflicts for a finding,
   which are also at least LEAST_PERCENT of the place's misses. */
static bool has_place_reportable_conflicts(const struct al_place *p,
					   const struct al_level_with_misses *l)
{
	uint64_t conflicts = misses_above_fully_associative_or_0(p->sum);

	return al_place_has_line_or_function(p) &&
	       is_conflict_count_reportable(conflicts, l) &&
	       al_rounded_down_percent(conflicts, p->sum[MISSES]) >=
		       LEAST_PERCENT;
}

/* Add a finding for each place with enough conflicts at level @l, if the sums
   over all places have enough, too. @column_keys: keys of the columns with the
   misses of the level and of its twin. */
static void add_conflict_findings_of_level(
	const struct al_model *m, const struct al_level_with_misses *l,
	const char *const column_keys[N_SUMS], struct al_findings *out)
{
	struct al_places places;

	if (al_places_sum_sites_table_by_place(&places, m, column_keys,
					       N_SUMS) &&
	    is_conflict_count_reportable(
		    misses_above_fully_associative_or_0(places.total), l))
		for (size_t i = 0; i < places.n; i++)
			if (has_place_reportable_conflicts(&places.place[i], l))
				add_conflict_finding(out, &places.place[i], l);
	al_places_release(&places);
}

void al_rule_add_conflicts(const struct al_model *m, struct al_findings *out)
{
	static const char *const first[N_SUMS] = {"misses", "twin_misses"};
	struct al_level_with_misses level[AL_MAX_MISSING];
	unsigned n = al_find_levels_with_misses(m, level);
	const struct al_level_with_misses *l =
		al_find_level_of_sites_table(m, level, n);
	const struct al_table *sites = al_model_find_table(m, "sites");

	if (l != NULL)
		add_conflict_findings_of_level(m, l, first, out);
	for (unsigned i = 0; sites && i < n; i++) {
		char misses[KEY], twin[KEY];
		const char *const lower[N_SUMS] = {misses, twin};

		snprintf(misses, KEY, "%s.misses", level[i].name);
		snprintf(twin, KEY, "%s.twin_misses", level[i].name);
		if (al_table_find_column_index(sites, twin) >= 0)
			add_conflict_findings_of_level(m, &level[i], lower,
						       out);
	}
}

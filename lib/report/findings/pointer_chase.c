/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pointer_chase.c - finds source lines whose loads miss at addresses that other
 * loads returned, as in a walk along a list
 *
 * Chains of loads are followed only through registers, not through memory, so
 * there may be more chains than were found.
 */
#include <stdio.h>

#include "base/text/line_writer.h"
#include "lib/report/findings/places.h"
#include "lib/report/findings/rules.h"

/* Least percentage of the misses of a source line or function that end a chain
   of loads. */
enum { LEAST_PERCENT = 80 };

enum { MISSES, CHAINED, N_SUMS };

static const char *const column[N_SUMS] = {"misses", "chained_misses"};

/* Whether a place has a line or function, and its misses at the end of a chain
   of loads are at least AL_FINDING_MISSES, AL_FINDING_PERCENT of the level's
   misses, and LEAST_PERCENT of the place's misses. */
static bool
has_place_reportable_chained_misses(const struct al_place *p,
				    const struct al_level_with_misses *l)
{
	return al_place_has_line_or_function(p) &&
	       p->sum[CHAINED] >= AL_FINDING_MISSES &&
	       al_rounded_down_percent(p->sum[CHAINED], l->misses) >=
		       AL_FINDING_PERCENT &&
	       al_rounded_down_percent(p->sum[CHAINED], p->sum[MISSES]) >=
		       LEAST_PERCENT;
}

static void add_pointer_chase_finding(struct al_findings *out,
				      const struct al_place *p,
				      const struct al_level_with_misses *l)
{
	struct al_finding f = {.rule = "pointer-chase",
			       .misses = p->sum[CHAINED]};
	char place[AL_PLACE_TEXT], number[2][AL_NUMBER_BYTES];

	al_finding_set_file_line_and_function(&f, p);
	for (unsigned i = 0; i < N_SUMS; i++)
		al_finding_add_evidence_if_space(&f, column[i], p->sum[i]);
	al_finding_add_evidence_if_space(&f, "level_misses", l->misses);
	snprintf(f.text, sizeof(f.text),
		 "%s of the %s %s misses %s wait for other loads: their "
		 "address follows from at least 4, each at an address that the "
		 "one before loaded, and two of one instruction, as in a walk "
		 "along a list.",
		 al_number_format_grouped(number[0], p->sum[CHAINED]),
		 al_number_format_grouped(number[1], p->sum[MISSES]), l->name,
		 al_place_format(place, p));
	al_findings_insert(out, &f);
}

void al_rule_add_pointer_chases(const struct al_model *m,
				struct al_findings *out)
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
			if (has_place_reportable_chained_misses(
				    &places.place[i], l))
				add_pointer_chase_finding(out, &places.place[i],
							  l);
	al_places_release(&places);
}

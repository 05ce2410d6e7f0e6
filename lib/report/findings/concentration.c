/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * concentration.c - finds a line, or else a function, that makes most of a
 * level's misses
 */
#include <stdio.h>
#include <string.h>

#include "base/text/line_writer.h"
#include "lib/report/findings/rules.h"

enum {
	MOST_PERCENT = 50, /* share of the misses of a level */
	NAME = 80,	   /* [bytes] of a function's name in a sentence */
};

static bool is_name_known(const char *name)
{
	return *name && strcmp(name, "???") != 0;
}

/* Whether @misses of a level at one place are a finding. */
static bool is_concentrated(const struct al_missing_level *l, uint64_t misses)
{
	return misses >= AL_FINDING_MISSES &&
	       al_rounded_down_percent(misses, l->misses) >= MOST_PERCENT;
}

/* Return the row with most misses among those of which column @key is known;
   @misses is set to them, 0 if there is no such row. */
static size_t find_named_row_with_most_misses(const struct al_missing_level *l,
					      const struct al_table *t,
					      const char *key, uint64_t *misses)
{
	size_t top = 0;

	*misses = 0;
	for (size_t i = 0; i < t->n_rows; i++) {
		uint64_t n = al_table_row(t, i)[l->column].number;

		if (n > *misses && is_name_known(al_row_text(t, i, key))) {
			*misses = n;
			top = i;
		}
	}
	return top;
}

/* Return the text of a column of names; NULL if the name is not known. */
static const char *known_name(const struct al_table *t, size_t row,
			      const char *key)
{
	const char *name = al_row_text(t, row, key);

	return is_name_known(name) ? name : NULL;
}

static void complete_and_add_finding(struct al_findings *out,
				     struct al_finding *f,
				     const struct al_missing_level *l,
				     const char *place)
{
	char misses[AL_NUMBER_BYTES], all[AL_NUMBER_BYTES];

	f->rule = "concentration";
	al_finding_add_evidence(f, "misses", f->misses);
	al_finding_add_evidence(f, "level_misses", l->misses);
	snprintf(f->text, sizeof(f->text),
		 "%.1f %% of %s misses are %s: %s of %s.",
		 100.0 * (double)f->misses / (double)l->misses, l->name, place,
		 al_number_format_grouped(misses, f->misses),
		 al_number_format_grouped(all, l->misses));
	al_findings_insert_by_misses(out, f);
}

static bool try_add_line_finding(const struct al_missing_level *l,
				 struct al_findings *out)
{
	struct al_finding f = {.rule = NULL};
	size_t row =
		find_named_row_with_most_misses(l, l->lines, "file", &f.misses);
	char place[AL_FINDING_TEXT / 2];

	if (!is_concentrated(l, f.misses))
		return false;
	f.line = al_row_number(l->lines, row, "line");
	if (f.line == 0)
		return false;
	f.file = al_row_text(l->lines, row, "file");
	f.function = known_name(l->lines, row, "function");
	snprintf(place, sizeof(place), "at %.*s:%llu%s%.*s", NAME, f.file,
		 (unsigned long long)f.line, f.function ? " in " : "", NAME,
		 f.function ? f.function : "");
	complete_and_add_finding(out, &f, l, place);
	return true;
}

static void try_add_function_finding(const struct al_missing_level *l,
				     struct al_findings *out)
{
	struct al_finding f = {.rule = NULL};
	size_t row = find_named_row_with_most_misses(l, l->functions, "name",
						     &f.misses);
	char place[AL_FINDING_TEXT / 2];

	if (!is_concentrated(l, f.misses))
		return;
	f.function = al_row_text(l->functions, row, "name");
	snprintf(place, sizeof(place), "in %.*s [%.*s]", NAME, f.function, NAME,
		 al_row_text(l->functions, row, "object"));
	complete_and_add_finding(out, &f, l, place);
}

void al_rule_add_concentrated_misses(const struct al_model *m,
				     struct al_findings *out)
{
	struct al_missing_level level[AL_MAX_MISSING];
	unsigned n = al_find_levels_with_misses(m, level);

	for (unsigned i = 0; i < n; i++)
		if (!try_add_line_finding(&level[i], out))
			try_add_function_finding(&level[i], out);
}

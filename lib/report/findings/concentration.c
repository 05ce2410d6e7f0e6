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

static bool is_name_known(const char *nonnull_name)
{
	return *nonnull_name && strcmp(nonnull_name, "???") != 0;
}

/* Whether @misses of a level at one place are a finding. */
static bool is_concentrated(const struct al_missing_level *l, uint64_t misses)
{
	return misses >= AL_FINDING_MISSES &&
	       al_rounded_down_percent(misses, l->misses) >= MOST_PERCENT;
}

/* Return the row with most misses among those of which column @key is known;
   @top_misses_or_0 is set to them, 0 if there is no such row. */
static size_t most_missing_named_row_or_0(const struct al_missing_level *l,
					  const struct al_table *t,
					  const char *key,
					  uint64_t *top_misses_or_0)
{
	size_t top = 0;

	*top_misses_or_0 = 0;
	for (size_t i = 0; i < t->n_rows; i++) {
		uint64_t n = al_table_row(t, i)[l->column].number;

		if (n > *top_misses_or_0 &&
		    is_name_known(al_row_text_or_empty(t, i, key))) {
			*top_misses_or_0 = n;
			top = i;
		}
	}
	return top;
}

/* Return the text of a column of names; NULL if the name is not known. */
static const char *known_name(const struct al_table *t, size_t row,
			      const char *key)
{
	const char *name = al_row_text_or_empty(t, row, key);

	return is_name_known(name) ? name : NULL;
}

/* Write "at m.c:12 in main (inlined stl_tree.h:780)" to @place of @size
   bytes. */
static void describe_line(char *place, size_t size, const struct al_finding *f,
			  const char *note)
{
	bool has_note = is_name_known(note);

	snprintf(place, size, "at %.*s:%llu%s%.*s%s%.*s%s", NAME, f->file,
		 (unsigned long long)f->line, f->function ? " in " : "", NAME,
		 f->function ? f->function : "", has_note ? " (" : "", NAME,
		 note, has_note ? ")" : "");
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
	al_findings_insert_best_of_place(out, f);
}

static bool try_add_line_finding(const struct al_missing_level *l,
				 struct al_findings *out)
{
	struct al_finding f = {.rule = NULL};
	size_t row =
		most_missing_named_row_or_0(l, l->lines, "file", &f.misses);
	char place[AL_FINDING_TEXT - 100];

	if (!is_concentrated(l, f.misses))
		return false;
	f.line = al_row_number(l->lines, row, "line");
	if (f.line == 0)
		return false;
	f.file = al_row_text_or_empty(l->lines, row, "file");
	f.function = known_name(l->lines, row, "function");
	describe_line(place, sizeof(place), &f,
		      al_row_text_or_empty(l->lines, row, "note"));
	complete_and_add_finding(out, &f, l, place);
	return true;
}

static void try_add_function_finding(const struct al_missing_level *l,
				     struct al_findings *out)
{
	struct al_finding f = {.rule = NULL};
	size_t row =
		most_missing_named_row_or_0(l, l->functions, "name", &f.misses);
	char place[AL_FINDING_TEXT - 100];

	if (!is_concentrated(l, f.misses))
		return;
	f.function = al_row_text_or_empty(l->functions, row, "name");
	snprintf(place, sizeof(place), "in %.*s [%.*s]", NAME, f.function, NAME,
		 al_row_text_or_empty(l->functions, row, "object"));
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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * concentration.c - finds a source line, or else a function, with at least half
 * of the misses of a cache level
 */
#include <stdio.h>
#include <string.h>

#include "base/text/line_writer.h"
#include "lib/report/findings/rules.h"

enum {
	MOST_PERCENT = 50, /* least percentage of the misses of a level that a
			      reported line or function has */
	NAME = 80,	   /* [bytes] of a name or note in a sentence */
	SHARE = 80,	   /* [bytes] of a text such as "81.6 % of D1 misses" */
};

static bool is_name_known(const char *nonnull_name)
{
	return *nonnull_name && strcmp(nonnull_name, "???") != 0;
}

/* Whether @misses, at one place, are at least MOST_PERCENT of the misses of the
   level and at least AL_FINDING_MISSES. */
static bool
is_reportable_half_of_level_misses(const struct al_level_with_misses *l,
				   uint64_t misses)
{
	return misses >= AL_FINDING_MISSES &&
	       al_rounded_down_percent(misses, l->misses) >= MOST_PERCENT;
}

/* Return the index of the row with most misses of the level among the rows with
   a known name in column @name_column_key. @top_misses_or_0: receives the
   misses; 0 if there is no such row, and the returned index is 0. */
static size_t find_named_row_with_most_misses(
	const struct al_level_with_misses *l, const struct al_table *t,
	const char *name_column_key, uint64_t *top_misses_or_0)
{
	size_t top = 0;

	*top_misses_or_0 = 0;
	for (size_t i = 0; i < t->n_rows; i++) {
		uint64_t n = al_table_row(t, i)[l->column].number;

		if (n > *top_misses_or_0 && is_name_known(al_row_text_or_empty(
						    t, i, name_column_key))) {
			*top_misses_or_0 = n;
			top = i;
		}
	}
	return top;
}

/* Return the text of a column of names; NULL if the name is not known. */
static const char *known_name_or_null(const struct al_table *t, size_t row,
				      const char *name_column_key)
{
	const char *name = al_row_text_or_empty(t, row, name_column_key);

	return is_name_known(name) ? name : NULL;
}

/* Write "at m.c:12 in main (inlined stl_tree.h:780)" to @place of @place_bytes
   bytes. */
static void format_line_place_and_note_if_note_known(char *place,
						     size_t place_bytes,
						     const struct al_finding *f,
						     const char *note)
{
	bool has_note = is_name_known(note);

	snprintf(place, place_bytes, "at %.*s:%llu%s%.*s%s%.*s%s", NAME,
		 f->file, (unsigned long long)f->line,
		 f->function ? " in " : "", NAME,
		 f->function ? f->function : "", has_note ? " (" : "", NAME,
		 note, has_note ? ")" : "");
}

/* The levels of a model, `item`, and the one that a finding is about, `own`. */
struct levels {
	const struct al_level_with_misses *item;
	unsigned n;
	const struct al_level_with_misses *own;
};

/* Return the first level that is neither @l->own nor a first level, and of
   whose misses row @row of @t has enough for a finding; NULL if there is none.
   The misses of all levels are columns of the same tables. */
static const struct al_level_with_misses *
find_lower_level_concentrated_at(const struct levels *l,
				 const struct al_table *t, size_t row)
{
	for (unsigned i = 0; i < l->n; i++) {
		const struct al_level_with_misses *lower = &l->item[i];

		if (lower != l->own && !lower->is_first &&
		    is_reportable_half_of_level_misses(
			    lower, al_table_row(t, row)[lower->column].number))
			return lower;
	}
	return NULL;
}

/* Misses of a place, and the level that has them; @level is NULL if there are
   none. */
struct share {
	const struct al_level_with_misses *level;
	uint64_t misses;
};

/* Write "81.6 % of D1 misses". */
static void format_percent_of_level_misses(char out[SHARE],
					   const struct share *s)
{
	snprintf(out, SHARE, "%.1f %% of %s misses",
		 100.0 * (double)s->misses / (double)s->level->misses,
		 s->level->name);
}

/* Write "3,511,549 of 4,302,280". */
static void format_misses_as_n_of_level_total(char out[SHARE],
					      const struct share *s)
{
	char misses[AL_NUMBER_BYTES], all[AL_NUMBER_BYTES];

	snprintf(out, SHARE, "%s of %s",
		 al_number_format_grouped(misses, s->misses),
		 al_number_format_grouped(all, s->level->misses));
}

static void
format_concentration_sentence(struct al_finding *f, const char *place,
			      const struct share *share_of_own_level,
			      const struct share *share_of_lower_level)
{
	char percent[2][SHARE], counts[2][SHARE];

	format_percent_of_level_misses(percent[0], share_of_own_level);
	format_misses_as_n_of_level_total(counts[0], share_of_own_level);
	if (share_of_lower_level->level == NULL) {
		snprintf(f->text, sizeof(f->text), "%s are %s: %s.", percent[0],
			 place, counts[0]);
		return;
	}
	format_percent_of_level_misses(percent[1], share_of_lower_level);
	format_misses_as_n_of_level_total(counts[1], share_of_lower_level);
	snprintf(f->text, sizeof(f->text), "%s and %s are %s: %s and %s.",
		 percent[0], percent[1], place, counts[0], counts[1]);
}

/* Set rule, evidence and text of a finding about @row of @t, whose place and
   misses are set, and insert it into @out. */
static void complete_and_add_finding(struct al_findings *out,
				     struct al_finding *f,
				     const struct levels *l, const char *place,
				     const struct al_table *t, size_t row)
{
	const struct share own = {l->own, f->misses};
	struct share lower = {
		.level = find_lower_level_concentrated_at(l, t, row)};

	f->rule = "concentration";
	al_finding_add_evidence_if_space(f, "misses", f->misses);
	al_finding_add_evidence_if_space(f, "level_misses", l->own->misses);
	if (lower.level) {
		lower.misses = al_table_row(t, row)[lower.level->column].number;
		al_finding_add_evidence_if_space(f, "lower_misses",
						 lower.misses);
		al_finding_add_evidence_if_space(f, "lower_level_misses",
						 lower.level->misses);
	}
	format_concentration_sentence(f, place, &own, &lower);
	al_findings_insert(out, f);
}

/* Return the note of a line at a level: the code inlined into it, or the calls
   that it was inlined into, with at least half of its misses; "" if there is
   none. */
static const char *row_note_at_level(const struct al_level_with_misses *l,
				     const struct al_table *t, size_t row)
{
	char id[NAME];

	snprintf(id, sizeof(id), "%s.note", l->name);
	return al_row_text_or_empty(t, row, id);
}

/* Return the note of a line about which a finding is; "" if it has none at one
   of the levels that the finding names. */
static const char *
line_note_or_empty_if_a_level_has_none(const struct levels *l,
				       const struct al_table *t, size_t row)
{
	const struct al_level_with_misses *lower =
		find_lower_level_concentrated_at(l, t, row);

	return lower && !*row_note_at_level(lower, t, row)
		       ? ""
		       : row_note_at_level(l->own, t, row);
}

static bool try_add_top_line_finding(const struct levels *l,
				     struct al_findings *out)
{
	const struct al_table *t = l->own->lines;
	struct al_finding f = {.rule = NULL};
	size_t row =
		find_named_row_with_most_misses(l->own, t, "file", &f.misses);
	char place[AL_FINDING_TEXT - 180];

	if (!is_reportable_half_of_level_misses(l->own, f.misses))
		return false;
	f.line = al_row_number_or_0(t, row, "line");
	if (f.line == 0)
		return false;
	f.file = al_row_text_or_empty(t, row, "file");
	f.function = known_name_or_null(t, row, "function");
	format_line_place_and_note_if_note_known(
		place, sizeof(place), &f,
		line_note_or_empty_if_a_level_has_none(l, t, row));
	complete_and_add_finding(out, &f, l, place, t, row);
	return true;
}

static void try_add_top_function_finding(const struct levels *l,
					 struct al_findings *out)
{
	const struct al_table *t = l->own->functions;
	struct al_finding f = {.rule = NULL};
	size_t row =
		find_named_row_with_most_misses(l->own, t, "name", &f.misses);
	char place[AL_FINDING_TEXT - 180];

	if (!is_reportable_half_of_level_misses(l->own, f.misses))
		return;
	f.function = al_row_text_or_empty(t, row, "name");
	snprintf(place, sizeof(place), "in %.*s [%.*s]", NAME, f.function, NAME,
		 al_row_text_or_empty(t, row, "object"));
	complete_and_add_finding(out, &f, l, place, t, row);
}

void al_rule_add_miss_concentration(const struct al_model *m,
				    struct al_findings *out)
{
	struct al_level_with_misses level[AL_MAX_MISSING];
	struct levels l = {.item = level,
			   .n = al_find_levels_with_misses(m, level)};

	for (unsigned i = 0; i < l.n; i++) {
		l.own = &level[i];
		if (!try_add_top_line_finding(&l, out))
			try_add_top_function_finding(&l, out);
	}
}

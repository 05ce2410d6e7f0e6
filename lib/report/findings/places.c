/* SPDX-License-Identifier: GPL-2.0-or-later */
/* places.c - sums sites by source line; see places.h */

#include "lib/report/findings/places.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 80 /* [bytes] of a name in a text */ };

/* A row of the table "sites": an access of an instruction. */
struct site {
	struct al_place place;
	size_t row; /* index of the site's row in the table "sites" */
};

/* Order places by file, line, object and, if the line is 0, function. */
static int compare_places_by_file_line_object(const struct al_place *a,
					      const struct al_place *b)
{
	int c = strcmp(a->file, b->file);

	if (!c)
		c = (a->line > b->line) - (a->line < b->line);
	if (!c)
		c = strcmp(a->object, b->object);
	if (!c && a->line == 0)
		c = strcmp(a->function, b->function);
	return c;
}

static int compare_sites_by_place_and_row(const void *x, const void *y)
{
	const struct site *a = x, *b = y;
	int c = compare_places_by_file_line_object(&a->place, &b->place);

	return c ? c : (a->row > b->row) - (a->row < b->row);
}

static struct site
read_site_place_and_column_values(const struct al_table *t, size_t row,
				  const char *const *sum_column_keys,
				  unsigned n_columns)
{
	struct site s = {.row = row};

	s.place.file = al_row_text_or_empty(t, row, "file");
	s.place.function = al_row_text_or_empty(t, row, "function");
	s.place.object = al_row_text_or_empty(t, row, "object");
	s.place.line = al_row_number_or_0(t, row, "line");
	for (unsigned i = 0; i < n_columns; i++)
		s.place.sum[i] = al_row_number_or_0(t, row, sum_column_keys[i]);
	return s;
}

static void add_sums(uint64_t *to, const uint64_t *from)
{
	for (unsigned i = 0; i < AL_MAX_SUMS; i++)
		to[i] += from[i];
}

/* Add up the sums of sites with the same place, and append one place for each.
   Also add all sums to the total. @sites_by_place: [site_count] sorted by
   place. */
static void sum_sorted_sites_by_place(struct al_places *p,
				      const struct site *sites_by_place,
				      size_t site_count)
{
	for (size_t i = 0; i < site_count; i++) {
		struct al_place *last = p->n ? &p->place[p->n - 1] : NULL;

		add_sums(p->total, sites_by_place[i].place.sum);
		if (last && compare_places_by_file_line_object(
				    last, &sites_by_place[i].place) == 0)
			add_sums(last->sum, sites_by_place[i].place.sum);
		else
			p->place[p->n++] = sites_by_place[i].place;
	}
}

bool al_places_sum_sites_table_by_place(struct al_places *p,
					const struct al_model *m,
					const char *const *column_keys,
					unsigned n_columns)
{
	const struct al_table *t = al_model_find_table(m, "sites");
	size_t n = t ? t->n_rows : 0;
	struct site *site = calloc(n + 1, sizeof(*site));

	*p = (struct al_places){.place = calloc(n + 1, sizeof(*p->place))};
	if (t && site && p->place) {
		for (size_t i = 0; i < n; i++)
			site[i] = read_site_place_and_column_values(
				t, i, column_keys, n_columns);
		qsort(site, n, sizeof(*site), compare_sites_by_place_and_row);
		sum_sorted_sites_by_place(p, site, n);
	}
	free(site);
	return t && site && p->place;
}

void al_places_release(struct al_places *p)
{
	free(p->place);
	*p = (struct al_places){0};
}

static bool is_name_known(const char *nonnull_name)
{
	return *nonnull_name && strcmp(nonnull_name, "???") != 0;
}

bool al_place_has_line_or_function(const struct al_place *p)
{
	return p->line != 0 || is_name_known(p->function);
}

void al_finding_set_file_line_and_function(struct al_finding *f,
					   const struct al_place *p)
{
	f->file = is_name_known(p->file) ? p->file : NULL;
	f->function = is_name_known(p->function) ? p->function : NULL;
	f->line = p->line;
}

char *al_place_format(char out[AL_PLACE_TEXT], const struct al_place *p)
{
	bool has_function = is_name_known(p->function);

	if (p->line == 0)
		snprintf(out, AL_PLACE_TEXT, "in %.*s [%.*s]", NAME,
			 p->function, NAME, p->object);
	else
		snprintf(out, AL_PLACE_TEXT, "at %.*s:%llu%s%.*s", NAME,
			 p->file, (unsigned long long)p->line,
			 has_function ? " in " : "", NAME,
			 has_function ? p->function : "");
	return out;
}

const struct al_level_with_misses *
al_find_level_of_sites_table(const struct al_model *m,
			     const struct al_level_with_misses *level,
			     unsigned n)
{
	const struct al_result_node *evidence =
		al_model_find_member(&m->root, "evidence");
	const struct al_result_node *name =
		evidence ? al_model_find_member(evidence, "level") : NULL;

	for (unsigned i = 0; name && i < n; i++)
		if (!strcmp(level[i].name, name->value.text))
			return &level[i];
	return NULL;
}

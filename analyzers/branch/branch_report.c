/* SPDX-License-Identifier: GPL-2.0-or-later */
/* branch_report.c - adds up results, and builds their model; see branch.h */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyzers/branch/branch.h"
#include "analyzers/code_label.h"
#include "analyzers/place_columns.h"

enum {
	HARD_PERCENT = 90
}; /* [%] of all mispredictions that the lines of the
			       table "hard" have at least */

static const struct al_column count_column[] = {
	[AN_BC] = AL_NUMBER_COLUMN("Bc", "Bc"),
	[AN_BCM] = AL_NUMBER_COLUMN("Bcm", "Bcm"),
	[AN_BI] = AL_NUMBER_COLUMN("Bi", "Bi"),
	[AN_BIM] = AL_NUMBER_COLUMN("Bim", "Bim"),
	[AN_TAKEN] = AL_NUMBER_COLUMN("taken", "taken"),
};

int an_branch_result_merge(struct an_branch_result *to,
			   const struct an_branch_result *from)
{
	for (unsigned c = 0; c < AN_N_BRANCH_COUNTS; c++)
		to->total[c] += from->total[c];
	to->returns += from->returns;
	for (unsigned i = 0; i < AN_N_BRANCH_MODELS; i++) {
		to->model[i].conditional_missed +=
			from->model[i].conditional_missed;
		to->model[i].indirect_missed += from->model[i].indirect_missed;
		to->model[i].returns_missed += from->model[i].returns_missed;
	}
	return an_place_counts_add_all(&to->places, &from->places);
}

/* ---- models ---- */

enum {
	NAME,
	EXECUTED,
	MISPREDICTED,
	CONDITIONAL,
	INDIRECT,
	RETURNS,
	RATE,
	MODEL_COLUMNS
};

static const struct al_column model_column[MODEL_COLUMNS] = {
	[NAME] = {.key = "name", .title = "model"},
	[EXECUTED] = AL_NUMBER_COLUMN("executed", "predicted"),
	[MISPREDICTED] = AL_NUMBER_COLUMN("mispredicted", "wrong"),
	[CONDITIONAL] = AL_NUMBER_COLUMN("conditional", "conditional"),
	[INDIRECT] = AL_NUMBER_COLUMN("indirect", "indirect"),
	[RETURNS] = AL_NUMBER_COLUMN("returns", "returns"),
	[RATE] = AL_PERCENT_COLUMN("rate", MISPREDICTED, EXECUTED, 2),
};

/* Return the number of executed branches that model @m predicts, right or
   wrong. */
static uint64_t
sum_branch_executions_model_predicts(const struct an_branch_result *r,
				     const struct an_branch_model *m)
{
	return (m->predict_directions ? r->total[AN_BC] : 0) +
	       (m->predict_target ? r->total[AN_BI] : 0) +
	       (m->predicts_returns ? r->returns : 0);
}

static void add_predictor_table_and_view(struct al_model *m,
					 const struct an_branch_result *r)
{
	static const unsigned shown[] = {NAME,	 EXECUTED,    MISPREDICTED,
					 RATE,	 CONDITIONAL, INDIRECT,
					 RETURNS};
	struct al_table *t = al_model_add_table(m, "models", "Models",
						model_column, MODEL_COLUMNS);

	for (unsigned i = 0; i < AN_N_BRANCH_MODELS; i++) {
		const struct an_model_counts *c = &r->model[i];
		const union al_cell cell[MODEL_COLUMNS] = {
			[NAME].text = an_branch_models[i]->name,
			[EXECUTED].number =
				sum_branch_executions_model_predicts(
					r, an_branch_models[i]),
			[MISPREDICTED].number = c->conditional_missed +
						c->indirect_missed +
						c->returns_missed,
			[CONDITIONAL].number = c->conditional_missed,
			[INDIRECT].number = c->indirect_missed,
			[RETURNS].number = c->returns_missed};

		if (c->is_used)
			al_table_add_row(m, t, cell);
	}
	al_model_add_view_copy(
		m, AL_VIEW("Branch prediction", t, shown, .sort = AL_UNSORTED));
}

/* ---- hard branches ---- */

enum {
	H_FUNCTION,
	H_FILE,
	H_LINE,
	H_EXECUTED,
	H_WRONG,
	H_OBJECT,
	H_RATE,
	H_SHARE,
	H_LABEL,
	HARD_COLUMNS
};

/* A source line with branches, and how often these were executed and
   mispredicted. */
struct hard {
	struct an_symbol place;
	uint64_t executed, wrong;
};

static int compare_lines_most_mispredicted_first(const void *x, const void *y)
{
	const struct hard *a = x, *b = y;
	int d = (a->wrong < b->wrong) - (a->wrong > b->wrong);

	if (d == 0)
		d = strcmp(a->place.file, b->place.file);
	if (d == 0)
		d = (a->place.line > b->place.line) -
		    (a->place.line < b->place.line);
	if (d == 0)
		d = strcmp(a->place.function, b->place.function);
	return d ? d : strcmp(a->place.object, b->place.object);
}

/* Return an array of all lines with branches, most mispredictions first; the
   caller frees it. NULL: memory is short. */
static struct hard *
list_lines_most_mispredicted_first(const struct an_branch_result *r)
{
	uint32_t n = r->places.lines.n;
	struct hard *h = malloc((n + 1) * sizeof(*h));

	for (uint32_t i = 0; h && i < n; i++) {
		const uint64_t *c =
			r->places.count + (size_t)i * AN_N_BRANCH_COUNTS;

		h[i] = (struct hard){
			an_place_counts_symbol_at_index(&r->places, i),
			c[AN_BC] + c[AN_BI], c[AN_BCM] + c[AN_BIM]};
	}
	if (h != NULL)
		qsort(h, n, sizeof(*h), compare_lines_most_mispredicted_first);
	return h;
}

static char *alloc_hard_to_predict_line_label(const union al_cell *row,
					      size_t max_bytes)
{
	const struct an_code_place place = {
		.function = row[H_FUNCTION].text,
		.file = row[H_FILE].text,
		.object = row[H_OBJECT].text,
		.line = row[H_LINE].number,
	};

	return an_code_label_alloc(&place, "", max_bytes);
}

static const struct al_column *
make_hard_branch_columns(struct al_model *m, uint64_t total_mispredictions)
{
	static const struct al_column column[HARD_COLUMNS] = {
		[H_FUNCTION] = {.key = "function"},
		[H_FILE] = {.key = "file"},
		[H_LINE] = {.key = "line",
			    .title = "line",
			    .kind = AL_COLUMN_NUMBER,
			    .style = AL_STYLE_PLAIN},
		[H_EXECUTED] = AL_NUMBER_COLUMN("executed", "executed"),
		[H_WRONG] = AL_NUMBER_COLUMN("mispredicted", "wrong"),
		[H_OBJECT] = {.id = "object"},
		[H_RATE] = AL_PERCENT_COLUMN("rate", H_WRONG, H_EXECUTED, 1),
		[H_SHARE] = AL_SHARE_COLUMN("share", H_WRONG, 1),
		[H_LABEL] = AL_LABEL_COLUMN("line",
					    alloc_hard_to_predict_line_label),
	};
	struct al_column *copy = al_model_copy_columns(m, column, HARD_COLUMNS);

	if (copy != NULL)
		copy[H_SHARE].total = total_mispredictions;
	return copy;
}

/* Add the table "hard" and a view of it: the fewest lines that together have at
   least HARD_PERCENT of the mispredictions. */
static void
add_hard_to_predict_lines_table_and_view(struct al_model *m,
					 const struct an_branch_result *r)
{
	static const unsigned shown[] = {H_WRONG, H_SHARE, H_RATE, H_LABEL};
	uint64_t all = r->total[AN_BCM] + r->total[AN_BIM], sum = 0;
	const struct al_column *column = make_hard_branch_columns(m, all);
	struct al_table *t =
		column ? al_model_add_table(m, "hard",
					    "Branches that are hard to predict",
					    column, HARD_COLUMNS)
		       : NULL;
	struct hard *h = list_lines_most_mispredicted_first(r);

	if (h == NULL)
		m->error = -ENOMEM;
	for (uint32_t i = 0; h && i < r->places.lines.n && h[i].wrong > 0 &&
			     sum * 100 < all * HARD_PERCENT;
	     i++) {
		const union al_cell cell[HARD_COLUMNS] = {
			[H_FUNCTION].text = h[i].place.function,
			[H_FILE].text = h[i].place.file,
			[H_LINE].number = h[i].place.line,
			[H_EXECUTED].number = h[i].executed,
			[H_WRONG].number = h[i].wrong,
			[H_OBJECT].text = h[i].place.object};

		al_table_add_row(m, t, cell);
		sum += h[i].wrong;
	}
	free(h);
	al_model_add_view_copy(m, AL_VIEW("Branches that are hard to predict",
					  t, shown, .is_detail = true,
					  .sort = AL_UNSORTED, .top = 10));
}

void an_branch_result_add_to_model(const struct an_branch_result *r,
				   struct al_model *m)
{
	static const char *const key[] = {"Bc", "Bcm", "Bi", "Bim"};

	al_model_begin_object(m, "totals");
	for (unsigned i = AN_BC; i <= AN_BIM; i++)
		al_model_add_number(m, key[i], NULL, NULL, r->total[i]);
	al_model_end_object_or_list(m);
	add_predictor_table_and_view(m, r);
	add_hard_to_predict_lines_table_and_view(m, r);
	an_place_counts_add_tables(&r->places, m, count_column,
				   AN_N_BRANCH_COUNTS);
}

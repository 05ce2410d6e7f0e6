/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sweep_report.c - builds the result of a sweep; see sweep_report.h */

#include "analyzers/sweep/sweep_report.h"

#include <stdio.h>
#include <string.h>

#include "analyzers/sweep/size_grid.h"

enum {
	COLUMNS = 8, /* maximum number of associativities in one view */
	TITLE = 128, /* [bytes] maximum size of a heading with its NUL */
};

/* ---- all caches ---- */

enum {
	SHAPE_LEVEL,
	SHAPE_SIZE,
	SHAPE_ASSOC,
	SHAPE_LINE,
	SHAPE_READS,
	SHAPE_READ_MISSES,
	SHAPE_WRITES,
	SHAPE_WRITE_MISSES,
	SHAPE_COLUMNS
};

static const struct al_column shape_column[SHAPE_COLUMNS] = {
	[SHAPE_LEVEL] = {.key = "level"},
	[SHAPE_SIZE] = {.key = "size",
			.unit = "bytes",
			.kind = AL_COLUMN_NUMBER},
	[SHAPE_ASSOC] = AL_NUMBER_COLUMN("assoc", NULL),
	[SHAPE_LINE] = {.key = "line",
			.unit = "bytes",
			.kind = AL_COLUMN_NUMBER},
	[SHAPE_READS] = AL_NUMBER_COLUMN("reads", NULL),
	[SHAPE_READ_MISSES] = AL_NUMBER_COLUMN("read_misses", NULL),
	[SHAPE_WRITES] = AL_NUMBER_COLUMN("writes", NULL),
	[SHAPE_WRITE_MISSES] = AL_NUMBER_COLUMN("write_misses", NULL),
};

static struct al_table *add_table_of_caches(struct al_model *m,
					    const struct an_geometry *g,
					    const struct an_sweepcount *count)
{
	const struct an_sweep *s = g->sweep;
	struct al_table *t = al_model_add_table(m, "configurations", "Caches",
						shape_column, SHAPE_COLUMNS);

	for (unsigned i = 0; i < s->n; i++) {
		const struct an_shape *shape = &s->shape[i];
		const union al_cell cell[SHAPE_COLUMNS] = {
			[SHAPE_LEVEL].text = g->level[s->level].name,
			[SHAPE_SIZE].number = shape->size,
			[SHAPE_ASSOC].number = shape->assoc,
			[SHAPE_LINE].number = shape->line,
			[SHAPE_READS].number = count[i].accesses[AN_READ],
			[SHAPE_READ_MISSES].number = count[i].misses[AN_READ],
			[SHAPE_WRITES].number = count[i].accesses[AN_WRITE],
			[SHAPE_WRITE_MISSES].number = count[i].misses[AN_WRITE],
		};

		al_table_add_row(m, t, cell);
	}
	return t;
}

/* ---- by size and associativity, for people ---- */

/* Return the column of the misses of an associativity; that of its accesses
   follows. The columns of a grid are: the size; misses and accesses of each
   associativity; the ratio of each associativity. */
static unsigned misses_column_index(unsigned assoc_index)
{
	return 1 + 2 * assoc_index;
}

static unsigned miss_ratio_column_index(const struct an_sweepgrid *g,
					unsigned assoc_index)
{
	return 1 + 2 * g->n_assocs + assoc_index;
}

static const char *copy_assoc_label_into_model(struct al_model *m,
					       uint32_t assoc)
{
	char label[AN_LABEL_SIZE];

	return al_model_copy_string_empty_if_no_memory(
		m, an_sweepgrid_format_full_or_n_way(label, assoc));
}

static struct al_column *create_grid_table_columns(struct al_model *m,
						   const struct an_sweepgrid *g)
{
	unsigned n = 1 + 3 * g->n_assocs;
	struct al_column *column =
		al_model_alloc_uninitialised(m, n * sizeof(*column));

	if (column == NULL)
		return NULL;
	column[0] = (struct al_column){.title = "size",
				       .unit = "bytes",
				       .kind = AL_COLUMN_NUMBER,
				       .style = AL_STYLE_BINARY,
				       .left_aligned = true};
	for (unsigned a = 0; a < g->n_assocs; a++) {
		unsigned misses = misses_column_index(a);

		column[misses] = (struct al_column){.kind = AL_COLUMN_NUMBER};
		column[misses + 1] = column[misses];
		column[miss_ratio_column_index(g, a)] = (struct al_column){
			.title = copy_assoc_label_into_model(m, g->assoc[a]),
			.kind = AL_COLUMN_RATIO,
			.numerator = misses,
			.denominator = misses + 1,
			.factor = 100,
			.decimals = 4};
	}
	return column;
}

static uint64_t sum_reads_and_writes(const uint64_t *counts)
{
	return counts[AN_READ] + counts[AN_WRITE];
}

/* Add the row of one cache size, with the misses and accesses of each
   associativity. A cache without accesses gets one access and no miss, so that
   its ratio is 0. A cache that is not in the sweep gets 0 of both. */
static void add_row_of_size(struct al_model *m, struct al_table *t,
			    const struct an_sweepgrid *g, unsigned size_index)
{
	union al_cell *cell = al_model_alloc_uninitialised(
		m, (1 + 2 * g->n_assocs) * sizeof(*cell));

	if (cell == NULL)
		return;
	cell[0].number = g->size[size_index];
	for (unsigned a = 0; a < g->n_assocs; a++) {
		const struct an_sweepcount *c =
			g->cell[size_index * g->n_assocs + a];
		union al_cell *pair = &cell[misses_column_index(a)];
		uint64_t accesses = c ? sum_reads_and_writes(c->accesses) : 0;

		pair[0].number = c ? sum_reads_and_writes(c->misses) : 0;
		pair[1].number = c && accesses == 0 ? 1 : accesses;
	}
	al_table_add_row(m, t, cell);
}

/* Add a view of table @t with the sizes and the ratios of at most COLUMNS
   associativities, from index @first_assoc_index on. @title: NULL: the view
   continues the one before. */
static void add_view_of_ratios_from_assoc_index(struct al_model *m,
						const struct al_table *t,
						const struct an_sweepgrid *g,
						unsigned first_assoc_index,
						const char *title)
{
	unsigned end = first_assoc_index + COLUMNS < g->n_assocs
			       ? first_assoc_index + COLUMNS
			       : g->n_assocs;
	unsigned *column = al_model_alloc_uninitialised(
		m, (1 + end - first_assoc_index) * sizeof(*column));

	if (column == NULL)
		return;
	column[0] = 0;
	for (unsigned a = first_assoc_index; a < end; a++)
		column[1 + a - first_assoc_index] =
			miss_ratio_column_index(g, a);
	al_model_add_view_copy(
		m, &(struct al_view){.title = title,
				     .table = t,
				     .column = column,
				     .n_columns = 1 + end - first_assoc_index,
				     .sort = AL_UNSORTED});
}

static const char *format_sweep_title(struct al_model *m,
				      const struct an_geometry *g,
				      uint32_t line_size)
{
	char title[TITLE];

	snprintf(
		title, sizeof(title),
		"Sweep of %s, lines of %u bytes: misses in percent of accesses",
		g->level[g->sweep->level].name, line_size);
	return al_model_copy_string_empty_if_no_memory(m, title);
}

static void add_grid_table_and_ratio_views(struct al_model *m,
					   const struct an_sweepgrid *grid,
					   const char *title)
{
	struct al_column *column = create_grid_table_columns(m, grid);
	struct al_table *t;

	if (column == NULL)
		return;
	t = al_model_add_table(m, NULL, title, column, 1 + 3 * grid->n_assocs);
	for (unsigned i = 0; i < grid->n_sizes; i++)
		add_row_of_size(m, t, grid, i);
	for (unsigned a = 0; a < grid->n_assocs; a += COLUMNS)
		add_view_of_ratios_from_assoc_index(m, t, grid, a,
						    a == 0 ? title : NULL);
}

/* A sweep, and the accesses and misses of each of its caches, from which curves
   are drawn. */
struct curves {
	const struct an_sweep *sweep;
	const struct an_sweepcount *count; /* [sweep->n], by index of the
					      shape */
};

static void draw_miss_curves_of_line_size(const void *state, uint64_t line_size,
					  struct an_text *text)
{
	const struct curves *c = state;
	struct an_sweepgrid grid;

	if (an_sweepgrid_build(&grid, c->sweep, c->count,
			       (uint32_t)line_size) == 0) {
		text->line(text, "");
		an_miss_curves_print(&grid, text);
	}
	an_sweepgrid_release(&grid);
}

static void add_line_size_grid_and_curves(struct al_model *m,
					  const struct an_geometry *g,
					  const struct an_sweepcount *count,
					  uint32_t line_size)
{
	struct curves *curves =
		al_model_alloc_uninitialised(m, sizeof(*curves));
	struct an_sweepgrid grid;
	int err = an_sweepgrid_build(&grid, g->sweep, count, line_size);

	if (err)
		m->error = err;
	if (curves != NULL && !err) {
		*curves = (struct curves){g->sweep, count};
		add_grid_table_and_ratio_views(
			m, &grid, format_sweep_title(m, g, line_size));
		al_model_add_view_copy(
			m,
			&(struct al_view){.draw = draw_miss_curves_of_line_size,
					  .state = curves,
					  .what = line_size});
	}
	an_sweepgrid_release(&grid);
}

void an_sweep_add_to_model(const struct an_geometry *g,
			   const struct an_sweepcount *count,
			   struct al_model *m)
{
	uint32_t line = 0;

	al_model_add_uncopied_string(m, "policy", "LRU");
	add_table_of_caches(m, g, count);
	while ((line = an_sweep_next_larger_line_size_or_0(g->sweep, line)) !=
	       0)
		add_line_size_grid_and_curves(m, g, count, line);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * inlined_table.c - builds the table of inlined lines of a cache simulation;
 * see own_lines.h
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyzers/cache/own_lines.h"
#include "base/tables/compare.h"

enum {
	FILE_NAME,
	LINE,
	OBJECT,
	PATH,
	FUNCTION,
	CALL_FILE,
	CALL_LINE,
	CALL_PATH,
	EVENTS, /* first column of the events */
	COLUMNS = EVENTS + AN_N_EVENTS,
};

static const struct al_column name_column[EVENTS] = {
	[FILE_NAME] = {.key = "file"},
	[LINE] = AL_NUMBER_COLUMN("line", NULL),
	[OBJECT] = {.key = "object"},
	[PATH] = {.key = "path"},
	[FUNCTION] = {.key = "function"},
	[CALL_FILE] = {.key = "call_file"},
	[CALL_LINE] = AL_NUMBER_COLUMN("call_line", NULL),
	[CALL_PATH] = {.key = "call_path"},
};

/* Compare rows for qsort(): by an_cost_row_compare_instrs_desc(), then by file
   and line of the call that the line was inlined into, ascending. */
static int compare_inlined_rows_by_instrs_and_call(const void *x, const void *y)
{
	const struct an_symbol *a =
		&(*(const struct an_cost_row *const *)x)->symbol;
	const struct an_symbol *b =
		&(*(const struct an_cost_row *const *)y)->symbol;
	int d = an_cost_row_compare_instrs_desc(x, y);

	if (d == 0)
		d = strcmp(a->call_file, b->call_file);
	return d ? d : al_compare_u64(a->call_line, b->call_line);
}

static void add_inlined_line_row(struct al_model *m, struct al_table *t,
				 const struct an_cost_row *row)
{
	const struct an_symbol *s = &row->symbol;
	union al_cell cell[COLUMNS] = {
		[FILE_NAME].text = s->file,
		[LINE].number = s->line,
		[OBJECT].text = s->object,
		[PATH].text = s->path,
		[FUNCTION].text = s->function,
		[CALL_FILE].text = s->call_file,
		[CALL_LINE].number = s->call_line,
		[CALL_PATH].text = s->call_path,
	};

	for (unsigned i = 0; i < AN_N_EVENTS; i++)
		cell[EVENTS + i].number = row->cost.event[i];
	al_table_add_row(m, t, cell);
}

static struct al_column *make_inlined_line_table_columns(struct al_model *m)
{
	struct al_column *column =
		al_model_alloc_uninitialised(m, COLUMNS * sizeof(*column));

	for (unsigned i = 0; column && i < COLUMNS; i++)
		column[i] = i < EVENTS
				    ? name_column[i]
				    : (struct al_column){
					      .key = an_event_name[i - EVENTS],
					      .kind = AL_COLUMN_NUMBER};
	return column;
}

void an_cacheresult_add_inlined_line_table(struct al_model *m,
					   const struct an_cacheresult *r)
{
	struct al_column *column = make_inlined_line_table_columns(m);
	const struct an_cost_row **row = an_cost_table_alloc_sorted_rows(
		&r->inlined, compare_inlined_rows_by_instrs_and_call);
	struct al_table *t =
		column ? al_model_add_table(m, "inlined", "Inlined lines",
					    column, COLUMNS)
		       : NULL;

	if (row == NULL && r->inlined.n > 0)
		m->error = -ENOMEM;
	for (uint32_t i = 0; row && i < r->inlined.n; i++)
		add_inlined_line_row(m, t, row[i]);
	free(row);
}

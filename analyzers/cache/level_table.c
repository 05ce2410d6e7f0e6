/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * level_table.c - builds the table of levels of a cache simulation; see
 * cache_result.h
 */

#include <stdio.h>

#include "analyzers/cache/cache_result.h"

enum {
	NUMBER = 24, /* [bytes] size of the buffer for a text such as "8-way" */
};

enum level_column {
	LEVEL_NAME,
	LEVEL_SIZE,
	LEVEL_ASSOC,
	LEVEL_LINE,
	LEVEL_READS,
	LEVEL_READ_MISSES,
	LEVEL_WRITES,
	LEVEL_WRITE_MISSES,
	LEVEL_WRITEBACKS,
	LEVEL_WAYS,
	LEVEL_ACCESSES,
	LEVEL_MISSES,
	LEVEL_STORED,
	LEVEL_RATIO = LEVEL_STORED,
	LEVEL_PER_1000,
	LEVEL_COLUMNS
};

/* Columns of the table of levels. The denominator of LEVEL_PER_1000, the number
   of instructions executed, is set in a copy of this array. */
static const struct al_column level_column[LEVEL_COLUMNS] = {
	[LEVEL_NAME] = {.key = "name", .title = ""},
	[LEVEL_SIZE] = {.key = "size",
			.title = "size",
			.unit = "bytes",
			.kind = AL_COLUMN_NUMBER,
			.style = AL_STYLE_BINARY},
	[LEVEL_ASSOC] = AL_NUMBER_COLUMN("assoc", NULL),
	[LEVEL_LINE] = {.key = "line",
			.title = "line",
			.unit = "bytes",
			.kind = AL_COLUMN_NUMBER,
			.style = AL_STYLE_PLAIN},
	[LEVEL_READS] = AL_NUMBER_COLUMN("reads", "reads"),
	[LEVEL_READ_MISSES] = AL_NUMBER_COLUMN("read_misses", "misses"),
	[LEVEL_WRITES] = AL_NUMBER_COLUMN("writes", "writes"),
	[LEVEL_WRITE_MISSES] = AL_NUMBER_COLUMN("write_misses", "misses"),
	[LEVEL_WRITEBACKS] = {.key = "writebacks",
			      .title = "written back",
			      .unit = "lines",
			      .kind = AL_COLUMN_NUMBER},
	[LEVEL_WAYS] = {.id = "ways", .title = "ways"},
	[LEVEL_ACCESSES] = {.id = "accesses",
			    .title = "accesses",
			    .kind = AL_COLUMN_NUMBER},
	[LEVEL_MISSES] = {.id = "misses",
			  .title = "misses",
			  .kind = AL_COLUMN_NUMBER},
	[LEVEL_RATIO] =
		AL_PERCENT_COLUMN("ratio", LEVEL_MISSES, LEVEL_ACCESSES, 2),
	[LEVEL_PER_1000] = {.title = "per 1000 instr",
			    .kind = AL_COLUMN_RATIO,
			    .numerator = LEVEL_MISSES,
			    .has_total = true,
			    .factor = 1000,
			    .decimals = 2},
};

static const char *format_full_or_n_way(struct al_model *m,
					const struct an_level *l)
{
	char ways[NUMBER];

	if (l->sets == 1)
		return "full";
	snprintf(ways, sizeof(ways), "%u-way", l->assoc);
	return al_model_copy_string_empty_if_no_memory(m, ways);
}

static void add_level_row(struct al_model *m, struct al_table *t,
			  const struct an_level *level,
			  const struct an_level_counts *counts)
{
	const union al_cell cell[LEVEL_STORED] = {
		[LEVEL_NAME].text = level->name,
		[LEVEL_SIZE].number = level->size,
		[LEVEL_ASSOC].number = level->assoc,
		[LEVEL_LINE].number = level->line,
		[LEVEL_READS].number = counts->reads,
		[LEVEL_READ_MISSES].number = counts->read_misses,
		[LEVEL_WRITES].number = counts->writes,
		[LEVEL_WRITE_MISSES].number = counts->write_misses,
		[LEVEL_WRITEBACKS].number = counts->writebacks,
		[LEVEL_WAYS].text = format_full_or_n_way(m, level),
		[LEVEL_ACCESSES].number = counts->reads + counts->writes,
		[LEVEL_MISSES].number =
			counts->read_misses + counts->write_misses,
	};

	al_table_add_row(m, t, cell);
}

static void add_level_views(struct al_model *m, const struct al_table *t)
{
	static const unsigned sums[] = {
		LEVEL_NAME,	LEVEL_SIZE,   LEVEL_WAYS,  LEVEL_LINE,
		LEVEL_ACCESSES, LEVEL_MISSES, LEVEL_RATIO, LEVEL_PER_1000};
	static const unsigned kinds[] = {LEVEL_NAME,	     LEVEL_READS,
					 LEVEL_READ_MISSES,  LEVEL_WRITES,
					 LEVEL_WRITE_MISSES, LEVEL_WRITEBACKS};

	al_model_add_view_copy(
		m, AL_VIEW("Cache levels", t, sums, .sort = AL_UNSORTED));
	al_model_add_view_copy(m,
			       AL_VIEW("Reads and writes", t, kinds,
				       .is_extra = true, .sort = AL_UNSORTED));
}

void an_cacheresult_add_level_table_and_views(struct al_model *m,
					      const struct an_cacheresult *r,
					      const struct an_geometry *g)
{
	struct al_column *column =
		al_model_copy_columns(m, level_column, LEVEL_COLUMNS);
	struct al_table *t;

	if (column == NULL)
		return;
	column[LEVEL_PER_1000].total = r->total.event[AN_IR];
	t = al_model_add_table(m, "levels", "Cache levels", column,
			       LEVEL_COLUMNS);
	for (int i = 0; i < g->n_levels; i++)
		add_level_row(m, t, &g->level[i], &r->level[i]);
	add_level_views(m, t);
}

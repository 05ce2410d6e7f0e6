/* SPDX-License-Identifier: GPL-2.0-or-later */
/* site_report.c - builds the table "sites" (accesses of instructions); see
   site_table.h */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzers/cache/evidence/lower_twins.h"
#include "base/tables/compare.h"

/* Names of enum an_site_count in the JSON. */
static const char *const count_name[AN_SITE_LOWER] = {
	[AN_SITE_ACCESSES] = "accesses",
	[AN_SITE_MISSES] = "misses",
	[AN_SITE_STEPS] = "steps",
	[AN_SITE_WALKS] = "walks",
	[AN_SITE_NEIGHBOUR_WALKS] = "neighbour_walks",
	[AN_SITE_LINES] = "lines",
	[AN_SITE_USED_BYTES] = "used_bytes",
	[AN_SITE_SINGLE_LINES] = "single_lines",
	[AN_SITE_TWIN_MISSES] = "twin_misses",
	[AN_SITE_WRITTEN_BYTES] = "written_bytes",
	[AN_SITE_OVERWRITTEN_BYTES] = "overwritten_bytes",
	[AN_SITE_UNREAD_BYTES] = "unread_bytes",
	[AN_SITE_CHAINED_MISSES] = "chained_misses",
};

/* By count of a site, without those of lower levels: whether the row of a site
   is reported because this count is not 0. */
static const bool is_evidence[AN_SITE_LOWER] = {
	[AN_SITE_MISSES] = true,
	[AN_SITE_WRITTEN_BYTES] = true,
	[AN_SITE_OVERWRITTEN_BYTES] = true,
	[AN_SITE_UNREAD_BYTES] = true,
};

enum {
	FUNCTION,
	FILE_NAME,
	LINE,
	OBJECT,
	OFFSET,
	ACCESS,
	KIND,
	SIZE,
	STRIDE,	      /* absolute value of the site's most frequent stride */
	IS_DOWNWARDS, /* 1: the site's most frequent stride leads to lower
			 addresses */
	STEPS_AT_STRIDE,
	COUNTS, /* first column of counts */
	COLUMNS = COUNTS + AN_N_SITE_COUNTS,
};

static const struct al_column position_column[COUNTS] = {
	[FUNCTION] = {.key = "function"},
	[FILE_NAME] = {.key = "file"},
	[LINE] = AL_NUMBER_COLUMN("line", NULL),
	[OBJECT] = {.key = "object"},
	[OFFSET] = AL_NUMBER_COLUMN("page_offset", NULL),
	[ACCESS] = AL_NUMBER_COLUMN("access", NULL),
	[KIND] = {.key = "kind"},
	[SIZE] = {.key = "size", .unit = "bytes", .kind = AL_COLUMN_NUMBER},
	[STRIDE] = {.key = "stride", .unit = "bytes", .kind = AL_COLUMN_NUMBER},
	[IS_DOWNWARDS] = AL_NUMBER_COLUMN("downwards", NULL),
	[STEPS_AT_STRIDE] = AL_NUMBER_COLUMN("steps_at_stride", NULL),
};

static const char *const kind_name[] = {"load", "store", "modify"};

/* Return the key of a column of a level, such as "L2.misses"; "" if memory is
   short. It lives as long as the model. */
static const char *make_level_column_key(struct al_model *m,
					 const struct an_level *level,
					 const char *name)
{
	size_t bytes = strlen(level->name) + strlen(name) + 2;
	char *key = al_model_alloc_uninitialised(m, bytes);

	if (key)
		snprintf(key, bytes, "%s.%s", level->name, name);
	return key ? key : "";
}

/* Return the columns of the table "sites" (accesses of instructions), and set
   @column_count_out to their number. NULL: memory is short. */
static struct al_column *make_site_table_columns(struct al_model *m,
						 const struct an_geometry *g,
						 unsigned *column_count_out)
{
	struct al_column *column =
		al_model_alloc_uninitialised(m, COLUMNS * sizeof(*column));
	const struct an_level *level;

	*column_count_out = COUNTS + AN_SITE_LOWER;
	if (column == NULL)
		return NULL;
	memset(column, 0, COLUMNS * sizeof(*column));
	memcpy(column, position_column, sizeof(position_column));
	for (int i = 0; i < AN_SITE_LOWER; i++)
		column[COUNTS + i] = (struct al_column){
			.key = count_name[i], .kind = AL_COLUMN_NUMBER};
	for (unsigned i = 0;
	     (level = an_nth_lower_level_with_fully_assoc_twin(g, i)) != NULL;
	     i++) {
		column[(*column_count_out)++] = (struct al_column){
			.key = make_level_column_key(m, level, "misses"),
			.kind = AL_COLUMN_NUMBER};
		column[(*column_count_out)++] = (struct al_column){
			.key = make_level_column_key(m, level, "twin_misses"),
			.kind = AL_COLUMN_NUMBER};
	}
	return column;
}

static void add_site_row_to_table(struct al_model *m, struct al_table *t,
				  const struct an_site_row *row,
				  const struct an_stride_count *stride)
{
	const struct an_site_position *p = &row->position;
	union al_cell cell[COLUMNS] = {
		[FUNCTION].text = p->symbol.function,
		[FILE_NAME].text = p->symbol.file,
		[LINE].number = p->symbol.line,
		[OBJECT].text = p->symbol.object,
		[OFFSET].number = p->addr,
		[ACCESS].number = p->access,
		[KIND].text = kind_name[p->kind],
		[SIZE].number = p->size,
		[STRIDE].number = stride->bytes < 0 ? -(uint64_t)stride->bytes
						    : (uint64_t)stride->bytes,
		[IS_DOWNWARDS].number = stride->bytes < 0,
		[STEPS_AT_STRIDE].number = stride->steps};

	for (int i = 0; i < AN_N_SITE_COUNTS; i++)
		cell[COUNTS + i].number = row->count[i];
	al_table_add_row(m, t, cell);
}

static bool has_nonzero_evidence_count(const struct an_site_row *row)
{
	for (int i = 0; i < AN_SITE_LOWER; i++)
		if (is_evidence[i] && row->count[i] > 0)
			return true;
	return false;
}

/* Order rows by misses, most first, then by place in the program (object file,
   function, source file, line, address, access, kind), so that the order is the
   same in every run. */
static int compare_rows_by_misses_desc(const void *x, const void *y)
{
	const struct an_site_row *a = *(const struct an_site_row *const *)x;
	const struct an_site_row *b = *(const struct an_site_row *const *)y;
	const struct an_site_position *p = &a->position, *q = &b->position;
	int c = al_compare_u64(b->count[AN_SITE_MISSES],
			       a->count[AN_SITE_MISSES]);

	if (!c)
		c = strcmp(p->symbol.object, q->symbol.object);
	if (!c)
		c = strcmp(p->symbol.function, q->symbol.function);
	if (!c)
		c = strcmp(p->symbol.file, q->symbol.file);
	if (!c)
		c = al_compare_u64(p->symbol.line, q->symbol.line);
	if (!c)
		c = al_compare_u64(p->addr, q->addr);
	if (!c)
		c = al_compare_u64(p->access, q->access);
	return c ? c : al_compare_u64(p->kind, q->kind);
}

/* Return pointers to the rows that are reported, because a count in is_evidence
   is not 0, in the order of the report; @n: set to their number. The caller
   frees the array; NULL: memory is short. */
static const struct an_site_row **
list_sorted_rows_with_evidence(const struct an_site_table *t, size_t *n)
{
	const struct an_site_row **row =
		malloc((t->sites.n + 1) * sizeof(*row));

	*n = 0;
	for (uint32_t i = 0; row && i < t->sites.n; i++)
		if (has_nonzero_evidence_count(&t->row[i]))
			row[(*n)++] = &t->row[i];
	if (row)
		qsort(row, *n, sizeof(*row), compare_rows_by_misses_desc);
	return row;
}

void an_site_table_add_to_model(const struct an_site_table *t,
				const struct an_geometry *g, struct al_model *m)
{
	const struct an_level *level = &g->level[g->first_data];
	unsigned n_columns;
	struct al_column *column = make_site_table_columns(m, g, &n_columns);
	struct al_table *table = NULL;
	size_t n;
	const struct an_site_row **row = list_sorted_rows_with_evidence(t, &n);
	struct an_stride_count *stride = an_site_table_most_frequent_strides(t);

	if (row == NULL || stride == NULL)
		m->error = -ENOMEM;
	al_model_begin_object(m, "evidence");
	al_model_add_uncopied_string(m, "level", level->name);
	al_model_add_number(m, "line", NULL, "bytes", level->line);
	al_model_end_object_or_list(m);
	if (column)
		table = al_model_add_table(m, "sites", "Sites", column,
					   n_columns);
	for (size_t i = 0; row && stride && i < n; i++)
		add_site_row_to_table(m, table, row[i],
				      &stride[row[i] - t->row]);
	free(row);
	free(stride);
}

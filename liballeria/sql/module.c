/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * module.c - implements SQLite's virtual tables: connect, plan, iterate
 *
 * Tables exist without CREATE VIRTUAL TABLE. The hidden last column `profile`
 * is the path of the file: as an argument of a table it selects another profile
 * than that of alleria_open().
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "liballeria/sql/extension.h"
#include "liballeria/sql/table.h"

struct table {
	sqlite3_vtab base;
	const struct sq_module_data *module_data;
	int n_columns;
};

static struct sq_cursor *to_sq_cursor(sqlite3_vtab_cursor *c)
{
	return (struct sq_cursor *)c;
}

static struct table *get_table_of_cursor(const struct sq_cursor *c)
{
	return (struct table *)c->base.pVtab;
}

/* ---- tables ---- */

static const char *get_sql_type_name(enum sq_type type)
{
	switch (type) {
	case SQ_TEXT:
	case SQ_WORDS:
	case SQ_ONE_OF:
	case SQ_FUNCTION:
	case SQ_SOURCE:
	case SQ_OBJECT:
	case SQ_DATA_TYPE:
		return "TEXT";
	case SQ_CODE:
		return "BLOB";
	default:
		return "INTEGER";
	}
}

static int declare_table_and_count_columns(sqlite3 *db,
					   const struct sq_table *t,
					   int *n_columns)
{
	sqlite3_str *s = sqlite3_str_new(db);
	const struct sq_column *c = t->column;
	char *sql;
	int err;

	sqlite3_str_appendall(s, "CREATE TABLE x(");
	for (; c->name; c++)
		sqlite3_str_appendf(s, "\"%w\" %s, ", c->name,
				    get_sql_type_name(c->type));
	sqlite3_str_appendall(s, "profile TEXT HIDDEN)");
	sql = sqlite3_str_finish(s);
	err = sql ? sqlite3_declare_vtab(db, sql) : SQLITE_NOMEM;
	sqlite3_free(sql);
	*n_columns = (int)(c - t->column);
	return err;
}

static int connect_table(sqlite3 *db, void *module_data, int argc,
			 const char *const *argv, sqlite3_vtab **out,
			 char **message)
{
	struct table *t = calloc(1, sizeof(*t));
	int err;

	(void)argc;
	(void)argv;
	(void)message;
	if (!t)
		return SQLITE_NOMEM;
	t->module_data = module_data;
	err = declare_table_and_count_columns(db, t->module_data->table,
					      &t->n_columns);
	if (err) {
		free(t);
		return err;
	}
	*out = &t->base;
	return SQLITE_OK;
}

static int disconnect_and_free_table(sqlite3_vtab *t)
{
	free(t);
	return SQLITE_OK;
}

static int plan_query(sqlite3_vtab *t, sqlite3_index_info *info)
{
	return sq_plan_query(((struct table *)t)->module_data->table, info);
}

/* ---- errors ---- */

static int set_message_and_return_sqlite_error(struct sq_cursor *c,
					       const char *message)
{
	sqlite3_free(c->base.pVtab->zErrMsg);
	c->base.pVtab->zErrMsg = sqlite3_mprintf("%s", message);
	return SQLITE_ERROR;
}

static int set_message_and_convert_alleria_error(struct sq_cursor *c,
						 long error)
{
	const char *about = c->cursor ? alleria_cursor_error(c->cursor) : "";

	if (error == ALLERIA_E_MEMORY)
		return SQLITE_NOMEM;
	return set_message_and_return_sqlite_error(
		c, about[0] ? about : alleria_error_text((int)error));
}

/* ---- cursors ---- */

static int open_cursor(sqlite3_vtab *t, sqlite3_vtab_cursor **out)
{
	struct sq_cursor *c = calloc(1, sizeof(*c));

	if (!c)
		return SQLITE_NOMEM;
	c->table = ((struct table *)t)->module_data->table;
	*out = &c->base;
	return SQLITE_OK;
}

static void close_records_and_reset_cursor(struct sq_cursor *c)
{
	alleria_cursor_close(c->cursor);
	c->cursor = NULL;
	sq_counts_free(c->counts);
	c->counts = NULL;
	c->n = c->row = 0;
	c->ordinal = 0;
	c->events_before = -1;
	c->process = 1;
	c->index = 0;
}

static int close_and_free_cursor(sqlite3_vtab_cursor *base)
{
	close_records_and_reset_cursor(to_sq_cursor(base));
	free(base);
	return SQLITE_OK;
}

static volatile sig_atomic_t is_stopped;

void sq_request_stop_of_all_tables(void)
{
	is_stopped = 1;
}

bool sq_is_stop_requested(void)
{
	return is_stopped;
}

/* Read the next batch of rows; an empty one at the end of the table or after
   sq_request_stop_of_all_tables(), so that the query ends without an error.
   Damaged parts are skipped and counted. Return: SQLITE_OK; another code of
   SQLite. */
static int read_next_row_batch(struct sq_cursor *c)
{
	const void *rows = NULL;
	long n;

	while ((n = c->table->next(c, &rows)) == ALLERIA_E_DAMAGED)
		c->opened->damage++;
	if (sq_is_stop_requested())
		n = 0;
	if (n < 0)
		return set_message_and_convert_alleria_error(c, n);
	c->rows = rows;
	c->n = n;
	c->row = 0;
	c->batch++;
	return SQLITE_OK;
}

static int advance_row_or_read_next_batch(sqlite3_vtab_cursor *base)
{
	struct sq_cursor *c = to_sq_cursor(base);

	c->ordinal++;
	if (sq_is_stop_requested()) {
		c->row = c->n = 0;
		return SQLITE_OK;
	}
	return ++c->row < c->n ? SQLITE_OK : read_next_row_batch(c);
}

static int is_at_end(sqlite3_vtab_cursor *base)
{
	return to_sq_cursor(base)->row >= to_sq_cursor(base)->n;
}

static int select_named_or_current_profile(struct sq_cursor *c,
					   const char *path)
{
	struct sq_profiles *all = get_table_of_cursor(c)->module_data->profiles;
	char message[ALLERIA_MESSAGE] = "no profile: SELECT alleria_open(FILE)";

	c->opened = path ? sq_profiles_find_or_open(all, path, message)
			 : all->current;
	if (!c->opened)
		return set_message_and_return_sqlite_error(c, message);
	c->profile = c->opened->profile;
	return SQLITE_OK;
}

/* Add the conditions of the query plan to @b. @plan_text: in the format of
   SQ_INDEX_COLUMN; @value: [value_count] value of each condition.
   *@profile_path_out: receives the value of a condition on the column
   `profile`; unchanged if there is none or its value is NULL. */
static void add_plan_conditions_to_bounds(const struct sq_cursor *c,
					  const char *plan_text,
					  int value_count,
					  sqlite3_value **value,
					  struct sq_bounds *b,
					  const char **profile_path_out)
{
	for (int i = 0; i < value_count; i++, plan_text += SQ_INDEX_BYTES) {
		int number = plan_text[SQ_INDEX_COLUMN] - SQ_INDEX_A;

		if (number < get_table_of_cursor(c)->n_columns)
			sq_bounds_narrow_by_column_condition(
				b, &c->table->column[number],
				plan_text[SQ_INDEX_OP], value[i]);
		else if (sqlite3_value_type(value[i]) == SQLITE_NULL)
			b->is_empty = true;
		else
			*profile_path_out =
				(const char *)sqlite3_value_text(value[i]);
	}
}

/* If the query has a condition on a data object, restrict @b to the addresses
   and accesses of that data object. Return: 0; enum alleria_error. */
static int restrict_by_data_condition_if_any(struct sq_cursor *c,
					     struct sq_bounds *b)
{
	const struct alleria_data_map *map;
	int err;

	if (!sq_bounds_has_lower_or_upper_limit(b, SQ_B_DATA))
		return 0;
	err = sq_open_data_map_once_or_null(c, &map);
	if (!err)
		sq_bounds_restrict_to_data_object(b, map);
	return err;
}

static int open_records_and_read_first_batch(struct sq_cursor *c,
					     struct sq_bounds *b)
{
	const struct sq_range *ids = &b->range[SQ_B_ID];
	int err = sq_bounds_convert_to_filter(b, c->profile);

	if (!err)
		err = restrict_by_data_condition_if_any(c, b);
	if (ids->last < 1 || ids->first > ids->last)
		b->is_empty = true;
	c->next_id = ids->first < 1 ? 1 : (uint64_t)ids->first;
	c->last_id = (uint64_t)ids->last;
	if (!err && b->is_empty)
		return SQLITE_OK;
	if (!err && c->table->what)
		err = alleria_cursor_open(c->profile, c->table->what,
					  &b->filter, &c->cursor);
	return err ? set_message_and_convert_alleria_error(c, err)
		   : read_next_row_batch(c);
}

static int start_scan(sqlite3_vtab_cursor *base, int unused_plan_number,
		      const char *plan_text, int value_count,
		      sqlite3_value **value)
{
	struct sq_cursor *c = to_sq_cursor(base);
	const char *path = NULL;
	struct sq_bounds b;
	int err;

	(void)unused_plan_number;
	close_records_and_reset_cursor(c);
	sq_bounds_init(&b);
	add_plan_conditions_to_bounds(c, plan_text, value_count, value, &b,
				      &path);
	err = select_named_or_current_profile(c, path);
	if (!err)
		err = open_records_and_read_first_batch(c, &b);
	sq_bounds_release_number_lists(&b);
	if (!err && c->table->rowid == SQ_ROWID_EVENT && c->n > 0)
		c->first_event = *(const struct alleria_event *)c->rows;
	return err;
}

static int set_result_to_column_value(sqlite3_vtab_cursor *base,
				      sqlite3_context *out, int column_index)
{
	struct sq_cursor *c = to_sq_cursor(base);
	int err = 0;

	if (column_index < get_table_of_cursor(c)->n_columns)
		err = sq_set_result_to_column_value(
			c, &c->table->column[column_index], out);
	else
		sqlite3_result_text(out, c->opened->path, -1, SQLITE_STATIC);
	if (err == ALLERIA_E_DAMAGED)
		c->opened->damage++;
	else if (err)
		return set_message_and_convert_alleria_error(c, err);
	return SQLITE_OK;
}

/* ---- rowids ---- */

static bool is_event_at_same_position(const struct alleria_event *a,
				      const struct alleria_event *b)
{
	return a->process == b->process && a->instruction == b->instruction;
}

/* Count the events before the first row in c->events_before. All events at the
   position of the first row pass the query's conditions, too. Return: 0; enum
   alleria_error. */
static int count_events_before_first_row(struct sq_cursor *c)
{
	const struct alleria_filter up_to_first = {
		.instruction_to = c->first_event.instruction + 1};
	const struct alleria_event *e;
	struct alleria_cursor *all;
	long n = alleria_cursor_open(c->profile, ALLERIA_EVENTS, &up_to_first,
				     &all);

	c->events_before = 0;
	while (n >= 0 || n == ALLERIA_E_DAMAGED) {
		n = alleria_next_event(all, &e);
		if (n == 0 ||
		    (n > 0 && is_event_at_same_position(e, &c->first_event)))
			break;
		c->events_before += n > 0;
	}
	alleria_cursor_close(all);
	return n < 0 ? (int)n : 0;
}

/* Set *@out to the number of the current row by the enum sq_rowid of its table;
   no condition of the query changes that number. Return: 0; enum alleria_error.
   */
static int find_number_of_row(struct sq_cursor *c, sqlite3_int64 *out)
{
	const void *row = sq_current_row(c);
	const struct sq_site_row *site = row;
	uint64_t first;
	int err = 0;

	*out = c->ordinal;
	switch (c->table->rowid) {
	case SQ_ROWID_ORDINAL:
		break;
	case SQ_ROWID_COLUMN:
		memcpy(&first, (const char *)row + c->table->column->offset,
		       sizeof(first));
		*out = (sqlite3_int64)first;
		break;
	case SQ_ROWID_EVENT:
		if (c->events_before < 0)
			err = count_events_before_first_row(c);
		*out += c->events_before;
		break;
	case SQ_ROWID_SITE:
		*out = (sqlite3_int64)site->site * SQ_MAX_FRAMES + site->depth;
		break;
	case SQ_ROWID_COUNT:
		*out = (sqlite3_int64)((const struct sq_count_row *)row)
			       ->number;
		break;
	}
	return err;
}

/* A rowid has the number of the row in the lower 48 bits and that of the
   profile above, because a query may join the rows of several profiles. */
static int get_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *out)
{
	struct sq_cursor *c = to_sq_cursor(base);
	int err = find_number_of_row(c, out);

	*out += (sqlite3_int64)c->opened->number << 48;
	return err ? set_message_and_convert_alleria_error(c, err) : SQLITE_OK;
}

const struct sqlite3_module sq_module = {
	.xConnect = connect_table,
	.xBestIndex = plan_query,
	.xDisconnect = disconnect_and_free_table,
	.xOpen = open_cursor,
	.xClose = close_and_free_cursor,
	.xFilter = start_scan,
	.xNext = advance_row_or_read_next_batch,
	.xEof = is_at_end,
	.xColumn = set_result_to_column_value,
	.xRowid = get_rowid,
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * extension.c - registers all tables and functions with SQLite
 */
#include "liballeria/sql/extension.h"

#include <stdbool.h>
#include <stdlib.h>

#include "liballeria/sql/table.h"

SQLITE_EXTENSION_INIT1

const struct sq_table sq_tables[] = {
	{"accesses", sq_accesses, sizeof(struct alleria_access),
	 ALLERIA_ACCESSES, sq_read_access_batch, SQ_ROWID_COLUMN},
	{"instructions", sq_instructions, sizeof(struct alleria_instruction),
	 ALLERIA_INSTRUCTIONS, sq_read_instruction_batch, SQ_ROWID_COLUMN},
	{"executions", sq_executions, sizeof(struct alleria_execution),
	 ALLERIA_EXECUTIONS, sq_read_execution_batch, SQ_ROWID_COLUMN},
	{"calls", sq_calls, sizeof(struct alleria_branch), ALLERIA_BRANCHES,
	 sq_read_branch_batch, SQ_ROWID_COLUMN},
	{"events", sq_events, sizeof(struct alleria_event), ALLERIA_EVENTS,
	 sq_read_event_batch, SQ_ROWID_EVENT},
	{"counts", sq_counts_columns, sizeof(struct sq_count_row),
	 ALLERIA_EXECUTIONS, sq_read_all_counts_then_none, SQ_ROWID_COUNT},
	{"run", sq_run, sizeof(struct sq_run_row), 0, sq_read_run_row_then_none,
	 SQ_ROWID_ORDINAL},
	{"processes", sq_processes, sizeof(struct alleria_process), 0,
	 sq_read_next_process_row, SQ_ROWID_ORDINAL},
	{"threads", sq_threads, sizeof(struct alleria_thread), 0,
	 sq_read_threads_of_next_process, SQ_ROWID_ORDINAL},
	{"objects", sq_objects, sizeof(struct alleria_object), 0,
	 sq_read_next_object_file_row, SQ_ROWID_ORDINAL},
	{"functions", sq_functions, sizeof(struct alleria_function), 0,
	 sq_read_all_functions_then_none, SQ_ROWID_ORDINAL},
	{"lines", sq_lines, sizeof(struct alleria_line), 0,
	 sq_read_all_lines_then_none, SQ_ROWID_ORDINAL},
	{"data", sq_data, sizeof(struct alleria_data), 0,
	 sq_read_next_data_object_row, SQ_ROWID_COLUMN},
	{"sites", sq_sites, sizeof(struct sq_site_row), 0,
	 sq_read_frames_of_next_site, SQ_ROWID_SITE},
	{0},
};

static const char *const states[] = {"complete", "lossy", "truncated",
				     "unfinished"};

/* SQL function alleria_open(FILE): open the profile, make it the current one,
   and return the text of its status. */
static void sql_open_profile_as_current_get_status(sqlite3_context *context,
						   int arg_count,
						   sqlite3_value **value)
{
	struct sq_profiles *all = sqlite3_user_data(context);
	const char *path = (const char *)sqlite3_value_text(value[0]);
	char message[ALLERIA_MESSAGE];
	struct sq_profile *p;
	uint32_t status;

	(void)arg_count;
	if (!path) {
		sqlite3_result_error(context, "alleria_open() requires a file",
				     -1);
		return;
	}
	p = sq_profiles_find_or_open(all, path, message);
	if (!p) {
		sqlite3_result_error(context, message, -1);
		return;
	}
	all->current = p;
	status = alleria_state(p->profile)->status;
	if (status < sizeof(states) / sizeof(states[0]))
		sqlite3_result_text(context, states[status], -1, SQLITE_STATIC);
}

/* Return the number of damaged parts: the greater one of how often statements
   have found damage and how many damaged file blocks the library has counted.
   If both are 0: 1 for a broken file, else 0. */
static uint64_t get_damage_count_or_1_if_broken(const struct sq_profile *p)
{
	uint64_t blocks = alleria_damaged_blocks(p->profile);
	bool broken = alleria_state(p->profile)->damage == ALLERIA_BROKEN;
	uint64_t n = p->damage > blocks ? p->damage : blocks;

	return n ? n : broken;
}

/* SQL function alleria_damage(): return get_damage_count_or_1_if_broken() of
   the current profile; NULL without a current profile. */
static void sql_return_damage_count(sqlite3_context *context, int arg_count,
				    sqlite3_value **value)
{
	const struct sq_profiles *all = sqlite3_user_data(context);

	(void)arg_count;
	(void)value;
	if (all->current)
		sqlite3_result_int64(
			context, (sqlite3_int64)get_damage_count_or_1_if_broken(
					 all->current));
}

/* Return to SQLite how many object files of the current profile could not be
   read for the names of code; NULL without a current profile. */
static void sql_return_unreadable_object_file_count(sqlite3_context *context,
						    int arg_count,
						    sqlite3_value **value)
{
	const struct sq_profiles *all = sqlite3_user_data(context);

	(void)arg_count;
	(void)value;
	if (all->current)
		sqlite3_result_int64(context,
				     (sqlite3_int64)alleria_names_missing(
					     all->current->profile));
}

/* Register an SQL function, and count it as a user of @all until SQLite drops
   it. Return: a code of SQLite. */
static int register_sql_function(sqlite3 *db, struct sq_profiles *all,
				 const char *name, int n_args,
				 void (*function)(sqlite3_context *, int,
						  sqlite3_value **))
{
	all->users++;
	return sqlite3_create_function_v2(
		db, name, n_args, SQLITE_UTF8 | SQLITE_DIRECTONLY, all,
		function, NULL, NULL, sq_profiles_drop_user_free_if_last);
}

/* Free a struct sq_module_data, and remove a user of its profiles. */
static void free_sql_module_data(void *data)
{
	sq_profiles_drop_user_free_if_last(
		((struct sq_module_data *)data)->profiles);
	free(data);
}

static int register_sql_table(sqlite3 *db, struct sq_profiles *all,
			      const struct sq_table *table)
{
	struct sq_module_data *data = malloc(sizeof(*data));

	if (!data)
		return SQLITE_NOMEM;
	*data = (struct sq_module_data){table, all};
	all->users++;
	return sqlite3_create_module_v2(db, table->name, &sq_module, data,
					free_sql_module_data);
}

int sqlite3_alleria_init(sqlite3 *db, char **message,
			 const struct sqlite3_api_routines *api)
{
	struct sq_profiles *all = calloc(1, sizeof(*all));
	const struct sq_table *t = sq_tables;
	int err;

	(void)message;
	SQLITE_EXTENSION_INIT2(api);
	if (!all)
		return SQLITE_NOMEM;
	all->users = 1;
	err = register_sql_function(db, all, "alleria_open", 1,
				    sql_open_profile_as_current_get_status);
	if (!err)
		err = register_sql_function(db, all, "alleria_damage", 0,
					    sql_return_damage_count);
	if (!err)
		err = register_sql_function(
			db, all, "alleria_names_missing", 0,
			sql_return_unreadable_object_file_count);
	for (; !err && t->name; t++)
		err = register_sql_table(db, all, t);
	sq_profiles_drop_user_free_if_last(all);
	return err;
}

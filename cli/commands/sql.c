/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sql.c - alleria sql: runs SQL statements on a profile
 *
 * Threads: main.
 */
#include "cli/commands/commands.h"

#include <alleria/alleria.h>
#include <errno.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/standard_output.h"
#include "base/text/message.h"
#include "base/text/printable.h"
#include "cli/print/partial_profile.h"
#include "cli/print/status_line.h"
#include "liballeria/sql/extension.h"

const char cl_sql_help[] =
	"usage: alleria sql PROFILE [STATEMENTS ...] [options]\n"
	"\n"
	"Runs SQL statements on a profile of `alleria run --profile=PROFILE`; "
	"without\n"
	"STATEMENTS, those on standard input. Prints the names of the columns, "
	"then a\n"
	"line for each row, with the values separated by tabs.\n"
	"\n"
	"  --no-header       do not print the names of the columns\n"
	"  --help\n"
	"\n"
	"Tables: accesses, instructions, executions, calls, events, counts; "
	"run,\n"
	"processes, threads, objects, functions, lines; data, sites. Their "
	"columns are in\n"
	"alleria-sql(1).\n"
	"\n"
	"  alleria sql sort.alp 'SELECT kind, count(*) FROM accesses GROUP BY "
	"kind'\n";

static struct cl_progress progress; /* of the statement that is running */

enum { CL_FAILED = 1 /* CL_DAMAGED has the same number */ };

struct request {
	const char *path;
	char **statements; /* [n] moved to the start of argv */
	int n;
	bool no_header;
	char message[AL_MESSAGE];
};

static int parse_arguments(struct request *q, int argc, char **argv)
{
	q->statements = argv;
	for (int i = 0; i < argc; i++) {
		if (!strcmp(argv[i], "--no-header"))
			q->no_header = true;
		else if (argv[i][0] == '-' && argv[i][1] == '-' &&
			 argv[i][2] > ' ')
			return al_message_return_einval(
				q->message,
				"unknown option '%.100s'; there is "
				"--no-header",
				argv[i]);
		else if (!q->path)
			q->path = argv[i];
		else
			q->statements[q->n++] = argv[i];
	}
	if (!q->path)
		return al_message_return_einval(q->message,
						"no profile given: alleria sql "
						"PROFILE [STATEMENTS ...]");
	return 0;
}

/* ---- rows ---- */

/* Print @text, which may come from the recorded program, with '?' for each
   character that breaks lines or controls a terminal. */
static void print_text_unprintable_as_question_marks(const char *text)
{
	al_write_unprintable_as_question_marks(stdout, text, SIZE_MAX);
}

static void print_blob_as_lower_case_hex(const unsigned char *byte,
					 int byte_count)
{
	for (int i = 0; i < byte_count; i++)
		printf("%02x", byte[i]);
}

static void print_column_value(sqlite3_stmt *s, int column)
{
	const char *text;

	if (sqlite3_column_type(s, column) == SQLITE_BLOB) {
		print_blob_as_lower_case_hex(sqlite3_column_blob(s, column),
					     sqlite3_column_bytes(s, column));
		return;
	}
	text = (const char *)sqlite3_column_text(s, column);
	if (text)
		print_text_unprintable_as_question_marks(text);
}

static void print_row_or_column_names(sqlite3_stmt *s, bool is_header)
{
	int n = sqlite3_column_count(s);

	for (int i = 0; i < n; i++) {
		if (i > 0)
			putchar('\t');
		if (is_header)
			print_text_unprintable_as_question_marks(
				sqlite3_column_name(s, i));
		else
			print_column_value(s, i);
	}
	putchar('\n');
}

/* ---- statements ---- */

static int store_sql_error_return_einval(struct request *q, sqlite3 *db)
{
	return al_message_return_einval(q->message, "%.250s",
					sqlite3_errmsg(db));
}

static int execute_and_print_rows(struct request *q, sqlite3 *db,
				  sqlite3_stmt *s)
{
	bool header = !q->no_header && sqlite3_column_count(s) > 0;
	int got = sqlite3_step(s);

	if (header && (got == SQLITE_ROW || got == SQLITE_DONE))
		print_row_or_column_names(s, true);
	cl_progress_disable_on_tty_output(&progress);
	for (; got == SQLITE_ROW && !al_stdout_has_failed();
	     got = sqlite3_step(s))
		print_row_or_column_names(s, false);
	return got == SQLITE_DONE || got == SQLITE_ROW
		       ? 0
		       : store_sql_error_return_einval(q, db);
}

static int run_statements_in_text_print_rows(struct request *q, sqlite3 *db,
					     const char *sql)
{
	int err = 0;

	while (!err && *sql && !al_stdout_has_failed() &&
	       !sq_is_stop_requested()) {
		sqlite3_stmt *s = NULL;

		cl_progress_erase_and_begin_at_0(&progress);

		if (sqlite3_prepare_v2(db, sql, -1, &s, &sql))
			return store_sql_error_return_einval(q, db);
		if (s)
			err = execute_and_print_rows(q, db, s);
		sqlite3_finalize(s);
	}
	return err;
}

/* Return the text of @f up to its first NUL or its end, for free(); NULL with
   errno. */
static char *read_text_up_to_nul_or_end(FILE *f)
{
	char *text = NULL;
	size_t size = 0;

	if (getdelim(&text, &size, 0, f) >= 0)
		return text;
	free(text);
	return ferror(f) ? NULL : strdup("");
}

static int read_stdin_and_run_statements(struct request *q, sqlite3 *db)
{
	char *sql = read_text_up_to_nul_or_end(stdin);
	int err = sql ? run_statements_in_text_print_rows(q, db, sql)
		      : al_message_return_einval(
				q->message, "cannot read standard input: %s",
				strerror(errno));

	free(sql);
	return err;
}

static int run_argument_or_stdin_statements(struct request *q, sqlite3 *db)
{
	int err = 0;

	if (q->n == 0)
		return read_stdin_and_run_statements(q, db);
	for (int i = 0; !err && i < q->n && !sq_is_stop_requested(); i++)
		err = run_statements_in_text_print_rows(q, db,
							q->statements[i]);
	return err;
}

/* Run all statements and print their rows. At a SIGINT, the tables have no more
   rows: the running statement ends with the rows read so far, and no other is
   started. Return: 0; -EINVAL with a message. */
static int run_statements_until_sigint_or_error(struct request *q, sqlite3 *db)
{
	int err;

	cl_progress_start(&progress, "read", true);
	cl_progress_install_stop_on_sigint(&progress,
					   sq_request_stop_of_all_tables);
	err = run_argument_or_stdin_statements(q, db);
	cl_progress_end_and_restore_sigint(&progress);
	return err;
}

/* ---- the profile ---- */

/* Run the statement @sql, whose one parameter is @bound_value; NULL: it has no
   parameter. Return: the integer in the first column of its first row; -1 with
   a message. */
static sqlite3_int64 query_integer_or_minus_1(struct request *q, sqlite3 *db,
					      const char *sql,
					      const char *bound_value)
{
	sqlite3_int64 answer = -1;
	sqlite3_stmt *s = NULL;

	if (!sqlite3_prepare_v2(db, sql, -1, &s, NULL) &&
	    (!bound_value ||
	     !sqlite3_bind_text(s, 1, bound_value, -1, SQLITE_TRANSIENT)) &&
	    sqlite3_step(s) == SQLITE_ROW)
		answer = sqlite3_column_int64(s, 0);
	else
		store_sql_error_return_einval(q, db);
	sqlite3_finalize(s);
	return answer;
}

/* Print a line on standard error if the profile is not the whole run. SQL
   cannot return all that this needs, so the library opens the profile again. */
static void warn_if_profile_is_lossy_or_cut(const char *path)
{
	struct alleria_profile *p;

	if (alleria_open(path, &p, NULL))
		return;
	cl_warn_if_profile_is_lossy_or_cut(p, path);
	alleria_close(p);
}

static int open_memory_db_with_profile_and_warn(struct request *q,
						sqlite3 **db_out)
{
	sqlite3_auto_extension((void (*)(void))sqlite3_alleria_init);
	if (sqlite3_open(":memory:", db_out))
		return al_message_return_einval(q->message,
						"cannot start SQLite: %.200s",
						sqlite3_errmsg(*db_out));
	if (query_integer_or_minus_1(q, *db_out, "SELECT alleria_open(?)",
				     q->path) < 0)
		return -1;
	warn_if_profile_is_lossy_or_cut(q->path);
	return 0;
}

/* Print a line on standard error if functions have no names: the recording has
   no end yet, and object files that contain the names cannot be read. */
static void warn_if_function_names_missing(struct request *q, sqlite3 *db)
{
	sqlite3_int64 n = query_integer_or_minus_1(
		q, db, "SELECT alleria_names_missing()", NULL);

	if (n > 0)
		fprintf(stderr,
			"alleria: '%s' has no names of code yet, and %lld "
			"object file%s cannot be read: NULL above\n",
			q->path, (long long)n, n == 1 ? "" : "s");
}

/* If damaged parts of the profile are missing from the results, print their
   number on standard error. Return: exit status: 0; CL_FAILED: parts are
   missing, or it is not known. */
static int print_damaged_part_count_get_exit_status(struct request *q,
						    sqlite3 *db)
{
	sqlite3_int64 n = query_integer_or_minus_1(
		q, db, "SELECT alleria_damage()", NULL);

	if (n == 0)
		return 0;
	if (n < 0)
		return CL_FAILED;
	al_message_return_einval(
		q->message, "'%.200s' is damaged: %lld part%s missing above",
		q->path, (long long)n, n == 1 ? " is" : "s are");
	fprintf(stderr, "alleria: %s\n", q->message);
	return CL_FAILED;
}

static int open_profile_run_sql_get_exit_status(struct request *q)
{
	sqlite3 *db = NULL;
	int status = CL_WRONG_USAGE,
	    err = open_memory_db_with_profile_and_warn(q, &db);

	if (!err) {
		err = run_statements_until_sigint_or_error(q, db);
		status = CL_FAILED;
	}
	if (err) {
		fprintf(stderr, "alleria: %s\n", q->message);
	} else {
		warn_if_function_names_missing(q, db);
		status = print_damaged_part_count_get_exit_status(q, db);
		status = cl_progress_report_if_interrupted(
			&progress, "the rows above are of that part", status);
	}
	sqlite3_close(db);
	return status;
}

int cl_sql_query_profile(int argc, char **argv)
{
	struct request q = {0};

	if (!parse_arguments(&q, argc, argv))
		return open_profile_run_sql_get_exit_status(&q);
	fprintf(stderr, "alleria: %s\n", q.message);
	return CL_WRONG_USAGE;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sqlite.c - writes the facts of a run and counts by source line to a database
 *
 * Single accesses are not written.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/blocking_output.h"
#include "liballeria/export/atomic_file.h"
#include "liballeria/export/instr_walk.h"

static const char schema[] =
	"BEGIN;"
	"CREATE TABLE run(key TEXT PRIMARY KEY, value);"
	"CREATE TABLE processes(process INTEGER PRIMARY KEY, tree, number, "
	"parent, pid, command, directory, status, ending, value, begin_ns, "
	"end_ns, instructions, reads, writes, modifies, lost);"
	"CREATE TABLE threads(process, image, thread, begin_instruction, "
	"end_instruction, begin_ns, end_ns);"
	"CREATE TABLE objects(process, image, number, path, build_id, start, "
	"size, bias);"
	"CREATE TABLE functions(number INTEGER PRIMARY KEY, name, file, line, "
	"object, value);"
	"CREATE TABLE lines(object, value, file, line, function);"
	"CREATE TABLE counts(process, object, function, file, line, "
	"instructions, reads, writes);";

struct sql_base {
	struct ex_export_job *job;
	sqlite3 *db;
	sqlite3_stmt *insert;
	/* number of columns of the next row that were bound so far */
	int column;
};

static int set_sql_error_return_minus_1(struct sql_base *b)
{
	snprintf(b->job->message, sizeof(b->job->message),
		 "cannot write '%.150s': %.100s", b->job->path,
		 b->db ? sqlite3_errmsg(b->db) : "out of memory");
	return -1;
}

static int run_sql(struct sql_base *b, const char *sql)
{
	return sqlite3_exec(b->db, sql, NULL, NULL, NULL) == SQLITE_OK
		       ? 0
		       : set_sql_error_return_minus_1(b);
}

/* Replace b->insert by a statement that inserts rows of @column_count values
   into @table. Return: 0; -1 with the job's message. */
static int prepare_insert_into_table(struct sql_base *b, const char *table,
				     int column_count)
{
	char sql[160];
	int n = snprintf(sql, sizeof(sql), "INSERT INTO %s VALUES(?", table);

	for (int i = 1; i < column_count; i++)
		n += snprintf(sql + n, sizeof(sql) - (size_t)n, ",?");
	snprintf(sql + n, sizeof(sql) - (size_t)n, ")");
	sqlite3_finalize(b->insert);
	b->insert = NULL;
	return sqlite3_prepare_v2(b->db, sql, -1, &b->insert, NULL) == SQLITE_OK
		       ? 0
		       : set_sql_error_return_minus_1(b);
}

/* Bind @value to the next column of the row, as a signed number of 64 bits. */
static void bind_next_number(struct sql_base *b, uint64_t value)
{
	sqlite3_bind_int64(b->insert, ++b->column, (sqlite3_int64)value);
}

static void bind_next_text(struct sql_base *b, const char *value)
{
	sqlite3_bind_text(b->insert, ++b->column, value, -1, SQLITE_TRANSIENT);
}

/* Insert the row whose columns were bound, and start a new row. Return: 0; -1
   with the job's message. */
static int insert_bound_row(struct sql_base *b)
{
	int rc = sqlite3_step(b->insert);

	sqlite3_reset(b->insert);
	b->column = 0;
	return rc == SQLITE_DONE ? 0 : set_sql_error_return_minus_1(b);
}

/* Bind a text to the next column: @words, ended by NULL, joined by spaces; ""
   if memory is short. */
static void bind_next_joined_words(struct sql_base *b, const char *const *words)
{
	size_t bytes = 1, length = 0;
	char *all;

	for (size_t i = 0; words[i] != NULL; i++)
		bytes += strlen(words[i]) + 1;
	all = malloc(bytes);
	if (all != NULL)
		all[0] = '\0';
	for (size_t i = 0; all != NULL && words[i] != NULL; i++)
		length += (size_t)sprintf(all + length, "%s%s", i ? " " : "",
					  words[i]);
	bind_next_text(b, all ? all : "");
	free(all);
}

static int insert_key_number_row(struct sql_base *b, const char *key,
				 uint64_t value)
{
	bind_next_text(b, key);
	bind_next_number(b, value);
	return insert_bound_row(b);
}

static int insert_key_text_row(struct sql_base *b, const char *key,
			       const char *value)
{
	bind_next_text(b, key);
	bind_next_text(b, value);
	return insert_bound_row(b);
}

static int insert_key_value_rows_of_run(struct sql_base *b)
{
	const struct alleria_run *r = alleria_run(b->job->profile);
	const struct alleria_state *s = alleria_state(b->job->profile);
	int err = prepare_insert_into_table(b, "run", 2);

	if (err)
		return err;
	bind_next_text(b, "command");
	bind_next_joined_words(b, r->command);
	err = insert_bound_row(b);
	err |= insert_key_text_row(b, "version", r->version);
	err |= insert_key_text_row(b, "valgrind", r->valgrind);
	err |= insert_key_text_row(b, "system", r->system);
	err |= insert_key_text_row(b, "machine", r->machine);
	err |= insert_key_text_row(b, "reason", s->reason);
	err |= insert_key_number_row(b, "status", s->status);
	err |= insert_key_number_row(b, "started_ns", r->started_ns);
	err |= insert_key_number_row(b, "wall_ns", r->wall_ns);
	err |= insert_key_number_row(b, "processes", r->processes);
	err |= insert_key_number_row(b, "instructions", r->counts.instructions);
	err |= insert_key_text_row(b, "instructions_are",
				   r->has & ALLERIA_HAS_INSTRUCTIONS ? "all"
				   : r->has & ALLERIA_HAS_MEMORY_INSTRUCTIONS
					   ? "memory instructions only"
					   : "of chosen kinds only");
	err |= insert_key_number_row(b, "accesses", r->counts.accesses);
	err |= insert_key_number_row(b, "reads", r->counts.reads);
	err |= insert_key_number_row(b, "writes", r->counts.writes);
	return err;
}

static int insert_process_row(struct sql_base *b,
			      const struct alleria_process *p)
{
	bind_next_number(b, p->index);
	bind_next_number(b, p->tree);
	bind_next_number(b, p->number);
	bind_next_number(b, p->parent);
	bind_next_number(b, p->pid);
	bind_next_joined_words(b, p->command);
	bind_next_text(b, p->directory);
	bind_next_number(b, p->status);
	bind_next_number(b, p->ending);
	bind_next_number(b, (uint64_t)p->value);
	bind_next_number(b, p->begin_ns);
	bind_next_number(b, p->end_ns);
	bind_next_number(b, p->counts.instructions);
	bind_next_number(b, p->counts.reads);
	bind_next_number(b, p->counts.writes);
	bind_next_number(b, p->counts.modifies);
	bind_next_number(b, p->lost);
	return insert_bound_row(b);
}

static int insert_all_process_rows(struct sql_base *b)
{
	int err = prepare_insert_into_table(b, "processes", 17);

	for (uint32_t i = 1; i <= alleria_run(b->job->profile)->processes; i++)
		if (!err)
			err = insert_process_row(
				b, alleria_process(b->job->profile, i));
	return err;
}

static int insert_thread_rows_of_process(struct sql_base *b,
					 uint32_t process_index)
{
	const struct alleria_thread *t;
	long n = alleria_threads(b->job->profile, process_index, &t);
	int err = n < 0 ? ex_set_job_error_return_minus_1(b->job, (int)n, NULL)
			: 0;

	for (long i = 0; i < n && !err; i++) {
		bind_next_number(b, t[i].process);
		bind_next_number(b, t[i].image);
		bind_next_number(b, t[i].number);
		bind_next_number(b, t[i].begin_instruction);
		bind_next_number(b, t[i].end_instruction);
		bind_next_number(b, t[i].begin_ns);
		bind_next_number(b, t[i].end_ns);
		err = insert_bound_row(b);
	}
	return err;
}

static int insert_object_rows_of_process(struct sql_base *b,
					 uint32_t process_index)
{
	const struct alleria_object *const *o;
	long n = alleria_objects(b->job->profile, process_index, &o);
	int err = n < 0 ? ex_set_job_error_return_minus_1(b->job, (int)n, NULL)
			: 0;

	for (long i = 0; i < n && !err; i++) {
		bind_next_number(b, o[i]->process);
		bind_next_number(b, o[i]->image);
		bind_next_number(b, o[i]->number);
		bind_next_text(b, o[i]->path);
		bind_next_text(b, o[i]->build_id);
		bind_next_number(b, o[i]->start);
		bind_next_number(b, o[i]->size);
		bind_next_number(b, o[i]->bias);
		err = insert_bound_row(b);
	}
	return err;
}

/* Prepare a statement that inserts rows of @column_count values into @table,
   and call @insert_rows for each process, until one fails. Return: 0; -1 with
   the job's message. */
static int prepare_and_insert_for_each_process(
	struct sql_base *b, const char *table, int column_count,
	int (*insert_rows)(struct sql_base *, uint32_t process))
{
	int err = prepare_insert_into_table(b, table, column_count);

	for (uint32_t i = 1; i <= alleria_run(b->job->profile)->processes; i++)
		if (!err)
			err = insert_rows(b, i);
	return err;
}

static int insert_all_function_rows(struct sql_base *b)
{
	const struct alleria_function *f;
	long n = alleria_functions(b->job->profile, &f);
	int err = n < 0 ? ex_set_job_error_return_minus_1(b->job, (int)n, NULL)
			: prepare_insert_into_table(b, "functions", 6);

	for (long i = 0; i < n && !err; i++) {
		bind_next_number(b, f[i].number);
		bind_next_text(b, f[i].name);
		bind_next_text(b, f[i].file);
		bind_next_number(b, f[i].line);
		bind_next_text(b, f[i].object);
		bind_next_number(b, f[i].value);
		err = insert_bound_row(b);
	}
	return err;
}

static int insert_all_source_line_rows(struct sql_base *b)
{
	const struct alleria_line *l;
	long n = alleria_lines(b->job->profile, &l);
	int err = n < 0 ? ex_set_job_error_return_minus_1(b->job, (int)n, NULL)
			: prepare_insert_into_table(b, "lines", 5);

	for (long i = 0; i < n && !err; i++) {
		bind_next_text(b, l[i].object);
		bind_next_number(b, l[i].value);
		bind_next_text(b, l[i].file);
		bind_next_number(b, l[i].line);
		bind_next_number(b, l[i].function);
		err = insert_bound_row(b);
	}
	return err;
}

static int insert_counts_row_of_line(void *sql_base, const struct ex_count *c)
{
	struct sql_base *b = sql_base;

	bind_next_number(b, c->process);
	bind_next_text(b, c->name.object);
	bind_next_text(b, c->name.function);
	bind_next_text(b, c->name.file);
	bind_next_number(b, c->name.line);
	bind_next_number(b, c->instructions);
	bind_next_number(b, c->reads);
	bind_next_number(b, c->writes);
	return insert_bound_row(b);
}

static int create_fill_and_commit_tables(struct sql_base *b)
{
	int err = run_sql(b, schema);

	if (!err)
		err = insert_key_value_rows_of_run(b);
	if (!err)
		err = insert_all_process_rows(b);
	if (!err)
		err = prepare_and_insert_for_each_process(
			b, "threads", 7, insert_thread_rows_of_process);
	if (!err)
		err = prepare_and_insert_for_each_process(
			b, "objects", 8, insert_object_rows_of_process);
	if (!err)
		err = insert_all_function_rows(b);
	if (!err)
		err = insert_all_source_line_rows(b);
	if (!err)
		err = prepare_insert_into_table(b, "counts", 8);
	if (!err)
		err = ex_count_instrs_and_accesses_by_line(
			b->job, insert_counts_row_of_line, b);
	sqlite3_finalize(b->insert);
	return err ? err : run_sql(b, "COMMIT");
}

/* Open the empty file @f as an SQLite database without journal. Return: 0; -1
   with the job's message; then, too, the caller closes b->db. */
static int open_file_as_database(struct sql_base *b, const struct ex_file *f)
{
	const int flags = SQLITE_OPEN_READWRITE; /* no SQLITE_OPEN_CREATE: the
						    file exists */

	if (sqlite3_open_v2(f->file.temp, &b->db, flags, NULL) != SQLITE_OK)
		return set_sql_error_return_minus_1(b);
	return run_sql(b, "PRAGMA journal_mode=OFF;"
			  "PRAGMA synchronous=OFF");
}

static int write_export_as_sqlite_database(struct ex_export_job *job,
					   const struct ex_file *f)
{
	struct sql_base b = {.job = job};
	int err = open_file_as_database(&b, f);

	if (!err)
		err = create_fill_and_commit_tables(&b);
	if (sqlite3_close(b.db) != SQLITE_OK && !err)
		err = set_sql_error_return_minus_1(&b);
	return err;
}

static int write_sqlite(struct ex_export_job *job)
{
	struct ex_file f;
	int err;

	if (al_is_stdout_or_special_file(job->path)) {
		snprintf(job->message, sizeof(job->message),
			 "a database is a file: not '-o %.200s'", job->path);
		return -1;
	}
	err = ex_file_open_for_atomic_write(&f, job, job->path);
	if (!err)
		err = write_export_as_sqlite_database(job, &f);
	return ex_file_commit_or_discard(&f, err);
}

extern const struct ex_format ex_sqlite;

const struct ex_format ex_sqlite = {
	.name = "sqlite",
	.summary = "facts, names and counts by line as an SQLite database",
	.write = write_sqlite,
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sqlite.c - the facts of a run, and counts by source line, as a database
 *
 * Accesses themselves are not copied.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/blocking_output.h"
#include "liballeria/export/atomic_file.h"
#include "liballeria/export/line_counts.h"

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

struct base {
	struct ex_job *job;
	sqlite3 *db;
	sqlite3_stmt *insert;
	int column; /* bound so far */
};

static int fail(struct base *b)
{
	snprintf(b->job->message, sizeof(b->job->message),
		 "cannot write '%.150s': %.100s", b->job->path,
		 b->db ? sqlite3_errmsg(b->db) : "out of memory");
	return -1;
}

static int run_sql(struct base *b, const char *sql)
{
	return sqlite3_exec(b->db, sql, NULL, NULL, NULL) == SQLITE_OK
		       ? 0
		       : fail(b);
}

/* Rows are put into a table of @columns from now on. */
static int into(struct base *b, const char *table, int columns)
{
	char sql[160];
	int n = snprintf(sql, sizeof(sql), "INSERT INTO %s VALUES(?", table);

	for (int i = 1; i < columns; i++)
		n += snprintf(sql + n, sizeof(sql) - (size_t)n, ",?");
	snprintf(sql + n, sizeof(sql) - (size_t)n, ")");
	sqlite3_finalize(b->insert);
	b->insert = NULL;
	return sqlite3_prepare_v2(b->db, sql, -1, &b->insert, NULL) == SQLITE_OK
		       ? 0
		       : fail(b);
}

static void number(struct base *b, uint64_t value)
{
	sqlite3_bind_int64(b->insert, ++b->column, (sqlite3_int64)value);
}

static void text(struct base *b, const char *value)
{
	sqlite3_bind_text(b->insert, ++b->column, value, -1, SQLITE_TRANSIENT);
}

static int row(struct base *b)
{
	int rc = sqlite3_step(b->insert);

	sqlite3_reset(b->insert);
	b->column = 0;
	return rc == SQLITE_DONE ? 0 : fail(b);
}

/* Words with spaces between them. */
static void words(struct base *b, const char *const *word)
{
	size_t bytes = 1, at = 0;
	char *all;

	for (size_t i = 0; word[i] != NULL; i++)
		bytes += strlen(word[i]) + 1;
	all = malloc(bytes);
	if (all != NULL)
		all[0] = '\0';
	for (size_t i = 0; all != NULL && word[i] != NULL; i++)
		at += (size_t)sprintf(all + at, "%s%s", i ? " " : "", word[i]);
	text(b, all ? all : "");
	free(all);
}

static int fact(struct base *b, const char *key, uint64_t value)
{
	text(b, key);
	number(b, value);
	return row(b);
}

static int fact_text(struct base *b, const char *key, const char *value)
{
	text(b, key);
	text(b, value);
	return row(b);
}

static int put_run(struct base *b)
{
	const struct alleria_run *r = alleria_run(b->job->profile);
	const struct alleria_state *s = alleria_state(b->job->profile);
	int err = into(b, "run", 2);

	if (err)
		return err;
	text(b, "command");
	words(b, r->command);
	err = row(b);
	err |= fact_text(b, "version", r->version);
	err |= fact_text(b, "valgrind", r->valgrind);
	err |= fact_text(b, "system", r->system);
	err |= fact_text(b, "machine", r->machine);
	err |= fact_text(b, "reason", s->reason);
	err |= fact(b, "status", s->status);
	err |= fact(b, "started_ns", r->started_ns);
	err |= fact(b, "wall_ns", r->wall_ns);
	err |= fact(b, "processes", r->processes);
	err |= fact(b, "instructions", r->counts.instructions);
	err |= fact_text(b, "instructions_are",
			 r->has & ALLERIA_HAS_INSTRUCTIONS ? "all"
			 : r->has & ALLERIA_HAS_MEMORY_INSTRUCTIONS
				 ? "memory instructions only"
				 : "of chosen kinds only");
	err |= fact(b, "accesses", r->counts.accesses);
	err |= fact(b, "reads", r->counts.reads);
	err |= fact(b, "writes", r->counts.writes);
	return err;
}

static int put_process(struct base *b, const struct alleria_process *p)
{
	number(b, p->index);
	number(b, p->tree);
	number(b, p->number);
	number(b, p->parent);
	number(b, p->pid);
	words(b, p->command);
	text(b, p->directory);
	number(b, p->status);
	number(b, p->ending);
	number(b, (uint64_t)p->value);
	number(b, p->begin_ns);
	number(b, p->end_ns);
	number(b, p->counts.instructions);
	number(b, p->counts.reads);
	number(b, p->counts.writes);
	number(b, p->counts.modifies);
	number(b, p->lost);
	return row(b);
}

static int put_processes(struct base *b)
{
	int err = into(b, "processes", 17);

	for (uint32_t i = 1; i <= alleria_run(b->job->profile)->processes; i++)
		if (!err)
			err = put_process(b,
					  alleria_process(b->job->profile, i));
	return err;
}

static int put_threads(struct base *b, uint32_t process)
{
	const struct alleria_thread *t;
	long n = alleria_threads(b->job->profile, process, &t);
	int err = n < 0 ? ex_fail(b->job, (int)n, NULL) : 0;

	for (long i = 0; i < n && !err; i++) {
		number(b, t[i].process);
		number(b, t[i].image);
		number(b, t[i].number);
		number(b, t[i].begin_instruction);
		number(b, t[i].end_instruction);
		number(b, t[i].begin_ns);
		number(b, t[i].end_ns);
		err = row(b);
	}
	return err;
}

static int put_objects(struct base *b, uint32_t process)
{
	const struct alleria_object *const *o;
	long n = alleria_objects(b->job->profile, process, &o);
	int err = n < 0 ? ex_fail(b->job, (int)n, NULL) : 0;

	for (long i = 0; i < n && !err; i++) {
		number(b, o[i]->process);
		number(b, o[i]->image);
		number(b, o[i]->number);
		text(b, o[i]->path);
		text(b, o[i]->build_id);
		number(b, o[i]->start);
		number(b, o[i]->size);
		number(b, o[i]->bias);
		err = row(b);
	}
	return err;
}

static int put_of_each(struct base *b, const char *table, int columns,
		       int (*put)(struct base *, uint32_t process))
{
	int err = into(b, table, columns);

	for (uint32_t i = 1; i <= alleria_run(b->job->profile)->processes; i++)
		if (!err)
			err = put(b, i);
	return err;
}

static int put_functions(struct base *b)
{
	const struct alleria_function *f;
	long n = alleria_functions(b->job->profile, &f);
	int err =
		n < 0 ? ex_fail(b->job, (int)n, NULL) : into(b, "functions", 6);

	for (long i = 0; i < n && !err; i++) {
		number(b, f[i].number);
		text(b, f[i].name);
		text(b, f[i].file);
		number(b, f[i].line);
		text(b, f[i].object);
		number(b, f[i].value);
		err = row(b);
	}
	return err;
}

static int put_lines(struct base *b)
{
	const struct alleria_line *l;
	long n = alleria_lines(b->job->profile, &l);
	int err = n < 0 ? ex_fail(b->job, (int)n, NULL) : into(b, "lines", 5);

	for (long i = 0; i < n && !err; i++) {
		text(b, l[i].object);
		number(b, l[i].value);
		text(b, l[i].file);
		number(b, l[i].line);
		number(b, l[i].function);
		err = row(b);
	}
	return err;
}

static int put_count(void *base, const struct ex_count *c)
{
	struct base *b = base;

	number(b, c->process);
	text(b, c->name.object);
	text(b, c->name.function);
	text(b, c->name.file);
	number(b, c->name.line);
	number(b, c->instructions);
	number(b, c->reads);
	number(b, c->writes);
	return row(b);
}

static int put_all(struct base *b)
{
	int err = run_sql(b, schema);

	if (!err)
		err = put_run(b);
	if (!err)
		err = put_processes(b);
	if (!err)
		err = put_of_each(b, "threads", 7, put_threads);
	if (!err)
		err = put_of_each(b, "objects", 8, put_objects);
	if (!err)
		err = put_functions(b);
	if (!err)
		err = put_lines(b);
	if (!err)
		err = into(b, "counts", 8);
	if (!err)
		err = ex_counts(b->job, put_count, b);
	sqlite3_finalize(b->insert);
	return err ? err : run_sql(b, "COMMIT");
}

/* Open the empty file @f as the database to be written. */
static int open_base(struct base *b, const struct ex_file *f)
{
	const int flags = SQLITE_OPEN_READWRITE; /* the file exists */

	if (sqlite3_open_v2(f->file.temp, &b->db, flags, NULL) != SQLITE_OK)
		return fail(b);
	return run_sql(b, "PRAGMA journal_mode=OFF;"
			  "PRAGMA synchronous=OFF");
}

static int write_base(struct ex_job *job, const struct ex_file *f)
{
	struct base b = {.job = job};
	int err = open_base(&b, f);

	if (!err)
		err = put_all(&b);
	if (sqlite3_close(b.db) != SQLITE_OK && !err)
		err = fail(&b);
	return err;
}

static int write_sqlite(struct ex_job *job)
{
	struct ex_file f;
	int err;

	if (al_sink_is_special(job->path)) {
		snprintf(job->message, sizeof(job->message),
			 "a database is a file: not '-o %.200s'", job->path);
		return -1;
	}
	err = ex_file_open(&f, job, job->path);
	if (!err)
		err = write_base(job, &f);
	return ex_file_close(&f, err);
}

extern const struct ex_format ex_sqlite;

const struct ex_format ex_sqlite = {
	.name = "sqlite",
	.summary = "facts, names and counts by line as an SQLite database",
	.write = write_sqlite,
};

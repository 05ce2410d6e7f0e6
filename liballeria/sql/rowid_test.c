/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rowid_test.c - SQLite finds the rows of several scans by their rowids */
#include <sqlite3.h>
#include <stdarg.h>

#include "liballeria/sql/extension.h"
#include "tests/fixtures/toy_writer.h"
#include "tests/tap.h"

static sqlite3 *db;

/* Whether a statement returns one row, with the number 1. */
static bool is_true(const char *format, ...)
{
	sqlite3_stmt *s = NULL;
	bool right = false;
	va_list args;
	char *sql;

	va_start(args, format);
	sql = sqlite3_vmprintf(format, args);
	va_end(args);
	if (!sqlite3_prepare_v2(db, sql, -1, &s, NULL))
		right = sqlite3_step(s) == SQLITE_ROW &&
			sqlite3_column_int(s, 0) == 1;
	if (!right)
		printf("# %s: %s\n", sql, sqlite3_errmsg(db));
	sqlite3_finalize(s);
	sqlite3_free(sql);
	return right;
}

/* Check the rowids of @table by two conditions that the library evaluates. */
static void test_table(const char *table, const char *one, const char *other)
{
	ok(is_true("SELECT count(*) = count(DISTINCT rowid) FROM %s", table),
	   "each row has its own rowid");
	ok(is_true("SELECT (SELECT count(*) FROM %s WHERE %s OR %s) = "
		   "count(*) FROM %s WHERE +%s OR +%s",
		   table, one, other, table, one, other),
	   "OR has the rows of both conditions");
	ok(is_true("SELECT (SELECT total(rowid) FROM %s WHERE %s) = "
		   "total(rowid) FROM %s WHERE +%s",
		   table, other, table, other),
	   "a condition does not change rowids");
}

int main(void)
{
	toy_write();
	sqlite3_auto_extension((void (*)(void))sqlite3_alleria_init);
	if (sqlite3_open(":memory:", &db))
		return 99;
	ok(is_true("SELECT alleria_open(%Q) = 'complete'", toy_path),
	   "a profile is open");
	test_table("accesses", "number BETWEEN 0 AND 99",
		   "number BETWEEN 1000 AND 1099");
	test_table("instructions", "number < 50", "process = 2");
	test_table("executions", "instruction < 50", "process = 2");
	test_table("calls", "number < 500", "process = 2");
	test_table("events", "instruction < 500", "process = 3");
	test_table("events", "instruction < 500", "access > 900");
	test_table("counts", "function = 'main'", "process = 2");
	ok(is_true("SELECT count(*) = 2 * (SELECT count(*) FROM events) "
		   "FROM events WHERE profile = %Q OR profile = '/%q'",
		   toy_path, toy_path),
	   "rows of two files are different rows");
	sqlite3_close(db);
	toy_remove();
	return done_testing();
}

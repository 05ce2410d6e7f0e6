/* SPDX-License-Identifier: GPL-2.0-or-later */
/* table_test.c - tables have the profile's records, under every condition */
#include <fcntl.h>
#include <sqlite3.h>
#include <stdarg.h>

#include "liballeria/sql/extension.h"
#include "tests/fixtures/toy_writer.h"
#include "tests/tap.h"

static sqlite3 *db;

/* ---- questions ---- */

/* Run a statement. Return: its rows, values separated by '|', rows by newlines,
   or "error: MESSAGE"; for free(). */
static char *ask(const char *format, ...)
{
	char *sql, *out = NULL;
	sqlite3_stmt *s = NULL;
	va_list args;
	size_t size;
	FILE *f = open_memstream(&out, &size);
	int got = SQLITE_ERROR;

	va_start(args, format);
	sql = sqlite3_vmprintf(format, args);
	va_end(args);
	if (!sqlite3_prepare_v2(db, sql, -1, &s, NULL))
		while ((got = sqlite3_step(s)) == SQLITE_ROW) {
			for (int i = 0; i < sqlite3_column_count(s); i++) {
				const unsigned char *text =
					sqlite3_column_text(s, i);

				fprintf(f, "%s%s", i ? "|" : "",
					text ? (const char *)text : "NULL");
			}
			fputc('\n', f);
		}
	if (got != SQLITE_DONE)
		fprintf(f, "error: %s", sqlite3_errmsg(db));
	sqlite3_finalize(s);
	sqlite3_free(sql);
	fclose(f);
	return out;
}

#define says(want, fact, ...)                                                  \
	do {                                                                   \
		char *got_ = ask(__VA_ARGS__);                                 \
		is_str(got_, want, fact);                                      \
		free(got_);                                                    \
	} while (0)

static bool begins(const char *want, char *got)
{
	bool right = !strncmp(got, want, strlen(want));

	if (!right)
		printf("# got %s\n", got);
	free(got);
	return right;
}

/* ---- before a profile is open ---- */

static void test_open(void)
{
	char *got;

	ok(begins("error: no profile", ask("SELECT * FROM accesses")),
	   "a profile must be open");
	says("NULL\n", "nothing is damaged before", "SELECT alleria_damage()");
	ok(begins("error: alleria_open() requires a file",
		  ask("SELECT alleria_open(NULL)")),
	   "a file must be named");
	got = ask("SELECT alleria_open('/nonexistent/x')");
	ok(strstr(got, "/nonexistent/x"), "a file that is not there is named");
	free(got);
	ok(begins("error: no profile", ask("SELECT * FROM run")),
	   "and none is open then");
	says("complete\n", "a profile is opened", "SELECT alleria_open(%Q)",
	     toy_path);
	says("complete\n", "and again", "SELECT alleria_open(%Q)", toy_path);
	says("0\n", "nothing of it is damaged", "SELECT alleria_damage()");
}

/* ---- all rows ---- */

static const char *or_null(const char *name)
{
	return strcmp(name, "???") ? name : "NULL";
}

static const char *file_of(uint64_t code)
{
	const char *function = toy_function(code);

	return !strcmp(function, "???")	  ? "NULL"
	       : !strcmp(function, "far") ? "far.c"
					  : "toy.c";
}

static const char *line_of(uint64_t code)
{
	return code >= 0x4000	? "NULL"
	       : code >= 0x3000 ? "7"
	       : code >= 0x200c ? "NULL"
	       : code >= 0x2008 ? "22"
	       : code >= 0x2000 ? "20"
	       : code >= 0x1004 ? "11"
				: "10";
}

static void test_accesses(void)
{
	static const char *const kind[] = {"read", "write", "modify"};
	char *want = NULL, *got;
	size_t size;
	FILE *f = open_memstream(&want, &size);

	for (size_t i = 0; i < toy.n_accesses; i++) {
		const struct alleria_access *a = &toy.access[i];

		fprintf(f,
			"%zu|%llu|%u|%u|%llu|%llu|%u|%s|%u|%llu|%s|%s|%s|%s|%"
			"d\n",
			i, (unsigned long long)a->instruction, a->process,
			a->thread, (unsigned long long)a->code,
			(unsigned long long)a->address, a->size, kind[a->kind],
			a->flags, (unsigned long long)toy.ns[a->instruction],
			or_null(toy_function(a->code)), file_of(a->code),
			line_of(a->code), or_null(toy_object(a->code)),
			a->flags & ALLERIA_VALUE ? 8 : 0);
	}
	fclose(f);
	got = ask("SELECT number, instruction, process, thread, ip, address, "
		  "size, kind, flags, time_ns, function, file, line, object, "
		  "ifnull(length(read), 0) FROM accesses");
	ok(!strcmp(got, want), "accesses have all their columns");
	free(got);
	free(want);
	says("0\n", "where nothing is known to be written there is NULL",
	     "SELECT count(written) FROM accesses");
}

static void test_instructions(void)
{
	char *want = NULL, *got;
	size_t size;
	FILE *f = open_memstream(&want, &size);

	for (size_t n = 0; n < toy.n_instructions; n++) {
		const struct alleria_instruction *i = &toy.instruction[n];

		fprintf(f, "%zu|%u|%u|%llu|4|%02X|%u|%llu|%llu|%s|%s\n", n,
			i->process, i->thread, (unsigned long long)i->address,
			(unsigned)(i->address % 16 + 1), i->n_accesses,
			(unsigned long long)i->first_access,
			(unsigned long long)toy.ns[n],
			or_null(toy_function(i->address)), line_of(i->address));
	}
	fclose(f);
	got = ask("SELECT number, process, thread, ip, size, "
		  "substr(hex(bytes), 1, 2), accesses, first_access, time_ns, "
		  "function, line FROM instructions");
	ok(!strcmp(got, want), "instructions have all their columns");
	free(got);
	free(want);
}

static void test_executions(void)
{
	char *want = NULL, *got;
	size_t size;
	FILE *f = open_memstream(&want, &size);

	for (size_t i = 0; i < toy.n_executions; i++) {
		const struct alleria_execution *x = &toy.execution[i];

		fprintf(f, "%llu|%llu|%u|%u|%u|%u|%u|%u\n",
			(unsigned long long)x->instruction,
			(unsigned long long)x->access, x->process, x->image,
			x->thread, x->n_instructions, x->n_accesses, x->exit);
	}
	fclose(f);
	got = ask("SELECT instruction, access, process, image, thread, "
		  "instructions, accesses, exit FROM executions");
	ok(!strcmp(got, want), "executions have all their columns");
	free(got);
	free(want);
}

static void test_events(void)
{
	static const char *const kind[] = {
		"",	      "image begin",   "image end",    "thread start",
		"thread end", "thread switch", "signal",       "child exit",
		"fault",      "gap",	       "window begin", "window end",
		"mark",	      "core",	       "written"};
	char *want = NULL, *got;
	size_t size;
	FILE *f = open_memstream(&want, &size);

	for (size_t i = 0; i < toy.n_events; i++) {
		const struct alleria_event *e = &toy.event[i];

		fprintf(f, "%llu|%llu|%u|%u|%u|%s|%llu|%llu\n",
			(unsigned long long)e->instruction,
			(unsigned long long)e->access, e->process, e->image,
			e->thread, kind[e->kind], (unsigned long long)e->value,
			(unsigned long long)e->detail);
	}
	fclose(f);
	got = ask("SELECT instruction, access, process, image, thread, kind, "
		  "value, detail FROM events");
	ok(!strcmp(got, want), "events have all their columns");
	free(got);
	free(want);
}

static void test_calls(void)
{
	says("1\n", "who calls is far",
	     "SELECT count(*) > 0 AND count(*) = sum(from_function = 'far' "
	     "AND from_object = '/lib/libtoy.so' AND from_ip = 0x3000) "
	     "FROM calls WHERE kind = 'call'");
	says("1\n", "what returns is work",
	     "SELECT count(*) = sum(from_function = 'work') FROM calls "
	     "WHERE kind = 'return'");
	says("7\n", "each thread starts",
	     "SELECT count(*) FROM calls WHERE kind = 'start'");
	says("0\n", "a branch arrives where an instruction is",
	     "SELECT count(*) FROM calls c LEFT JOIN instructions i "
	     "ON i.number = c.number WHERE i.ip IS NOT c.to_ip OR "
	     "i.process != c.process OR i.thread != c.thread OR "
	     "i.time_ns != c.time_ns OR i.first_access != c.next_access");
}

/* ---- facts ---- */

static void test_facts(void)
{
	says("toy -x|/home/toy|--profile=x|complete|NULL|whole|3\n", "the run",
	     "SELECT command, directory, options, status, reason, "
	     "damage, processes FROM run");
	says("1\n", "what it counts",
	     "SELECT instructions = %llu AND accesses = %llu AND "
	     "reads + writes - modifies = accesses AND wall_ns = %llu FROM run",
	     (unsigned long long)toy.n_instructions,
	     (unsigned long long)toy.n_accesses, (unsigned long long)toy.now);
	says("1|1|1|0|100|2|toy -x|exited|4|complete\n"
	     "2|1|2|1|101|1|child -x|signalled|9|truncated\n"
	     "3|2|1|0|100|1|other -x|exited|0|complete\n",
	     "processes, numbered from 1",
	     "SELECT process, tree, number, parent, pid, images, command, "
	     "ending, value, status FROM processes");
	says("1\n", "a process has its accesses",
	     "SELECT group_concat(accesses) = (SELECT group_concat(n) FROM "
	     "(SELECT count(*) AS n FROM accesses GROUP BY process)) "
	     "FROM processes");
	says("1|0|1|1|0|2|1|0|3|1|1|1|2|0|1|2|0|2|3|0|1\n", "threads",
	     "SELECT group_concat(process || '|' || image || '|' || thread, "
	     "'|') FROM threads");
	says("1|0|0|/bin/toy|4096|8192|0|c0ffee|NULL\n"
	     "1|0|1|/lib/libtoy.so|12288|4096|8192|NULL|NULL\n",
	     "objects",
	     "SELECT process, image, number, path, start, size, bias, "
	     "build_id, end_ns FROM objects LIMIT 2");
	says("8\n", "of each image", "SELECT count(*) FROM objects");
	says("0|main|toy.c|10|/bin/toy|4096\n1|work|toy.c|20|/bin/toy|8192\n"
	     "2|NULL|NULL|0|/bin/toy|8204\n"
	     "3|far|far.c|7|/lib/libtoy.so|4096\n",
	     "functions",
	     "SELECT number, name, file, line, object, value FROM functions");
	says("6\n", "lines are of functions",
	     "SELECT count(*) FROM lines l JOIN functions f "
	     "ON f.number = l.function AND f.object = l.object");
}

/* ---- conditions ---- */

/* Whether a condition finds the same rows with and without the library's help:
   @ is the column, of which '+' keeps it from the library. */
static bool is_same(const char *table, const char *column,
		    const char *condition)
{
	char with[200] = "", without[200] = "", *a, *b;
	bool same;

	for (const char *c = condition; *c; c++)
		if (*c == '@') {
			snprintf(with + strlen(with), 40, "\"%s\"", column);
			snprintf(without + strlen(without), 40, "+\"%s\"",
				 column);
		} else {
			strncat(with, c, 1);
			strncat(without, c, 1);
		}
	a = ask("SELECT * FROM %s WHERE %s ORDER BY 1, 2, 3, 4, 5, 6, 7", table,
		with);
	b = ask("SELECT * FROM %s WHERE %s ORDER BY +1, 2, 3, 4, 5, 6, 7",
		table, without);
	same = !strcmp(a, b) && strncmp(a, "error", 5) != 0;
	if (!same)
		printf("# %s where %s: %zu and %zu bytes\n", table, with,
		       strlen(a), strlen(b));
	free(a);
	free(b);
	return same;
}

static const struct {
	const char *table;
	const char *numbers[9];
	const char *names[4];
} pushed[] = {
	{"accesses",
	 {"number", "instruction", "time_ns", "process", "thread", "ip",
	  "address", "size"},
	 {"kind", "function", "object"}},
	{"instructions",
	 {"number", "time_ns", "process", "thread", "ip", "size"},
	 {"function", "object"}},
	{"executions",
	 {"instruction", "access", "process", "thread", "image", "exit"},
	 {0}},
	{"calls",
	 {"number", "time_ns", "process", "thread", "from_ip", "to_ip"},
	 {"from_function", "from_object", "kind", "to_function"}},
	{"events",
	 {"instruction", "access", "process", "thread", "time_ns", "value"},
	 {"kind"}},
};

static void test_numbers(void)
{
	/* A string of digits is a number only to the column itself: tested in
	   sql.test. */
	static const char *const value[] = {"0",
					    "1",
					    "2",
					    "3",
					    "17",
					    "99",
					    "-1",
					    "4096",
					    "8192",
					    "36860",
					    "1e3",
					    "2.5",
					    "-0.5",
					    "1e300",
					    "'x'",
					    "NULL",
					    "x'03'",
					    "9223372036854775807",
					    "-9223372036854775808",
					    "2147352576"};
	static const char *const op[] = {"=", "<", "<=", ">", ">="};
	char condition[80];

	for (size_t t = 0; t < sizeof(pushed) / sizeof(*pushed); t++) {
		bool same = true;

		for (const char *const *c = pushed[t].numbers; *c; c++)
			for (unsigned v = 0; v < sizeof(value) / sizeof(*value);
			     v++)
				for (unsigned o = 0;
				     o < sizeof(op) / sizeof(*op); o++) {
					snprintf(condition, sizeof(condition),
						 "@ %s %s", op[o], value[v]);
					same &= is_same(pushed[t].table, *c,
							condition);
				}
		ok(same, pushed[t].table);
	}
}

static void test_ranges(void)
{
	static const char *const condition[] = {
		"@ BETWEEN 2 AND 9",
		"@ BETWEEN 9 AND 2",
		"@ BETWEEN -5 AND 3",
		"@ IN (1, 3, 7, 7, 4096)",
		"@ IN (SELECT process FROM processes)",
		"@ > 1 AND @ < 4",
		"@ >= 2 AND @ <= 2",
		"@ > 10 AND @ > 20 AND @ < 60 AND @ < 50",
		"@ = 1 OR @ = 3",
		"NOT @ < 5",
		"@ > 1.5 AND @ < 2.5",
		"@ > 8000 AND @ <= 130000",
	};

	for (size_t t = 0; t < sizeof(pushed) / sizeof(*pushed); t++) {
		bool same = true;

		for (const char *const *c = pushed[t].numbers; *c; c++)
			for (unsigned i = 0;
			     i < sizeof(condition) / sizeof(*condition); i++)
				same &= is_same(pushed[t].table, *c,
						condition[i]);
		ok(same, pushed[t].table);
	}
}

static void test_texts(void)
{
	static const char *const condition[] = {
		"@ = 'read'",
		"@ = 'write'",
		"@ = 'modify'",
		"@ = 'load'",
		"@ = 'READ'",
		"@ = 'READ' COLLATE NOCASE",
		"@ = 'main'",
		"@ = 'far'",
		"@ = 'work'",
		"@ = '/bin/toy'",
		"@ = 'toy'",
		"@ = '/lib/libtoy.so'",
		"@ = 'none'",
		"@ = ''",
		"@ = 3",
		"@ IS NULL",
		"@ = NULL",
		"@ > 'm'",
		"@ IN ('main', 'write', '/bin/toy')",
		"@ LIKE '%toy'"};

	for (size_t t = 0; t < sizeof(pushed) / sizeof(*pushed); t++) {
		bool same = true;

		for (const char *const *c = pushed[t].names; c[0]; c++)
			for (unsigned i = 0;
			     i < sizeof(condition) / sizeof(*condition); i++)
				same &= is_same(pushed[t].table, *c,
						condition[i]);
		ok(same, pushed[t].table);
	}
}

static void test_together(void)
{
	says("1\n", "conditions on several columns hold together",
	     "SELECT (SELECT group_concat(number) FROM accesses WHERE "
	     "process = 1 AND thread = 1 AND kind = 'read' AND ip < 0x3000 "
	     "AND number > 10 AND function = 'main') IS "
	     "(SELECT group_concat(number) FROM accesses WHERE +process = 1 "
	     "AND +thread = 1 AND +kind = 'read' AND +ip < 0x3000 "
	     "AND +number > 10 AND +function = 'main')");
	says("1|2|3\n", "a join looks rows up",
	     "SELECT group_concat(n, '|') FROM (SELECT b.number - a.number "
	     "AS n FROM accesses a JOIN accesses b ON b.number > a.number "
	     "AND b.number < a.number + 4 WHERE a.number = 20)");
	says("1\n", "the first column is in order",
	     "SELECT group_concat(number) = (SELECT group_concat(number) FROM "
	     "(SELECT +number AS number FROM accesses ORDER BY 1)) FROM "
	     "(SELECT number FROM accesses ORDER BY number)");
	says("1\n", "also if SQLite asks for one value after the other",
	     "SELECT group_concat(number) = (SELECT group_concat(number) FROM "
	     "(SELECT number FROM accesses ORDER BY number)) FROM "
	     "(SELECT number FROM accesses WHERE thread IN (3, 1, 2) "
	     "ORDER BY number)");
	says("9|8|7\n", "or in the other",
	     "SELECT group_concat(number, '|') FROM (SELECT number FROM "
	     "accesses WHERE number < 10 ORDER BY number DESC LIMIT 3)");
	says("1\n", "by another column they are sorted",
	     "SELECT min(ok) FROM (SELECT address >= lag(address) OVER () "
	     "IS NOT 0 AS ok FROM (SELECT address FROM accesses "
	     "ORDER BY address))");
}

/* Return the number of blocks of the file that a statement reads. */
static long blocks_read(const char *sql)
{
	char *before = ask("SELECT blocks_read FROM run"),
	     *got = ask("%s", sql);
	char *after = ask("SELECT blocks_read FROM run");
	long n = atol(after) - atol(before);

	free(before);
	free(got);
	free(after);
	return n;
}

static void test_blocks(void)
{
	long all = blocks_read("SELECT count(*) FROM accesses");
	const char *const few[] = {
		"SELECT count(*) FROM accesses WHERE number = 50",
		"SELECT count(*) FROM accesses WHERE instruction = 50",
		"SELECT 1 FROM accesses WHERE time_ns BETWEEN 500 AND 600",
		"SELECT count(*) FROM instructions WHERE number = 50",
		"SELECT count(*) FROM accesses ORDER BY number LIMIT 1",
	};

	ok(all >= (long)toy.chunks, "all accesses are in all blocks");
	for (unsigned i = 0; i + 1 < sizeof(few) / sizeof(*few); i++)
		ok(blocks_read(few[i]) <= 2, few[i]);
	ok(blocks_read("SELECT count(*) FROM accesses WHERE process = 2") < all,
	   "of a process there are fewer");
	ok(blocks_read("SELECT count(*) FROM accesses WHERE number < 0") == 0 &&
		   blocks_read("SELECT count(*) FROM accesses WHERE kind = "
			       "'load'") == 0 &&
		   blocks_read("SELECT count(*) FROM accesses WHERE process = "
			       "0") == 0 &&
		   blocks_read("SELECT count(*) FROM accesses WHERE thread < "
			       "1") == 0,
	   "and of what cannot be there are none");
}

/* ---- other files ---- */

static void test_argument(void)
{
	char *got;

	says("1\n", "a table takes a file",
	     "SELECT count(*) = (SELECT accesses FROM run) FROM accesses(%Q)",
	     toy_path);
	says("1\n", "whose name is a hidden column",
	     "SELECT profile = %Q FROM run", toy_path);
	got = ask("SELECT * FROM accesses('/nonexistent/y')");
	ok(strstr(got, "/nonexistent/y"), "one that is not there is named");
	free(got);
	says("0\n", "no name is no file",
	     "SELECT count(*) FROM accesses(NULL)");
}

static uint64_t offset_of_units(unsigned n)
{
	struct pf_head h;
	uint64_t offset = 0;
	int fd = open(toy_path, O_RDONLY);

	while (pread(fd, &h, sizeof(h), (off_t)offset) == sizeof(h)) {
		if (h.kind == PF_UNITS && n-- == 0)
			break;
		offset += h.head_bytes + (h.packed + 7) / 8 * 8;
	}
	close(fd);
	return offset + h.head_bytes;
}

static void test_damage(void)
{
	char path[64], command[200], *got;
	const uint64_t junk = 0;
	int fd;

	snprintf(path, sizeof(path), "%s.damaged", toy_path);
	snprintf(command, sizeof(command), "cp %s %s", toy_path, path);
	if (system(command))
		abort();
	fd = open(path, O_WRONLY);
	if (pwrite(fd, &junk, 8, (off_t)offset_of_units(4) + 9) != 8)
		abort();
	close(fd);
	free(ask("SELECT alleria_open(%Q)", path));
	got = ask("SELECT count(*) FROM accesses");
	ok(atol(got) > 0 && atol(got) < (long)toy.n_accesses,
	   "what is damaged is left out");
	free(got);
	says("1\n", "and counted", "SELECT alleria_damage()");
	unlink(path);
}

int main(void)
{
	toy_write();
	sqlite3_auto_extension((void (*)(void))sqlite3_alleria_init);
	if (sqlite3_open(":memory:", &db))
		return 99;
	test_open();
	test_accesses();
	test_instructions();
	test_executions();
	test_events();
	test_calls();
	test_facts();
	test_numbers();
	test_ranges();
	test_texts();
	test_together();
	test_blocks();
	test_argument();
	test_damage();
	ok(begins("error: ", ask("DELETE FROM accesses")),
	   "nothing can be changed");
	sqlite3_close(db);
	toy_remove();
	return done_testing();
}

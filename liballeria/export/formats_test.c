/* SPDX-License-Identifier: GPL-2.0-or-later */
/* formats_test.c - formats of other tools: the export of a small profile,
   byte for byte */
#include <sqlite3.h>

#include "liballeria/export/format.h"
#include "tests/fixtures/toy_writer.h"
#include "tests/tap.h"

static struct alleria_profile *profile;
static char out[64];

/* Export the profile in format @name. Return: the file's content, for free(),
   with its length in @size; NULL: it could not be written. */
static char *export_as(const char *name, size_t *size)
{
	struct ex_export_job job = {.profile = profile, .path = out};
	size_t i = 0, n = 0;
	char *text = NULL;
	FILE *f;

	while (strcmp(ex_formats[i]->name, name) != 0)
		i++;
	unlink(out);
	if (ex_formats[i]->write(&job)) {
		printf("# %s: %s\n", name, job.message);
		return NULL;
	}
	f = fopen(out, "r");
	if (f && getdelim(&text, &n, EOF, f) >= 0)
		*size = (size_t)ftell(f);
	if (f)
		fclose(f);
	return text;
}

static void put_traced(FILE *f, bool sized, const char *label, uint64_t address,
		       unsigned size)
{
	fprintf(f, "%c %llx", label[sized], (unsigned long long)address);
	if (sized)
		fprintf(f, " %x", size);
	fputc('\n', f);
}

static void test_din(const char *name, bool sized)
{
	char *want = NULL, *got;
	size_t size, n = 0;
	FILE *f = open_memstream(&want, &size);

	for (size_t i = 0; i < toy.n_instructions; i++) {
		const struct alleria_instruction *in = &toy.instruction[i];

		put_traced(f, sized, "2i", in->address, in->size);
		for (unsigned k = 0; k < in->n_accesses; k++) {
			const struct alleria_access *a =
				&toy.access[in->first_access + k];

			if (a->kind != ALLERIA_WRITE)
				put_traced(f, sized, "0r", a->address, a->size);
			if (a->kind != ALLERIA_READ)
				put_traced(f, sized, "1w", a->address, a->size);
		}
	}
	fclose(f);
	got = export_as(name, &n);
	ok(got && n == size && !memcmp(got, want, n), name);
	free(got);
	free(want);
}

static void test_npy(void)
{
	enum { RECORD = offsetof(struct alleria_access, read) };
	char shape[40];
	size_t n = 0, head;
	char *got = export_as("npy", &n);
	bool right;

	if (!ok(got && !memcmp(got, "\x93NUMPY\1\0", 8), "npy has its magic")) {
		free(got);
		return;
	}
	head = 10 + (unsigned char)got[8] + 256 * (unsigned char)got[9];
	snprintf(shape, sizeof(shape), "'shape': (%zu,)", toy.n_accesses);
	ok(head % 64 == 0 && n == head + RECORD * toy.n_accesses &&
		   strstr(got + 10, shape),
	   "and as many records as it says");
	right = n == head + RECORD * toy.n_accesses;
	for (size_t i = 0; right && i < toy.n_accesses; i++)
		right = !memcmp(got + head + RECORD * i, &toy.access[i],
				RECORD);
	ok(right, "which are the accesses");
	free(got);
}

/* ---- sqlite ---- */

static sqlite3 *db;

static int64_t query_number(const char *sql)
{
	sqlite3_stmt *s = NULL;
	int64_t n = -1;

	if (!sqlite3_prepare_v2(db, sql, -1, &s, NULL) &&
	    sqlite3_step(s) == SQLITE_ROW)
		n = sqlite3_column_int64(s, 0);
	else
		printf("# %s\n", sqlite3_errmsg(db));
	sqlite3_finalize(s);
	return n;
}

/* Count the instructions or the accesses of kind @what that a function of a
   process makes. */
static int64_t count_expected(uint32_t process, const char *function, int what)
{
	int64_t n = 0;

	for (size_t i = 0; i < toy.n_instructions; i++) {
		const struct alleria_instruction *in = &toy.instruction[i];

		if (in->process != process ||
		    strcmp(toy_function(in->address), function) != 0)
			continue;
		n += what == 0;
		for (unsigned k = 0; k < in->n_accesses; k++) {
			unsigned kind = toy.access[in->first_access + k].kind;

			n += what == 1 && kind != ALLERIA_WRITE;
			n += what == 2 && kind != ALLERIA_READ;
		}
	}
	return n;
}

static void test_counts(void)
{
	static const char *const function[] = {"main", "work", "far", "???"};
	static const char *const column[] = {"instructions", "reads", "writes"};
	bool right = true;
	char sql[200];

	for (uint32_t p = 1; p <= TOY_PROCESSES; p++)
		for (unsigned f = 0; f < 4; f++)
			for (int c = 0; c < 3; c++) {
				snprintf(
					sql, sizeof(sql),
					"SELECT ifnull(sum(%s), 0) FROM counts "
					"WHERE process = %u AND function = "
					"'%s'",
					column[c], p, function[f]);
				right &= query_number(sql) ==
					 count_expected(p, function[f], c);
			}
	ok(right, "counts by process and function");
	ok(query_number("SELECT count(*) FROM counts WHERE function = "
			"'main'") == 2 * TOY_PROCESSES,
	   "a row for each line");
}

/* Return: the rows of a question, values separated by '|', rows by newlines,
   for free(). */
static char *query_rows(const char *sql)
{
	sqlite3_stmt *s = NULL;
	char *rows = NULL;
	size_t size;
	FILE *f = open_memstream(&rows, &size);

	sqlite3_prepare_v2(db, sql, -1, &s, NULL);
	while (sqlite3_step(s) == SQLITE_ROW)
		for (int i = 0, n = sqlite3_column_count(s); i < n; i++)
			fprintf(f, "%s%c", sqlite3_column_text(s, i),
				i + 1 < n ? '|' : '\n');
	sqlite3_finalize(s);
	fclose(f);
	return rows;
}

static void print_process(FILE *f, uint32_t process)
{
	const struct alleria_process *p = alleria_process(profile, process);

	fprintf(f, "%u|%u|%u|%u|%u|%s %s|%s|%u|%u|%lld|", p->index, p->tree,
		p->number, p->parent, p->pid, p->command[0], p->command[1],
		p->directory, p->status, p->ending, (long long)p->value);
	fprintf(f, "%llu|%llu|%llu|%llu|%llu|%llu|%llu\n",
		(unsigned long long)p->begin_ns, (unsigned long long)p->end_ns,
		(unsigned long long)p->counts.instructions,
		(unsigned long long)p->counts.reads,
		(unsigned long long)p->counts.writes,
		(unsigned long long)p->counts.modifies,
		(unsigned long long)p->lost);
}

static void print_threads(FILE *f, uint32_t process)
{
	const struct alleria_thread *t;
	long n = alleria_threads(profile, process, &t);

	for (long i = 0; i < n; i++)
		fprintf(f, "%u|%u|%u|%llu|%llu|%llu|%llu\n", t[i].process,
			t[i].image, t[i].number,
			(unsigned long long)t[i].begin_instruction,
			(unsigned long long)t[i].end_instruction,
			(unsigned long long)t[i].begin_ns,
			(unsigned long long)t[i].end_ns);
}

static void print_objects(FILE *f, uint32_t process)
{
	const struct alleria_object *const *o;
	long n = alleria_objects(profile, process, &o);

	for (long i = 0; i < n; i++)
		fprintf(f, "%u|%u|%u|%s|%s|%llu|%llu|%llu\n", o[i]->process,
			o[i]->image, o[i]->number, o[i]->path, o[i]->build_id,
			(unsigned long long)o[i]->start,
			(unsigned long long)o[i]->size,
			(unsigned long long)o[i]->bias);
}

static void print_functions(FILE *f, uint32_t unused)
{
	const struct alleria_function *a;
	long n = alleria_functions(profile, &a);

	(void)unused;
	for (long i = 0; i < n; i++)
		fprintf(f, "%u|%s|%s|%u|%s|%llu\n", a[i].number, a[i].name,
			a[i].file, a[i].line, a[i].object,
			(unsigned long long)a[i].value);
}

static void print_lines(FILE *f, uint32_t unused)
{
	const struct alleria_line *l;
	long n = alleria_lines(profile, &l);

	(void)unused;
	for (long i = 0; i < n; i++)
		fprintf(f, "%s|%llu|%s|%u|%u\n", l[i].object,
			(unsigned long long)l[i].value, l[i].file, l[i].line,
			l[i].function);
}

/* Check that a table has the rows that @print prints for 1 to @n. */
static void has_rows(const char *table, void (*print)(FILE *, uint32_t),
		     uint32_t n)
{
	char *want = NULL, *got, sql[64];
	size_t size;
	FILE *f = open_memstream(&want, &size);

	for (uint32_t i = 1; i <= n; i++)
		print(f, i);
	fclose(f);
	snprintf(sql, sizeof(sql), "SELECT * FROM %s", table);
	got = query_rows(sql);
	is_str(got, want, table);
	free(got);
	free(want);
}

/* Check every column of the tables that copy what the library gives. */
static void test_tables(void)
{
	char *rows = query_rows("SELECT value FROM run WHERE key IN "
				"('command', 'version', 'status', 'reason', "
				"'processes', 'instructions_are') "
				"ORDER BY key");

	is_str(rows, "toy -x\nall\n3\n\n0\n9.9\n", "run");
	free(rows);
	has_rows("processes", print_process, TOY_PROCESSES);
	has_rows("threads", print_threads, TOY_PROCESSES);
	has_rows("objects", print_objects, TOY_PROCESSES);
	has_rows("functions", print_functions, 1);
	has_rows("lines", print_lines, 1);
}

static void test_sqlite(void)
{
	size_t n = 0;
	char *got = export_as("sqlite", &n);

	if (!ok(got && !sqlite3_open(out, &db), "a database is written")) {
		free(got);
		return;
	}
	free(got);
	is_u64((uint64_t)query_number("SELECT count(*) FROM processes"),
	       TOY_PROCESSES, "with all processes");
	is_u64((uint64_t)query_number(
		       "SELECT sum(process * 100 + tree * 10 + number)"
		       " FROM processes"),
	       111 + 212 + 321, "numbered from 1");
	is_u64((uint64_t)query_number(
		       "SELECT sum(instructions) FROM processes"),
	       toy.n_instructions, "their instructions");
	is_u64((uint64_t)query_number("SELECT sum(reads + writes - modifies) "
				      "FROM processes"),
	       toy.n_accesses, "and accesses");
	is_u64((uint64_t)query_number("SELECT value FROM run WHERE key = "
				      "'accesses'"),
	       toy.n_accesses, "the run has as many");
	is_u64((uint64_t)query_number(
		       "SELECT count(*) FROM threads WHERE process "
		       "BETWEEN 1 AND 3 AND thread >= 1"),
	       4 + 2 + 1, "threads");
	is_u64((uint64_t)query_number("SELECT count(*) FROM objects"), 8,
	       "objects");
	is_u64((uint64_t)query_number("SELECT count(*) FROM functions"), 4,
	       "functions");
	is_u64((uint64_t)query_number("SELECT count(*) FROM lines"), 6,
	       "lines");
	test_counts();
	test_tables();
	sqlite3_close(db);
}

static void test_failure(void)
{
	struct ex_export_job job = {.profile = profile,
				    .path = "/nonexistent/directory/x"};
	bool failed = true, named = true;

	for (size_t i = 0; ex_formats[i]; i++) {
		if (strcmp(ex_formats[i]->name, "din") != 0 &&
		    strcmp(ex_formats[i]->name, "xdin") != 0 &&
		    strcmp(ex_formats[i]->name, "npy") != 0 &&
		    strcmp(ex_formats[i]->name, "sqlite") != 0)
			continue;
		job.message[0] = 0;
		failed &= ex_formats[i]->write(&job) == -1;
		named &=
			strstr(job.message, "/nonexistent/directory/x") != NULL;
	}
	ok(failed, "what cannot be written fails");
	ok(named, "and names the file");
}

int main(void)
{
	toy_write();
	profile = toy_open();
	snprintf(out, sizeof(out), "%s.out", toy_path);
	test_din("din", false);
	test_din("xdin", true);
	test_npy();
	test_sqlite();
	test_failure();
	unlink(out);
	alleria_close(profile);
	toy_remove();
	return done_testing();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf_map_test.c - tests files with names of generated code
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/tables/intern.h"
#include "lib/symbols/perf_map.h"
#include "tests/tap.h"

static char dir[] = "/tmp/al-perfmap-test-XXXXXX";
static char path[64];
static struct al_intern strings;

static int read_text(struct al_perfmap *m, const char *text)
{
	FILE *f = fopen(path, "w");

	if (!f || fputs(text, f) < 0 || fclose(f))
		abort();
	*m = (struct al_perfmap){0};
	return al_perfmap_read_and_sort(m, path, &strings);
}

static const char *name_at(const struct al_perfmap *m, uint64_t addr)
{
	const char *found = al_perfmap_find_newest_name(m, addr);

	return found ? found : "none";
}

static void test_names(void)
{
	struct al_perfmap m;

	is_u64((uint64_t)read_text(&m, "1000 10 first\n"
				       "0x2000 0x20 Lsecond; with (blanks)\n"
				       "1008 4 later\n"
				       "7fff00000000 100 far\n"),
	       0, "a file is read");
	is_str(name_at(&m, 0xfff), "none", "before the first there is none");
	is_str(name_at(&m, 0x1000), "first", "the first byte of a function");
	is_str(name_at(&m, 0x1007), "first", "it goes on");
	is_str(name_at(&m, 0x1008), "later", "until other code is made there");
	is_str(name_at(&m, 0x100c), "first", "and behind that");
	is_str(name_at(&m, 0x1010), "none", "but not behind its end");
	is_str(name_at(&m, 0x201f), "Lsecond; with (blanks)",
	       "names have blanks, numbers may have 0x");
	is_str(name_at(&m, 0x7fff000000ff), "far", "the last byte of the last");
	al_perfmap_release(&m);
	read_text(&m, "1000 10 old\n1000 10 new\n");
	is_str(name_at(&m, 0x1000), "new",
	       "of two for one place the last holds");
	al_perfmap_release(&m);
}

static void test_bad(void)
{
	static char big[AL_PERFMAP_NAME + 100];
	struct al_perfmap m;

	read_text(&m, "\nnonsense\n1000\n1000 10\n1000 10 \n1000 0 empty\n"
		      "ffffffffffffffff 10 wraps\n-1 2 minus\n"
		      "11111111111111111 1 long\n3000 1 good");
	is_u64(m.n, 1, "lines that are none are skipped");
	is_str(name_at(&m, 0x3000), "good", "the last needs no line end");
	al_perfmap_release(&m);
	memset(big, 'x', sizeof(big) - 1);
	memcpy(big, "1000 10 ", 8);
	read_text(&m, big);
	is_u64(strlen(name_at(&m, 0x1000)), AL_PERFMAP_NAME, "names are cut");
	al_perfmap_release(&m);
	strcpy(big + sizeof(big) - 18, "\n2000 10 second\n");
	read_text(&m, big);
	is_str(name_at(&m, 0x2000), "second", "the line after it is read");
	al_perfmap_release(&m);
	unlink(path);
	is_u64((uint64_t)-al_perfmap_read_and_sort(&m, path, &strings), ENOENT,
	       "a file that is not there");
	if (symlink("/proc/self/maps", path))
		abort();
	is_u64((uint64_t)-al_perfmap_read_and_sort(&m, path, &strings), ELOOP,
	       "a link is not followed");
	unlink(path);
	if (mkfifo(path, 0600))
		abort();
	is_u64((uint64_t)-al_perfmap_read_and_sort(&m, path, &strings), EPERM,
	       "a FIFO is not waited for");
}

/* ---- jitdump ---- */

static void put32(FILE *f, uint32_t a, uint32_t b)
{
	fwrite(&a, 4, 1, f);
	fwrite(&b, 4, 1, f);
}

static void put64(FILE *f, uint64_t n)
{
	fwrite(&n, 8, 1, f);
}

static FILE *start_dump(uint32_t version)
{
	FILE *f = fopen(path, "w");

	put32(f, 0x4a695444, version);
	put32(f, 48, 62); /* a header longer than this version's, struct head */
	put32(f, 0, 4711);
	put64(f, 1);
	put64(f, 0);
	put64(f, 0);
	return f;
}

static void put_load(FILE *f, uint64_t address, uint64_t bytes,
		     const char *function, uint32_t record)
{
	size_t name_at = strlen(function) + 1;

	put32(f, 0, record ? record : (uint32_t)(16 + 40 + name_at + bytes));
	put64(f, 2);
	put32(f, 4711, 4711);
	put64(f, address);
	put64(f, address);
	put64(f, bytes);
	put64(f, 7);
	fwrite(function, name_at, 1, f);
	for (uint64_t i = 0; i < bytes; i++)
		fputc(0x90, f);
}

static void put_move(FILE *f, uint64_t from, uint64_t to, uint64_t bytes)
{
	put32(f, 1, 16 + 48);
	put64(f, 3);
	put32(f, 4711, 4711);
	put64(f, to);
	put64(f, from);
	put64(f, to);
	put64(f, bytes);
	put64(f, 7);
}

static int read_dump(struct al_perfmap *m, FILE *f)
{
	fclose(f);
	*m = (struct al_perfmap){0};
	return al_perfmap_read_and_sort(m, path, &strings);
}

static void test_jitdump(void)
{
	struct al_perfmap m;
	FILE *f = start_dump(1);

	put_load(f, 0x1000, 0x10, "first", 0);
	put32(f, 2, 16 + 8); /* a record of debug information, which is
				skipped */
	put64(f, 2);
	put64(f, 0);
	put_load(f, 0x2000, 8, "second", 0);
	put_move(f, 0x1000, 0x3000, 0x10);
	is_u64((uint64_t)read_dump(&m, f), 0, "a jitdump file is read");
	is_str(name_at(&m, 0x100f), "first", "code that is loaded");
	is_str(name_at(&m, 0x2007), "second",
	       "behind records that are skipped");
	is_str(name_at(&m, 0x2008), "none", "as far as it goes");
	is_str(name_at(&m, 0x300f), "first", "code that is moved");
	al_perfmap_release(&m);
	f = start_dump(1);
	put_load(f, 0x1000, 0x10, "first", 0);
	put_load(f, 0x2000, 0x10, "second", 8);
	put_load(f, 0x3000, 0x10, "third", 0);
	read_dump(&m, f);
	is_u64(m.n, 1, "nothing behind a record that is too short");
	al_perfmap_release(&m);
	f = start_dump(1);
	put_load(f, UINT64_MAX, 8, "wraps", 0);
	put_load(f, 0x1000, 0, "empty", 0);
	put_load(f, 0x2000, 8, "", 0);
	put32(f, 0, 16 + 40);
	put64(f, 2);
	read_dump(&m, f);
	is_u64(m.n, 0, "what cannot be code, or has no name, is skipped");
	al_perfmap_release(&m);
	f = start_dump(2);
	put_load(f, 0x1000, 0x10, "first", 0);
	read_dump(&m, f);
	is_u64(m.n, 0, "another version is not read");
	al_perfmap_release(&m);
}

static void test_bound(void)
{
	struct al_perfmap m = {0};
	struct stat st;
	FILE *f;

	unlink(path);
	f = fopen(path, "w");
	for (unsigned i = 0; i < (AL_PERFMAP_BYTES >> 4) + 1000; i++)
		fprintf(f, "%08x 1 name\n", i); /* a line of 16 bytes */
	fclose(f);
	stat(path, &st);
	ok(st.st_size > AL_PERFMAP_BYTES, "a file that is too long");
	al_perfmap_read_and_sort(&m, path, &strings);
	is_u64(m.n, AL_PERFMAP_BYTES >> 4, "is read as far as its bound");
	al_perfmap_release(&m);
}

/* Records that add no name. */
static void test_jitdump_bounds(void)
{
	enum { LOADS = 1 << 15, MOVES = AL_JITDUMP_STEPS / LOADS };
	struct al_perfmap m;
	FILE *f = start_dump(1);

	for (unsigned i = 0; i < AL_JITDUMP_RECORDS - 1; i++) {
		put32(f, 9, 16);
		put64(f, 2);
	}
	put_load(f, 0x1000, 1, "last", 0);
	put_load(f, 0x2000, 1, "behind", 0);
	read_dump(&m, f);
	is_str(name_at(&m, 0x1000), "last",
	       "a jitdump of many records is read");
	is_str(name_at(&m, 0x2000), "none", "up to its bound");
	al_perfmap_release(&m);
	for (unsigned more = 0; more < 2; more++) {
		f = start_dump(1);
		for (unsigned i = 0; i < LOADS; i++)
			put_load(f, 0x100000 + i, 1, "load", 0);
		for (unsigned i = 0; i < MOVES - 1 + more; i++)
			put_move(f, 0x10, 0x2000, 1);
		put_load(f, 0x1000, 1, "behind", 0);
		read_dump(&m, f);
		is_str(name_at(&m, 0x1000), more ? "none" : "behind",
		       more ? "up to a bound of names compared"
			    : "so is one with many moves");
		al_perfmap_release(&m);
	}
}

int main(void)
{
	if (!mkdtemp(dir))
		abort();
	snprintf(path, sizeof(path), "%s/perf.map", dir);
	al_intern_init(&strings);
	test_names();
	test_bad();
	unlink(path);
	test_jitdump();
	test_jitdump_bounds();
	test_bound();
	al_intern_release(&strings);
	unlink(path);
	rmdir(dir);
	return done_testing();
}

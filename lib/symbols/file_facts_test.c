/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file_facts_test.c - tests build ids and hashes of source files
 */
#include "lib/symbols/file_facts.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/tap.h"

static char dir[] = "/tmp/al_file_facts_test.XXXXXX";

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	if (f == NULL || fputs(text, f) < 0 || fclose(f) != 0)
		abort();
}

static void test_source(void)
{
	struct al_file_facts f;
	struct al_source_hash h = {0, 0}, stored = {7, 8};
	char path[PATH_MAX], fifo[PATH_MAX];

	snprintf(path, sizeof(path), "%s/a.c", dir);
	snprintf(fifo, sizeof(fifo), "%s/fifo", dir);
	al_file_facts_init(&f);
	ok(!al_file_facts_get_or_hash_source(&f, "a.c", &h),
	   "a relative path is not read");
	write_file(path, "a");
	ok(al_file_facts_get_or_hash_source(&f, path, &h),
	   "a source file is read");
	/* FNV-1a of "a", from its definition */
	is_u64(h.hash, UINT64_C(0xaf63dc4c8601ec8c), "its hash");
	is_u64(h.lines, 1, "a last line without an end counts");
	write_file(path, "a\nb\n");
	ok(al_file_facts_get_or_hash_source(&f, path, &h) &&
		   h.hash == UINT64_C(0xaf63dc4c8601ec8c),
	   "it is read once");
	is_u64((uint64_t)al_source_hash_regular_file_count_lines(path, &h), 0,
	       "read anew");
	is_u64(h.lines, 2, "two lines");
	mkfifo(fifo, 0600);
	ok(!al_file_facts_get_or_hash_source(&f, fifo, &h),
	   "a FIFO is not opened");
	al_file_facts_set_source_hash(&f, fifo, &stored);
	ok(al_file_facts_get_or_hash_source(&f, fifo, &h) && h.hash == 7 &&
		   h.lines == 8,
	   "a stored hash is returned");
	al_file_facts_release(&f);

	al_file_facts_init(&f);
	al_file_facts_forbid_reading(&f);
	ok(!al_file_facts_get_or_hash_source(&f, path, &h),
	   "a replay reads no file");
	al_file_facts_release(&f);
	unlink(path);
	unlink(fifo);
}

static void test_build_id(void)
{
	char id[AL_BUILD_ID], self[PATH_MAX];
	struct al_file_facts f;

	if (realpath("/proc/self/exe", self) == NULL)
		abort();
	al_file_facts_init(&f);
	al_file_facts_get_or_read_build_id(&f, "/nowhere", id);
	is_str(id, "", "a file that is not there has no id");
	al_file_facts_set_build_id(&f, self, "0123");
	al_file_facts_get_or_read_build_id(&f, self, id);
	is_str(id, "0123", "a stored id is returned");
	al_file_facts_release(&f);
	al_file_facts_init(&f);
	al_file_facts_forbid_reading(&f);
	al_file_facts_get_or_read_build_id(&f, self, id);
	is_str(id, "", "a replay reads no object");
	al_file_facts_release(&f);
}

int main(void)
{
	if (mkdtemp(dir) == NULL)
		abort();
	test_source();
	test_build_id();
	rmdir(dir);
	return done_testing();
}

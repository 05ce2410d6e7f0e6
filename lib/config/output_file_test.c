/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * output_file_test.c - tests that files are renamed only when complete
 */
#include "lib/config/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system/blocking_output.h"
#include "tests/tap.h"

enum { LIMIT = 64 << 10 }; /* greatest size of a file in this test [bytes] */

static bool exists(const char *name)
{
	struct stat st;

	return stat(name, &st) == 0;
}

/* Write a file of @kib KiB. Return: 0; -errno of the first failure. */
static int write_file(const char *pattern, const char *label, unsigned kib)
{
	static const char data[1024];
	struct al_output o;
	int err = al_output_open(&o, pattern, label, ""), late;

	while (!err && kib--)
		err = al_output_write(&o, data, sizeof(data));
	late = al_output_close_commit_or_remove(&o);
	return err ? err : late;
}

static void test_whole(void)
{
	is_u64((uint64_t)write_file("whole", "1", 8), 0, "a file is written");
	ok(exists("whole"), "the first has the name that was given");
	write_file("whole", "2", 8);
	ok(exists("whole.2"), "the second has its label behind it");
	write_file("a%nb", "2.3", 8);
	ok(exists("a2.3b"), "or in place of %n");
}

/* Write @kib KiB under a limit on file sizes. More data than a stdio buffer
   fails when it is written, less only when the file is closed. */
static void test_cut(unsigned kib, const char *name)
{
	is_u64((uint64_t)-write_file(name, "1", kib), EFBIG,
	       "what has no room is an error");
	ok(!exists(name), "what is cut does not get its name");
}

static void test_descriptor(void)
{
	int fd = open("there", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	struct stat st;
	char name[32];

	snprintf(name, sizeof(name), "/dev/fd/%d", fd);
	is_u64((uint64_t)write_file(name, "1", 8), 0,
	       "what a descriptor leads to is written in place");
	ok(!fstat(fd, &st) && st.st_size == 8 << 10, "as a whole");
	close(fd);
}

static void test_standard_output(void)
{
	int fd = open("there", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	int before = fcntl(1, F_DUPFD_CLOEXEC, 3);
	bool is_special;

	fflush(stdout);
	dup2(fd, 1);
	is_special = al_is_stdout_or_special_file("/dev/stdout");
	dup2(before, 1);
	ok(is_special, "standard output that is a file is written in place");
	close(before);
	close(fd);
}

int main(void)
{
	char dir[] = "/tmp/alleria-output.XXXXXX";
	struct rlimit limit = {LIMIT, LIMIT};

	if (!mkdtemp(dir) || chdir(dir))
		return 99;
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);
	test_whole();
	test_descriptor();
	test_standard_output();
	test_cut(1024, "long");
	test_cut(128, "short");
	unlink("there");
	unlink("whole");
	unlink("whole.2");
	unlink("a2.3b");
	ok(rmdir(dir) == 0, "nothing else was written");
	return done_testing();
}

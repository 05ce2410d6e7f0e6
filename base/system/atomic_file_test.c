/* SPDX-License-Identifier: GPL-2.0-or-later */
/* atomic_file_test.c - files get their names when they are complete, else are
   removed */
#include "base/system/atomic_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/tap.h"

/* Count the files in the current directory. */
static unsigned count_files(void)
{
	DIR *d = opendir(".");
	unsigned n = 0;

	while (d && readdir(d))
		n++;
	closedir(d);
	return n - 2;
}

static bool has_content(const char *name, const char *text)
{
	char got[64] = "";
	FILE *f = fopen(name, "r");

	if (!f)
		return false;
	got[fread(got, 1, sizeof(got) - 1, f)] = '\0';
	fclose(f);
	return !strcmp(got, text);
}

static unsigned get_mode(const char *name)
{
	struct stat st;

	return lstat(name, &st) ? 0 : st.st_mode & 07777;
}

static int write_text(void *text, FILE *f)
{
	fputs(text, f);
	return 0;
}

static int write_and_fail(void *text, FILE *f)
{
	fputs(text, f);
	return -EILSEQ;
}

static void check_complete_file(void)
{
	struct al_file f;
	char first[] = "first", second[] = "second";

	umask(0);
	ok(al_file_write_atomically("file", write_text, first) == 0 &&
		   has_content("file", "first"),
	   "a file is written");
	is_u64(get_mode("file"), 0600, "only its owner can read it");
	umask(0777);
	ok(al_file_write_atomically("file", write_text, second) == 0 &&
		   has_content("file", "second"),
	   "an older one is replaced");
	is_u64(get_mode("file"), 0600, "whatever the umask");
	umask(022);
	ok(al_file_open_for_atomic_write(&f, "new") == 0 &&
		   fputs("x", f.stream) > 0 && access("new", F_OK) < 0 &&
		   get_mode(f.temp) == 0600,
	   "until it is complete it has another name");
	ok(al_file_close_commit_or_remove(&f, 0) == 0 &&
		   has_content("new", "x") && !f.stream,
	   "and then its own");
	unlink("new");
	is_u64(count_files(), 1, "nothing else is left");
}

static void check_failed_write(void)
{
	char text[] = "part";
	struct al_file f;

	ok(al_file_write_atomically("file", write_and_fail, text) == -EILSEQ &&
		   has_content("file", "second"),
	   "what is not complete replaces nothing");
	ok(al_file_open_for_atomic_write(&f, "nowhere/file") == -ENOENT &&
		   al_file_close_commit_or_remove(&f, -ENOENT) == -ENOENT,
	   "no folder, no file");
	ok(mkdir("folder", 0700) == 0 &&
		   al_file_open_for_atomic_write(&f, "empty") == 0 &&
		   rename("folder", "empty") == 0 &&
		   al_file_close_commit_or_remove(&f, 0) == -EISDIR,
	   "what cannot get its name is an error");
	rmdir("empty");
	is_u64(count_files(), 1, "and is removed");
}

/* Check that a file which already has the temporary name is not touched. */
static void check_taken_temporary_name(void)
{
	char name[64], text[] = "mine", theirs[] = "theirs";
	struct al_file f;

	al_file_write_atomically("victim", write_text, theirs);
	snprintf(name, sizeof(name), "file.%d.0.tmp", (int)getpid());
	if (symlink("victim", name))
		abort();
	ok(al_file_write_atomically("file", write_text, text) == 0 &&
		   has_content("file", "mine"),
	   "another name is found");
	ok(has_content("victim", "theirs") && !access(name, F_OK),
	   "a link of that name is neither followed nor removed");
	unlink(name);
	ok(al_file_open_for_atomic_write(&f, "file") == 0, "one writes a file");
	ok(al_file_write_atomically("file", write_text, text) == 0,
	   "another writes it, too");
	fputs("last", f.stream);
	ok(al_file_close_commit_or_remove(&f, 0) == 0 &&
		   has_content("file", "last"),
	   "it is whole, and that of the last");
	unlink("victim");
}

static void check_protected(void)
{
	char profile[] = "AlrP", text[] = "text";
	struct al_file f;

	ok(al_file_open_for_atomic_write(&f, "late") == 0 &&
		   al_file_write_atomically("late", write_text, profile) == 0 &&
		   al_file_close_commit_or_remove(&f, 0) == -EEXIST &&
		   has_content("late", "AlrP"),
	   "a profile that came in between is not replaced");
	ok(al_file_write_atomically("late", write_text, text) == -EEXIST &&
		   has_content("late", "AlrP"),
	   "nor one that was there before");
	unlink("late");
	is_u64(count_files(), 1, "nothing is left of what replaces nothing");
}

static void check_discarded(void)
{
	struct al_file a, b;

	ok(al_file_open_for_atomic_write(&a, "a") == 0 &&
		   al_file_open_for_atomic_write(&b, "b") == 0 &&
		   al_file_close_commit_or_remove(&a, 0) == 0,
	   "of two files one is complete");
	al_file_remove_all_temporary();
	ok(!access("a", F_OK) && access(b.temp, F_OK) < 0,
	   "what is not is removed when the process ends");
	ok(al_file_close_commit_or_remove(&b, 0) == -ENOENT &&
		   access("b", F_OK) < 0,
	   "and cannot be completed");
	unlink("a");
	is_u64(count_files(), 1, "nothing is left of it");
}

static void check_long_name(void)
{
	char name[256], text[] = "long";

	memset(name, 'x', 255);
	name[255] = '\0';
	ok(al_file_write_atomically(name, write_text, text) == 0 &&
		   has_content(name, "long"),
	   "a name may be as long as names can be");
	unlink(name);
}

static void check_in_place(void)
{
	int fd = open("file", O_RDWR | O_TRUNC | O_CLOEXEC);
	char name[32], text[] = "more";

	if (fd < 0 || write(fd, "some ", 5) != 5)
		abort();
	snprintf(name, sizeof(name), "/dev/fd/%d", fd);
	ok(al_file_write_atomically(name, write_text, text) == 0 &&
		   has_content("file", "some more"),
	   "a descriptor's file goes on where that is");
	close(fd);
	ok(al_file_write_atomically("/dev/full", write_text, text) == -ENOSPC,
	   "what a device does not take is an error");
	ok(al_file_write_atomically("/dev/null", write_text, text) == 0 &&
		   access("/dev/null", W_OK) == 0,
	   "a device is not replaced");
	is_u64(count_files(), 1, "nothing is made beside them");
}

int main(void)
{
	char dir[] = "/tmp/al_save_test.XXXXXX";

	if (!mkdtemp(dir) || chdir(dir))
		return 99;
	check_complete_file();
	check_failed_write();
	check_taken_temporary_name();
	check_protected();
	check_discarded();
	check_long_name();
	check_in_place();
	unlink("file");
	ok(rmdir(dir) == 0, "nothing else was written");
	return done_testing();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * runtime_dir_test.c - squatters, links, leftovers and living neighbours
 */
#include "daemon/core/runtime_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/tap.h"

static char base[64];  /* XDG_RUNTIME_DIR of this test */
static char dir[128];  /* base/alleria */
static char sock[160]; /* dir/x.sock */
static char message[AL_MESSAGE];

static bool exists(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

static bool has_lock(const char *path)
{
	char name[256];

	snprintf(name, sizeof(name), "%s.lock", path);
	return exists(name);
}

static void touch(const char *path)
{
	close(open(path, O_CREAT | O_WRONLY, 0600));
}

static void test_directory(void)
{
	char path[DM_PATH];
	struct stat st;

	ok(dm_runtime_create_and_check_dir(path, message) == 0,
	   "the directory is made");
	is_str(path, dir, "below XDG_RUNTIME_DIR");
	stat(dir, &st);
	is_u64(st.st_mode & 0777, 0700, "closed to others");
	ok(dm_runtime_create_and_check_dir(path, message) == 0,
	   "it may be there already");
	chmod(dir, 0755);
	ok(dm_runtime_create_and_check_dir(path, message) == -EPERM,
	   "one that is open to others is refused");
	ok(strstr(message, "open to others") != NULL, "with the reason");
	rmdir(dir);
	touch(dir);
	ok(dm_runtime_create_and_check_dir(path, message) == -ENOTDIR,
	   "a file in its place is refused");
	unlink(dir);
	if (symlink(base, dir) == 0)
		ok(dm_runtime_create_and_check_dir(path, message) == -ENOTDIR,
		   "a link in its place is refused");
	unlink(dir);
	mkdir(dir, 0700);
	if (chown(dir, 65534, 65534) == 0)
		ok(dm_runtime_create_and_check_dir(path, message) == -EPERM,
		   "somebody else's is refused");
	else
		skip("not root", "somebody else's is refused");
	rmdir(dir);
	dm_runtime_create_and_check_dir(path, message);
}

/* Check that a relative path is ignored, as the variable's specification
   asks. */
static void test_relative(void)
{
	char path[DM_PATH], expected[64];

	snprintf(expected, sizeof(expected), "/tmp/alleria-%u",
		 (unsigned)geteuid());
	setenv("XDG_RUNTIME_DIR", "relative", 1);
	ok(dm_runtime_create_and_check_dir(path, message) == 0 &&
		   !exists("relative"),
	   "a relative XDG_RUNTIME_DIR is ignored");
	is_str(path, expected, "for the directory that has none");
	setenv("XDG_RUNTIME_DIR", base, 1);
}

static void test_listen(void)
{
	struct dm_listener a, b;
	struct stat st;

	ok(dm_runtime_lock_path_and_listen(&a, sock, message) == 0,
	   "it listens");
	lstat(sock, &st);
	is_u64(st.st_mode & 077, 0, "its socket is closed to others");
	ok(dm_runtime_lock_path_and_listen(&b, sock, message) == -EADDRINUSE,
	   "a second daemon on the same socket is refused");
	ok(strstr(message, "another daemon") != NULL, "with the reason");
	dm_runtime_close_listener(&b);
	ok(exists(sock), "and leaves the first one's socket alone");
	dm_runtime_close_listener(&a);
	ok(!exists(sock) && !has_lock(sock), "closing removes both names");
}

/* Leave the files that a killed daemon leaves. */
static void leave_names(const char *path)
{
	struct dm_listener l;
	pid_t pid = fork();

	if (pid == 0)
		_exit(dm_runtime_lock_path_and_listen(&l, path, message) != 0);
	waitpid(pid, NULL, 0);
}

static void test_leftovers(void)
{
	struct dm_listener a, b;
	char other[192], dangling[192], living[192];

	leave_names(sock);
	ok(exists(sock) && has_lock(sock), "a killed daemon leaves names");
	ok(dm_runtime_lock_path_and_listen(&a, sock, message) == 0,
	   "the next one on that socket takes them over");
	snprintf(other, sizeof(other), "%s/other.sock", dir);
	leave_names(other);
	snprintf(dangling, sizeof(dangling), "%s/pid-1.sock", dir);
	snprintf(living, sizeof(living), "%s/pid-2.sock", dir);
	if (symlink(other, dangling) || symlink(sock, living))
		abort();
	dm_runtime_remove_files_of_dead_daemons(dir);
	ok(!exists(other) && !has_lock(other), "names of the dead are swept");
	ok(!exists(dangling), "so are links to them");
	ok(exists(sock) && has_lock(sock) && exists(living),
	   "those of the living are not");
	unlink(living);
	dm_runtime_close_listener(&a);
	touch(sock);
	ok(dm_runtime_lock_path_and_listen(&b, sock, message) == -EEXIST &&
		   exists(sock),
	   "a file in the socket's place is refused, and kept");
	dm_runtime_close_listener(&b);
	unlink(sock);
}

/* Create a file in a sticky directory under a name that the daemon uses. */
static void plant(const char *path, const char *what)
{
	struct dm_listener l;

	if (lchown(path, 65534, 65534) < 0) {
		skip("not root", what);
		unlink(path);
		return;
	}
	ok(dm_runtime_lock_path_and_listen(&l, path, message) == -EPERM, what);
	ok(strstr(message, "belongs to somebody else") != NULL,
	   "with the reason");
	dm_runtime_close_listener(&l);
	ok(exists(path), "and is left alone");
	unlink(path);
}

/* Check a sticky directory: others can write to it, but not replace files of
   this user. */
static void test_sticky(void)
{
	struct dm_listener l;
	char path[216], lock[224], open[192];

	snprintf(open, sizeof(open), "%s/sticky", base);
	mkdir(open, 0777);
	chmod(open, 01777);
	snprintf(path, sizeof(path), "%s/x.sock", open);
	ok(dm_runtime_lock_path_and_listen(&l, path, message) == 0 &&
		   exists(path),
	   "a sticky directory is taken");
	dm_runtime_close_listener(&l);
	leave_names(path);
	snprintf(lock, sizeof(lock), "%s.lock", path);
	unlink(lock);
	plant(path, "another user's socket in it is refused");
	touch(lock);
	if (lchown(lock, 65534, 65534) == 0) {
		ok(dm_runtime_lock_path_and_listen(&l, path, message) < 0 &&
			   !exists(path),
		   "so is another user's lock");
		dm_runtime_close_listener(&l);
	} else {
		skip("not root", "so is another user's lock");
	}
	unlink(lock);
	if (chown(open, 65534, 65534) == 0)
		ok(dm_runtime_lock_path_and_listen(&l, path, message) ==
				   -EPERM &&
			   !exists(path),
		   "so is a sticky directory of another user");
	else
		skip("not root", "so is a sticky directory of another user");
	dm_runtime_close_listener(&l);
	rmdir(open);
}

static void test_places(void)
{
	struct dm_listener l;
	char path[192];

	test_sticky();
	snprintf(path, sizeof(path), "%s/open", base);
	mkdir(path, 0777);
	chmod(path, 0777);
	strcat(path, "/x.sock");
	ok(dm_runtime_lock_path_and_listen(&l, path, message) == -EPERM &&
		   !has_lock(path),
	   "a directory that others can write is refused");
	ok(strstr(message, "others can write") != NULL, "with the reason");
	dm_runtime_close_listener(&l);
	ok(dm_runtime_lock_path_and_listen(&l, "/proc/nonexistent/x",
					   message) == -ENOENT,
	   "so is one that is not there");
	dm_runtime_close_listener(&l);
	memset(path, 'x', 150);
	path[0] = '/';
	path[150] = '\0';
	ok(dm_runtime_lock_path_and_listen(&l, path, message) == -ENAMETOOLONG,
	   "so is a path longer than a socket's");
	dm_runtime_close_listener(&l);
	snprintf(path, sizeof(path), "%s/open", base);
	rmdir(path);
}

static void test_links(void)
{
	char path[192], found[DM_PATH];

	snprintf(path, sizeof(path), "%s/pid-77.sock", dir);
	ok(dm_runtime_find_process_socket(77, found, message) == -ESRCH,
	   "a process that is not recorded has no socket");
	is_str(message, "no program with process id 77 is being recorded",
	       "which the message states");
	dm_runtime_link_pid_to_socket(dir, 77, "/dev/null");
	ok(dm_runtime_find_process_socket(77, found, message) == 0,
	   "a recorded process has one");
	is_str(found, path, "through a link");
	dm_runtime_link_pid_to_socket(dir, 77, "/a");
	ok(exists(path), "a process has a link to its daemon");
	dm_runtime_link_pid_to_socket(dir, 77, "/b");
	dm_runtime_remove_pid_link_to_socket(dir, 77, "/a");
	ok(exists(path), "another daemon does not remove it");
	dm_runtime_remove_pid_link_to_socket(dir, 77, "/b");
	ok(!exists(path), "its own does");
}

int main(void)
{
	snprintf(base, sizeof(base), "/tmp/dm-runtime-XXXXXX");
	if (!mkdtemp(base))
		return 99;
	setenv("XDG_RUNTIME_DIR", base, 1);
	snprintf(dir, sizeof(dir), "%s/alleria", base);
	snprintf(sock, sizeof(sock), "%s/x.sock", dir);
	test_directory();
	test_relative();
	test_listen();
	test_leftovers();
	test_places();
	test_links();
	ok(rmdir(dir) == 0 && rmdir(base) == 0, "nothing is left behind");
	return done_testing();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * runtime_dir.c - manages a daemon's socket and links in the runtime directory
 */
#include "daemon/core/runtime_dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text/message.h"

enum { LOCK_TRIES = 20, LOCK_PAUSE_US = 10000 };

/* Write @dir/@name to @path_out [DM_PATH]. Return: 0; -ENAMETOOLONG with
   @message if it is too long for the path of a socket. */
static int join_socket_path_or_report_too_long(char *path_out, char *message,
					       const char *dir,
					       const char *name)
{
	int n = snprintf(path_out, DM_PATH, "%s/%s", dir, name);

	if (n < 0 || n >= DM_PATH)
		return al_message_return_err(
			message, -ENAMETOOLONG,
			"path '%s/%s' is longer than a socket's may be", dir,
			name);
	return 0;
}

/* Check that @path is a directory, not a symbolic link to one, that belongs to
   the daemon's user, and to which group and others have no access.
   Return: 0; -errno with @message. */
static int check_dir_is_own_and_closed_to_others(const char *path,
						 char *message)
{
	struct stat st;

	if (lstat(path, &st) < 0)
		return al_message_return_err(message, -errno,
					     "cannot use '%s': %s", path,
					     strerror(errno));
	if (!S_ISDIR(st.st_mode))
		return al_message_return_err(
			message, -ENOTDIR,
			"runtime directory '%s' is not a directory", path);
	if (st.st_uid != geteuid())
		return al_message_return_err(
			message, -EPERM,
			"runtime directory '%s' belongs to somebody else",
			path);
	if (st.st_mode & 077)
		return al_message_return_err(
			message, -EPERM,
			"runtime directory '%s' is open to others (mode "
			"%03o, must be 700)",
			path, st.st_mode & 0777);
	return 0;
}

int dm_runtime_create_and_check_dir(char *path_out, char *message)
{
	const char *xdg = getenv("XDG_RUNTIME_DIR");
	char name[32];
	int err;

	if (xdg && xdg[0] == '/') {
		err = join_socket_path_or_report_too_long(path_out, message,
							  xdg, "alleria");
	} else {
		snprintf(name, sizeof(name), "alleria-%u", (unsigned)geteuid());
		err = join_socket_path_or_report_too_long(path_out, message,
							  "/tmp", name);
	}
	if (err)
		return err;
	if (mkdir(path_out, 0700) < 0 && errno != EEXIST)
		return al_message_return_err(
			message, -errno,
			"cannot make runtime directory '%s': %s", path_out,
			strerror(errno));
	return check_dir_is_own_and_closed_to_others(path_out, message);
}

int dm_runtime_build_socket_path_create_dir(const char *name, char *path_out,
					    char *message)
{
	char dir[DM_PATH];
	int err = dm_runtime_create_and_check_dir(dir, message);

	return err ? err
		   : join_socket_path_or_report_too_long(path_out, message, dir,
							 name);
}

/* Whether other users can replace files in a directory: it belongs to neither
   this user nor root, or others can write to it and it is not sticky. */
static bool can_others_replace_files_in_dir(const struct stat *dir)
{
	if (dir->st_uid != geteuid() && dir->st_uid != 0)
		return true;
	return dir->st_mode & 022 && !(dir->st_mode & S_ISVTX);
}

/* Check that the directory of a socket belongs to this user or root, and that
   others cannot replace files in it. Return: 0; -errno with @message. */
static int check_others_cannot_replace_socket(const char *socket_path,
					      char *message)
{
	char dir[DM_PATH];
	const char *slash = strrchr(socket_path, '/');
	struct stat st;

	snprintf(dir, sizeof(dir), "%.*s",
		 slash ? (int)(slash - socket_path) + (slash == socket_path)
		       : 1,
		 slash ? socket_path : ".");
	if (stat(dir, &st) < 0)
		return al_message_return_err(message, -errno,
					     "cannot listen on '%s': %s",
					     socket_path, strerror(errno));
	if (!S_ISDIR(st.st_mode))
		return al_message_return_err(
			message, -ENOTDIR,
			"cannot listen on '%s': '%s' is not a directory",
			socket_path, dir);
	if (can_others_replace_files_in_dir(&st))
		return al_message_return_err(
			message, -EPERM,
			"cannot listen on '%s': others can write directory "
			"'%s'",
			socket_path, dir);
	return 0;
}

/* Whether @path names the file that is open as @fd: it was not removed or
   replaced after it was opened. A symbolic link at @path is not followed. */
static bool is_open_file_still_at_path(int fd, const char *path)
{
	struct stat held, named;

	return fstat(fd, &held) == 0 && lstat(path, &named) == 0 &&
	       held.st_dev == named.st_dev && held.st_ino == named.st_ino;
}

/* Whether @fd is a regular file of this user. In a sticky directory other users
   can create a file with that name first. */
static bool is_regular_file_of_own_user(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	       st.st_uid == geteuid();
}

/* Open the lock file @path, create it if it does not exist, and try to lock it
   without waiting. Return: the descriptor that holds the lock; -EWOULDBLOCK:
   another process holds the lock, or has removed the file; -EPERM: @path is no
   regular file of this user; another -errno. */
static int open_or_create_and_try_lock_file(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	int err;

	if (fd < 0)
		return -errno;
	if (!is_regular_file_of_own_user(fd))
		err = -EPERM;
	else if (flock(fd, LOCK_EX | LOCK_NB) < 0)
		err = -errno;
	else if (!is_open_file_still_at_path(fd, path))
		err = -EWOULDBLOCK; /* the previous holder removed the file */
	else
		return fd;
	close(fd);
	return err;
}

/* Create and lock the file PATH.lock for the listener's path, and store its
   descriptor in lock_fd. A daemon that removes old files holds a lock for a
   moment, so the attempt is repeated for at most 200 ms while another process
   holds the lock. Return: 0; -errno with @message. */
static int create_lock_file_and_store_locked_fd(struct dm_listener *l,
						char *message)
{
	char path[DM_PATH + 8];
	int fd, tries = 0;

	snprintf(path, sizeof(path), "%s.lock", l->path);
	while ((fd = open_or_create_and_try_lock_file(path)) == -EWOULDBLOCK &&
	       ++tries < LOCK_TRIES)
		usleep(LOCK_PAUSE_US);
	if (fd == -EWOULDBLOCK)
		return al_message_return_err(message, -EADDRINUSE,
					     "another daemon listens on '%s'",
					     l->path);
	if (fd == -EPERM)
		return al_message_return_err(
			message, fd,
			"cannot lock '%s': it belongs to somebody else", path);
	if (fd < 0)
		return al_message_return_err(message, fd,
					     "cannot lock '%s': %s", path,
					     strerror(-fd));
	l->lock_fd = fd;
	return 0;
}

/* Remove an old socket of this user at the listener's path, create a new one
   with mode 0600, and listen. Any other file at the path is an error.
   Return: 0; -errno with @message. */
static int replace_socket_and_listen(struct dm_listener *l, char *message)
{
	struct sockaddr_un addr = {.sun_family = AF_UNIX};
	struct stat st;

	if (lstat(l->path, &st) == 0) {
		if (!S_ISSOCK(st.st_mode))
			return al_message_return_err(
				message, -EEXIST,
				"cannot listen on '%s': it exists and is "
				"no socket",
				l->path);
		if (st.st_uid != geteuid())
			return al_message_return_err(
				message, -EPERM,
				"cannot listen on '%s': it belongs to "
				"somebody else",
				l->path);
		unlink(l->path);
	}
	l->fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK,
		       0);
	memcpy(addr.sun_path, l->path, sizeof(addr.sun_path));
	if (l->fd < 0 || fchmod(l->fd, 0600) < 0 ||
	    bind(l->fd, (struct sockaddr *)&addr, sizeof(addr)) < 0 ||
	    listen(l->fd, SOMAXCONN) < 0)
		return al_message_return_err(message, -errno,
					     "cannot listen on '%s': %s",
					     l->path, strerror(errno));
	return 0;
}

int dm_runtime_lock_path_and_listen(struct dm_listener *l, const char *path,
				    char *message)
{
	int err, n;

	*l = (struct dm_listener){.fd = -1, .lock_fd = -1};
	n = snprintf(l->path, sizeof(l->path), "%s", path);
	if (n <= 0 || (size_t)n >= sizeof(l->path)) {
		l->path[0] = '\0';
		return al_message_return_err(
			message, -ENAMETOOLONG,
			"'%s' cannot be a socket's path: it must be of 1 "
			"to %d bytes",
			path, DM_PATH - 1);
	}
	err = check_others_cannot_replace_socket(path, message);
	if (!err)
		err = create_lock_file_and_store_locked_fd(l, message);
	return err ? err : replace_socket_and_listen(l, message);
}

void dm_runtime_close_listener(struct dm_listener *l)
{
	char lock[DM_PATH + 8];

	if (l->fd >= 0) {
		unlink(l->path);
		close(l->fd);
	}
	if (l->lock_fd >= 0) {
		snprintf(lock, sizeof(lock), "%s.lock", l->path);
		unlink(lock);
		close(l->lock_fd);
	}
	l->fd = l->lock_fd = -1;
}

static bool is_longer_than_and_ends_with(const char *s, const char *suffix)
{
	size_t n = strlen(s), m = strlen(suffix);

	return n > m && !strcmp(s + n - m, suffix);
}

/* Remove the lock file @lock_path and its socket if no process holds the lock.
   @lock_path ends in ".lock". */
static void remove_lock_and_socket_if_unheld(const char *lock_path)
{
	char socket[PATH_MAX];
	int fd = open(lock_path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return;
	if (flock(fd, LOCK_EX | LOCK_NB) == 0 &&
	    is_open_file_still_at_path(fd, lock_path)) {
		snprintf(socket, sizeof(socket), "%s", lock_path);
		socket[strlen(socket) - strlen(".lock")] = '\0';
		unlink(socket);
		unlink(lock_path);
	}
	close(fd);
}

/* Remove @path if it is a symbolic link whose target does not exist. */
static void remove_link_if_target_is_missing(const char *path)
{
	struct stat st;

	if (lstat(path, &st) == 0 && S_ISLNK(st.st_mode) &&
	    stat(path, &st) < 0 && errno == ENOENT)
		unlink(path);
}

/* Call @visit with the path of each file in @dir whose name ends with
   @suffix. */
static void visit_files_with_suffix(const char *dir, const char *suffix,
				    void (*visit)(const char *path))
{
	DIR *d = opendir(dir);
	struct dirent *e;
	char path[PATH_MAX];

	if (!d)
		return;
	while ((e = readdir(d)))
		if (is_longer_than_and_ends_with(e->d_name, suffix) &&
		    snprintf(path, sizeof(path), "%s/%s", dir, e->d_name) <
			    (int)sizeof(path))
			visit(path);
	closedir(d);
}

void dm_runtime_remove_files_of_dead_daemons(const char *dir)
{
	visit_files_with_suffix(dir, ".sock.lock",
				remove_lock_and_socket_if_unheld);
	visit_files_with_suffix(dir, ".sock", remove_link_if_target_is_missing);
}

/* Write the path @dir/pid-PID.sock of the link of process @pid to @path_out
   [DM_PATH]. Return: 0; -ENAMETOOLONG. */
static int build_pid_link_path(char *path_out, const char *dir, pid_t pid)
{
	int n = snprintf(path_out, DM_PATH, "%s/pid-%d.sock", dir, (int)pid);

	return n > 0 && n < DM_PATH ? 0 : -ENAMETOOLONG;
}

int dm_runtime_find_process_socket(pid_t pid, char *path_out, char *message)
{
	char dir[DM_PATH];
	int err = dm_runtime_create_and_check_dir(dir, message);

	if (err)
		return err;
	if (build_pid_link_path(path_out, dir, pid) == 0 &&
	    access(path_out, F_OK) == 0)
		return 0;
	snprintf(message, AL_MESSAGE,
		 "no program with process id %d is being recorded", (int)pid);
	return -ESRCH;
}

void dm_runtime_link_pid_to_socket(const char *dir, pid_t pid,
				   const char *socket)
{
	char path[DM_PATH];

	if (build_pid_link_path(path, dir, pid))
		return;
	unlink(path);
	if (symlink(socket, path) < 0)
		return;
}

void dm_runtime_remove_pid_link_to_socket(const char *dir, pid_t pid,
					  const char *socket)
{
	char path[DM_PATH], target[DM_PATH];
	ssize_t n;

	if (build_pid_link_path(path, dir, pid))
		return;
	n = readlink(path, target, sizeof(target));
	if (n > 0 && (size_t)n == strlen(socket) &&
	    !memcmp(target, socket, (size_t)n))
		unlink(path);
}

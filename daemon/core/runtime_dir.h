/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * runtime_dir.h - manages a daemon's socket and links in the runtime directory
 *
 * Threads: any, each with its own objects.
 *
 * The directory is $XDG_RUNTIME_DIR/alleria, or /tmp/alleria-UID if that
 * variable is not set to an absolute path. It has mode 0700, belongs to the
 * daemon's user and is no symbolic link. It contains:
 *
 *   alleriad.sock        the public daemon
 *   run-PID.sock         the daemon inside `alleria run`; tune-PID.sock and
 *                        doctor-PID.sock: inside those commands
 *   private-PID.sock     a daemon that a tool started
 *   pid-PID.sock         link to the socket of the daemon that records PID
 *   X.sock.lock          locked with flock() by the daemon that listens on
 *                        X.sock
 *
 * A killed daemon leaves these files; the next daemon that starts removes
 * sockets and locks whose lock is free, and links whose target is missing.
 */
#ifndef DAEMON_CORE_RUNTIME_DIR_H
#define DAEMON_CORE_RUNTIME_DIR_H

#include <sys/types.h>
#include <sys/un.h>

#include "base/text/message.h"

enum {
	/* [bytes] of a path, with the NUL */
	DM_PATH = sizeof(((struct sockaddr_un *)0)->sun_path),
};

struct dm_listener {
	int fd;	     /* the listening socket; -1 when closed */
	int lock_fd; /* descriptor that holds the lock of PATH.lock; -1 when
			not locked */
	char path[DM_PATH];
};

/**
 * dm_runtime_create_and_check_dir() - Write the path of the runtime directory
 * to @path_out, create the directory if it does not exist, and check it.
 * @path_out: [DM_PATH] receives the path.
 * @message: [AL_MESSAGE] receives one line on error.
 *
 * Return: 0; -errno with @message if the directory cannot be created, is no
 *         directory, belongs to another user, or is accessible by others.
 */
int dm_runtime_create_and_check_dir(char *path_out, char *message);

/**
 * dm_runtime_build_socket_path_create_dir() - Build the path of a socket in the
 * runtime directory.
 * @name: file name without directory.
 * @path_out: [DM_PATH] receives the path.
 *
 * Creates the directory if it does not exist.
 *
 * Return: 0; -errno with @message.
 */
int dm_runtime_build_socket_path_create_dir(const char *name, char *path_out,
					    char *message);

/* Write the path of the link to the socket of the daemon that records process
   @pid to @path_out [DM_PATH]. Creates the runtime directory if it does not
   exist. Return: 0; -ESRCH if there is no such link or its target is missing,
   or another -errno, both with @message [AL_MESSAGE]. */
int dm_runtime_find_process_socket(pid_t pid, char *path_out, char *message);

/**
 * dm_runtime_lock_path_and_listen() - Lock and create a socket, and listen on
 * it.
 * @path: path of the socket. Its directory must belong to root or to the
 *        daemon's user, and others must not be able to replace files in it:
 *        they cannot write to it, or it is sticky (/tmp).
 *
 * A socket that a dead daemon left is replaced.
 *
 * Return: 0; -EADDRINUSE with @message if a living daemon uses @path; another
 *         -errno with @message. Both after success and after an error the
 *         listener may be passed to
 *         dm_runtime_close_listener().
 */
int dm_runtime_lock_path_and_listen(struct dm_listener *, const char *path,
				    char *message);

/* Close the socket and remove it if it is open; remove the lock file and
   release the lock if it is held. */
void dm_runtime_close_listener(struct dm_listener *);

/* Remove the sockets, lock files and links that dead daemons left in the
   directory @dir. */
void dm_runtime_remove_files_of_dead_daemons(const char *dir);

/* Create or replace the link pid-PID.sock in @dir, by which the next image of
   process @pid, and commands that name the process, find the daemon that
   listens on @socket. Errors are ignored: the only effect is that these do not
   find the daemon. */
void dm_runtime_link_pid_to_socket(const char *dir, pid_t pid,
				   const char *socket);

/* Remove the link of process @pid if it points to @socket. */
void dm_runtime_remove_pid_link_to_socket(const char *dir, pid_t pid,
					  const char *socket);

#endif

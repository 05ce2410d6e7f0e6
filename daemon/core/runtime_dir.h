/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * runtime_dir.h - the runtime directory, and the names that a daemon has in it
 *
 * Threads: any, each with its own objects.
 *
 * In $XDG_RUNTIME_DIR/alleria, else /tmp/alleria-UID (0700, ours, no link):
 *
 *   alleriad.sock        the public daemon
 *   run-PID.sock         the daemon inside `alleria run`
 *   private-PID.sock     one that a tool started
 *   pid-PID.sock         link to the socket of the daemon that records PID
 *   X.sock.lock          held with flock() by whoever listens on X.sock
 *
 * A killed daemon leaves its names behind; the next one that starts sees that
 * nobody holds the lock and removes them.
 */
#ifndef DAEMON_CORE_RUNTIME_DIR_H
#define DAEMON_CORE_RUNTIME_DIR_H

#include <sys/types.h>
#include <sys/un.h>

enum {
	DM_PATH = sizeof(((struct sockaddr_un *)0)->sun_path), /* [bytes] */
	DM_MESSAGE = 512,				       /* [bytes] */
};

struct dm_listener {
	int fd;	     /* -1 when closed */
	int lock_fd; /* -1 when not held */
	char path[DM_PATH];
};

/**
 * dm_runtime_dir() - Make sure of the runtime directory.
 * @path: [DM_PATH] receives its name.
 * @message: [DM_MESSAGE] receives one line on error.
 *
 * Return: 0; -errno with @message when it cannot be made, or is there and is
 *         not a directory of ours that is closed to others.
 */
int dm_runtime_dir(char *path, char *message);

/**
 * dm_runtime_socket() - A socket's name in the runtime directory.
 * @name: without directory.
 * @path: [DM_PATH]
 *
 * Return: 0; -errno with @message.
 */
int dm_runtime_socket(const char *name, char *path, char *message);

/**
 * dm_runtime_listen() - Listen on a socket, after removing a dead daemon's.
 * @path: in a directory that others cannot write, or a sticky one of root or
 *        ours (/tmp), where they cannot replace what is there.
 *
 * Return: 0; -EADDRINUSE when a living daemon has it; another -errno; with
 *         @message. The listener may be closed either way.
 */
int dm_runtime_listen(struct dm_listener *, const char *path, char *message);

/* Removes its names too. */
void dm_runtime_close(struct dm_listener *);

/* Removes what dead daemons left in the directory @dir. */
void dm_runtime_sweep(const char *dir);

/* Lets an image of @pid after exec find the daemon that listens on @socket.
   Failing costs only that. */
void dm_runtime_link(const char *dir, pid_t pid, const char *socket);
void dm_runtime_unlink(const char *dir, pid_t pid, const char *socket);

#endif

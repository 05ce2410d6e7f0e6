/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon_start.h - finds the daemon's socket and starts a private daemon
 */
#ifndef VGTOOL_TRANSPORT_DAEMON_START_H
#define VGTOOL_TRANSPORT_DAEMON_START_H

#include "vgtool/core/prelude.h"

enum { VT_MAX_PATH = 108 }; /* [bytes] longest socket path with its NUL */

/**
 * vt_spawn_build_socket_path() - Set @path to the path of the
 * socket @socket_name in the runtime directory. Tool and daemon both use
 * $XDG_RUNTIME_DIR/alleria, or /tmp/alleria-UID if XDG_RUNTIME_DIR is unset or
 * no absolute path.
 *
 * Return: @path; NULL if it does not fit into VT_MAX_PATH bytes.
 */
const HChar *vt_spawn_build_socket_path(HChar path[VT_MAX_PATH],
					const HChar *socket_name);

/**
 * vt_spawn_daemon() - Start `alleriad --private=3 --socket=SOCKET
 * [--program=PATH] OPTIONS`.
 * @socket_path: path of the socket that the daemon is to listen on.
 * @options: further options, NULL-terminated.
 * @output: [@output_size] receives the error output of a daemon that cannot
 *          start, else "".
 *
 * Wait until the daemon listens or has failed, or has been silent for 10 s. The
 * daemon is not a child of the program, so the program's wait() never returns
 * it. The daemon inherits none of the program's descriptors, except standard
 * error, and no LD_PRELOAD.
 *
 * Return: False if no pipe or no process could be created. True does not mean
 *         that the daemon listens: connect to find out.
 */
Bool vt_spawn_daemon(const HChar *socket_path, const HChar *const *options,
		     HChar *output, UInt output_size);

#endif

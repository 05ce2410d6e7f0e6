/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon_start.h - finding the daemon's socket, and starting a private daemon
 */
#ifndef VGTOOL_TRANSPORT_DAEMON_START_H
#define VGTOOL_TRANSPORT_DAEMON_START_H

#include "vgtool/core/prelude.h"

enum { VT_PATH = 108 }; /* [bytes] longest socket path with its NUL */

/**
 * vt_spawn_path() - "RUNTIME/name", RUNTIME being the directory that tool and
 * daemon agree on without a word: $XDG_RUNTIME_DIR/alleria, or else
 * /tmp/alleria-UID.
 *
 * Return: @path, or NULL when it does not fit.
 */
const HChar *vt_spawn_path(HChar path[VT_PATH], const HChar *name);

/**
 * vt_spawn_daemon() - Start `alleriad --private --socket=SOCKET OPTIONS`.
 * @options: NULL-terminated.
 *
 * @words: [size] receives what it prints when it cannot start, else "".
 *
 * Returns when the daemon listens or has failed to. It is nobody's child: the
 * program's wait() never sees it. It has none of the program's descriptors
 * and nothing of what was preloaded into it.
 *
 * Return: False when no process could be made; whether the daemon came up
 *         shows at its socket.
 */
Bool vt_spawn_daemon(const HChar *socket, const HChar *const *options,
		     HChar *words, UInt size);

#endif

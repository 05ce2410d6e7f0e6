/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * private_daemon.h - a private daemon's life: it reports through its last
 * program
 *
 * Threads: the one that started the daemon.
 *
 * A tool that found no daemon has started this one; nobody else looks at its
 * output. So every tool says PT_MSG_BYE and waits. The last one is sent the
 * report (PT_MSG_TEXT) and then PT_MSG_DONE, the others PT_MSG_DONE at once. A
 * program that comes later, say a child that was just being forked, gets the
 * whole report again at its end. Without any program left the daemon ends; when
 * the last could not wait, since it was killed or became one that is not
 * recorded, the daemon prints the report to what was the first one's standard
 * error.
 */
#ifndef DAEMON_PRIVATE_DAEMON_H
#define DAEMON_PRIVATE_DAEMON_H

#include <stdbool.h>

#include "daemon/daemon.h"

/**
 * dm_goodbye_serve() - See to farewells for a while.
 *
 * Return: whether there is anything to stay for after @timeout_ms; false
 *         earlier, with the JSON file written.
 */
bool dm_goodbye_serve(struct dm_daemon *, unsigned timeout_ms);

#endif

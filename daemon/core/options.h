/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options.h - how a daemon is started
 */
#ifndef DAEMON_CORE_OPTIONS_H
#define DAEMON_CORE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

struct dm_options {
	const char *socket;  /* path */
	const char *refusal; /* answer to every hello, or NULL */
	bool private; /* tools wait for the report, see private_daemon.h */
	FILE *report; /* of a private one, which no tool waits for; or
				NULL */
};

#endif

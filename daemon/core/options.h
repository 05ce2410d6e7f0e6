/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options.h - holds the options of a daemon
 */
#ifndef DAEMON_CORE_OPTIONS_H
#define DAEMON_CORE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

struct dm_options {
	const char *socket;  /* path of the socket, absolute or relative to the
				current directory */
	const char *refusal; /* reason with which every tool is refused; NULL:
				tools are not refused */
	/* a tool started this daemon for its own program: each tool waits at
	   its end until it is sent the report, or PT_MSG_DONE without a report;
	   see dm_private_daemon_send_reports_has_more() */
	bool private;
	FILE *report; /* output for the report of a private daemon that no
			 tool waits for; NULL: not printed */
};

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exit_status.h - names the exit statuses of the commands
 */
#ifndef CLI_ARGS_EXIT_STATUS_H
#define CLI_ARGS_EXIT_STATUS_H

enum {
	CL_DAMAGED = 1, /* a part of the profile is damaged, or could not be
			   read */
	CL_WRONG_USAGE = 2,
};

#endif

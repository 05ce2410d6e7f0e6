/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run.h - alleria run
 */
#ifndef CLI_COMMANDS_RUN_H
#define CLI_COMMANDS_RUN_H

enum {
	CL_DAMAGED = 1, /* a part of the profile is damaged */
	CL_WRONG_USAGE = 2,
};

/* @argv: what follows "run". Returns the exit status. */
int cl_run(int argc, char **argv);

#endif

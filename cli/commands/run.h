/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run.h - alleria run
 */
#ifndef CLI_COMMANDS_RUN_H
#define CLI_COMMANDS_RUN_H

#include "cli/args/exit_status.h"

/* @argv: what follows "run". Returns the exit status. */
int cl_run(int argc, char **argv);

#endif
